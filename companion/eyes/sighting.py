"""What the eyes report, as plain frozen values that the referee can import without a camera.

Two levels: `CardSeen` and `TableView` say what lies in one picture; a `Sighting` says what happened on the table over several.
What can happen on the table is each game's own, but for what happens to the camera itself.
Places are numbered as the players of the table are, anticlockwise from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

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
class Motion:
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
    motion: Motion | None = None
    """None where nothing can be said of what moves."""


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


Sighting: TypeAlias = Any
"""What a game's eyes report: a frozen dataclass with ``t``, seconds into the source. Each game has its own kinds, beside `Unseen`
and `CameraMoved`; they are opaque to the house."""
