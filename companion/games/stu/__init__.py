"""Lu Stù, at a prompt: ``from companion.games import stu``. The rules are re-exported from `companion.games.stu.rules`."""

from companion.games.stu.rules import (
    Contradictory,
    Hand,
    Illegal,
    Malformed,
    Report,
    State,
    StuError,
    apply,
    begin,
    check,
    decisions,
    legal_acts,
    replay,
    replay_log,
    report,
)

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
