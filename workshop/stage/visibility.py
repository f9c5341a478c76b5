"""How much of a card the picture shows: its quad less what lies on it and what lies out of the picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage.sprites import Gray, Rect, Sprite, overlap

Floats = NDArray[np.float64]
Cover = Floats | Sprite
"""What can lie on a card: a convex quad (4 x 2 px), or the mask of anything drawn."""

FINE = 96
"""Least number of points along its longer side at which a card is sampled."""


def cover_rect(cover: Cover) -> Rect:
    """The pixels that a cover can touch."""
    if isinstance(cover, Sprite):
        return cover.rect
    low, high = np.floor(cover.min(0)), np.ceil(cover.max(0)) + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _fill(mask: Gray, polygon: Floats, origin: Floats, factor: float, value: int) -> None:
    # +0.5: pixel (0, 0) covers -0.5..0.5 of the picture and, when enlarged, the samples 0..factor.
    points = (polygon + 0.5 - origin) * factor - 0.5
    cv2.fillConvexPoly(mask, np.round(points * 256).astype(np.int32), value, cv2.LINE_8, 8)


def share(quad: Floats, covers: list[Cover], width: int, height: int) -> float:
    """The visible share, 0..1, of a convex quad (4 x 2 px) under ``covers`` in a width x height picture, to about 0.02."""
    low, high = quad.min(0), quad.max(0)
    longest = float(np.max(high - low))
    factor = float(np.clip(np.ceil(FINE / max(1.0, longest)), 1, 16)) if longest < FINE else 1.0
    origin = np.floor(low) - 1
    size = np.ceil((high - origin + 2) * factor).astype(int)
    if not np.all(np.isfinite(size)) or size.max() > 8000:
        return 0.0
    mask = np.zeros((size[1], size[0]), np.uint8)
    _fill(mask, quad, origin, factor, 255)
    whole = int(cv2.countNonZero(mask))
    if whole == 0:
        return 0.0
    box = (int(origin[0]), int(origin[1]), int(np.ceil(high[0])) + 2, int(np.ceil(high[1])) + 2)
    for cover in covers:
        if overlap(cover_rect(cover), box) is None:
            continue
        if isinstance(cover, Sprite):
            _stamp(mask, cover, origin, factor)
        else:
            _fill(mask, cover, origin, factor, 0)
    left, top = np.ceil((np.array([0, 0]) - origin) * factor).astype(int)
    right, bottom = np.floor((np.array([width, height]) - origin) * factor).astype(int)
    inside = mask[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    return float(cv2.countNonZero(inside) / whole) if inside.size else 0.0


def _stamp(mask: Gray, cover: Sprite, origin: Floats, factor: float) -> None:
    """Clear what the sprite's mask covers."""
    matrix = np.array(
        [
            [factor, 0, (cover.x + 0.5 - origin[0]) * factor - 0.5],
            [0, factor, (cover.y + 0.5 - origin[1]) * factor - 0.5],
        ]
    )
    enlarged = cv2.warpAffine(cover.mask, matrix, (mask.shape[1], mask.shape[0]), flags=cv2.INTER_NEAREST)
    mask[enlarged > 127] = 0
