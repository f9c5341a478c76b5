"""What the eyes report of a game of Stoppa. Places are numbered as the players are, anticlockwise from 0.

`TAGS` names each kind of sighting on disk, in ledgers, recordings and the bench's caches: a tag never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from companion.eyes.sighting import CameraMoved, Cleared, Odds, PlaceOdds, Shown, Unseen

__all__ = [
    "TAGS", "CameraMoved", "Cleared", "Dealt", "Laid", "Odds", "PlaceOdds", "Resumed", "Shown", "Sighting", "TakenBack", "Unseen",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dealt:
    """Backs came to lie before ``place`` at ``t`` seconds, ``count`` of them as far as could be seen; None: not countable."""

    t: float
    place: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card lies face up on the pile in the middle since ``t`` seconds.

    ``episode`` (unique in a source): the same one is reported again when further looks change what is known of it.
    ``alternatives``: its kinds; what they lack to 1 is the probability that no card was put there. Empty where a card was put
    there and its face was not seen. ``places``: where the hand came from. ``motion``: cards put down in one motion share it, in
    the order in which they lie, the lowest first.
    """

    t: float
    episode: int
    alternatives: Odds
    places: PlaceOdds
    motion: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Cards were taken off the pile at ``t`` seconds: the one of the episode ``top`` is on top again; None: the pile is bare.

    ``places``: where the hand came from. ``probability`` (0..1) that this is what happened.
    """

    t: float
    top: int | None
    places: PlaceOdds
    probability: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """How the table lay at ``until`` seconds, in view again after nothing of it could be seen from ``t`` seconds on.

    ``pile``: whether cards lie in the middle. ``same``: whether the pile looks just as before; None: cannot be compared.
    ``top``: the kinds of its top card; empty where it has none or cannot be read. ``backs``, ``faces``: places before which
    cards lie face down, or face up.
    """

    t: float
    until: float
    pile: bool
    same: bool | None
    top: Odds
    backs: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()


Sighting = Dealt | Laid | TakenBack | Shown | Cleared | Resumed | Unseen | CameraMoved

TAGS: Final[Mapping[str, type[Any]]] = MappingProxyType(
    {
        "Dealt": Dealt,
        "Laid": Laid,
        "TakenBack": TakenBack,
        "Shown": Shown,
        "Cleared": Cleared,
        "Resumed": Resumed,
        "Unseen": Unseen,
        "CameraMoved": CameraMoved,
    }
)
