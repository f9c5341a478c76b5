"""Whether a camera goes on giving new pictures: one that has stopped repeats its last one, or half of it."""

from __future__ import annotations

import time

import numpy as np

from companion.eyes.image import Image

FROZEN_SECONDS = 1.5
"""Seconds of one repeated picture after which a camera has stopped, whatever its driver says: a camera's noise is never the
same twice."""
HALF_SECONDS = 3.0
"""Seconds in which the lowest eighth stands still while the rest moves, after which only half pictures come: a decoder leaves
there what it had. Until then it may be a quiet table."""
FILLS = ((0, 135, 0), (128, 128, 128))
"""What a decoder leaves where it has had nothing yet, BGR: 0 in every channel of YUV, or its middle."""
FILL_SLACK = 3
"""Greatest difference of a level from such a fill: converters round differently."""
BORDER_LEVELS = 16
"""Greatest difference of two levels in a border of one colour: compression leaves ripples beside the picture."""


class Freshness:
    """When a camera's pictures, and the lowest eighth of them, last changed."""

    def __init__(self) -> None:
        self._at = self._low_at = 0.0
        self._low_moves = self._border = False

    def forget(self) -> None:
        """Another camera: what never moved in the last one may move in this one."""
        self._low_moves = False

    def put(self, before: Image | None, image: Image, now: float, *, new: bool = False) -> None:
        """A picture has come at ``now``, seconds of `time.monotonic`, after ``before``. ``new``: it is a new one in any case."""
        if new or before is None or _differs(before, image):
            self._at = now
        if before is None or _differs(_lowest(before), _lowest(image)):
            self._low_moves, self._low_at = self._low_moves or before is not None, now
            self._border = _is_border(_lowest(image))

    @property
    def halved(self) -> bool:
        """Whether only half pictures come: nothing can be concluded from them. What never moved is a border where it
        looks like one."""
        return (self._low_moves or not self._border) and self._at - self._low_at > HALF_SECONDS

    @property
    def frozen(self) -> bool:
        """Whether the camera has stopped."""
        return time.monotonic() - self._at > FROZEN_SECONDS


def _differs(one: Image, other: Image) -> bool:
    """Whether anything at all has changed between two pictures; not every pixel is compared."""
    return not np.array_equal(one[::5, ::5], other[::5, ::5])


def _is_border(part: Image) -> bool:
    """Whether a part (H, W, 3) of a picture may be a border: of one colour, and not of the colour that a decoder leaves."""
    low, high = (of(of(part, axis=0), axis=0).astype(np.int64) for of in (np.min, np.max))  # rows first: far quicker
    filled = any(max((fill - low).max(), (high - fill).max()) <= FILL_SLACK for fill in np.array(FILLS))
    return not filled and int((high - low).max()) <= BORDER_LEVELS


def _lowest(image: Image) -> Image:
    """The lowest eighth of a picture."""
    return image[-max(1, image.shape[0] // 8) :]
