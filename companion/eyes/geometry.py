"""Quads and homographies: the plane geometry that all card games need.

A quad is four (x, y) points, clockwise as a viewer of the picture sees them (y down). Arrays of quads are (n, 4, 2). A pixel's
centre has whole coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_DIAGONALS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / np.sqrt(2.0)  # NW, NE, SE, SW (y down)
_NEXT = [1, 2, 3, 0]
_TURNS = (np.arange(4) - np.arange(4)[:, None]) % 4  # corners of a quad turned by none, one, two, three
_AXES = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], dtype=np.float64)  # N, E, S, W


def signed_area(quads: ArrayLike) -> Floats:
    """Shoelace area of (..., k, 2) polygons in square pixels, positive where they run clockwise as seen (y down)."""
    points = np.asarray(quads, dtype=np.float64)
    following = np.concatenate([points[..., 1:, :], points[..., :1, :]], axis=-2)
    return np.asarray(np.sum(points[..., 0] * following[..., 1] - following[..., 0] * points[..., 1], axis=-1) / 2.0)


def is_convex(quads: ArrayLike) -> NDArray[np.bool_]:
    """For (..., 4, 2) quads: whether every corner turns clockwise, so that it is a quad a card can show."""
    points = np.asarray(quads, dtype=np.float64)
    side = points[..., _NEXT, :] - points
    following = side[..., _NEXT, :]
    return np.asarray(np.all(side[..., 0] * following[..., 1] - side[..., 1] * following[..., 0] > 0, axis=-1))


def sides(quads: ArrayLike) -> Floats:
    """Lengths of the four sides of (..., 4, 2) quads: side i runs from corner i to corner i + 1."""
    points = np.asarray(quads, dtype=np.float64)
    side = points[..., _NEXT, :] - points
    return np.asarray(np.sqrt(side[..., 0] * side[..., 0] + side[..., 1] * side[..., 1]))


def between_turns(one: float, other: float) -> float:
    """The angle, 0 to 90 degrees, between two cards that are turned by ``one`` and by the ``other`` (degrees); upside down a card
    looks the same."""
    apart = abs(one - other) % 180
    return min(apart, 180 - apart)


def card_length(quads: ArrayLike) -> Floats:
    """Length of the card in pixels: the mean of the two long sides of (..., 4, 2) quads."""
    length = sides(quads)
    return np.asarray(np.maximum(length[..., 0] + length[..., 2], length[..., 1] + length[..., 3]) / 2.0)


def polygon_iou(a: ArrayLike, b: ArrayLike) -> float:
    """Exact intersection over union of two convex quads (4, 2); 0 where one of them has no area."""
    areas = abs(float(signed_area(a))), abs(float(signed_area(b)))
    if min(areas) <= 0.0:
        return 0.0
    shared = shared_area(a, b)
    return min(shared / (sum(areas) - shared), 1.0)


def shared_area(a: ArrayLike, b: ArrayLike) -> float:
    """Area of the intersection of two convex quads (4, 2), square pixels.

    Cut off along one edge after the other (Sutherland and Hodgman 1974). OpenCV's `intersectConvexConvex` loses up to all of the
    area where edges of both lie on one line, as those of two detections of one card may.
    """
    return _shared_area(np.asarray(a).tolist(), np.asarray(b).tolist())


Points = Sequence[Sequence[float]]


def _shared_area(a: Points, b: Points) -> float:
    """As `shared_area`, for points in plain tuples: with so few of them, arrays take longer than the arithmetic."""
    left, edges = a, b
    if _twice_the_area(edges) < 0:
        edges = edges[::-1]
    x1, y1 = edges[-1]
    for x2, y2 in edges:
        if not left:
            return 0.0
        dx, dy = x2 - x1, y2 - y1
        line = dy * x1 - dx * y1
        kept: list[Sequence[float]] = []
        last_x, last_y = left[-1]
        last = dx * last_y - dy * last_x + line  # positive: within
        for x, y in left:
            here = dx * y - dy * x + line
            if (here >= 0) != (last >= 0):
                share = last / (last - here)
                kept.append((last_x + share * (x - last_x), last_y + share * (y - last_y)))
            if here >= 0:
                kept.append((x, y))
            last_x, last_y, last = x, y, here
        left = kept
        x1, y1 = x2, y2
    return abs(_twice_the_area(left)) / 2


def _twice_the_area(polygon: Points) -> float:
    """Twice `signed_area`, for a few points in plain tuples."""
    area = 0.0
    last_x, last_y = polygon[-1] if polygon else (0.0, 0.0)
    for x, y in polygon:
        area += last_x * y - x * last_y
        last_x, last_y = x, y
    return area


def box_iou(boxes: Floats, others: Floats) -> Floats:
    """(n, m) intersection over union of upright boxes (n, 4) and (m, 4), each x1, y1, x2, y2."""
    near = np.maximum(boxes[:, None, :2], others[None, :, :2])
    far = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    shared = np.prod(np.clip(far - near, 0, None), axis=2)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)[:, None] + np.prod(others[:, 2:] - others[:, :2], axis=1)[None]
    return np.asarray(shared / np.maximum(area - shared, 1e-9))


def bounding_boxes(quads: ArrayLike) -> Floats:
    """Upright boxes (n, 4), x1, y1, x2, y2, around (n, 4, 2) quads."""
    points = np.asarray(quads, dtype=np.float64)
    return np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1)


def suppress(quads: ArrayLike, scores: ArrayLike, threshold: float) -> list[int]:
    """Greedy non-maximum suppression by exact polygon IoU: indices kept, best score first; see `suppress_and_group`."""
    return [best for best, _ in suppress_and_group(quads, scores, threshold, threshold)]


def suppress_and_group(quads: ArrayLike, scores: ArrayLike, threshold: float, agreement: float) -> list[tuple[int, list[int]]]:
    """Greedy non-maximum suppression by exact polygon IoU: the indices kept, best score first, each with all that agree with it.

    The upright boxes of cards in a fan overlap almost wholly, their polygons much less, so the polygons decide. Where one quad is
    a part of another, only the surer of the two is kept. A quad agrees with a kept one if it shares more than ``agreement``
    (polygon IoU) with it, whether it is kept itself or not; the kept one comes first among those that agree with it.
    """
    points = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    areas, boxes = np.abs(signed_area(points)), bounding_boxes(points) if len(points) else np.zeros((0, 4))
    corners = points.tolist()
    gone = [False] * len(points)
    kept = []
    for best in np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable").tolist():
        if gone[best]:
            continue
        both = areas + areas[best]
        small = np.minimum(areas, areas[best])
        # No two cards look as if one lay within the other, clearly larger one: the smaller is a part taken for a whole card.
        same = np.minimum(threshold / (1 + threshold) * both, np.where(small < 0.7 * (both - small), 0.9 * small, np.inf))
        alike = agreement / (1 + agreement) * both
        agreeing = [best]
        # Of what the upright boxes share the polygons share no more: most pairs need no clipping.
        for i in np.flatnonzero(box_overlap(boxes[best], boxes) > np.minimum(same, alike)).tolist():
            if i != best:
                shared = _shared_area(corners[best], corners[i])
                gone[i] = gone[i] or shared > same[i]
                if shared > alike[i]:
                    agreeing.append(i)
        kept.append((best, agreeing))
    return kept


def box_overlap(box: Floats, others: Floats) -> Floats:
    """Area (n,) that the upright ``box`` (4,) shares with each of ``others`` (n, 4), x1, y1, x2, y2."""
    near, far = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    return np.asarray(np.prod(np.clip(far - near, 0, None), axis=1))


def _aligned(quads: Floats, directions: Floats) -> tuple[Floats, Floats]:
    """``quads`` with their corners shifted cyclically so that corner i lies towards ``directions[i]``, and the cosine of the
    angle by which they miss these directions."""
    spokes = quads - quads.mean(axis=-2, keepdims=True)
    turned = np.stack([np.roll(spokes, -shift, axis=-2) for shift in range(4)], axis=-3)
    along = np.sum(turned * directions, axis=(-1, -2))
    across = np.sum(turned[..., 0] * directions[:, 1] - turned[..., 1] * directions[:, 0], axis=-1)
    best = np.argmax(along, axis=-1)
    pick = best[..., None]
    cosine = np.take_along_axis(along, pick, -1)[..., 0] / np.maximum(
        np.hypot(np.take_along_axis(along, pick, -1), np.take_along_axis(across, pick, -1))[..., 0], 1e-9
    )
    order = (best[..., None] + np.arange(4)) % 4
    return np.take_along_axis(quads, order[..., None], axis=-2), cosine


def compass_order(quads: ArrayLike) -> tuple[Floats, Floats]:
    """Both names of the corners of clockwise (..., 4, 2) quads: (..., 8, 2) points and (..., 2) cosines.

    The first four points are the corners to the north-west, north-east, south-east and south-west, the last four those to the
    north, east, south and west of the middle. The names ask nothing of what is printed, so a back that looks the same turned by
    180 degrees has one answer. Each naming jumps at one angle in 90 degrees, and the two jump 45 degrees apart, so one of them is
    always steady: the cosine (1 best, 0.71 at the jump) says how steady each is.
    """
    points = np.asarray(quads, dtype=np.float64)
    diagonal, first = _aligned(points, _DIAGONALS)
    axial, second = _aligned(points, _AXES)
    return np.concatenate([diagonal, axial], axis=-2), np.stack([first, second], axis=-1)


def pick_compass(points: ArrayLike) -> tuple[Floats, Floats]:
    """Quads (n, 4, 2) from predicted points (n, 8, 2) in `compass_order`, and how well both namings agree (n,).

    The naming that is farther from its jump wins. Agreement is 1 less the mean distance of the two quads' corners as a share
    of the card's length, 0..1; only a quad whose second naming is near its own jump has no second opinion and scores lower.
    """
    named = np.asarray(points, dtype=np.float64).reshape(-1, 8, 2)
    pair = np.stack([named[:, :4], named[:, 4:]], axis=1)
    spokes = pair - pair.mean(axis=2, keepdims=True)
    directions = np.stack([_DIAGONALS, _AXES])
    along = np.sum(spokes * directions, axis=(2, 3))
    across = np.sum(spokes[..., 0] * directions[:, :, 1] - spokes[..., 1] * directions[:, :, 0], axis=2)
    cosine = along / np.maximum(np.hypot(along, across), 1e-9)
    # A point set that is no convex quad comes from the jump itself: the other naming is taken, however it stands.
    chosen = np.argmax(cosine + is_convex(pair), axis=1)
    rows = np.arange(len(named))
    quads, others = pair[rows, chosen], pair[rows, 1 - chosen]
    shifted = np.stack([np.roll(others, shift, axis=1) for shift in range(-1, 2)], axis=1)
    gap = np.linalg.norm(shifted - quads[:, None], axis=3).mean(axis=2).min(axis=1)
    return quads, np.clip(1.0 - gap / np.maximum(card_length(quads), 1e-9), 0.0, 1.0)


def turned_like(quads: ArrayLike, model: ArrayLike) -> Floats:
    """``quads`` (..., 4, 2), each with its corners shifted cyclically so that they lie closest to those of ``model`` (4, 2)."""
    points, wanted = np.asarray(quads, dtype=np.float64), np.asarray(model, dtype=np.float64)
    turned = points[..., _TURNS, :]
    nearest = np.linalg.norm(turned - wanted, axis=-1).sum(axis=-1).argmin(axis=-1)
    return np.asarray(np.take_along_axis(turned, nearest[..., None, None, None], axis=-3)[..., 0, :, :])


def long_side_upright(quads: ArrayLike) -> Floats:
    """(n, 4, 2) quads with their corners shifted cyclically so that corners 0 → 1 are a short side, at either end; they stay
    clockwise."""
    points = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    length = sides(points)
    lying = length[:, 0] + length[:, 2] > length[:, 1] + length[:, 3]
    return np.where(lying[:, None, None], np.roll(points, -1, axis=1), points)


MIRRORED = [1, 0, 3, 2]
"""The order that makes the corners of a mirrored quad clockwise again."""


def mirrored(quads: ArrayLike, across: float) -> Floats:
    """The ``quads`` (..., 4, 2) of a picture in its mirror image: x becomes ``across`` - x."""
    return np.asarray((np.asarray(quads, np.float64) * (-1, 1) + (across, 0))[..., MIRRORED, :], np.float64)


def grown(quad: ArrayLike, across: float, along: float) -> Floats:
    """The ``quad`` (4, 2) with a border round it in its own plane: ``across`` and ``along`` are shares of its width (corners 0 →
    1) and of its length."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    homography = cv2.getPerspectiveTransform(unit, np.asarray(quad, np.float32))
    border = unit + np.array([[-across, -along], [across, -along], [across, along], [-across, along]], np.float32)
    return np.asarray(cv2.perspectiveTransform(border[None], homography)[0], np.float64)


