"""Lu Stù: cards, table log, rules, rulings. Pure: no files, no clock, no chance.

``begin`` a game, ``apply`` events to it, ask ``check`` why one cannot be and ``legal_acts`` which can; ``report`` says
who pays.
"""

from companion.games.stu.rules.acts import decisions, legal_acts
from companion.games.stu.rules.between import begin
from companion.games.stu.rules.engine import apply, check, replay, replay_log
from companion.games.stu.rules.errors import Contradictory, Illegal, Malformed, StuError
from companion.games.stu.rules.report import Report, report
from companion.games.stu.rules.state import Hand, State

__all__ = [
    "Contradictory",
    "Hand",
    "Illegal",
    "Malformed",
    "Report",
    "State",
    "StuError",
    "apply",
    "begin",
    "check",
    "decisions",
    "legal_acts",
    "replay",
    "replay_log",
    "report",
]
