"""A card to draw on: shapes, lines and letters in paints that may be patterns, all in hundredths of the card's height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Rng: TypeAlias = np.random.Generator
Colour: TypeAlias = tuple[int, int, int]
"""BGR, 0..255."""
Paint: TypeAlias = Colour | Image
"""One colour, or a pattern of the canvas' size that shows through the shape."""
Points: TypeAlias = Sequence[tuple[float, float]] | Floats
"""(n, 2), x right, y down, origin at the card's top left, 100 to its bottom."""

FONTS = (
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
    cv2.FONT_HERSHEY_COMPLEX | cv2.FONT_ITALIC,
)
TALL = 448
"""Height in pixels of what is drawn: twice a texture's, which is then averaged down."""
_BITS = 4
"""Binary places of the coordinates that OpenCV draws with."""


class Canvas:
    """A card being drawn. ``image``: uint8 BGR, `TALL` pixels high; ``wide``: its width in units."""

    def __init__(self, ratio: float, paper: Paint) -> None:
        self.width = round(TALL * ratio)
        self.wide = 100 * self.width / TALL
        self.image: Image = np.empty((TALL, self.width, 3), np.uint8)
        self.image[:] = paper

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return TALL, self.width

    def shape_of(self, points: Points) -> Image:
        """The mask (0 or 255) of a closed shape."""
        mask = np.zeros(self.shape, np.uint8)
        cv2.fillPoly(mask, [_pixels(points)], 255, cv2.LINE_8, _BITS)
        return mask

    def fill(self, points: Points, paint: Paint) -> None:
        """Fills a closed shape."""
        if isinstance(paint, tuple):
            cv2.fillPoly(self.image, [_pixels(points)], paint, cv2.LINE_8, _BITS)
        else:
            cv2.copyTo(paint, self.shape_of(points), self.image)

    def line(self, points: Points, colour: Colour, width: float, closed: bool = False) -> None:
        """A line through the points, ``width`` units wide."""
        if width > 0:
            cv2.polylines(self.image, [_pixels(points)], closed, colour, max(1, round(width * TALL / 100)), cv2.LINE_8, _BITS)

    def draw(self, points: Points, paint: Paint, ink: Colour | None = None, line: float = 0.6) -> None:
        """A closed shape, with an outline where ``ink`` is given."""
        self.fill(points, paint)
        if ink is not None:
            self.line(points, ink, line, closed=True)

    def text(self, words: str, x: float, y: float, cap: float, colour: Colour, font: int = FONTS[0], weight: float = 0.6) -> None:
        """Letters with capitals ``cap`` units high, their middle at (x, y)."""
        scale = cap * TALL / 100 / 21  # Hershey's capitals are 21 units high
        thick = max(1, round(weight * TALL / 100))
        (across, high), _ = cv2.getTextSize(words, font, scale, thick)
        at = (round(x * TALL / 100 - across / 2), round(y * TALL / 100 + high / 2))
        cv2.putText(self.image, words, at, font, scale, colour, thick, cv2.LINE_8)

    def turned(self, mask: Image) -> None:
        """Covers what ``mask`` marks with the card as it looks upside down."""
        cv2.copyTo(np.ascontiguousarray(self.image[::-1, ::-1]), mask, self.image)


def _pixels(points: Points) -> NDArray[np.int32]:
    return np.round((np.asarray(points, np.float64) * TALL / 100 - 0.5) * (1 << _BITS)).astype(np.int32).reshape(-1, 1, 2)


def smooth(points: Points, steps: int = 6) -> Floats:
    """The closed Catmull-Rom curve through the points, ``steps`` points for each stretch."""
    p = np.asarray(points, np.float64)
    before, after, next_after = np.roll(p, 1, 0), np.roll(p, -1, 0), np.roll(p, -2, 0)
    t = (np.arange(steps) / steps)[None, :, None]
    a, b, c, d = before[:, None], p[:, None], after[:, None], next_after[:, None]
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    return np.asarray(curve.reshape(-1, 2), np.float64)


def ellipse(x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0, sides: int = 28) -> Floats:
    """The points of an ellipse, ``turn`` in degrees; with few ``sides`` a regular polygon."""
    t = np.linspace(0, 2 * np.pi, sides, endpoint=False) - np.pi / 2
    return placed(np.column_stack([np.cos(t) * rx, np.sin(t) * (rx if ry is None else ry)]), x, y, turn=turn)


def box(x: float, y: float, right: float, bottom: float) -> Floats:
    """The corners of an upright rectangle."""
    return np.array([[x, y], [right, y], [right, bottom], [x, bottom]], np.float64)


def star(x: float, y: float, points: int, outer: float, inner: float, turn: float = 0.0) -> Floats:
    """A star's points."""
    t = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False) - np.pi / 2
    r = np.where(np.arange(2 * points) % 2, inner, outer)
    return placed(np.column_stack([np.cos(t) * r, np.sin(t) * r]), x, y, turn=turn)


def placed(points: Points, x: float, y: float, scale: float = 1.0, turn: float = 0.0, flip: bool = False) -> Floats:
    """Points about the origin scaled, turned (degrees, clockwise as seen), perhaps mirrored, and moved to (x, y)."""
    a = np.radians(turn)
    p = np.asarray(points, np.float64) * scale
    if flip:
        p = p * [-1, 1]
    return np.asarray(p @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y), np.float64)
