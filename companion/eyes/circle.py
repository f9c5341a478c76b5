"""A circle in perspective: the square around it, from its ellipse in the picture.

Source: the supporting plane of a circle from its cone of sight, as in Forsyth et al., "Invariant descriptors for 3D object
recognition and pose" (1991), section on circular curves. One view leaves two planes; a table is the one that faces up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

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

    ``size``: the picture's width and height in pixels. Two sides of the square run across the view. None where no circle on a
    table looks like this.
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
