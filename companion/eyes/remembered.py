"""Keeps what was worked out about heaps of cards, and uses it again where nothing has changed since.

To work out how cards lie on one another takes a hundred times as long as to see that they lie as before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import bounding_boxes, card_length

T = TypeVar("T")

SAME_PLACE_LENGTHS: Final = 0.06
"""Card lengths between the places of a corner in two looks, up to which the card has not moved."""
CELL_PIXELS: Final = 4
"""Pixels: side of the cells whose brightness is compared, over which noise and compression average out."""
CHANGED_LEVELS: Final = 16.0
"""Levels (0..255): a cell that differs by more has changed, after a common change of the light is taken off."""
MAX_REUSES: Final = 4
"""Number of times that the result for a heap is used again before the heap is worked out again: another picture has other noise,
and may show more."""
MAX_HEAPS: Final = 12
"""Number of heaps that are remembered, the newest ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """How a ``box`` (x, y, right, bottom) of a picture of ``size`` (width, height; pixels) looked: the brightness of its
    ``cells``, 0 to 255."""

    size: tuple[int, int]
    box: tuple[int, int, int, int]
    cells: NDArray[np.float32]

    @staticmethod
    def of(image: NDArray[np.uint8], quads: NDArray[np.float64]) -> Looks:
        """How ``image`` ((H, W, 3) uint8 BGR) looks within the box around ``quads`` (n, 4, 2), pixels."""
        size = image.shape[1], image.shape[0]
        box = _box(quads, size)
        return Looks(size, box, _cells(image, box))

    def alike(self, image: NDArray[np.uint8]) -> bool:
        """Whether ``image``, of the same size, looks the same there, apart from the light."""
        apart = _cells(image, self.box) - self.cells
        return float(np.abs(apart - np.median(apart)).max()) < CHANGED_LEVELS


@dataclass(slots=True, eq=False)
class _Heap(Generic[T]):
    """A heap. ``told``: the results for the cards at ``quads`` (n, 4, 2), and then for cards that the detector did not find;
    ``middle``: of the quads, pixels; ``looked``: how the heap looked then; ``left``: how many more times the results may be
    used."""

    quads: NDArray[np.float64]
    middle: tuple[float, float]
    looked: Looks
    told: Sequence[T]
    left: int = MAX_REUSES


class Remembered(Generic[T]):
    """The heaps of the last pictures of one source, at most ``kept`` of them. ``apart``: how far corners may lie from where they
    were, in lengths of a card, at most `SAME_PLACE_LENGTHS`."""

    def __init__(self, kept: int = MAX_HEAPS, apart: float = SAME_PLACE_LENGTHS) -> None:
        self._heaps: deque[_Heap[T]] = deque(maxlen=kept)
        self._apart = apart

    def told(self, image: NDArray[np.uint8], quads: NDArray[np.float64], tell: Callable[[], Sequence[T]]) -> Sequence[T]:
        """The results for the heap of cards at ``quads`` (n, 4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR): for each of them,
        then for cards that were not found. ``tell`` works them out; it is not called where the heap lies as before."""
        size, middle = (image.shape[1], image.shape[0]), _middle(quads)
        reach = self._apart * float(card_length(quads).max())
        for heap in tuple(self._heaps):
            near = heap.looked.size == size and max(abs(heap.middle[0] - middle[0]), abs(heap.middle[1] - middle[1])) <= reach
            order = _same(heap.quads, quads, self._apart) if near else None
            if order is None:
                continue
            if heap.left and heap.looked.alike(image):
                heap.left -= 1
                return [*(heap.told[n] for n in order), *heap.told[len(quads) :]]
            self._heaps.remove(heap)
        told = tell()
        self._heaps.append(_Heap(quads, middle, Looks.of(image, quads), told))
        return told


def _middle(quads: NDArray[np.float64]) -> tuple[float, float]:
    x, y = quads.mean(axis=(0, 1)).tolist()
    return x, y


def _same(before: NDArray[np.float64], now: NDArray[np.float64], lengths: float) -> list[int] | None:
    """For each of the quads ``now`` the number of the one ``before`` whose corners are at most this number of card ``lengths``
    away; None where the two are not the same quads."""
    if len(before) != len(now):
        return None
    apart = np.abs(now[:, None] - before[None]).max(axis=(2, 3))
    order = apart.argmin(axis=1)
    near = apart.min(axis=1) <= lengths * card_length(now)
    return [int(n) for n in order] if near.all() and len(set(order.tolist())) == len(now) else None


def _box(quads: NDArray[np.float64], size: tuple[int, int]) -> tuple[int, int, int, int]:
    boxes = bounding_boxes(quads)
    x, y = (int(max(at, 0)) for at in boxes[:, :2].min(axis=0))
    right, bottom = (int(min(at + 1, most)) for at, most in zip(boxes[:, 2:].max(axis=0), size, strict=True))
    return x, y, max(right, x + 1), max(bottom, y + 1)


def _cells(image: NDArray[np.uint8], box: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """The brightness of the cells of a ``box``, 0 to 255."""
    x, y, right, bottom = box
    grey = cv2.cvtColor(image[y:bottom, x:right], cv2.COLOR_BGR2GRAY)
    size = max((right - x) // CELL_PIXELS, 1), max((bottom - y) // CELL_PIXELS, 1)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
