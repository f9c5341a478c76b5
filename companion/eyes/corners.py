"""Finds the table top in a picture: the four corners of a rectangular one, or of the square around a round one.

The region in the picture's middle is separated from its surroundings by colour models of both (GrabCut: Rother, Kolmogorov, Blake
2004). Four lines and an ellipse are fitted to its rim, robustly, so that arms and glasses that reach over the rim do no harm. The
better fit is then refined on the edges in the picture itself.

`square_around` finds the square around a circle in perspective, by the supporting plane of a circle from its cone of sight:
Forsyth et al., "Invariant descriptors for 3D object recognition and pose" (1991), section on circular curves. One view leaves two
planes; a table is the one that faces up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import Floats, polygon_iou, signed_area
from companion.eyes.image import Image

# A circle in perspective: the square around it, from its ellipse in the picture.
#
# Source: the supporting plane of a circle from its cone of sight, as in Forsyth et al., "Invariant descriptors for 3D object
# recognition and pose" (1991), section on circular curves. One view leaves two planes; a table is the one that faces up.


FOCAL = 0.85
"""Focal length in picture widths, as of a typical webcam or phone: one circle does not reveal it."""


def conic(points: Floats) -> Floats:
    """The symmetric 3x3 matrix C, with x'Cx = 0, of the conic through (N, 2) points, by least squares; N is at least 5."""
    x, y = points[:, 0], points[:, 1]
    terms = np.column_stack([x * x, x * y, y * y, x, y, np.ones_like(x)])
    a, b, c, d, e, f = np.linalg.svd(terms)[2][-1]
    return np.array([[a, b / 2, d / 2], [b / 2, c, e / 2], [d / 2, e / 2, f]])


def square_around(outline: Floats, size: tuple[int, int], focal: float = FOCAL) -> Floats | None:
    """The square, (4, 2) pixels, around the circle whose picture is the ellipse through ``outline`` ((N, 2) pixels).

    ``size``: the picture's width and height in pixels. Two sides of the square run across the view. None where the ellipse cannot
    be a circle on a table.
    """
    width, height = size
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    cone = conic((outline - middle) / (focal * width))
    values, vectors = np.linalg.eigh(cone)
    if values[1] < 0:
        cone, values, vectors = -cone, -values[::-1], vectors[:, ::-1]
    # Signs (-, +, +), with the odd one first: eigh sorts in ascending order.
    odd, small, large = values
    if not odd < 0 < small:
        return None
    across = np.sqrt(max(0.0, (large - small) / (large - odd)))
    away = np.sqrt(max(0.0, (small - odd) / (large - odd)))
    normals = [sign * across * vectors[:, 2] + away * vectors[:, 0] for sign in (1, -1)]
    # Towards the camera and up in the picture (y runs down).
    normals = [normal if normal[2] < 0 else -normal for normal in normals]
    normal = min(normals, key=lambda one: float(one[1]))
    return _square(cone, normal, middle, focal * width)


