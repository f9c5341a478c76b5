"""Lu Stù: table log, rules, rulings. Pure: no files, no clock, no chance.

``begin`` a game, ``apply`` events to it, ask ``check`` why one cannot be and ``legal_acts`` which can; ``report`` says
who pays.
"""

from companion.games.stu.rules.acts import decisions, legal_acts
from companion.games.stu.rules.between import begin
from companion.games.stu.rules.engine import StuRules, apply, outcome
from companion.games.stu.rules.log import LOG, new_game
from companion.games.stu.rules.report import Report, report, ruling
from companion.games.stu.rules.state import Hand, State
from companion.games.stu.rules.waiting import waiting
from companion.table.errors import Contradictory, GameError, Illegal, Malformed
from companion.table.game import Between, Over, Turn

RULES = StuRules()
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
    "decisions",
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
