"""Printed corner indices (a rank over a suit) as labels of cards: which card do they lie on, and in which of its corners?

Photos of overlapping cards are often labelled by these indices alone. Card coordinates are (u, v): a clockwise quad that begins
with a short side is the unit square, u across and v along, corner 0 at (0, 0).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)


def on_card(quad: ArrayLike, points: ArrayLike) -> Floats:
    """``points`` (n, 2), pixels, in card coordinates (n, 2) of ``quad`` (4, 2)."""
    corners = np.asarray(quad, dtype=np.float32)
    given = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not len(given):
        return given
    homography = cv2.getPerspectiveTransform(corners, SQUARE)
    # Points behind the horizon of a strongly tilted quad would come out on the card: they are taken off it.
    ahead = np.column_stack([given, np.ones(len(given))]) @ homography[2] > 0
    mapped = cv2.perspectiveTransform(given[None], homography)[0]
    return np.where(ahead[:, None], mapped, np.inf)


def corner_of(spots: Floats, width: float = 0.25, length: float = 0.25, slack: float = 0.0) -> NDArray[np.int64]:
    """In which corner of the card each of ``spots`` (n, 2), card coordinates, lies: 0 to 3, clockwise, or -1 for none.

    A corner's region is ``width`` of the card's width by ``length`` of its length, and ``slack`` beyond its edges.
    """
    inside = np.all((spots >= -slack) & (spots <= 1 + slack), axis=1)
    left, right = spots[:, 0] <= width, spots[:, 0] >= 1 - width
    upper, lower = spots[:, 1] <= length, spots[:, 1] >= 1 - length
    corner = np.select([left & upper, right & upper, right & lower, left & lower], [0, 1, 2, 3], default=-1)
    return np.asarray(np.where(inside, corner, -1), dtype=np.int64)


def printed(spots: Floats, place: tuple[float, float], within: float) -> NDArray[np.int64]:
    """Where the middle of a printed index is expected and found: 0 for the top left, 2 for the bottom right, -1 for elsewhere.

    ``spots`` (n, 2): card coordinates; ``place``: of the deck's index in the top left corner; ``within``: how far off it may lie,
    as a share of the card's width and of its length. A card with an index in the other two corners is held by its mirror image,
    and no card is.
    """
    out = np.full(len(spots), -1, dtype=np.int64)
    for corner, expected in ((0, np.array(place)), (2, 1 - np.array(place))):
        out[np.all(np.abs(spots - expected) <= within, axis=1)] = corner
    return out


def to_pixels(quad: ArrayLike, spots: ArrayLike) -> Floats:
    """Card coordinates ``spots`` (n, 2) of ``quad`` (4, 2) in pixels (n, 2)."""
    corners = np.asarray(quad, dtype=np.float32)
    given = np.asarray(spots, dtype=np.float64).reshape(-1, 2)
    if not len(given):
        return given
    return np.asarray(cv2.perspectiveTransform(given[None], cv2.getPerspectiveTransform(SQUARE, corners))[0], dtype=np.float64)


def table_of(quad: ArrayLike, ratio: float) -> Floats:
    """The homography (3, 3) from pixels to the table on which the card ``quad`` (4, 2) is 1 wide and ``ratio`` long."""
    corners = np.asarray(quad, dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, SQUARE * np.array([1, ratio], dtype=np.float32)), dtype=np.float64)


def on_table(quad: ArrayLike, card: ArrayLike, ratio: float) -> Floats:
    """``quad`` (4, 2) on the table of `table_of` ``card``."""
    given = np.asarray(quad, dtype=np.float64)
    return np.asarray(cv2.perspectiveTransform(given[None], table_of(card, ratio))[0], dtype=np.float64)
