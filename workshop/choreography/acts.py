"""What people do at any table, one act at a time: what a script consists of. Each game has acts of its own beside these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Act:
    """What is done. ``line``: index of the log line that says it; None where it only follows from one."""

    line: int | None


@dataclass(frozen=True, slots=True)
class Over(Act):
    """The hand is over, or void: the cards are cleared."""

    void: bool = False


@dataclass(frozen=True, slots=True)
class Note(Act):
    """A line that moves nothing on the table."""
