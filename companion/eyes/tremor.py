"""Whether the camera stands still: a few points of an earlier picture are looked for in the newest one. Cheap, for every look."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.registration import FINE_WIDTH, Grey

MAX_POINTS = 80
MIN_POINT_PIXELS = 8
"""Least distance in pixels between two points."""
MIN_POINTS = 12
"""Least number of points from which anything is concluded."""
FOUND_LEVELS = 12.0
"""Greatest mean difference in grey levels around a point that counts as found again."""
STILL_WIDTHS = 0.7 / FINE_WIDTH
"""Picture widths: a point that moved by less has not moved."""
STANDS_SHARE, WORN_SHARE = 0.35, 0.6
"""Least share of the points that have not moved while the camera stands still: the others are hidden, or on things that people
move. Below the second share new points are chosen."""
TOGETHER_SHARE = 0.5
"""Least share of the points that move together when the camera has moved."""

Movement = Literal["stands", "worn", "moved", "unclear"]
"""``worn``: it stands still, but many points are not found any more."""


class Tremor:
    """Points of one small grey picture (H, W) uint8, to be found in later ones of the same size."""

    def __init__(self, eye: Grey) -> None:
        self._eye = eye
        corners = cv2.goodFeaturesToTrack(eye, MAX_POINTS, 0.01, MIN_POINT_PIXELS)
        self._points: NDArray[np.float32] = (
            np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        )

    def movement(self, eye: Grey) -> Movement:
        """What the camera has done since (pyramidal Lucas-Kanade optical flow, 1981)."""
        count = len(self._points)
        if count < MIN_POINTS:
            return "unclear"
        mean = max(float(eye.mean()), 1.0)  # the overall light may have changed
        eye = cv2.convertScaleAbs(eye, alpha=float(np.clip(self._eye.mean() / mean, 0.3, 3.0))).astype(np.uint8)
        nowhere = np.empty_like(self._points)
        there, status, errors = cv2.calcOpticalFlowPyrLK(self._eye, eye, self._points, nowhere, winSize=(11, 11))
        good = (np.asarray(status).ravel() == 1) & (np.asarray(errors).ravel() < FOUND_LEVELS)
        before, after = self._points[good, 0], np.asarray(there, np.float32)[good, 0]
        still = float((np.linalg.norm(after - before, axis=1) < STILL_WIDTHS * eye.shape[1]).sum()) / count
        if still >= STANDS_SHARE:
            return "stands" if still >= WORN_SHARE else "worn"
        if len(before) < max(MIN_POINTS, TOGETHER_SHARE * count):
            return "unclear"
        _, inliers = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=1.0)
        together = 0 if inliers is None else int(np.count_nonzero(inliers))
        return "moved" if together >= TOGETHER_SHARE * count else "unclear"