def _square(cone: Floats, normal: Floats, middle: Floats, focal: float) -> Floats | None:
    right = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    right /= np.linalg.norm(right)
    away = np.cross(normal, right)
    # Plane coordinates (u, v, 1) → ray, for the plane at a distance of one unit from the camera.
    plane = np.column_stack([right, away, -normal])
    circle = plane.T @ cone @ plane
    if abs(circle[0, 0]) < 1e-12:
        return None
    u, v = -circle[0, 2] / circle[0, 0], -circle[1, 2] / circle[1, 1]
    squared = u * u + v * v - 2 * circle[2, 2] / (circle[0, 0] + circle[1, 1])
    if squared <= 0:
        return None
    radius = float(np.sqrt(squared))
    rays = np.array([(u + a * radius, v + b * radius, 1.0) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) @ plane.T
    if (rays[:, 2] <= 0).any():
        return None
    return np.asarray(rays[:, :2] / rays[:, 2:] * focal + middle)


Mask = NDArray[np.uint8]

COARSE_WIDTH = 320
"""Width in pixels of the picture in which table and room are separated."""
MAX_FINE_WIDTH = 960
"""Greatest width in pixels of the picture in which the rim is refined."""
RIM_DISTANCE_SHARE = 0.012
"""Share of the picture's width: a point nearer than this to a fitted rim lies on it."""
MIN_AREA_SHARE = 0.08
"""Least share of the picture that a table fills."""
ELLIPSE_TRIES = 300
"""Ellipses tried through random points of the rim."""
MIN_CONFIDENCE = 0.65
"""With less confidence no table is reported: it is then better to set the four corners by hand from scratch."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """``quad``: (4, 2) pixels, clockwise as seen, beginning nearest the picture's top left; corners may lie outside the picture.

    ``confidence``: 0..1, the share of the rim that was seen where it should be; not a probability.
    """

    quad: Floats
    shape: Literal["rect", "round"]
    confidence: float


def find_table(image: Image, seed: int = 0) -> FoundTable | None:
    """Find the table top in ``image`` ((H, W, 3) uint8 BGR), in whose middle it must lie; None where none is found.

    ``seed``: of the random choice of points through which ellipses are tried. The same picture and seed give the same answer.
    """
    width = image.shape[1]
    coarse = _scaled(image, COARSE_WIDTH)
    mask = _top(coarse)
    rim = _rim(mask)
    if rim is None:
        return None
    rng = np.random.default_rng(seed)
    found = [one for one in (_rectangle(rim, mask), _ellipse(rim, mask, rng)) if one is not None]
    if not found:
        return None
    best = max(found, key=lambda one: one.fit)
    fine = _scaled(image, min(MAX_FINE_WIDTH, width))
    outline, seen = _sharpened(best.outline * (fine.shape[1] / coarse.shape[1]), best.shape, fine)
    confidence = float(np.clip(best.fit, 0, 1)) * min(1.0, seen / 0.6)
    if confidence < MIN_CONFIDENCE:
        return None
    scale = width / fine.shape[1]
    quad = outline if best.shape == "rect" else square_around(outline, (fine.shape[1], fine.shape[0]))
    if quad is None:
        return None
    return FoundTable(_clockwise((quad + 0.5) * scale - 0.5), best.shape, round(confidence, 3))


@dataclass(frozen=True, slots=True)
class _Fit:
    """``outline``: the quad (4, 2), or points (N, 2) of the ellipse, coarse pixels. ``fit``: 0..1, of rim and region."""

    outline: Floats
    shape: Literal["rect", "round"]
    fit: float


def _scaled(image: Image, width: int) -> Image:
    scale = width / image.shape[1]
    if scale >= 1:
        return image
    size = (width, max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _top(picture: Image) -> Mask:
    """The mask of the table top, 0 or 1, with the holes that things on the table leave filled."""
    height, width = picture.shape[:2]
    smooth = np.asarray(cv2.medianBlur(picture, 5), np.uint8)
    mask = np.full((height, width), cv2.GC_PR_BGD, np.uint8)
    middle = (width // 2, height // 2)
    cv2.ellipse(mask, middle, (round(width * 0.36), round(height * 0.38)), 0, 0, 360, cv2.GC_PR_FGD, -1)
    cv2.ellipse(mask, middle, (round(width * 0.12), round(height * 0.12)), 0, 0, 360, cv2.GC_FGD, -1)
    edge = max(2, width // 100)
    mask[:edge], mask[-edge:], mask[:, :edge], mask[:, -edge:] = (cv2.GC_BGD,) * 4
    # The corners always count as room: else a table that fills the picture would have no surroundings.
    away = max(4, width // 12)
    for rows in (slice(0, away // 2), slice(-away // 2, None)):
        for columns in (slice(0, away), slice(-away, None)):
            mask[rows, columns] = cv2.GC_BGD
    cv2.setRNGSeed(7)  # GrabCut's clustering is random
    lab = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), np.uint8)
    cv2.grabCut(lab, mask, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 6, cv2.GC_INIT_WITH_MASK)
    top = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    top = np.asarray(cv2.morphologyEx(top, cv2.MORPH_CLOSE, kernel), np.uint8)
    return np.asarray(cv2.morphologyEx(top, cv2.MORPH_OPEN, kernel), np.uint8)


def _rim(mask: Mask) -> Floats | None:
    """Points (N, 2) along the outer rim of the largest region of ``mask``, None if that is too small. Removes all other regions
    from ``mask``."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    if cv2.contourArea(largest) < MIN_AREA_SHARE * mask.size:
        return None
    mask[:] = 0
    cv2.drawContours(mask, [largest], -1, 1, -1)
    return np.asarray(largest.reshape(-1, 2), np.float64)


def _inside(points: Floats, shape: tuple[int, ...]) -> Floats:
    """The points that do not lie along the picture's edge, where the rim is only cut off."""
    margin = max(3, shape[1] // 80)
    height, width = shape[:2]
    x, y = points[:, 0], points[:, 1]
    return points[(x > margin) & (x < width - 1 - margin) & (y > margin) & (y < height - 1 - margin)]


def _rectangle(rim: Floats, mask: Mask) -> _Fit | None:
    near = RIM_DISTANCE_SHARE * mask.shape[1]
    hull = cv2.convexHull(rim.astype(np.float32)).reshape(-1, 2)
    coarse = cv2.approxPolyDP(hull, 1.5, True).reshape(-1, 2).astype(np.float64)
    if len(coarse) < 4:
        return None
    coarse = coarse[np.linspace(0, len(coarse) - 1, min(len(coarse), 24)).astype(int)]
    quads = coarse[np.array(list(combinations(range(len(coarse)), 4)))]
    quad = quads[int(np.abs(signed_area(quads)).argmax())]  # the largest: an arm that sticks out hardly changes it
    points = _inside(rim, mask.shape)
    for reach in (4 * near, 2 * near, near, near):
        fitted = _four_lines(quad, points, reach)
        if fitted is None:
            break
        quad = fitted
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    return _Fit(quad, "rect", _agreement(quad, points, mask, near))


def _four_lines(quad: Floats, points: Floats, reach: float) -> Floats | None:
    """The quad with each of its sides fitted to the points within ``reach`` pixels of it; None where the sides make no quad."""
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < 1:
            return None
        offset = points - start
        share = offset @ along / length**2
        aside = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0]) / length
        on = points[(aside < reach) & (share > 0.04) & (share < 0.96)]
        if len(on) < max(8, 0.15 * length):
            lines.append((start, along / length))  # mostly out of the picture, or covered: it stays as it is
            continue
        vx, vy, x, y = cv2.fitLine(on.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
    return _meeting(lines)


def _meeting(lines: list[tuple[Floats, Floats]]) -> Floats | None:
    """The intersection of each of four lines (point, direction) with the one before; None where two are nearly parallel."""
    corners = []
    for (at, way), (other, along) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        cross = way[0] * along[1] - way[1] * along[0]
        if abs(cross) < 0.05:
            return None
        gap = other - at
        corners.append(at + way * ((gap[0] * along[1] - gap[1] * along[0]) / cross))
    return np.array(corners)


def _ellipse(rim: Floats, mask: Mask, rng: np.random.Generator) -> _Fit | None:
    near = RIM_DISTANCE_SHARE * mask.shape[1]
    points = _inside(rim, mask.shape)
    if len(points) < 40:
        return None
    best, most = None, 0
    for _ in range(ELLIPSE_TRIES):
        sample = points[rng.choice(len(points), 6, replace=False)].astype(np.float32)
        ellipse = _proper(cv2.fitEllipseDirect(sample), mask.shape)
        if ellipse is None:
            continue
        on = _distance(ellipse, points) < near
        if int(on.sum()) > most:
            best, most = on, int(on.sum())
    if best is None or most < 40:
        return None
    ellipse = _proper(cv2.fitEllipseDirect(points[best].astype(np.float32)), mask.shape)
    if ellipse is None:
        return None
    outline = _drawn(ellipse)
    return _Fit(outline, "round", _agreement(outline, points, mask, near))


_Ellipse = tuple[tuple[float, float], tuple[float, float], float]
"""As in OpenCV: middle, both diameters (pixels), turn in degrees."""


def _proper(ellipse: tuple[Sequence[float], Sequence[float], float], shape: tuple[int, ...]) -> _Ellipse | None:
    middle, axes, turn = ellipse
    short, long = sorted(axes)
    if not np.isfinite([*middle, *axes]).all() or short < 0.2 * long or long > 1.6 * shape[1]:
        return None
    return (float(middle[0]), float(middle[1])), (float(axes[0]), float(axes[1])), float(turn)


def _distance(ellipse: _Ellipse, points: Floats) -> Floats:
    """Approximate distances in pixels of points from the ellipse, along the rays from its middle."""
    middle, axes, turn = ellipse
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    offset = points - np.array(middle)
    turned = offset @ np.array([[cos, -sin], [sin, cos]])
    radius = np.hypot(turned[:, 0] / (axes[0] / 2), turned[:, 1] / (axes[1] / 2))
    return np.asarray(np.abs(1 - 1 / np.maximum(radius, 1e-6)) * np.hypot(offset[:, 0], offset[:, 1]))


def _drawn(ellipse: _Ellipse, count: int = 72) -> Floats:
    middle, axes, turn = ellipse
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    flat = np.column_stack([np.cos(angles) * axes[0] / 2, np.sin(angles) * axes[1] / 2])
    return np.asarray(flat @ np.array([[cos, sin], [-sin, cos]]) + np.array(middle))


def _agreement(outline: Floats, points: Floats, mask: Mask, near: float) -> float:
    """How well an outline agrees with the region (IoU) and with its rim (share of the points on it), 0..1."""
    drawn = np.zeros_like(mask)
    cv2.fillPoly(drawn, [np.round(outline).astype(np.int32)], 1)
    union = int(np.count_nonzero(drawn | mask))
    overlap = np.count_nonzero(drawn & mask) / union if union else 0.0
    if not len(points):
        return 0.0
    contour = outline.astype(np.float32)
    away = np.abs([cv2.pointPolygonTest(contour, (float(x), float(y)), True) for x, y in points])
    return float(overlap * (0.4 + 0.6 * float((away < near).mean())))


def _sharpened(outline: Floats, shape: Literal["rect", "round"], picture: Image) -> tuple[Floats, float]:
    """The outline moved to the strongest edge near it, and the share of its length where there is one."""
    sides = outline if shape == "rect" else None
    count = 40 if shape == "rect" else 2
    ends = np.roll(outline, -1, axis=0)
    shares = (np.arange(count) + 0.5) / count * 0.92 + 0.04
    at = np.concatenate([start + (end - start) * shares[:, None] for start, end in zip(outline, ends, strict=True)])
    ways = np.repeat(ends - outline, count, axis=0)
    normals = np.column_stack([-ways[:, 1], ways[:, 0]]) / np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
    inside = _within(at, picture.shape)
    reach = round(RIM_DISTANCE_SHARE * picture.shape[1])
    steps, strength = _steps(picture, at, normals, reach)
    good = inside & (strength > max(6.0, 0.5 * float(np.median(strength[inside])) if inside.any() else 6.0))
    share = float(good.sum() / max(1, inside.sum()))
    found = at + normals * steps[:, None]
    if sides is None:
        if good.sum() < 30:
            return outline, share
        ellipse = _proper(cv2.fitEllipseDirect(found[good].astype(np.float32)), picture.shape)
        return (_drawn(ellipse) if ellipse else outline), share
    lines = []
    for side in range(4):
        mine = slice(side * count, (side + 1) * count)
        on = found[mine][good[mine]]
        if len(on) < count // 4:
            way = ends[side] - outline[side]
            lines.append((outline[side], way / np.hypot(*way)))
            continue
        vx, vy, x, y = cv2.fitLine(on.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
    quad = _meeting(lines)
    if quad is None or polygon_iou(_clockwise(quad), _clockwise(outline)) < 0.85:
        return outline, share
    return quad, share


def _within(points: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    height, width = shape[:2]
    x, y = points[:, 0], points[:, 1]
    return np.asarray((x > 4) & (x < width - 5) & (y > 4) & (y < height - 5))


def _steps(picture: Image, at: Floats, normals: Floats, reach: int) -> tuple[Floats, Floats]:
    """Where along each normal, from -``reach`` to ``reach`` pixels, the colour changes most, and by how much (grey levels)."""
    offsets = np.arange(-reach - 2, reach + 3)
    xy = at[:, None] + normals[:, None] * offsets[None, :, None]
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.2)
    seen = cv2.remap(smooth, xy[..., 0].astype(np.float32), xy[..., 1].astype(np.float32), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REPLICATE).astype(np.float64)  # fmt: skip
    change = np.abs(seen[:, 4:] - seen[:, :-4]).sum(axis=2)
    # Near the fitted line rather than far from it: cards and stripes run parallel to the rim too.
    change *= 1 - 0.5 * (np.abs(offsets[2:-2]) / (reach + 1)) ** 2
    best = change.argmax(axis=1)
    return offsets[2:-2][best].astype(np.float64), change[np.arange(len(at)), best]


def _clockwise(quad: Floats) -> Floats:
    """The quad, clockwise as seen, beginning with the corner nearest the picture's top left."""
    turned = quad if float(signed_area(quad)) > 0 else quad[::-1]
    first = int(turned.sum(axis=1).argmin())
    return np.asarray(np.roll(turned, -first, axis=0))
