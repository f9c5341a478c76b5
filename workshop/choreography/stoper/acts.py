"""What people do at Stoper, one act at a time. Cards are named by id, players are seats."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.choreography.acts import Act


@dataclass(frozen=True, slots=True)
class AllIn(Act):
    """A player puts all the chips they have in the middle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Knock(Act):
    """A player knocks on the table: busso."""

    seat: int


@dataclass(frozen=True, slots=True)
class Fold(Act):
    """A player throws their cards in, face down."""

    seat: int


@dataclass(frozen=True, slots=True)
class Change(Act):
    """A player puts ``discards`` out, face down, and gets ``received`` for them, the first one now. ``kept``: the discards stay
    beside the place, to be shown when the hand is laid open."""

    seat: int
    discards: tuple[str, ...]
    received: tuple[str, ...]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Seconds(Act):
    """All have changed, and those who put out two cards get their second ones."""


@dataclass(frozen=True, slots=True)
class Prove(Act):
    """A player turns up the discards that they have kept."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Won(Act):
    """A player takes chips: this ``share`` (0 to 1) of what lies in the middle."""

    seat: int
    share: float


@dataclass(frozen=True, slots=True)
class Buy(Act):
    """A player buys chips, and puts them before their place."""

    seat: int
