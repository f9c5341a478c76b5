"""What the eyes report of a game of Stoper. Places are numbered as the players are, clockwise from 0.

The eyes tell what cards do on the table, and not what it means: whether cards thrown are changed, thrown in or conceded follows
from what the phone tells and from the rules. Nobody's words and amounts are seen.

`TAGS` names each kind of sighting on disk, in ledgers, recordings and the bench's caches: a tag never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from companion.eyes.sighting import CameraMoved, Cleared, Odds, PlaceOdds, Shown, Unseen

__all__ = [
    "TAGS", "CameraMoved", "Cleared", "CountOdds", "Dealt", "Odds", "PlaceOdds", "Resumed", "Shown", "Sighting", "Thrown",
    "Unseen",
]  # fmt: skip

CountOdds = tuple[tuple[int, float], ...]
"""Numbers of cards and their probabilities (0..1), most likely first; 0: there were none after all. What is missing to 1 is any
other number from 0 to 3. Empty: cards there were, 1 to 3 of them, not countable."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Backs have come to lie before ``place`` since ``t`` seconds, the last of them at ``until`` seconds: the first cards, dealt
    one at a time, or those received for cards changed.

    ``counts``: how many came, in this episode. The same ``episode`` (unique in a source) is reported again when more come to lie
    there, or when further looks change the odds; once they have been taken up, those that come next are another episode.
    """

    t: float
    episode: int
    place: int
    counts: CountOdds
    until: float


@dataclass(frozen=True, slots=True)
class Thrown:
    """Backs have gone from a player to the middle since ``t`` seconds: cards changed, a whole hand thrown in, or one conceded.

    ``places``: where they came from. ``counts``: how many went. The same ``episode`` (unique in a source) is reported again when
    further cards of the same motion come to lie there, or when further looks change the odds. The pack, and cards dealt from it,
    are none of them.
    """

    t: float
    episode: int
    places: PlaceOdds
    counts: CountOdds


@dataclass(frozen=True, slots=True)
class Resumed:
    """How the table lay at ``until`` seconds, in view again after nothing of it could be seen from ``t`` seconds on.

    ``same``: whether all cards lie as before, those in the middle and those before the places; None: cannot be compared.
    ``middle``: whether thrown cards lie in the middle. ``backs``, ``faces``: places before which cards lie face down, or face up.
    """

    t: float
    until: float
    same: bool | None
    middle: bool
    backs: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()


Sighting = Dealt | Thrown | Shown | Cleared | Resumed | Unseen | CameraMoved

TAGS: Final[Mapping[str, type[Any]]] = MappingProxyType(
    {
        "Dealt": Dealt,
        "Thrown": Thrown,
        "Shown": Shown,
        "Cleared": Cleared,
        "Resumed": Resumed,
        "Unseen": Unseen,
        "CameraMoved": CameraMoved,
    }
)
