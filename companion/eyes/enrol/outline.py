"""The outline of a card that the detector does not find: the one large quadrilateral on a plain surface."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import is_convex, sides, signed_area

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

LEAST, MOST = 0.02, 0.9
"""Share of the photo that a card covers."""
FULL: Final = 0.93
"""Share of its quad that a card's patch fills, rounded corners and all."""
RATIOS: Final = (0.42, 0.85)
"""Width / height of cards as they may look in a photo."""
WIDE: Final = 640
"""Pixels: the width at which outlines are looked for."""


def outlines(image: Image) -> list[Floats]:
    """Quads (4, 2), clockwise, in pixels of ``image`` ((H, W, 3) uint8 BGR): patches of the shape of a card, largest first.

    The surface is taken to look like the photo's rim; what differs from it in colour is a patch.
    """
    scale = min(1.0, WIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (5, 5), 0).astype(np.float32)
    band = max(2, round(0.02 * max(lab.shape[:2])))
    rim = np.concatenate([lab[:band].reshape(-1, 3), lab[-band:].reshape(-1, 3), lab[:, :band].reshape(-1, 3),
                          lab[:, -band:].reshape(-1, 3)])  # fmt: skip
    distance = np.linalg.norm(lab - np.median(rim, axis=0), axis=2)
    level = np.clip(distance * 2, 0, 255).astype(np.uint8)
    middle, _ = cv2.threshold(level, 0, 255, cv2.THRESH_OTSU)
    found: list[tuple[float, Floats]] = []
    for threshold in (0.6 * middle, middle):
        mask = cv2.morphologyEx((level > threshold).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            hull = cv2.convexHull(contour)
            area = float(cv2.contourArea(hull))
            if not LEAST * level.size < area < MOST * level.size:
                continue
            quad = cv2.approxPolyN(hull, 4, epsilon_percentage=-1, ensure_convex=True).reshape(4, 2).astype(np.float64)
            quad = quad if signed_area(quad) > 0 else quad[::-1]
            if is_convex(quad) and area >= FULL * float(signed_area(quad)) and _card_shaped(quad):
                found.append((area, (quad + 0.5) / scale - 0.5))
    return [quad for _, quad in sorted(found, key=lambda one: -one[0])]


def _card_shaped(quad: Floats) -> bool:
    length = sides(quad)
    short, long = sorted((float(length[0] + length[2]), float(length[1] + length[3])))
    return RATIOS[0] <= short / max(long, 1e-9) <= RATIOS[1]
