"""What the eyes report, as plain frozen values that the referee can import without a camera.

Two levels: `CardSeen` and `TableView` say what lies in one picture; a `Sighting` says what happened on the table over several.
Places are numbered as the players of the table are, anticlockwise from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
"""(x, y) in pixels of the picture it belongs to, x right, y down, unless a name says table coordinates."""

Quad = tuple[Point, Point, Point, Point]
"""The four corners of a whole card, clockwise as a viewer sees them, any corner first."""

Side = Literal["face", "back", "stack"]
"""What lies up: a face, a back, or `stack`: a deck or pile, whose quad is that of its top card."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card in one picture: an entry of ``companion detect --json``.

    ``quad`` is the whole card, hidden parts included, in pixels. ``deck`` is ``stu``, ``ramino``, the name of an enrolled
    deck, or ``unknown``. ``card`` is the kind's id for a face that could be read, else None. ``score`` is the calibrated
    probability (0..1) that the entry is right in all; ``alternatives`` are the kinds' probabilities, most likely first,
    given that it is a face of this deck, or for ``unknown`` that it is a Stù face all the same (empty for backs and stacks).
    """

    quad: Quad
    deck: str
    side: Side
    score: float
    card: str | None = None
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stirred:
    """Where something moves on the table: ``ground`` float64 (n, 2), points spread over it, table coordinates, the same array as
    long as the camera stands; ``moving`` bool (n,): which of them looked otherwise a moment ago."""

    ground: NDArray[np.float64]
    moving: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TableView:
    """All cards seen at one moment: ``t`` in seconds into the source, ``centres`` in table coordinates, one per card."""

    t: float
    cards: tuple[CardSeen, ...]
    centres: tuple[Point, ...]
    lengths: tuple[float, ...]
    """The cards' long sides in table coordinates."""
    turns: tuple[float, ...]
    """How the cards' long sides lie on the table, degrees from its x axis towards its y axis, 0 to 180."""
    stirred: Stirred | None = None
    """None where nothing can be said of what moves."""


@dataclass(frozen=True, slots=True)
class Appeared:
    """A card came to lie face down in the bare ``place`` at ``t`` seconds."""

    t: float
    place: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A face lies in ``place`` since ``t`` seconds, most likely first in ``alternatives`` (probabilities, sum 1).

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
    """Cards went to and fro between two places from ``t`` to ``until`` seconds, with this ``probability`` (0..1)."""

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
    """So many pedine (``count``, 0: none) have lain before ``place`` since ``t`` seconds, with this ``probability`` (0..1)."""

    t: float
    place: int
    count: int
    probability: float


@dataclass(frozen=True, slots=True)
class Cleared:
    """The places are bare since ``t`` seconds: the cards of the hand have been gathered."""

    t: float


Why = Literal["moved", "blocked", "dark", "frozen", "gap"]
"""Why the table could not be seen: the camera was knocked, something was in the way, there was no light, the camera gave the same
picture again and again, or none."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """From ``t`` to ``until`` seconds the ``places`` could not be seen (None: the whole table). What happened there meanwhile
    nobody knows; in particular, nothing is known to have gone."""

    t: float
    until: float
    places: tuple[int, ...] | None
    why: Why


@dataclass(frozen=True, slots=True)
class CameraMoved:
    """The camera was knocked, and the table has been found again at ``t`` seconds, ``shift`` pixels from where it was in the
    mean. Places are where they were; their pixels are others."""

    t: float
    shift: float


Sighting = Appeared | Shown | Exchanged | DeckExchanged | PedineSeen | Cleared | Unseen | CameraMoved
