"""Finds the four sides of a card in its photo to a pixel. The networks find them only to two or three hundredths of its length.

They look at a picture of 64 x 96 pixels, in which one pixel is that much; and a card that is cut out askew is learnt askew, and
every card in play is compared with it. So the card is straightened with its surroundings, and each side is put where the picture
changes most along a line near the networks' side, with the table's colours outside and others inside. The four sides are sought
together: the networks' quad has the right shape, but is too large or too small as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import grown, long_side_upright, straighten
from companion.eyes.image import Image

CARD: Final = (192, 336)
"""Width and height in pixels at which the card is looked at; what follows is in these pixels."""
REACH_PIXELS: Final = 36
"""Pixels from the guess within which a side is looked for."""
MAX_TILT_PIXELS: Final = 20
"""Pixels by which one end of a side may be further from the guess than its other end."""
BORDER_PIXELS: Final = 44
"""Pixels of the surroundings that are cut out on each side."""
PARTS: Final = 32
"""Number of parts of a side. Each is averaged along the side, which removes the grain of table and print."""
CORNER_PARTS: Final = 2
"""Number of parts left out at either end of a side: corners are round."""
BAND_PIXELS: Final = 6
"""Pixels on either side of a line over which colours are averaged."""
LINE_WEIGHTS: Final = (1.7, 5.5, -1.6, 2.4, 3.7, -1.8)
"""Weights of the six measures of a line (`_measured`), with which the true side is likeliest. Fitted, like the spreads below, on
photos of six drawn decks that are used for nothing else."""
TOGETHER_SPREAD: Final = 3.6
"""Standard deviation, pixels, of how far all four sides together lie inside the guess: the networks may take a printed frame for
the card, or the card with its shadow."""
SIDE_SPREAD, TILT_SPREAD = 1.5, 2.5
"""Standard deviations, pixels, of one side from where the other three imply it, and of one of its ends from its other end: the
networks' quad has the right shape."""
ALIKE_COLOURS: Final = 6.0
"""Difference of colour (CIELAB) between table and paper below which one cannot be told from the other."""
PAPER_PERCENTILE: Final = 97
"""Percentile of the card's brightness from which on its pixels are taken for paper."""
RIM_PIXELS: Final = 4
"""Pixels at the guess's rim that may be the table's."""
COUNTED_WIDTH: Final = 320
"""Pixels: the longer side of the photo when the colours of its table are counted."""
BINS: Final = (24, 20, 20)
"""Number of bins for each of the three CIELAB channels, over the ranges `RANGES`."""
RANGES: Final = (0, 256, 64, 192, 64, 192)
MIN_COLOUR_SHARE: Final = 2e-4
"""Least share of the pixels that any colour is assumed to have: one photo does not show that a colour cannot occur."""
FAINT_COLOURS: Final = 1.5
"""Difference of colour (CIELAB) that is mere noise."""
HALF_COLOURS: Final = 8.0
"""Difference of colour (CIELAB) that speaks half as strongly for an edge as the largest one."""

Floats = NDArray[np.float64]

_OFFSETS: Final = range(-REACH_PIXELS, REACH_PIXELS + 1)
_ENDS: Final = np.array([(a, b) for a in _OFFSETS for b in _OFFSETS if abs(a - b) <= MAX_TILT_PIXELS])
"""(n, 2): the lines that are tried, by how far within the guess either end lies."""
_ALONG: Final = (np.arange(PARTS) + 0.5) / PARTS
_PART: Final = np.arange(CORNER_PARTS, PARTS - CORNER_PARTS)
_AT: Final = np.rint(_ENDS[:, :1] + (_ENDS[:, 1:] - _ENDS[:, :1]) * _ALONG[None, _PART]).astype(np.int64) + BORDER_PIXELS
"""(n, parts): the first pixel within each of the lines."""


def sharpened(image: Image, quad: Floats) -> Floats | None:
    """The quad (4, 2) of the card that lies about at ``quad`` in ``image`` ((H, W, 3) uint8 BGR), with its sides put where they
    are seen. None on a table as white as the card's paper, where a side cannot be told from a printed frame."""
    quad = long_side_upright(np.asarray(quad, np.float64)[None])[0]
    around = grown(quad, BORDER_PIXELS / CARD[0], BORDER_PIXELS / CARD[1])
    seen = straighten(image, around, CARD[0] + 2 * BORDER_PIXELS, CARD[1] + 2 * BORDER_PIXELS)
    table = _beyond(image, grown(quad, BORDER_PIXELS / CARD[0] / 2, BORDER_PIXELS / CARD[1] / 2))
    if not len(table):
        return quad
    if _apart(table, seen) < ALIKE_COLOURS:
        return None
    found = _meeting(*_likeliest([_measured(*side) @ LINE_WEIGHTS for side in _strips(seen, _strange(table, seen))]))
    there = cv2.getPerspectiveTransform(_box(), np.asarray(around, np.float32))
    return np.asarray(cv2.perspectiveTransform(np.asarray(found, np.float32)[None], there)[0], np.float64)


