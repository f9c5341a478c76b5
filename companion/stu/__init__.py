"""Lu Stù: cards, table log, rules, rulings. Pure: no files, no clock, no chance.

``begin`` a game, ``apply`` events to it, ask ``check`` why one cannot be and ``legal_acts`` which can; ``report`` says
who pays.
"""

from companion.stu.acts import decisions, legal_acts
from companion.stu.between import begin
from companion.stu.errors import Contradictory, Illegal, Malformed, StuError
from companion.stu.report import Report, report
from companion.stu.rules import apply, check, replay, replay_log
from companion.stu.table import Hand, State

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
