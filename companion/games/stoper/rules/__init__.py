"""Stoper: table log, rules, rulings. Pure: no files, no clock, no chance.

``begin`` a game, ``apply`` events to it, ask ``check`` why one cannot be and ``legal_acts`` which can; ``report`` says
whose the pots are.
"""

from companion.games.stoper.rules.acts import legal_acts
from companion.games.stoper.rules.between import begin
from companion.games.stoper.rules.engine import StoperRules, apply, outcome
from companion.games.stoper.rules.log import LOG, new_game
from companion.games.stoper.rules.report import Report, report, ruling
from companion.games.stoper.rules.state import Hand, State
from companion.games.stoper.rules.waiting import waiting
from companion.table.errors import Contradictory, GameError, Illegal, Malformed
from companion.table.game import Between, Over, Turn

RULES = StoperRules()
check, replay, replay_log = RULES.check, RULES.replay, RULES.replay_log
names, hands, in_hand = RULES.names, RULES.hands, RULES.in_hand

__all__ = [
    "LOG",
    "Between",
    "Contradictory",
    "GameError",
    "Hand",
    "Illegal",
    "Malformed",
    "Over",
    "Report",
    "State",
    "Turn",
    "apply",
    "begin",
    "check",
    "hands",
    "in_hand",
    "legal_acts",
    "names",
    "new_game",
    "outcome",
    "replay",
    "replay_log",
    "report",
    "ruling",
    "waiting",
]