def _likeliest(sides: Sequence[Floats]) -> list[Floats]:
    """The lines of the four sides that are likeliest together, each as the distances (2,) of its ends from the guess. ``sides``:
    for each side the log-likelihood (n,) of each line that was tried."""
    middle, awry = _ENDS.mean(axis=1), _ENDS[:, 1] - _ENDS[:, 0]
    alone = [side - (awry / TILT_SPREAD) ** 2 / 2 for side in sides]
    best: tuple[float, list[Floats]] = (-np.inf, [])
    for within in range(-REACH_PIXELS // 2, REACH_PIXELS // 2 + 1):
        beside = ((middle - within) / SIDE_SPREAD) ** 2 / 2
        chosen = [int((side - beside).argmax()) for side in alone]
        total = sum(float((side - beside)[n]) for side, n in zip(alone, chosen, strict=True))
        total -= (within / TOGETHER_SPREAD) ** 2 / 2
        if total > best[0]:
            best = total, [_ENDS[n] for n in chosen]
    return best[1]


def _box() -> NDArray[np.float32]:
    """The corners (4, 2) of the part that was cut out, in its own pixels, seen from the first corner of its card."""
    low, high = np.array([-BORDER_PIXELS, -BORDER_PIXELS]), np.array(CARD) + BORDER_PIXELS
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)


def _beyond(image: Image, around: Floats) -> Image:
    """The table's pixels (n, 1, 3), CIELAB: those of the shrunk ``image`` outside of the quad ``around`` (4, 2)."""
    scale = min(1.0, COUNTED_WIDTH / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    beyond = np.full(small.shape[:2], 255, np.uint8)
    cv2.fillPoly(beyond, [np.rint((around + 0.5) * scale - 0.5).astype(np.int32)], (0,))
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.7), cv2.COLOR_BGR2LAB)[beyond > 0][:, None], np.uint8)


def _card(seen: Image, rim: int) -> Image:
    """The card's pixels (n, 1, 3), CIELAB, in the part that was cut out, without a ``rim`` (pixels)."""
    off = BORDER_PIXELS + rim
    card = cv2.cvtColor(cv2.GaussianBlur(seen, (0, 0), 1.2), cv2.COLOR_BGR2LAB)[off:-off, off:-off]
    return np.asarray(card.reshape(-1, 1, 3), np.uint8)


def _apart(table: Image, seen: Image) -> float:
    """The distance (CIELAB) between the median colour of the ``table``'s pixels (n, 1, 3) and that of the brightest pixels
    ``seen`` of the card, which are its paper's, as a back may show paper only around its print."""
    card = _card(seen, RIM_PIXELS)[:, 0].astype(np.float64)
    paper = card[card[:, 0] >= np.percentile(card[:, 0], PAPER_PERCENTILE)]
    apart = np.median(paper, axis=0) - np.median(table[:, 0], axis=0)
    return float(np.linalg.norm(apart * (100 / 255, 1, 1)))


