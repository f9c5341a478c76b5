"""Whether a straightened card shows enough to be learnt: neither blurred, nor glared, nor too dark."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.enrol import reasons
from companion.table.errors import Reason

Image = NDArray[np.uint8]

BLURRED: Final = 0.62
"""Blur effect from which on numerals of neighbouring cards look alike, measured at the size that the reader sees."""
WHITE: Final = 250
"""All colours at least this bright: the camera could take no more."""
GLARE: Final = 0.06
"""Share of the card that one spot of glare may cover."""
BRIGHTER: Final = 22.0
"""Grey levels by which glare is brighter than the card's paper around it."""
DARK: Final = 28.0
"""Spread of grey levels, from the darkest twentieth to the brightest, below which nothing can be made out."""


def fault(card: Image) -> Reason | None:
    """What is wrong with the straightened ``card`` ((H, W, 3) uint8 BGR), or None."""
    grey = np.asarray(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), np.float32)
    low, high = np.percentile(grey, (5, 95))
    if glared(card):
        return reasons.GLARED
    if high - low < DARK:
        return reasons.DARK
    if blur_effect(np.asarray(cv2.resize(grey, (96, 168), interpolation=cv2.INTER_AREA))) > BLURRED:
        return reasons.BLURRED
    return None


def blur_effect(grey: NDArray[np.float32]) -> float:
    """How blurred a picture (H, W) is, 0 to 1, whatever it shows: the share of its variation that one more blur leaves.

    Crete, Dolmiere, Ladret, Nicolas: The blur effect: perception and estimation with a new no-reference perceptual blur metric
    (2007).
    """
    effects = []
    for axis in (0, 1):
        size = (1, 9) if axis == 0 else (9, 1)
        blurred = cv2.blur(grey, size)
        change, left = (np.abs(np.diff(picture, axis=axis)) for picture in (grey, blurred))
        lost = np.maximum(0, change - left).sum()
        effects.append(1 - float(lost) / max(float(change.sum()), 1e-9))
    return max(effects)


def glared(card: Image) -> bool:
    """Whether light is reflected on so large a spot of ``card`` that its print is gone there.

    A card whose paper is as bright as the camera can take has no spot that stands out.
    """
    white = (card.min(axis=2) >= WHITE).astype(np.uint8)
    spots = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(spots)
    if count < 2:
        return False
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < GLARE * white.size:
        return False
    around = cv2.dilate((labels == largest).astype(np.uint8), np.ones((31, 31), np.uint8)) == 0
    if around.mean() < 0.25:
        return True
    paper = float(np.percentile(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)[around], 85))
    return 255.0 - paper > BRIGHTER
