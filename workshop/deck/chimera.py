"""Cards of no deck, made of parts of two."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def chimera(first: Image, second: Image, rng: np.random.Generator) -> Image:
    """A card of no deck: parts of two cards (BGRA, any sizes), mostly in colours of no print; as large as ``first``."""
    height, width = first.shape[:2]
    other = np.asarray(cv2.resize(second, (width, height)), dtype=np.uint8)
    if rng.random() < 0.5:
        other = np.ascontiguousarray(other[::-1, ::-1])
    made = first.copy()
    y, x = int(height * rng.uniform(0.25, 0.75)), int(width * rng.uniform(0.25, 0.75))
    area = [np.s_[y:, :], np.s_[:, x:], np.s_[y:, x:], np.s_[y // 2 : height - y // 2, x // 2 : width - x // 2]][
        int(rng.integers(4))
    ]
    made[area] = other[area]
    if rng.random() < 0.7:
        hsv = cv2.cvtColor(made[..., :3], cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int64) + int(rng.integers(180))) % 180
        made[..., :3] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return made
