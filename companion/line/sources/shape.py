"""The shape of a source's pictures as they are shown: a film's pixels need not be square."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2

from companion.line.sources.kinds import is_file

MAX_SHAPE_DIFFERENCE: Final = 0.01
"""Greatest difference of two aspect ratios that count as one, as a share: sizes are whole numbers, and codecs like multiples of
16."""


def as_shown(source: str, size: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the source's pictures with square pixels, the same height. ``size``: of the pictures as they are read,
    upright."""
    if not is_file(source):
        return size
    capture = cv2.VideoCapture(str(Path(source)))
    asked = cv2.CAP_PROP_SAR_NUM, cv2.CAP_PROP_SAR_DEN, cv2.CAP_PROP_ORIENTATION_META
    across, down, turn = (capture.get(what) for what in asked)
    capture.release()
    wide = across / down if across > 0 and down > 0 else 1.0
    return round(size[0] * (1 / wide if turn % 180 else wide)), size[1]


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether pictures of these sizes (width, height) have the same shape."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) <= MAX_SHAPE_DIFFERENCE


def fits(source: str, size: tuple[int, int], told: tuple[int, int]) -> bool:
    """Whether a table that was told in a picture of the size ``told`` lies there in this source's, too. ``size``: as in
    `as_shown`. Where the two sizes are one, it was one of these pictures."""
    return size == told or same_shape(as_shown(source, size), told)
