"""Lu Stù, at a prompt: ``from companion.games import stu``. The rules are re-exported from `companion.games.stu.rules`."""

from companion.games.stu.rules import (
    Contradictory,
    GameError,
    Hand,
    Illegal,
    Malformed,
    Report,
    State,
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
    "GameError",
    "Hand",
    "Illegal",
    "Malformed",
    "Report",
    "State",
    "apply",
    "begin",
    "check",
    "decisions",
    "legal_acts",
    "replay",
    "replay_log",
    "report",
]
