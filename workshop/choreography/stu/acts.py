"""What people do at Lu Stù, one act at a time. Cards are named by id."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.choreography.acts import Act


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
