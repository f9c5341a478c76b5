"""Cards that were just put down in the middle of the table: where each can lie, judged by what has changed in the picture.

On a pile the detector sees much white paper and many edges, and takes two cards for one. But a card that was just put down lies
on top of all others, so what has changed is its whole face.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eyes.cardfit import INSIDE_WEIGHT, UPPER_INSIDE_WEIGHT, Box, Changed, Quads, around, changes, places
from companion.eyes.change import Mask
from companion.eyes.crops import Crop
from companion.eyes.geometry import polygon_iou
from companion.eyes.image import Image
from companion.eyes.plane import Plane
from companion.eyes.remembered import Looks
from companion.eyes.source import Picture

QUIET_SECONDS = 0.12
"""Seconds without a hand over the table's middle after which a card that was put down there is looked for."""
SETTLED_SECONDS = 0.4
"""Seconds without a hand after which the picture is remembered as how the table looks now. Short: the next hand may come soon."""
REMEMBER_AGAIN_SECONDS = 2.0
"""Seconds after which a table on which nothing happens is remembered again: the light changes slowly."""
MAX_PICTURES = 2
"""Number of pictures that are remembered: a resting hand may be in the last one."""
REACH_LENGTHS = 2.5
"""Card lengths from the table's middle within which cards are put on one another."""
MIN_MOVING_SHARE = 0.04
"""Share of the table's middle in which something moves while a hand is there, at least."""
SAME_CARD_IOU = 0.85
"""Polygon IoU from which on a card is the one that was put down there before."""
MAX_ARRIVALS = 6
"""Number of cards that were put down and are remembered, the newest ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A card that was put down: its ``quad`` (4, 2), pixels, how much changed ``around`` it, in cards, and how the picture
    ``looked`` there."""

    quad: NDArray[np.float64]
    around: float
    looked: Looks


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """The ``places`` (n, 4, 2) where a card can have been put down, pixels, likeliest first, and the change (``changed``) that
    they explain."""

    places: Quads
    changed: Changed


