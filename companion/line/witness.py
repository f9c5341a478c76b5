"""Whether a source's pictures are of use: black ones, a wall instead of the table, one picture repeated, half pictures. People
are told, and nothing is ruled in silence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from companion.eyes.corners import find_table
from companion.eyes.geometry import polygon_iou
from companion.eyes.image import Image
from companion.eyes.sighting import CardSeen
from companion.eyes.table import TableMap
from companion.line.sources.video import is_black

BLACK_SECONDS: Final = 2.0
"""Seconds of black pictures after which people are told: a film may begin black."""
NOTHING_SECONDS: Final = 60.0
"""Seconds without table, card or hand after which people are told."""
EVERY_SECONDS: Final = 10.0
"""Seconds between two searches for the table: one takes half a second."""
MIN_TABLE_IOU: Final = 0.3
"""Overlap (intersection over union) of a found table with the one that was set up, from which on it is that table."""


class Blackness:
    """How long the pictures of a source have been black. ``only``: none was anything else, and there was one."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._now = 0.0
        self._other = False

    @property
    def only(self) -> bool:
        """None was anything else, and there was one."""
        return not self._other and self._since is not None

    @property
    def lasting(self) -> bool:
        """They have been black for longer than `BLACK_SECONDS`."""
        return self._since is not None and self._now - self._since >= BLACK_SECONDS

    def put(self, t: float, image: Image) -> None:
        """The next picture, at ``t`` seconds."""
        self._now = t
        if not is_black(image):
            self._since, self._other = None, True
        elif self._since is None:
            self._since = t


def table_in(image: Image, top: TableMap) -> bool:
    """Whether the eyes find a table in the picture about where ``top`` says that it lies."""
    found = find_table(image)
    return found is not None and polygon_iou(found.quad, np.asarray(top.corners)) >= MIN_TABLE_IOU


class Witness:
    """Notices whether a source ever shows anything, look by look. ``find``: `table_in`, or a substitute. ``seen``: a table, a
    card or a hand was. A table is only looked for where nothing else has been seen for a while."""

    def __init__(self, find: Callable[[Image, TableMap], bool] = table_in) -> None:
        self._find = find
        self._began: float | None = None
        self._looked = self._now = 0.0
        self._last: tuple[Image, TableMap] | None = None
        self.seen = False

    def put(self, t: float, image: Image, cards: Sequence[CardSeen], hand: bool, top: TableMap) -> None:
        """The next picture, at ``t`` seconds, with the ``cards`` in it. ``hand``: something reaches over a place of the table
        that looks as before."""
        if self._began is None:
            self._began = self._looked = t
        self._now = t
        if self.seen:
            return
        self.seen, self._last = bool(cards) or hand, (image, top)
        if not self.seen and not 0 <= t - self._looked < EVERY_SECONDS:
            self._looked = t
            self.ended()

    def ended(self) -> None:
        """No picture follows: the table is looked for in the last one."""
        if not self.seen and self._last is not None:
            self.seen, self._last = self._find(*self._last), None

    @property
    def nothing(self) -> bool:
        """Nothing was seen for longer than `NOTHING_SECONDS`."""
        return not self.seen and self._began is not None and self._now - self._began >= NOTHING_SECONDS


# A camera that has stopped repeats its last picture, or half of it.


FROZEN_SECONDS, FROZEN_PICTURES = 1.5, 3
"""Seconds for which, and times that, one picture is repeated after which a camera has stopped, whatever its driver says: a
camera's noise is never the same twice. On a busy machine two looks may be as far apart, and take the same picture."""
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
        self._repeated = 0
        self._low_moves = self._border = False

    def forget(self) -> None:
        """Another camera: what never moved in the last one may move in this one."""
        self._low_moves = False

    def put(self, before: Image | None, image: Image, now: float, *, new: bool = False) -> None:
        """A picture has come at ``now``, seconds of `time.monotonic`, after ``before``. ``new``: it is a new one in any case."""
        self._repeated += 1
        if new or before is None or _differs(before, image):
            self._at, self._repeated = now, 0
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
        return self._repeated >= FROZEN_PICTURES and time.monotonic() - self._at > FROZEN_SECONDS


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
