"""The parts of a picture to look at: a few rectangles around what changed, with room around the cards in them.

The cards found in the `core` of a crop replace those that were known there. In the margin around the core cards may be cut off by
the crop's border, so it decides nothing. Everything here is in pixels of the whole picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import bounding_boxes

OVERHEAD_UNITS = 4.0
"""Cost of one more crop beside its area, in square units: merging two crops pays when it adds less than that."""
MAX_CROPS_SHARE = 0.75
"""Crops that cover more than this share of the picture are no better than one look at all of it."""
MAX_ISLANDS = 8
"""Number of patches; if there are more, patches further apart are joined: one large rectangle costs less than many small ones."""
SLACK_SHARE = 0.2
"""Share of the margin by which a card's middle may lie outside the core and still be the crop's: quads jitter a little."""

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""


@dataclass(frozen=True, slots=True)
class Crop:
    """``box``: whole pixels x1, y1, x2, y2 (the last two excluded) of a picture of ``size`` (width, height). ``margin``:
    pixels, on those sides that are not the picture's own."""

    box: tuple[int, int, int, int]
    size: tuple[int, int]
    margin: float

    @property
    def core(self) -> Box:
        """The part that this crop decides about, x1, y1, x2, y2; infinite on the sides that are the picture's own."""
        return self._within(self.margin)

    def _within(self, margin: float) -> Box:
        (x1, y1, x2, y2), (width, height) = self.box, self.size
        return (
            x1 + margin if x1 > 0 else -np.inf, y1 + margin if y1 > 0 else -np.inf,
            x2 - margin if x2 < width else np.inf, y2 - margin if y2 < height else np.inf,
        )  # fmt: skip

    def owns(self, quads: ArrayLike, slack: float = 0.0) -> NDArray[np.bool_]:
        """Which of the (n, 4, 2) quads this crop decides about: those with the middle in the core and no corner beyond the crop's
        border.

        ``slack``: share of the margin by which the core is enlarged for this.
        """
        points = np.asarray(quads, np.float64).reshape(-1, 4, 2)
        x1, y1, x2, y2 = self._within(self.margin * (1 - slack))
        x, y = points.mean(axis=1).T
        left, top, right, bottom = self._within(0.0)
        outer = bounding_boxes(points)
        central = (x >= x1) & (x <= x2) & (y >= y1) & (y <= y2)
        whole = (outer[:, 0] >= left) & (outer[:, 1] >= top) & (outer[:, 2] <= right) & (outer[:, 3] <= bottom)
        return np.asarray(central & whole)


def whole(size: tuple[int, int]) -> Crop:
    """The whole picture of ``size`` (width, height) as a crop."""
    return Crop((0, 0, *size), size, 0.0)


def crops_of(cells: NDArray[np.bool_], size: tuple[int, int], cards: ArrayLike, margin: float, unit: float) -> tuple[Crop, ...]:
    """Crops whose cores cover all ``cells`` (rows, columns; True: to be looked at) of a picture of ``size`` (width, height).

    Each of the ``cards`` (n, 4, 2) that reaches into such a cell lies entirely in one crop, ``margin`` pixels from its border.
    Widths and heights are multiples of ``unit`` pixels as far as the picture allows.
    """
    if not cells.any():
        return ()
    boxes = _islands(cells, size, margin)
    outlines = bounding_boxes(np.asarray(cards, np.float64).reshape(-1, 4, 2))
    needed = [_with_cards(box, outlines) for box in boxes]
    grown = {box: _grown(box, size, margin, unit) for box in needed}
    while len(needed := list(grown)) > 1:
        gains = [(_cost(grown[a], unit) + _cost(grown[b], unit) - _cost(_grown(_union(a, b), size, margin, unit), unit), a, b)
                 for a, b in combinations(needed, 2)]  # fmt: skip
        gain, a, b = max(gains)
        if gain < 0:
            break
        del grown[a], grown[b]
        grown[_union(a, b)] = _grown(_union(a, b), size, margin, unit)
    if sum(_area(crop.box) for crop in grown.values()) > MAX_CROPS_SHARE * size[0] * size[1]:
        return (whole(size),)
    return tuple(grown.values())


def cells_in(crop: Crop, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The cells of a grid of ``shape`` (rows, columns) over the picture that lie entirely in the crop's core."""
    (rows, columns), (width, height) = shape, crop.size
    x1, y1, x2, y2 = crop.core
    across, down = np.arange(columns + 1) * width / columns, np.arange(rows + 1) * height / rows
    inside_x = (across[:-1] >= x1) & (across[1:] <= x2)
    inside_y = (down[:-1] >= y1) & (down[1:] <= y2)
    return np.asarray(inside_y[:, None] & inside_x[None, :])


def _islands(cells: NDArray[np.bool_], size: tuple[int, int], margin: float) -> list[Box]:
    """Upright boxes around the patches of ``cells``, at most `MAX_ISLANDS`; patches whose margins meet are one."""
    rows, columns = cells.shape
    wide, high = size[0] / columns, size[1] / rows
    reach = round(max(1.0, min(margin / wide, columns)))
    while True:
        spread = cv2.dilate(cells.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        count, labels, _, _ = cv2.connectedComponentsWithStats(spread, connectivity=8)
        if count - 1 <= MAX_ISLANDS:
            break
        reach *= 2
    y, x = np.nonzero(cells)
    label = labels[y, x]
    boxes = []
    for one in np.unique(label):
        across, down = x[label == one], y[label == one]
        boxes.append((float(across.min() * wide), float(down.min() * high),
                      float((across.max() + 1) * wide), float((down.max() + 1) * high)))  # fmt: skip
    return boxes


def _with_cards(box: Box, outlines: NDArray[np.float64]) -> Box:
    """``box`` enlarged by all cards that reach into it; ``outlines``: their boxes (n, 4)."""
    touching = outlines[
        (outlines[:, 0] < box[2]) & (outlines[:, 2] > box[0]) & (outlines[:, 1] < box[3]) & (outlines[:, 3] > box[1])
    ]
    for outline in touching:
        box = _union(box, (float(outline[0]), float(outline[1]), float(outline[2]), float(outline[3])))
    return box


def _grown(box: Box, size: tuple[int, int], margin: float, unit: float) -> Crop:
    """The smallest crop of whole units around ``box`` and its margin, moved into the picture."""
    (x1, x2), (y1, y2) = (_stretched(box[i], box[i + 2], size[i], margin, unit) for i in (0, 1))
    return Crop((x1, y1, x2, y2), size, margin)


def _stretched(low: float, high: float, end: int, margin: float, unit: float) -> tuple[int, int]:
    low, high = max(0.0, low - margin), min(float(end), high + margin)
    # Two pixels more than needed, as the length and the first corner are both rounded down to whole pixels.
    length = int(-(-(high - low + 2) // unit) * unit)
    if length >= end:
        return 0, end
    start = min(max(0, int((low + high - length) / 2)), end - length)
    start = min(start, int(low))
    return start, start + length


def _union(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _area(box: tuple[float, float, float, float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _cost(crop: Crop, unit: float) -> float:
    return _area(crop.box) + OVERHEAD_UNITS * unit**2