def _strange(table: Image, seen: Image) -> Floats:
    """For each pixel of ``seen`` the log-likelihood ratio (h, w), by its colour, of being the ``table``'s (pixels (n, 1, 3)) over
    being the card's."""
    card = np.asarray(cv2.cvtColor(cv2.GaussianBlur(seen, (0, 0), 1.2), cv2.COLOR_BGR2LAB), np.int64)
    odds = np.log((_shares(table) + MIN_COLOUR_SHARE) / (_shares(_card(seen, CARD[0] // 10)) + MIN_COLOUR_SHARE))
    levels = np.reshape(RANGES, (3, 2))
    bins = [np.clip((card[..., n] - low) * count // (high - low), 0, count - 1)
            for n, (count, (low, high)) in enumerate(zip(BINS, levels, strict=True))]  # fmt: skip
    return np.asarray(odds[bins[0], bins[1], bins[2]], np.float64)


def _shares(lab: Image) -> Floats:
    """The smoothed histogram (`BINS`) of the colours of these pixels (n, 1, 3), as shares."""
    counts = np.asarray(cv2.calcHist([lab], [0, 1, 2], None, list(BINS), list(RANGES)), np.float64)
    for axis in range(3):
        wide = np.pad(counts, [(1, 1) if n == axis else (0, 0) for n in range(3)])
        before, after = (np.take(wide, np.arange(start, start + BINS[axis]), axis=axis) for start in (0, 2))
        counts = counts + (before + after) / 2
    return np.asarray(counts / max(float(counts.sum()), 1.0))


def _strips(seen: Image, strange: Floats) -> list[tuple[Floats, Floats]]:
    """Strips across the top, right, left and bottom side: colours (parts, depth, 3), and ``strange`` (parts, depth), from the
    table inwards, with the guessed side at `BORDER_PIXELS`."""
    lab = np.asarray(cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)
    whole = np.concatenate([lab, strange[..., None]], axis=2)
    deep, rest = BORDER_PIXELS + REACH_PIXELS + BAND_PIXELS + 4, slice(BORDER_PIXELS, -BORDER_PIXELS)
    top, bottom = (one[:deep, rest].swapaxes(0, 1) for one in (whole, whole[::-1]))
    four = top, whole[rest, ::-1][:, :deep], whole[rest, :deep], bottom
    strips = []
    for one in four:
        ends = np.linspace(0, len(one), PARTS + 1).astype(int)
        parts = np.stack([one[start:end].mean(axis=0) for start, end in pairwise(ends)])
        strips.append((parts[..., :3], parts[..., 3]))
    return strips


def _measured(colours: Floats, strange: Floats) -> Floats:
    """Six measures (n, 6) of whether each line that is tried is the card's side: how clear an edge it is, on the whole and in its
    faintest quarter; how much the colours on both sides of it differ, in the same two ways; how much of the table's colours lies
    outside of it, and how much inside."""
    edge = np.linalg.norm(_mean(colours, 0, 2) - _mean(colours, -2, 0), axis=2)
    noise = 2 * (float(np.median(edge[:, 4 : BORDER_PIXELS - 4])) + FAINT_COLOURS)
    step = np.linalg.norm(_mean(colours, 1, 1 + BAND_PIXELS) - _mean(colours, -1 - BAND_PIXELS, -1), axis=2)
    table = strange[..., None]
    clear, differ, outside, inside = (
        np.asarray(one[_PART[None], _AT]) for one in
        (edge / (edge + noise), step / (step + HALF_COLOURS), _mean(table, -BAND_PIXELS, 0)[..., 0],
         _mean(table, 0, BAND_PIXELS)[..., 0])
    )  # fmt: skip
    return np.stack([clear.mean(axis=1), np.quantile(clear, 0.25, axis=1), differ.mean(axis=1), np.quantile(differ, 0.25, axis=1),
                     np.tanh(outside / 2).mean(axis=1), np.tanh(inside / 2).mean(axis=1)], axis=1)  # fmt: skip


def _mean(strip: Floats, start: int, end: int) -> Floats:
    """For each pixel of the ``strip`` (parts, depth, c) the mean of the pixels that lie ``start`` to ``end`` pixels further in;
    the same shape."""
    depth = strip.shape[1]
    sums = np.concatenate([np.zeros_like(strip[:, :1]), np.cumsum(strip, axis=1)], axis=1)
    low, high = (np.clip(np.arange(depth) + shift, 0, depth) for shift in (start, end))
    return np.asarray((sums[:, high] - sums[:, low]) / np.maximum(high - low, 1)[None, :, None])


def _meeting(top: Floats, right: Floats, left: Floats, bottom: Floats) -> Floats:
    """The corners (4, 2) in which these sides meet, clockwise from the top left. Each side is given by how far its two ends lie
    inside of the guess."""
    (width, height), lines = CARD, []
    for start, end in (
        ((0, top[0]), (width, top[1])), ((width - right[0], 0), (width - right[1], height)),
        ((0, height - bottom[0]), (width, height - bottom[1])), ((left[0], 0), (left[1], height)),
    ):  # fmt: skip
        lines.append(np.cross([*start, 1.0], [*end, 1.0]))
    corners = [np.cross(lines[n - 1], lines[n]) for n in range(4)]
    return np.array([corner[:2] / corner[2] for corner in corners])