def skew(quad: ArrayLike, rectangle: ArrayLike) -> float:
    """How far the sides of ``quad`` (4, 2) deviate from the directions of a ``rectangle`` (4, 2) on the plane of both, in widths
    of the rectangle: 0 for a border around it, however the plane is seen."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    flat = cv2.getPerspectiveTransform(np.asarray(rectangle, np.float32), unit)
    there = cv2.perspectiveTransform(np.asarray(quad, np.float32)[None], flat)[0]
    return float(np.abs(np.diff(there, axis=0, append=there[:1])).min(axis=1).max())


def straighten(image: Image, quad: ArrayLike, width: int, height: int) -> Image:
    """The card under ``quad`` (4, 2), cut out of ``image`` and straightened: (height, width, 3) uint8, corner 0 top left.

    What lies out of the picture repeats the picture's edge. Cards larger than the crop are first shrunk by area, so that fine
    print does not turn into noise.
    """
    corners = np.asarray(quad, dtype=np.float64)
    points = corners.tolist()
    x0, x1 = _span([x for x, _ in points], image.shape[1])
    y0, y1 = _span([y for _, y in points], image.shape[0])
    patch = image[y0:y1, x0:x1]
    corners = corners - (x0, y0)
    shrink = min(1.0, 1.5 * height / max(float(card_length(corners)), 1.0))
    if shrink < 0.75:
        size = max(1, round(patch.shape[1] * shrink)), max(1, round(patch.shape[0] * shrink))
        scale = np.array([size[0] / patch.shape[1], size[1] / patch.shape[0]])
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        corners = (corners + 0.5) * scale - 0.5
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(patch, homography, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def _span(places: Sequence[float], end: int) -> tuple[int, int]:
    """The range of pixels, of a side that has ``end`` of them, from a little before the first of the ``places`` to a little after
    the last; at least one pixel."""
    low = min(max(math.floor(min(places) - 2), 0), end - 1)
    return low, min(max(math.ceil(max(places) + 3), low + 1), end)
