"""Stoppa: table log, rules, rulings. Pure: no files, no clock, no chance.

``begin`` a game, ``apply`` events to it, ask ``check`` why one cannot be and ``legal_acts`` which can; ``report`` says
who pays.
"""

from companion.games.stoppa.rules.acts import legal_acts
from companion.games.stoppa.rules.between import begin
from companion.games.stoppa.rules.engine import StoppaRules, apply, at_line, outcome
from companion.games.stoppa.rules.log import LOG, new_game
from companion.games.stoppa.rules.report import Report, report, ruling
from companion.games.stoppa.rules.state import Hand, State
from companion.games.stoppa.rules.waiting import waiting
from companion.table.errors import Contradictory, GameError, Illegal, Malformed
from companion.table.game import Between, Over, Turn

RULES = StoppaRules()
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
    "at_line",
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
