"""The table in front of the camera: TABLE.json, and the homography between the picture and the table top.

Table coordinates: the table top seen from above, in units of its own width (x from 0 to 1, y from 0 to 1/aspect): millimetres up
to one unknown scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import Annotated, Any, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Point
from companion.table.errors import TableError

Pixel = tuple[float, float]
"""(x, y) in pixels of a picture of the table's ``image_size``."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """One player, and the point (pixels) where their card lies."""

    name: Annotated[str, msgspec.Meta(min_length=1)]
    place: Pixel


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """Where a table is in the picture: what the eyes need of TABLE.json, version 1.

    Coordinates are pixels of a picture of ``image_size`` (width, height); corners are clockwise as seen in the picture.
    """

    v: Literal[1]
    image_size: tuple[int, int]
    corners: tuple[Pixel, Pixel, Pixel, Pixel]
    players: tuple[Seat, ...]


def parse_table(data: bytes | str) -> Table:
    """Read and check what TABLE.json says about the picture; the game's keys are ignored.

    Raises:
        TableError: it is not JSON of the right shape, or its corners are not a convex quad.
    """
    try:
        table = msgspec.json.decode(data, type=Table)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TableError(str(error)) from error
    except RecursionError as error:
        raise TableError("nested too deeply") from error
    problem = _problem(table)
    if problem:
        raise TableError(problem)
    return table


def with_corners(table: Table, corners: Sequence[Pixel], size: tuple[int, int]) -> Table:
    """The same table after the camera was moved: its ``corners`` in a picture of ``size``, and the places moved with them.

    ``corners``: clockwise; the first one is chosen so that the table turns as little as possible.

    Raises:
        TableError: the corners are not a convex quad.
    """
    before = np.array(table.corners, np.float32)
    places = np.array([seat.place for seat in table.players], np.float32).reshape(-1, 1, 2)
    scale = np.array(size, np.float64) / np.array(table.image_size, np.float64)
    turned = [np.roll(np.array(corners, np.float32), shift, axis=0) for shift in range(4)]
    after = min(turned, key=lambda quad: float(np.linalg.norm(quad - before * scale, axis=1).sum()))
    if not cv2.isContourConvex(after):
        raise TableError("corners: expected the table top's four corners in order round the table, clockwise")
    moved = np.asarray(cv2.perspectiveTransform(places, cv2.getPerspectiveTransform(before, after)), np.float64).reshape(-1, 2)
    quad = [(round(float(x), 1), round(float(y), 1)) for x, y in after]
    return msgspec.structs.replace(
        table,
        image_size=size,
        corners=(quad[0], quad[1], quad[2], quad[3]),
        players=tuple(
            Seat(seat.name, (round(float(x), 1), round(float(y), 1))) for seat, (x, y) in zip(table.players, moved, strict=True)
        ),
    )


def _problem(table: Table) -> str | None:
    if min(table.image_size) < 1:
        return f"image_size {table.image_size}: expected the picture's width and height in pixels"
    numbers = [value for point in (*table.corners, *(seat.place for seat in table.players)) for value in point]
    if not all(math.isfinite(value) for value in numbers):
        return "corners and places must be finite numbers of pixels"
    if not cv2.isContourConvex(np.array(table.corners, np.float32)):
        return "corners: expected the table top's four corners in order round the table, clockwise"
    names = [seat.name for seat in table.players]
    if len(names) < 2:
        return f"players: {len(names)} given, expected 2 at least"
    if len(set(names)) != len(names):
        return "players: two have the same name"
    return None


NEAR_WIDTHS = 0.1
"""Table widths: what lies no further than this beside the table is near it."""


