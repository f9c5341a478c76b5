"""What the path tracer is told: solids with their materials, light, room and camera. Lengths in mm, as in `stage.scene`.

`msgspec` writes these as JSON; `worker`, which runs in another environment, reads the same names from it.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float, float]


class Material(msgspec.Struct, frozen=True):
    """``image``: the path of a picture that the faces' ``uv`` lie on, else ``colour``: BGR 0..255, as a screen shows it.

    ``roughness``: 0 a mirror to 1 chalk. ``clear``: share of the light that goes straight through, 0..1. ``metal``: 0..1.
    """

    image: str | None = None
    colour: tuple[float, float, float] = (200.0, 200.0, 200.0)
    roughness: float = 0.6
    clear: float = 0.0
    metal: float = 0.0


class Solid(msgspec.Struct, frozen=True):
    """A mesh. ``vertices``: mm. ``faces``: indices of each face's vertices; ``uv``: for each face a pair for each of its
    vertices, (0, 0) the picture's bottom left. ``slots``: for each face an index into ``materials``. ``smooth``: faces meet
    without an edge. ``melt``: mm; where it is more than 0, parts that touch grow together, rounded to about this size."""

    vertices: list[Point]
    faces: list[tuple[int, ...]]
    uv: list[list[tuple[float, float]]]
    slots: list[int]
    materials: list[Material]
    smooth: bool = False
    melt: float = 0.0

    def polygons(self) -> list[Floats]:
        """The faces, each N x 3 mm."""
        points = np.array(self.vertices, np.float64)
        return [points[list(face)] for face in self.faces]


class Lamp(msgspec.Struct, frozen=True):
    """A round lamp at ``at`` of ``size`` mm that shines on ``towards``; ``strength``: its light there, in that of the room.
    ``colour``: linear RGB."""

    at: Point
    towards: Point
    size: float
    strength: float
    colour: Point


class Room(msgspec.Struct, frozen=True):
    """What is around the table: ``image``, the path of an equirectangular picture in linear light whose mean is 1, turned by
    ``turn`` radians; else ``colour``, linear RGB."""

    image: str | None
    turn: float
    colour: Point


class View(msgspec.Struct, frozen=True):
    """A pinhole camera as in `stage.camera`: ``right``, ``down`` and ``forward`` in table axes, ``at`` in mm, ``focal`` in
    picture widths. ``focus``: mm; ``lens``: diameter of the opening in mm, 0 is sharp everywhere."""

    width: int
    height: int
    right: Point
    down: Point
    forward: Point
    at: Point
    focal: float
    focus: float
    lens: float


class Shot(msgspec.Struct, frozen=True):
    """One picture to render into the file ``out`` (Radiance HDR, linear) with ``samples`` paths for each pixel."""

    out: str
    samples: int
    seed: int
    view: View
    room: Room
    lamp: Lamp
    solids: list[Solid]


def point(values: NDArray[np.floating] | tuple[float, ...]) -> Point:
    """Three numbers as plain floats."""
    x, y, z = (float(v) for v in values)
    return x, y, z
