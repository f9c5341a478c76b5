"""Checks that a straightened card is good enough to be learnt: not blurred, without glare, and not too dark."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.enrol import reasons
from companion.table.errors import Reason

Image = NDArray[np.uint8]

BLURRED_EFFECT: Final = 0.62
"""Blur effect from which on numerals of neighbouring cards look alike, measured at the size that the reader sees."""
WHITE_LEVEL: Final = 253
"""All colours at least this bright: the camera could take no more."""
SPOT_SHARE: Final = 26 / 192
"""Share of the card's width that is the least radius of a spot of glare; ink and grain leave less of a bright card's paper."""
PAPER_LEVEL: Final = 248.0
"""Brightness, in its darkest colour, from which on paper around a spot is as bright as the spot."""
DARK_LEVEL: Final = 70.0
"""Grey level of a card's brightest twentieth below which its colours cannot be told."""
BLACK_LEVEL: Final = 30.0
"""The same for a whole photo, whose table may be a dark one."""


def fault(card: Image) -> Reason | None:
    """What is wrong with the straightened ``card`` ((H, W, 3) uint8 BGR); None where nothing is."""
    if glared(card):
        return reasons.GLARED
    if dark(card):
        return reasons.DARK
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    if blur_effect(np.asarray(cv2.resize(grey, (96, 168), interpolation=cv2.INTER_AREA), np.float32)) > BLURRED_EFFECT:
        return reasons.BLURRED
    return None


def dark(picture: Image, least: float = DARK_LEVEL) -> bool:
    """Whether ``picture`` is too dark to show anything: 95 % of its pixels are below the grey level ``least``."""
    return float(np.percentile(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 95)) < least


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
    """Whether the reflection of a light covers a large spot of ``card``, where its print cannot be seen.

    Where the paper of the whole card is as bright as the camera can take, no spot stands out.
    """
    darkest = card.min(axis=2)
    white = (darkest >= WHITE_LEVEL).astype(np.uint8)
    spots = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    framed = cv2.copyMakeBorder(spots, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    within = cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1]
    if float(within.max()) < SPOT_SHARE * card.shape[1]:
        return False
    _, labels = cv2.connectedComponents(spots)
    spot = (labels == labels[np.unravel_index(int(within.argmax()), within.shape)]).astype(np.uint8)
    near, beyond = (cv2.dilate(spot, np.ones((size, size), np.uint8)) > 0 for size in (15, 61))
    around = darkest[beyond & ~near]
    return not len(around) or float(np.percentile(around, 90)) < PAPER_LEVEL
