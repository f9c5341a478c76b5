"""The faces of a solid, collected one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workshop.cycles.shapes import Material, Point, Solid

Floats = NDArray[np.float64]


class Builder:
    """Collects the faces of a solid."""

    def __init__(self) -> None:
        self.vertices: list[Point] = []
        self.faces: list[tuple[int, ...]] = []
        self.uv: list[list[tuple[float, float]]] = []
        self.slots: list[int] = []

    def points(self, xyz: Floats) -> int:
        """Adds N x 3 points; returns the first one's index."""
        first = len(self.vertices)
        self.vertices += [(x, y, z) for x, y, z in xyz.tolist()]
        return first

    def face(self, corners: Sequence[int], slot: int, uv: Sequence[tuple[float, float]] | None = None) -> None:
        """Adds a face over these points, of the material in this slot; ``uv``: where its print lies there, 0..1."""
        self.faces.append(tuple(corners))
        self.uv.append(list(uv) if uv is not None else [(0.0, 0.0)] * len(corners))
        self.slots.append(slot)

    def prism(self, rim: Floats, low: float, high: float, slots: tuple[int, int], uv: Sequence[tuple[float, float]]) -> None:
        """A block over the rim (N x 2 mm): its top has the ``uv`` and the first slot, its sides and bottom the second."""
        n = len(rim)
        top = self.points(np.column_stack([rim, np.full(n, high)]))
        self.face(range(top, top + n), slots[0], uv)
        upper = self.points(np.column_stack([rim, np.full(n, high)]))
        lower = self.points(np.column_stack([rim, np.full(n, low)]))
        for k in range(n):
            after = (k + 1) % n
            self.face((upper + after, upper + k, lower + k, lower + after), slots[1])
        self.face(range(lower + n - 1, lower - 1, -1), slots[1])

    def lathe(self, at: Floats, rings: Sequence[tuple[float, float]], slot: int, sides: int = 28) -> None:
        """What a profile of (height, radius) sweeps when it is turned about the upright line through ``at``."""
        turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
        circle = np.column_stack([np.cos(turns), np.sin(turns)])
        starts = [self.points(np.column_stack([circle * radius + at[:2], np.full(sides, z)])) for z, radius in rings]
        for low, high in pairwise(starts):
            for k in range(sides):
                after = (k + 1) % sides
                self.face((low + k, low + after, high + after, high + k), slot)
        self.face(range(starts[0] + sides - 1, starts[0] - 1, -1), slot)
        self.face(range(starts[-1], starts[-1] + sides), slot)

    def solid(self, materials: list[Material], smooth: bool = False, melt: float = 0.0) -> Solid:
        """All of it, of these materials."""
        return Solid(self.vertices, self.faces, self.uv, self.slots, materials, smooth, melt)
