"""What people do at the table, one act at a time: what a script consists of. Cards are named by id."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Act:
    """What is done. ``line``: index of the log line that says it; None where it only follows from one."""

    line: int | None


@dataclass(frozen=True, slots=True)
class Stay(Act):
    """A player stays."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ask(Act):
    """``asker`` asks ``asked`` to exchange; None where a dealer will draw. ``back``: in a backward run."""

    asker: int
    asked: int | None
    back: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(Act):
    """``asker`` gives the card ``given`` to ``asked`` and takes the card ``taken``."""

    asker: int
    asked: int
    given: str
    taken: str


@dataclass(frozen=True, slots=True)
class Show(Act):
    """A player turns their card face up; ``answer``: because they were asked."""

    seat: int
    card: str
    answer: bool


@dataclass(frozen=True, slots=True)
class DrawCard(Act):
    """The card ``old`` goes under the deck, and the deck's top card, ``new``, comes to the place."""

    seat: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Leave(Act):
    """Out in mid-hand: the card goes face down under the deck."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Pedine(Act):
    """How many pedine are to lie before a player from now on (a virgin shows none)."""

    seat: int
    shown: int
    announced: bool
    """The payment was called out when it fell due, so that it may be made at once."""


@dataclass(frozen=True, slots=True)
class Over(Act):
    """The hand is over, or void: the cards are cleared."""

    void: bool = False


@dataclass(frozen=True, slots=True)
class Note(Act):
    """A line that moves nothing on the table."""
