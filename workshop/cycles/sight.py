"""How much of each card the picture shows: what is nearest at every half pixel, by a depth buffer over the solids."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage.scene import Camera

Floats = NDArray[np.float64]
FINE = 2
"""Samples for each pixel's width and height."""
NEAR = 60.0
"""A face that comes nearer to the camera than this, mm, is left out."""


class DepthBuffer:
    """What is nearest to the camera at each of FINE x FINE samples of a pixel."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        shape = camera.height * FINE, camera.width * FINE
        self._inverse = np.zeros(shape)
        """1 / depth, which is linear in the picture; 0 is nothing."""
        self.owner = np.full(shape, -1, np.int32)
        """The number that was given with the nearest face; -1 is nothing."""

    def add(self, owner: int, polygon: Floats) -> float:
        """Paint a flat convex face, N x 3 mm, where it is nearest. Returns its area in the picture, px, as if nothing hid it."""
        depths = cam.depth(self.camera, polygon)
        if float(depths.min()) < NEAR:
            return 0.0
        seen = cam.project(self.camera, polygon)
        x, y = seen[:, 0], seen[:, 1]
        area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
        fine = (seen + 0.5) * FINE - 0.5
        rows, columns = self._inverse.shape
        left, top = np.maximum(np.floor(fine.min(0)).astype(int), 0)
        right, bottom = np.minimum(np.ceil(fine.max(0)).astype(int) + 1, [columns, rows])
        if left >= right or top >= bottom or area < 1e-3:
            return area
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round((fine - [left, top]) * 256).astype(np.int32), 1, cv2.LINE_8, 8)
        plane, *_ = np.linalg.lstsq(np.column_stack([fine, np.ones(len(fine))]), 1 / depths, rcond=None)
        values = plane[0] * np.arange(left, right) + (plane[1] * np.arange(top, bottom) + plane[2])[:, None]
        part = (slice(top, bottom), slice(left, right))
        nearer = (mask > 0) & (values > self._inverse[part])
        self._inverse[part][nearer] = values[nearer]
        self.owner[part][nearer] = owner
        return area

    def count(self, number: int) -> NDArray[np.float64]:
        """How many pixels each of the owners 0 to ``number`` - 1 has."""
        owners = self.owner[self.owner >= 0]
        return np.bincount(owners, minlength=number)[:number] / FINE**2


def shares(camera: Camera, wanted: Sequence[Sequence[Floats]], others: Sequence[Floats]) -> list[float]:
    """The visible share, 0..1, of each of the wanted things among each other and the others.

    ``wanted``: for each thing the faces (N x 3 mm) that count; ``others``: faces that only hide.
    """
    buffer = DepthBuffer(camera)
    for face in others:
        buffer.add(len(wanted), face)
    areas = [sum(buffer.add(n, face) for face in faces) for n, faces in enumerate(wanted)]
    counts = buffer.count(len(wanted))
    return [float(np.clip(count / area, 0, 1)) if area > 0 else 0.0 for count, area in zip(counts, areas, strict=True)]
