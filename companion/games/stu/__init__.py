"""Lu Stù, at a prompt: ``from companion.games import stu``. The rules are re-exported from `companion.games.stu.rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    waiting,
)

if TYPE_CHECKING:
    from companion.games.stu import rules
    from companion.table.game import Rules

    _: Rules = rules  # mypy shows that the module keeps the protocol

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
    "waiting",
]
