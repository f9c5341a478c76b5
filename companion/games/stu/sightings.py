"""What the eyes report of a game of Lu Stù. Places are numbered as the players are, anticlockwise from 0.

`TAGS` names each kind of sighting on disk, in ledgers, recordings and the bench's caches: a tag never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from companion.eyes.sighting import CameraMoved, Unseen


@dataclass(frozen=True, slots=True)
class Appeared:
    """A card came to lie face down in the bare ``place`` at ``t`` seconds."""

    t: float
    place: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A face has lain in ``place`` since ``t`` seconds; ``alternatives``: kinds and their probabilities, most likely first.

    The same ``episode`` (unique in a source) is reported again when further looks change its alternatives. ``not_before``: when
    a card was last seen face down there; the face may have been there since then, under a hand. None: not known.
    """

    t: float
    place: int
    episode: int
    alternatives: tuple[tuple[str, float], ...]
    not_before: float | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Two places exchanged their cards from ``t`` to ``until`` seconds, with this ``probability`` (0..1)."""

    t: float
    until: float
    places: tuple[int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class DeckExchanged:
    """A card of ``place`` went to the deck and one came back, from ``t`` to ``until`` seconds, with this ``probability``."""

    t: float
    until: float
    place: int
    probability: float


@dataclass(frozen=True, slots=True)
class PedineSeen:
    """``count`` pedine (0: none) have lain before ``place`` since ``t`` seconds, with this ``probability`` (0..1)."""

    t: float
    place: int
    count: int
    probability: float


@dataclass(frozen=True, slots=True)
class Cleared:
    """The places have been bare since ``t`` seconds: the cards of the hand have been gathered."""

    t: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """How the table lay at ``until`` seconds, in view again after nothing of it could be seen from ``t`` seconds on.

    ``same``: places whose card lies just as it lay before; ``moved``: those where one lies differently; the others cannot be
    compared. ``backs``, ``faces``: places where a card lies face down, or face up; ``turned``: those where a face lay
    before, and now a back or another face. ``deck``: the places nearest to the deck before and afterwards, None where it is
    near none or not in view.
    """

    t: float
    until: float
    same: tuple[int, ...]
    moved: tuple[int, ...]
    backs: tuple[int, ...]
    faces: tuple[int, ...]
    turned: tuple[int, ...]
    deck: tuple[int | None, int | None] = (None, None)


Sighting = Appeared | Shown | Exchanged | DeckExchanged | PedineSeen | Cleared | Resumed | Unseen | CameraMoved

TAGS: Final[Mapping[str, type[Any]]] = MappingProxyType(
    {
        "Appeared": Appeared,
        "Shown": Shown,
        "Exchanged": Exchanged,
        "DeckExchanged": DeckExchanged,
        "PedineSeen": PedineSeen,
        "Cleared": Cleared,
        "Resumed": Resumed,
        "Unseen": Unseen,
        "CameraMoved": CameraMoved,
    }
)
