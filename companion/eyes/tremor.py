"""Whether the camera stands still: a few points of an earlier picture are looked for in the newest one. Cheap, for every look."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.registration import FINE_WIDTH, Grey

POINTS = 80
APART = 8
"""Least distance in pixels between two points."""
LEAST_POINTS = 12
"""With fewer points nothing can be said."""
FOUND = 12.0
"""Greatest mean difference in grey levels around a point that counts as found again."""
STILL = 0.7 / FINE_WIDTH
"""A point that moved less than this (in picture widths) has not moved."""
STANDS, WORN = 0.35, 0.6
"""The camera stands still when the first share of the points has not moved: the others are hidden, or on things that people move.
With less than the second share new points are needed."""
TOGETHER = 0.5
"""The camera has moved when this share of the points moved together."""

Movement = Literal["stands", "worn", "moved", "unclear"]
"""``worn``: it stands still, but many points are not found any more."""


class Tremor:
    """Points of one small grey picture (H, W) uint8, to be found in later ones of the same size."""

    def __init__(self, eye: Grey) -> None:
        self._eye = eye
        corners = cv2.goodFeaturesToTrack(eye, POINTS, 0.01, APART)
        self._points: NDArray[np.float32] = (
            np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        )

    def movement(self, eye: Grey) -> Movement:
        """What the camera has done since (pyramidal Lucas-Kanade optical flow, 1981)."""
        count = len(self._points)
        if count < LEAST_POINTS:
            return "unclear"
        mean = max(float(eye.mean()), 1.0)  # the overall light may have changed
        eye = cv2.convertScaleAbs(eye, alpha=float(np.clip(self._eye.mean() / mean, 0.3, 3.0))).astype(np.uint8)
        nowhere = np.empty_like(self._points)
        there, status, errors = cv2.calcOpticalFlowPyrLK(self._eye, eye, self._points, nowhere, winSize=(11, 11))
        good = (np.asarray(status).ravel() == 1) & (np.asarray(errors).ravel() < FOUND)
        before, after = self._points[good, 0], np.asarray(there, np.float32)[good, 0]
        still = float((np.linalg.norm(after - before, axis=1) < STILL * eye.shape[1]).sum()) / count
        if still >= STANDS:
            return "stands" if still >= WORN else "worn"
        if len(before) < max(LEAST_POINTS, TOGETHER * count):
            return "unclear"
        _, inliers = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=1.0)
        together = 0 if inliers is None else int(np.count_nonzero(inliers))
        return "moved" if together >= TOGETHER * count else "unclear"
