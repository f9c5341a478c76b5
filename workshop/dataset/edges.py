"""Outlines of whole cards that a photo's labels suggest or its edges show: what the eyes do not propose by themselves.

The eyes overlook cards that they were never taught, such as black ones. Where a card lies alone, its outline is the edge of a
dark patch; where its two printed indices are labelled, they and a card of known outline on the same table give it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import is_convex, signed_area
from workshop.dataset.indices import SQUARE

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

SMALLEST = 0.004
"""A patch with less than this share of the picture is not looked at."""

FULL = 0.9
"""Share of a patch's quad that it fills, rounded corners and all, where it is one card."""

TURNS = 24
"""Directions in which a card is supposed that shows one index."""


def patches(image: Image) -> list[Floats]:
    """Quads (4, 2), clockwise, around patches of ``image`` ((H, W, 3) uint8 BGR) that are darker than what surrounds them and as
    convex as a card, at several thresholds."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    middle, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    found = []
    for threshold in (0.6 * middle, 0.8 * middle, middle, 1.2 * middle):
        for size in (3, 9):
            below = (grey < threshold).astype(np.uint8)
            closed = cv2.morphologyEx(below, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
            mask = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
            for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
                area, hull = cv2.contourArea(contour), cv2.convexHull(contour)
                if area < SMALLEST * grey.size or area < 0.93 * cv2.contourArea(hull):
                    continue
                quad = cv2.approxPolyN(hull, 4, epsilon_percentage=-1, ensure_convex=True).reshape(4, 2).astype(np.float64)
                quad = quad if signed_area(quad) > 0 else quad[::-1]
                if is_convex(quad) and area >= FULL * signed_area(quad):
                    found.append(quad)
    return found


def dark(image: Image) -> NDArray[np.bool_]:
    """(H, W): the larger patches of ``image`` ((H, W, 3) uint8 BGR) that are darker than what surrounds them."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    middle, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    mask = cv2.morphologyEx((grey < middle).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    return cv2.dilate(mask, np.ones((7, 7), np.uint8)).astype(np.bool_)


def _lying(places: Floats, points: Floats) -> Floats:
    """The similarity (2, 3) that puts ``places`` (2, 2) on ``points`` (2, 2)."""
    (ax, ay), (bx, by) = places[1] - places[0], points[1] - points[0]
    scale = complex(bx, by) / complex(ax, ay)
    turned = np.array([[scale.real, -scale.imag], [scale.imag, scale.real]])
    return np.column_stack([turned, points[0] - turned @ places[0]])


def _mapped(points: Floats, homography: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)[0], dtype=np.float64)


def from_both(middles: Floats, table: Floats, index: tuple[float, float], ratio: float) -> Floats:
    """The card (4, 2) whose printed indices have these ``middles`` (2, 2), pixels.

    ``table``: the homography from pixels to a plane in which cards are ``ratio`` times as long as wide; ``index``: the place of
    the printed index, in card coordinates.
    """
    size = np.array([1.0, ratio])
    places = np.array([index, (1 - index[0], 1 - index[1])]) * size
    matrix = _lying(places, _mapped(middles, table))
    laid = SQUARE.astype(np.float64) * size @ matrix[:, :2].T + matrix[:, 2]
    return _mapped(laid, np.asarray(np.linalg.inv(table), dtype=np.float64))


def from_one(middle: Floats, table: Floats, index: tuple[float, float], ratio: float) -> list[Floats]:
    """Cards (4, 2) of the table's own size whose printed index has this ``middle`` (2,), turned in all directions."""
    size = np.array([1.0, ratio])
    shape = SQUARE.astype(np.float64) * size - np.array(index) * size
    here, back = _mapped(middle, table)[0], np.asarray(np.linalg.inv(table), dtype=np.float64)
    angles = np.arange(TURNS) * 2 * np.pi / TURNS
    return [_mapped(shape @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + here, back) for a in angles]


def snapped(image: Image, quad: Floats, reach: float = 0.05, rounds: int = 3) -> tuple[Floats, float]:
    """``quad`` (4, 2) with its sides moved to strong edges of ``image`` nearby, and the share 0..1 of its sides that lie on one.

    ``reach``: how far a side may move, as a share of the card's mean side. Where too little of a side lies on an edge, as where
    another card covers it, it stays.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    held = 0.0
    for _ in range(rounds):
        lines, held = [], 0.0
        middle = quad.mean(axis=0)
        size = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean())
        for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
            line, share = _side(grey, start, end, middle, max(3.0, reach * size))
            lines.append(line)
            held += share / 4
        moved = np.array([_crossing(lines[i - 1], lines[i]) for i in range(4)])
        if not np.isfinite(moved).all() or not is_convex(moved) or np.linalg.norm(moved - quad, axis=1).max() > 2 * reach * size:
            break
        quad = moved
    return quad, held


def _side(
    grey: NDArray[np.float32], start: Floats, end: Floats, middle: Floats, reach: float
) -> tuple[tuple[Floats, Floats], float]:
    """The edge near the side from ``start`` to ``end``, as a point and a direction, and the share of the side that it holds."""
    along = end - start
    out = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
    out = out if out @ ((start + end) / 2 - middle) > 0 else -out
    shares, offsets = np.linspace(0.1, 0.9, 41), np.arange(-reach, reach + 0.5, 0.5)
    points = start + shares[:, None, None] * along + offsets[None, :, None] * out
    profile = cv2.remap(grey, points[..., 0].astype(np.float32), points[..., 1].astype(np.float32), cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    step = profile[:, 4:] - profile[:, :-4]  # over two pixels
    brightness = np.abs(step)
    best = brightness.argmax(axis=1)
    strong = brightness[np.arange(len(best)), best] >= 18
    at = offsets[2:-2][best]
    if strong.sum() < 12:
        return (start, along), 0.0
    # The straight line that most of the strong edge points agree with, among those through two of them.
    x, y = shares[strong], at[strong]
    i, j = np.triu_indices(len(x), 1)
    apart = np.abs(x[i] - x[j]) > 0.2
    i, j = i[apart], j[apart]
    if not len(i):
        return (start, along), 0.0
    slope = (y[j] - y[i]) / (x[j] - x[i])
    agree = np.abs(y[None] - (y[i] + slope * (x[None].T - x[i])).T) <= 1.0
    line = int(agree.sum(axis=1).argmax())
    chosen = agree[line]
    if chosen.sum() < 12:
        return (start, along), float(chosen.sum() / len(shares))
    tilt, offset = np.polyfit(x[chosen], y[chosen], 1)
    first, last = start + offset * out, end + (offset + tilt) * out
    return (first, last - first), float(chosen.sum() / len(shares))


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Where two lines meet; not finite where they are parallel."""
    matrix = np.column_stack([one[1], -other[1]])
    if abs(float(np.linalg.det(matrix))) < 1e-9:
        return np.full(2, np.inf)
    return np.asarray(one[0] + np.linalg.solve(matrix, other[0] - one[0])[0] * one[1])
