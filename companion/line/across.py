"""Where the players' cards lie in another camera's pictures of the same table, from where they lie in the first one's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.line.camera import Lie, Point

_TOP: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
"""The table top as a square, clockwise as seen from above."""
OTHER_SHAPE: Final = 0.13
"""Distance of a tap from the nearest of the four ways in which a rectangle can lie, as a share of its sides, beyond which the
table is taken to be a round one, whose corners were put somewhere else round it."""
BESIDE_SHARE: Final = 0.35
"""Share of the table's sides by which a card may lie beside it."""


class NotOnTheTable(Exception):
    """What was tapped lies far from the table."""


def across(first: Lie, corners: Sequence[Point], player: int, tap: Point, *, is_round: bool) -> tuple[Point, ...]:
    """All players' places in the pictures in which the table lies at these ``corners`` (clockwise, pixels), one after the other.

    ``first``: how it lies in the first camera's pictures; ``player``: whose place was tapped (from 0), ``tap``: where, pixels.
    Which corner is which follows from that; of a table that ``is_round``, how far round it the cameras stand apart.
    Raises NotOnTheTable.
    """
    to_top = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), _TOP)
    spot = _mapped(to_top, [tap])[0]
    if not ((spot >= -BESIDE_SHARE) & (spot <= 1 + BESIDE_SHARE)).all():
        raise NotOnTheTable
    there = _mapped(cv2.getPerspectiveTransform(np.asarray(first.corners, np.float32), _TOP), first.places)
    turns = [turn * math.pi / 2 for turn in range(4)]
    turn = min(turns, key=lambda one: float(np.linalg.norm(_turned(there, one)[player] - spot)))
    if is_round or float(np.linalg.norm(_turned(there, turn)[player] - spot)) > OTHER_SHAPE:
        turn = _direction(spot) - _direction(there[player])
    found = _mapped(np.linalg.inv(to_top), _turned(there, turn))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in found)


def _mapped(homography: NDArray[Any], points: Sequence[Point] | NDArray[np.float64]) -> NDArray[np.float64]:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(-1, 2)


def _turned(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """The points of the square, turned round its middle by an angle in radians, clockwise as seen."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.asarray((points - 0.5) @ np.array([(cosine, sine), (-sine, cosine)]) + 0.5, np.float64)


def _direction(point: NDArray[np.float64]) -> float:
    return math.atan2(float(point[1]) - 0.5, float(point[0]) - 0.5)
