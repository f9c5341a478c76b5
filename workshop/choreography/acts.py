"""What people do at a table, one act at a time: what a script consists of. Each game has acts of its own beside these.

Cards are named by id, players are seats.
"""

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


@dataclass(frozen=True, slots=True)
class Bet(Act):
    """A player puts money in the middle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say(Act):
    """A player says a word: nothing moves."""

    seat: int


@dataclass(frozen=True, slots=True)
class Show(Act):
    """A player lays ``cards`` open before them."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deal(Act):
    """Cards are dealt to everybody who takes part, for the ``iteration``-th time (from 0) in this hand."""

    iteration: int = 0
