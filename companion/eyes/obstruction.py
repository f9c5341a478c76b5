"""Notices somebody in the way: which places are hidden by something much larger than a hand with its arm.

Each picture is compared with how the table looked in the last seconds. What differs and is wider than an arm hides what is behind
it. A change of the light does not, as textures still look the same.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import Image
from companion.eyes.registration import MIN_TILE_CORRELATION, Grey, correlation, textured_tiles

Floats = NDArray[np.float64]
SMALL_WIDTH = 80
"""Width in pixels of the map in which wide things are looked for."""
DIFFERENT_LEVELS = 20.0
"""A pixel differs from what was there when one of its colours does by more than this (0..255)."""
MIN_WIDE_SHARE = 0.33
"""Share of the table's size (the root of its area): anything wider is not an arm."""
MAX_LIGHT_FACTOR = 1.4
"""Greatest factor between the light now and in the table's usual look that is corrected for."""
MIN_HIDDEN_SHARE = 0.2
"""Least share of the table that something in the way hides."""
REMEMBERS_SECONDS = 2.5
"""Time constant with which the table's usual look follows changes."""
LONG_SECONDS = 20.0
"""Time constant of the table's look of a while ago: somebody who leans in slowly does not become part of it."""
STAYS_SECONDS = 30.0
"""Seconds after which something in the way belongs to the table."""


class Obstruction:
    """Watches one table. ``image``: (H, W, 3) uint8 BGR; ``eye``: (h, w) uint8, the same picture, small and grey; ``mask``: (h,
    w), 255 on the table; ``places``: (N, 2) pixels of ``eye``."""

    def __init__(self, image: Image, eye: Grey, mask: Grey, places: Floats) -> None:
        self._usual, self._usual_eye = _colours(image), eye.astype(np.float32)
        self._long = self._usual.copy()
        height, width = self._usual.shape[:2]
        self._table = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)) > 127
        self._places = np.round(places * width / eye.shape[1]).astype(int)
        self._t: float | None = None
        self._since: float | None = None
        size = max(3, round(MIN_WIDE_SHARE * math.sqrt(max(int(self._table.sum()), 1))))
        self._disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))

    def step(self, t: float, image: Image, eye: Grey) -> frozenset[int]:
        """The places that cannot be seen in the picture at ``t`` seconds."""
        colours = _colours(image)
        wide = self._wide(colours, self._usual)
        if self._is_large(wide):
            wide &= self._wide(colours, self._long)
        large = self._is_large(wide)
        passed = 0.0 if self._t is None else t - self._t
        share, long = min(1.0, passed / REMEMBERS_SECONDS), min(1.0, passed / LONG_SECONDS)
        stays = large and self._since is not None and t - self._since > STAYS_SECONDS
        if stays or (large and self._is_light(eye, wide)):
            # What looks like a change of light may be somebody's back as they leave: the long memory is kept for that case.
            large, share, long = False, 1.0, 1.0 if stays else long
        self._t = t
        if not large:
            self._since = None
            cv2.accumulateWeighted(colours, self._usual, share)
            cv2.accumulateWeighted(colours, self._long, long)
            cv2.accumulateWeighted(eye, self._usual_eye, share)
            return frozenset()
        self._since = t if self._since is None else self._since
        height, width = wide.shape
        inside = [(number, x, y) for number, (x, y) in enumerate(self._places) if 0 <= x < width and 0 <= y < height]
        return frozenset(number for number, x, y in inside if wide[y, x])

    def _is_large(self, wide: NDArray[np.bool_]) -> bool:
        return float((wide & self._table).sum()) > MIN_HIDDEN_SHARE * max(int(self._table.sum()), 1)

    def _wide(self, colours: NDArray[np.float32], look: NDArray[np.float32]) -> NDArray[np.bool_]:
        """The parts of a small map where something wide differs from an earlier ``look``, allowing for a change of the overall
        light."""
        # The picture's median may lie on what is in the way, so the gain that follows from it is limited.
        before, now = np.median(look, axis=(0, 1)), np.median(colours, axis=(0, 1))
        gain = np.clip(now / np.maximum(before, 1.0), 1 / MAX_LIGHT_FACTOR, MAX_LIGHT_FACTOR)
        differs = (np.abs(colours - look * gain).max(axis=2) > DIFFERENT_LEVELS).astype(np.uint8)
        closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, self._disc), bool)

    def _is_light(self, eye: Grey, wide: NDArray[np.bool_]) -> bool:
        """Whether only the light has changed there: most of the textures still look the same."""
        usual = np.asarray(self._usual_eye, np.uint8)
        covered = cv2.resize(wide.astype(np.uint8) * 255, eye.shape[::-1], interpolation=cv2.INTER_NEAREST)
        tiles = textured_tiles(usual, np.asarray(covered, np.uint8))
        alike = [correlation(usual[tile], eye[tile]) >= MIN_TILE_CORRELATION for tile in tiles]
        return len(alike) >= 3 and sum(alike) > len(alike) / 2


def _colours(image: Image) -> NDArray[np.float32]:
    """The picture shrunk to a width of `SMALL_WIDTH` pixels, (h, w, 3)."""
    height = round(SMALL_WIDTH * image.shape[0] / image.shape[1])
    # First by sampling pixels, then by area: that takes a quarter of the time in all, and removes enough of the noise.
    half = cv2.resize(image, (4 * SMALL_WIDTH, 4 * height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(half, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA), np.float32)