class TableMap:
    """The homography between a picture of ``size`` (width, height in pixels) and table coordinates."""

    def __init__(self, table: Table, size: tuple[int, int]) -> None:
        scale = np.array(size, np.float64) / np.array(table.image_size, np.float64)
        corners = np.array(table.corners, np.float64) * scale
        aspect = rectangle_aspect(corners, size)
        top = np.array([(0, 0), (1, 0), (1, 1 / aspect), (0, 1 / aspect)], np.float32)
        self.aspect = aspect
        self._to_table: NDArray[np.float64] = np.asarray(
            cv2.getPerspectiveTransform(corners.astype(np.float32), top), np.float64
        )
        self._size = size
        self._ground: dict[tuple[int, int], tuple[NDArray[np.float64], NDArray[np.bool_]]] = {}
        self.corners = corners
        """(4, 2) pixels: the table top's corners in a picture."""
        self.places = self.to_table([tuple(seat.place * scale) for seat in table.players])
        """(N, 2) table coordinates: where the players' cards lie."""

    def moved(self, homography: NDArray[np.float64]) -> TableMap:
        """The same table after the camera has moved: ``homography`` (3, 3) maps old pixels to new ones."""
        other = copy(self)
        other.corners = np.asarray(
            cv2.perspectiveTransform(self.corners.reshape(-1, 1, 2), homography), np.float64
        ).reshape(-1, 2)
        other._to_table = self._to_table @ np.linalg.inv(homography)
        other._ground = {}
        return other

    def ground(self, shape: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The cells on or near the table, in a grid of ``shape`` (rows, columns) over the picture: their middles (n, 2), table
        coordinates, and which cells they are, bool (rows, columns). For one shape these are always the same arrays."""
        if shape not in self._ground:
            rows, columns = shape
            x, y = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
            points = self.to_table(np.stack([x.ravel(), y.ravel()], axis=1) * self._size)
            low, high = np.array([-NEAR_WIDTHS, -NEAR_WIDTHS]), np.array([1 + NEAR_WIDTHS, 1 / self.aspect + NEAR_WIDTHS])
            near = ((points >= low) & (points <= high)).all(axis=1)
            self._ground[shape] = points[near], near.reshape(shape)
        return self._ground[shape]

    def to_pixels(self, points: Any) -> NDArray[np.float64]:
        """Map (N, 2) table coordinates to (N, 2) pixels."""
        table = np.asarray(points, np.float64).reshape(-1, 1, 2)
        if not len(table):
            return np.zeros((0, 2))
        return np.asarray(cv2.perspectiveTransform(table, np.linalg.inv(self._to_table)), np.float64).reshape(-1, 2)

    def to_table(self, pixels: Any) -> NDArray[np.float64]:
        """Map (N, 2) pixels to (N, 2) table coordinates."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        return np.asarray(cv2.perspectiveTransform(points, self._to_table), np.float64).reshape(-1, 2)

    def point(self, pixel: Point) -> Point:
        """Map one pixel to table coordinates."""
        (x, y) = self.to_table([pixel])[0]
        return float(x), float(y)


def rectangle_aspect(corners: NDArray[np.float64], size: tuple[int, int]) -> float:
    """Width over height of the rectangle whose corners are seen at ``corners`` (4, 2 pixels, in order), with square pixels.

    Zhang & He, "Whiteboard scanning and image enhancement" (2007): with the principal point in the picture's middle, the focal
    length follows from the two vanishing points; where one is at infinity a typical lens is assumed.
    """
    width = float(max(size))
    centred = ((corners - np.array(size) / 2) / width).astype(np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    homography = cv2.getPerspectiveTransform(square, centred)
    across, along = homography[:, 0], homography[:, 1]
    tilt = across[2] * along[2]
    focal2 = -(across[0] * along[0] + across[1] * along[1]) / tilt if abs(tilt) > 1e-4 else math.nan
    if not 0.5**2 < focal2 < 2.5**2:
        focal2 = 0.9**2
    lengths = [math.sqrt((axis[0] ** 2 + axis[1] ** 2) / focal2 + axis[2] ** 2) for axis in (across, along)]
    return lengths[0] / lengths[1]
