"""Which parts of the table have changed since they were last looked at: a cheap map of cells on a small grey picture.

Most of a table stands still, and the detector costs a thousand times what this map does. Each cell remembers how it looked when
it was last inspected, so that a changed cell stays marked until it has been inspected, however slowly or suddenly it changed.

An automatic exposure that hunts, or a lamp that dims, changes every pixel by the same factor: the memory is brought to the
current exposure before it is compared. Compare Stauffer & Grimson, "Adaptive background mixture models" (1999); here one mean
and one noise level per cell are enough, as whatever moves is inspected anyway.

`Memory` compares with what was last inspected, `MotionDetector` with the picture before, where mostly hands have moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import Image

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

COLUMNS = 80
"""Cells along the picture's longer side: a card 30 px long in a picture 1280 px wide covers two of them."""
PIXELS = 4
"""Pixels of the small picture along a cell's side."""
MIN_LEVELS = 3.0
"""Mean difference in grey levels (0..255) below which nothing has changed, however little noise the camera has."""
NOISE_MULTIPLE = 2.5
"""A difference of this many times the cell's own noise is a change."""
MAX_NOISE_LEVELS = 4.0
"""Greatest noise of a cell, grey levels: more than that is something that moves."""
LEARNING_SHARE = 0.03
"""How fast noise and slow changes of light are learnt, share per picture."""
GLOBAL_SHARE = 0.5
"""When more than this share of the picture has changed, the camera or the light has: nothing that was known is valid any more."""
GLOBAL_EXPOSURE = 1.3
"""Neither is it when the exposure jumped by more than this factor between two pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """How each cell of the picture looked when it was last inspected.

    ``grey`` float32 (rows * PIXELS, columns * PIXELS): grey levels in the last picture's exposure; ``noise`` float32 (rows,
    columns): usual difference of a cell in which nothing happens, in grey levels.
    """

    grey: Floats
    noise: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """How a picture differs from a memory. ``cells`` bool (rows, columns): those that changed; ``everywhere``: the whole picture
    has.

    ``memory``: the memory brought to this picture's exposure, with what was learnt about noise.
    """

    cells: Mask
    everywhere: bool
    memory: Memory


def shrink(image: Image) -> Floats:
    """The small grey picture of ``image`` ((H, W, 3) uint8 BGR): float32, `COLUMNS` cells along the longer side.

    Only the green channel is read, and of large pictures only every second, third, … pixel: the cost hardly grows with their
    size.
    """
    height, width = image.shape[:2]
    cell = max(height, width) / COLUMNS
    size = max(1, round(width / cell)) * PIXELS, max(1, round(height / cell)) * PIXELS
    stride = max(1, round(cell / (2 * PIXELS)))
    green = np.ascontiguousarray(image[::stride, ::stride, 1])
    return cv2.resize(green, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def remember(grey: Floats) -> Memory:
    """A memory in which the whole small picture ``grey`` has just been inspected."""
    return Memory(grey, np.full(_cells_shape(grey), MIN_LEVELS / NOISE_MULTIPLE / 2, np.float32))


def compare(memory: Memory, grey: Floats) -> Change:
    """The cells of the small picture ``grey`` that differ from ``memory``, which must be of the same shape."""
    factor = _exposure(memory.grey, grey)
    known = np.minimum(memory.grey * np.float32(factor), np.float32(255))  # white stays white
    difference = _by_cell(np.abs(grey - known))
    changed = together(difference > np.maximum(MIN_LEVELS, NOISE_MULTIPLE * memory.noise))
    noise = memory.noise + np.float32(LEARNING_SHARE) * (np.minimum(difference, MAX_NOISE_LEVELS) - memory.noise)
    drift = np.where(_by_pixel(changed), np.float32(0), np.float32(LEARNING_SHARE)) * (grey - known)
    everywhere = changed.mean() > GLOBAL_SHARE or max(factor, 1 / factor) > GLOBAL_EXPOSURE
    return Change(changed, bool(everywhere), Memory(known + drift, noise))


def together(cells: Mask) -> Mask:
    """``cells`` without isolated ones, which a camera's noise or its encoder changes, but no card."""
    neighbours = cv2.filter2D(cells.astype(np.uint8), cv2.CV_8U, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    return cells & (np.asarray(neighbours) > 1)


def looked_at(memory: Memory, grey: Floats, cells: Mask) -> Memory:
    """``memory`` after these ``cells`` have been inspected in the small picture ``grey``."""
    return replace(memory, grey=np.where(_by_pixel(cells), grey, memory.grey))


def _cells_shape(grey: Floats) -> tuple[int, int]:
    return grey.shape[0] // PIXELS, grey.shape[1] // PIXELS


def _by_cell(pixels: Floats) -> Floats:
    """The means of the small picture's pixels over each cell."""
    rows, columns = _cells_shape(pixels)
    return np.asarray(cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA), np.float32).reshape(rows, columns)


def _by_pixel(cells: Mask) -> Mask:
    """``cells`` enlarged to the small picture's pixels."""
    return np.repeat(np.repeat(cells, PIXELS, axis=0), PIXELS, axis=1)


def _exposure(before: Floats, now: Floats) -> float:
    """The factor by which the exposure has changed: the median of the pixels' ratios, which moving things do not affect.

    Black and white pixels say nothing about it; where there are hardly any others, the factor is 1.
    """
    before, now = before[::4, ::4], now[::4, ::4]
    tones = (before > 8) & (before < 247) & (now > 8) & (now < 247)
    if tones.mean() < 0.1:
        return 1.0
    return float(np.median(now[tones] / before[tones]))


class MotionDetector:
    """Compares each picture of a source with the one before, whereas the incremental detector compares it with what it last
    looked at."""

    def __init__(self) -> None:
        self._before: Memory | None = None

    def step(self, grey: Floats) -> Mask | None:
        """The cells (rows, columns) in which a picture differs from the one before, by `change.compare`. ``grey``: what
        `change.shrink` made of the picture. None where that is not known: it is the first picture, or the camera or the light has
        changed."""
        before = self._before
        if before is None or before.grey.shape != grey.shape:
            self._before = remember(grey)
            return None
        change = compare(before, grey)
        self._before = Memory(grey, change.memory.noise)
        return None if change.everywhere else change.cells
