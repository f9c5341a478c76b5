"""Finds the outline of a card that the detector does not find: the one large quadrilateral on a plain surface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import is_convex, polygon_iou, sides, signed_area

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]
"""(H, W) uint8: what is not 0 belongs to a patch."""

MIN_SHARE, MAX_SHARE = 0.02, 0.9
"""Least and greatest share of the photo that a card covers."""
MIN_FILLED_SHARE: Final = 0.93
"""Least share of its quad that a card's patch fills: its corners are round."""
RATIOS: Final = (0.42, 0.85)
"""Width / height of cards as they may look in a photo."""
MIN_CUT_OFF_RATIO: Final = 0.25
"""Least width / height of a card that the photo's edge cuts off."""
MIN_SIDES_RATIO: Final = 0.6
"""Least length of a side as a share of the opposite one: photos are not taken from a very low angle."""
OUTLINE_WIDTH: Final = 640
"""Pixels: the width at which outlines are looked for."""
MIN_CONTRAST: Final = 6.0
"""Difference of colour (CIELAB) from just inside to just outside of a side. Light that fades has less."""
SAME_OUTLINE_IOU: Final = 0.8
"""Outlines that share more than this (polygon IoU) are one."""
ACROSS_PIXELS, EDGE_PIXELS = 4.0, 3.0
"""Pixels: from a side to where the colours beside it are compared; from the photo's edge, a side nearer than this lies on it."""
MIN_SEEN_SHARE: Final = 0.75
"""Least share of each side that shows `MIN_CONTRAST`."""


def outlines(image: Image, cut_off: bool = False) -> list[Floats]:
    """Quads (4, 2), clockwise, in pixels of ``image`` ((H, W, 3) uint8 BGR), around patches with the shape of a card, largest
    first.

    A patch is what differs in colour from the photo's rim, where the surface is expected, or what edges enclose. ``cut_off``:
    also patches with one or two sides on the photo's edge.
    """
    scale = min(1.0, OUTLINE_WIDTH / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (5, 5), 0), np.uint8)
    colours = lab.astype(np.float32)
    found: list[tuple[float, Floats]] = []
    for mask in (*_other_than_the_rim(colours), *_enclosed(lab)):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            hull = cv2.convexHull(contour)
            area = float(cv2.contourArea(hull))
            if not MIN_SHARE * mask.size < area < MAX_SHARE * mask.size:
                continue
            quad = cv2.approxPolyN(hull, 4, epsilon_percentage=-1, ensure_convex=True).reshape(4, 2).astype(np.float64)
            quad = quad if signed_area(quad) > 0 else quad[::-1]
            on_edge = _on_edge(quad, lab.shape)
            if on_edge.sum() > (2 if cut_off else 0):
                continue
            filled = area >= MIN_FILLED_SHARE * float(signed_area(quad))
            shaped = is_convex(quad) and filled and _card_shaped(quad, bool(on_edge.any()))
            if shaped and _stands_out(colours, quad, on_edge):
                found.append((area, quad))
    kept: list[Floats] = []
    for _, quad in sorted(found, key=lambda one: -one[0]):
        if not any(polygon_iou(quad, other) > SAME_OUTLINE_IOU for other in kept):
            kept.append(quad)
    return [(quad + 0.5) / scale - 0.5 for quad in kept]


def _other_than_the_rim(lab: NDArray[np.float32]) -> Iterator[Mask]:
    band = max(2, round(0.02 * max(lab.shape[:2])))
    rim = np.concatenate([lab[:band].reshape(-1, 3), lab[-band:].reshape(-1, 3), lab[:, :band].reshape(-1, 3),
                          lab[:, -band:].reshape(-1, 3)])  # fmt: skip
    distance = np.linalg.norm(lab - np.median(rim, axis=0), axis=2)
    level = np.clip(distance * 2, 0, 255).astype(np.uint8)
    middle, _ = cv2.threshold(level, 0, 255, cv2.THRESH_OTSU)
    for threshold in (middle, 0.6 * middle):
        patches = (level > threshold).astype(np.uint8)
        yield np.asarray(cv2.morphologyEx(patches, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)


def _enclosed(lab: Image) -> Iterator[Mask]:
    for low in (12, 30):
        edges = np.max([cv2.Canny(np.ascontiguousarray(lab[..., n]), low, 3 * low) for n in range(3)], axis=0).astype(np.uint8)
        yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _on_edge(quad: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which sides (4,) lie on the picture's edge."""
    x, y = quad.T
    near = np.stack([x < EDGE_PIXELS, y < EDGE_PIXELS, x > shape[1] - 1 - EDGE_PIXELS, y > shape[0] - 1 - EDGE_PIXELS])
    return np.asarray((near & np.roll(near, -1, axis=1)).any(axis=0))


def _stands_out(lab: NDArray[np.float32], quad: Floats, on_edge: NDArray[np.bool_]) -> bool:
    """Whether the colours change along each side that is not ``on_edge``."""
    along = np.linspace(0.1, 0.9, 33)[:, None]
    for n in np.flatnonzero(~on_edge):
        start, end = quad[n], quad[(n + 1) % 4]
        points = start + along * (end - start)
        inwards = np.array([start[1] - end[1], end[0] - start[0]]) / max(float(np.linalg.norm(end - start)), 1e-9)
        inside, outside = (_colours(lab, points + step * inwards) for step in (ACROSS_PIXELS, -ACROSS_PIXELS))
        if float((np.linalg.norm(inside - outside, axis=1) > MIN_CONTRAST).mean()) < MIN_SEEN_SHARE:
            return False
    return True


def _colours(lab: NDArray[np.float32], points: Floats) -> NDArray[np.float32]:
    x, y = np.clip(points.round().astype(int), 0, np.array(lab.shape[1::-1]) - 1).T
    return np.asarray(lab[y, x])


def _card_shaped(quad: Floats, cut_off: bool) -> bool:
    length = sides(quad)
    short, long = sorted((float(length[0] + length[2]), float(length[1] + length[3])))
    even = min(float(min(length[n], length[n + 2]) / max(length[n], length[n + 2], 1e-9)) for n in (0, 1))
    least, most = (MIN_CUT_OFF_RATIO, 1.0) if cut_off else RATIOS
    return least <= short / max(long, 1e-9) <= most and (cut_off or even > MIN_SIDES_RATIO)
