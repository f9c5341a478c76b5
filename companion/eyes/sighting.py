"""What the eyes report: cards seen in one picture, as plain frozen values that the referee can import without a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    given that it is a face of this deck (empty for backs, stacks and other decks).
    """

    quad: Quad
    deck: str
    side: Side
    score: float
    card: str | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
