"""What the eyes report, as plain frozen values that the referee can import without a camera.

There are two levels: `CardSeen` and `TableView` say what one picture shows; a `Sighting` says what happened on the table in the
course of several. Each game has its own sightings, besides the ones here about the camera. Places are numbered like the table's
players, from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
"""(x, y) in pixels of its picture, x right, y down, unless table coordinates are mentioned."""

Quad = tuple[Point, Point, Point, Point]
"""The four corners of a whole card, clockwise as a viewer sees them, any corner first."""

Side = Literal["face", "back", "stack"]
"""What is on top: a face, a back, or a stack (a deck or pile, whose quad is that of its top card)."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card in one picture: an entry of ``companion detect --json``.

    ``quad``: the whole card, including hidden parts, in pixels. ``deck``: ``stu``, ``ramino``, the name of an enrolled deck, or
    ``unknown``. ``card``: the kind's id for a face that could be read, else None. ``score``: the calibrated probability (0..1)
    that the whole entry is right. ``alternatives``: the kinds' probabilities, most likely first, given that it is a face of this
    deck, or for ``unknown`` that it is a Stù face after all; empty for backs and stacks. ``around``: for a card that was put down
    on others, the changed area beside it as a multiple of a card's, near 0 where it came alone; None for all other cards.
    """

    quad: Quad
    deck: str
    side: Side
    score: float
    card: str | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    around: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Where something moves on the table. ``ground`` float64 (n, 2): points spread over the table, table coordinates, the same
    array as long as the camera stands still; ``moving`` bool (n,): the points that have just changed."""

    ground: NDArray[np.float64]
    moving: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TableView:
    """All cards seen at ``t`` seconds into the source. ``centres``: one for each card, table coordinates."""

    t: float
    cards: tuple[CardSeen, ...]
    centres: tuple[Point, ...]
    lengths: tuple[float, ...]
    """The cards' long sides in table coordinates."""
    turns: tuple[float, ...]
    """The directions of the cards' long sides on the table, degrees from its x axis towards its y axis, 0 to 180."""
    motion: Motion | None = None
    """None where it is not known what moves."""
    widths: tuple[float, ...] = ()
    """The cards' short sides in table coordinates; none where they are not known."""


Why = Literal["moved", "blocked", "dark", "frozen", "gap", "stopped"]
"""Why the table could not be seen: the camera was knocked, something was in the way, there was no light, the camera repeated the
same picture, or gave none; or this program was not running."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """These ``places`` (None: the whole table) could not be seen from ``t`` to ``until``, seconds. What happened there is
    unknown; above all, no card there may be taken to be gone."""

    t: float
    until: float
    places: tuple[int, ...] | None
    why: Why


@dataclass(frozen=True, slots=True)
class CameraMoved:
    """The camera was knocked, and at ``t`` seconds the table has been found again, on average ``shift`` pixels from where it
    was. The places are the same, but their pixels are not."""

    t: float
    shift: float


Odds = tuple[tuple[str, float], ...]
"""Card ids and their probabilities (0..1), most likely first."""

PlaceOdds = tuple[tuple[int, float], ...]
"""Places and their probabilities (0..1), most likely first; what is missing to 1 is any of the others'."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A face has lain open before ``place`` since ``t`` seconds; ``alternatives``: its kinds. For games in which a player holds
    several cards.

    The same ``episode`` (unique in a source) is reported again when further looks change its alternatives.
    """

    t: float
    place: int
    episode: int
    alternatives: Odds


@dataclass(frozen=True, slots=True)
class Cleared:
    """All cards have been gathered, in the middle and before the places: the table has been bare since ``t`` seconds."""

    t: float


Sighting: TypeAlias = Any
"""What a game's eyes report: a frozen dataclass with ``t``, seconds into the source. Each game has its own kinds beside
`Unseen` and `CameraMoved`; to all general rooms they are opaque."""