class Arrivals:
    """Finds cards that are put down, in the pictures of one source, in order of time."""

    def __init__(self) -> None:
        self._before: deque[Image] = deque(maxlen=MAX_PICTURES)
        self._taken = self._tried = self._known = self._stirred = -math.inf
        """Seconds: when the last of these pictures was taken, when a card was last looked for, when one was last found, and when
        a hand was last there."""
        self._arrivals: deque[Arrival] = deque(maxlen=MAX_ARRIVALS)

    def forget(self, picture: Picture) -> None:
        """Begin again with this ``picture``, as the camera has moved, or nothing was seen for a while."""
        self._before.clear()
        self._arrivals.clear()
        self._stirred = -math.inf
        self._take(picture.image, picture.t)

    def disturbed(self, t: float) -> None:
        """Take a change of light or of focus at ``t`` seconds for a hand: the table is compared again once it has settled."""
        self._stirred = t

    def step(self, picture: Picture, changed: NDArray[np.float64], length: float, plane: Plane | None) -> Iterator[Try]:
        """Take the next picture. ``changed`` (rows, columns): when each cell last changed, seconds; ``length``: a card's, pixels;
        ``plane``: the table's, None where it is not known.

        Gives where a card can lie that has just been put down, mostly nothing. Each try is computed when it is iterated to.
        """
        t, image = picture.t, picture.image
        found: Iterator[Try] = iter(())
        zone = middle_of(picture.top, changed.shape, image.shape, REACH_LENGTHS * length)
        if not zone.any():
            return found
        if not self._before or self._before[-1].shape != image.shape:
            self.forget(picture)
            return found
        here = changed[zone]
        if (t - here < QUIET_SECONDS).mean() >= MIN_MOVING_SHARE:
            self._stirred = t
        elif self._tried < self._stirred or (t >= self._stirred + SETTLED_SECONDS > self._tried and self._known < self._stirred):
            self._tried = t
            found = self._looked_for(image, zone & (changed > self._taken), plane)
        if t - self._stirred >= SETTLED_SECONDS and (self._taken < self._stirred or t - self._taken >= REMEMBER_AGAIN_SECONDS):
            self._take(image, t)
        return found

    def _take(self, image: Image, t: float) -> None:
        if self._taken >= self._stirred and self._before:
            self._before.pop()  # the same table, in another light
        self._before.append(image.copy())
        self._taken = t

    def _looked_for(self, image: Image, cells: Mask, plane: Plane | None) -> Iterator[Try]:
        if plane is None or not cells.any():
            return iter(())
        return _tries(tuple(reversed(self._before)), image, plane, _box(cells, image))

    def done(self) -> None:
        """What was put down is known, so that it is not looked for again when the table has settled."""
        self._known = self._tried

    def keep(self, image: Image, quad: NDArray[np.float64], changed: Changed) -> None:
        """Remember that a card was put down at ``quad`` (4, 2), pixels of ``image``, as what has ``changed`` shows."""
        self.done()
        self._take(image, self._tried)
        self._arrivals.append(Arrival(quad, around(changed, quad), Looks.of(image, quad[None])))

    def lies(self, image: Image, quad: NDArray[np.float64]) -> bool:
        """Whether a card that was remembered (`keep`) lies at ``quad`` (4, 2), pixels of ``image``, and still looks the same."""
        return any(polygon_iou(one.quad, quad) > SAME_CARD_IOU and one.looked.alike(image) for one in self._arrivals)

    def near(self, image: Image, crops: Sequence[Crop]) -> list[Arrival]:
        """The remembered cards that the ``crops`` of ``image`` own and that nothing has covered since."""
        return [
            one for one in self._arrivals
            if any(crop.owns([one.quad])[0] for crop in crops) and one.looked.alike(image)
        ]  # fmt: skip


def _tries(before: Sequence[Image], now: Image, plane: Plane, box: Box) -> Iterator[Try]:
    """The tries for what has changed since each of the pictures ``before``, the newest first."""
    for picture in before:
        changed = changes(picture, now, plane, box)
        if changed is not None:
            yield from (Try(places(changed, inside), changed) for inside in (INSIDE_WEIGHT, UPPER_INSIDE_WEIGHT))


def middle_of(top: NDArray[np.float64] | None, shape: tuple[int, ...], size: tuple[int, ...], reach: float) -> Mask:
    """The cells of a grid of ``shape`` (rows, columns) within ``reach`` pixels of the table's middle; none without a table.

    ``top`` (4, 2): the table's corners, pixels of a picture of ``size`` (height, width, …).
    """
    if top is None:
        return np.zeros(shape[:2], np.bool_)
    (x, y), high, wide = _crossing(top), size[0] / shape[0], size[1] / shape[1]
    rows, columns = (np.arange(shape[0]) + 0.5) * high - y, (np.arange(shape[1]) + 0.5) * wide - x
    return np.asarray(np.hypot(rows[:, None], columns[None]) <= reach)


def _crossing(top: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point (2,) where the diagonals of a quad (4, 2) cross, which is its middle seen in perspective."""
    first, second = top[2] - top[0], top[3] - top[1]
    share = np.linalg.solve(np.stack([first, -second], axis=1), top[1] - top[0])
    return np.asarray(top[0] + share[0] * first)


def _box(cells: Mask, image: Image) -> Box:
    """The box in the picture that these cells cover, with one cell around them, pixels."""
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    high, wide = image.shape[0] / cells.shape[0], image.shape[1] / cells.shape[1]
    left, top = max(int((columns[0] - 1) * wide), 0), max(int((rows[0] - 1) * high), 0)
    return left, top, min(int((columns[-1] + 2) * wide), image.shape[1]), min(int((rows[-1] + 2) * high), image.shape[0])
