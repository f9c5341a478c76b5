"""What people do at the table, one act at a time: the words that a script is written in. Cards are named by id."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Act:
    """What is done. ``line``: index of the log line that it makes true (None: it only follows from one)."""

    line: int | None


@dataclass(frozen=True, slots=True)
class Stay(Act):
    """A player stays."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ask(Act):
    """``asker`` asks ``asked`` to exchange; of a dealer who will draw, ``asked`` is None. ``back``: in a backward run."""

    asker: int
    asked: int | None
    back: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(Act):
    """``asker`` and ``asked`` exchange ``given`` and ``taken`` (card ids as the asker sees it)."""

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
    """``old`` goes under the deck, the deck's top card ``new`` comes to the place."""

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
    """How many pedine should now lie before a player (a virgin shows none)."""

    seat: int
    shown: int
    announced: bool
    """Called out when it falls due, so that it may be paid at once."""


@dataclass(frozen=True, slots=True)
class Over(Act):
    """The hand is over, or void: the cards are cleared."""

    void: bool = False


@dataclass(frozen=True, slots=True)
class Note(Act):
    """A line that moves nothing on the table."""
