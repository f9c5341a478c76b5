"""A pinhole camera over a table plane: projection, the exact homography, and how to fit a whole table into the picture.

Source: Hartley and Zisserman, Multiple View Geometry, ch. 6 (finite projective camera) and 8.1 (homography of plane and picture).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workshop.stage.scene import Camera, Surface

Floats = NDArray[np.float64]


@lru_cache(maxsize=256)
def pose(camera: Camera) -> tuple[Floats, Floats]:
    """Read-only: rotation 3x3 (rows: right, down, forward in table axes) and the camera's position in mm."""
    elevation, azimuth, roll = np.radians([camera.elevation, camera.azimuth, camera.roll])
    around = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    towards = -(np.cos(elevation) * around + np.sin(elevation) * np.array([0.0, 0.0, 1.0]))
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    down = np.cross(towards, right)
    turned = np.cos(roll) * right + np.sin(roll) * down
    down = np.cos(roll) * down - np.sin(roll) * right
    rotation, position = np.stack([turned, down, towards]), np.array([*camera.target, 0.0]) - camera.distance * towards
    rotation.flags.writeable = position.flags.writeable = False
    return rotation, position


@lru_cache(maxsize=256)
def matrix(camera: Camera) -> Floats:
    """The 3x4 projection matrix: homogeneous table mm to homogeneous px; the third row is the depth in mm."""
    rotation, position = pose(camera)
    focal = camera.focal * camera.width
    intrinsic = np.array([[focal, 0, (camera.width - 1) / 2], [0, focal, (camera.height - 1) / 2], [0, 0, 1]])
    return np.asarray(intrinsic @ np.column_stack([rotation, -rotation @ position]), np.float64)


def position(camera: Camera) -> Floats:
    """Where the camera stands: (x, y, z) in mm."""
    return pose(camera)[1]


def homography(camera: Camera, z: float = 0.0) -> Floats:
    """3x3: (x, y, 1) in mm on the plane at height ``z`` to homogeneous px."""
    p = matrix(camera)
    return np.column_stack([p[:, 0], p[:, 1], p[:, 3] + z * p[:, 2]])


def project(camera: Camera, points: ArrayLike) -> Floats:
    """Table points, N x 3 mm (N x 2: on the plane), to N x 2 px. Callers make sure that no point is behind the camera."""
    xyz = np.atleast_2d(np.asarray(points, np.float64))
    p = matrix(camera)
    image = xyz @ p[:, : xyz.shape[1]].T + p[:, 3]
    return np.asarray(image[:, :2] / image[:, 2:], np.float64)


def depth(camera: Camera, points: ArrayLike) -> Floats:
    """Depths (N,) of N x 3 table points in mm, along the camera's line of sight."""
    xyz = np.atleast_2d(np.asarray(points, np.float64))
    return np.asarray(xyz @ matrix(camera)[2, :3] + matrix(camera)[2, 3], np.float64)


def unproject(camera: Camera, pixels: ArrayLike, z: float = 0.0) -> Floats:
    """N x 2 px to N x 2 mm on the plane at height ``z``."""
    xy = np.atleast_2d(np.asarray(pixels, np.float64))
    back = np.linalg.inv(homography(camera, z))
    plane = xy @ back[:, :2].T + back[:, 2]
    return np.asarray(plane[:, :2] / plane[:, 2:], np.float64)


def scale(camera: Camera, x: float, y: float, z: float = 0.0) -> float:
    """Pixels per millimetre, across the line of sight, at a table point."""
    return float(camera.focal * camera.width / depth(camera, [[x, y, z]])[0])


def outline(surface: Surface, points: int = 72) -> Floats:
    """The table top's outline, N x 2 mm, counter-clockwise seen from above."""
    if surface.shape == "round":
        angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
        return np.column_stack([np.cos(angles), np.sin(angles)]) * (surface.width / 2)
    w, d = surface.width / 2, surface.depth / 2
    return np.array([[-w, -d], [w, -d], [w, d], [-w, d]], np.float64)


def project_polygon(camera: Camera, polygon: Floats, near: float = 60.0) -> Floats:
    """A plane polygon, N x 3 mm, to M x 2 px, clipped where it comes nearer to the camera than ``near`` mm (Sutherland and
    Hodgman 1974, one plane). Empty where all of it is behind that."""
    depths = depth(camera, polygon)
    kept: list[Floats] = []
    for n in range(len(polygon)):
        here, there = depths[n - 1], depths[n]
        if (here > near) != (there > near):
            kept.append(polygon[n - 1] + (polygon[n] - polygon[n - 1]) * (near - here) / (there - here))
        if there > near:
            kept.append(polygon[n])
    return project(camera, np.array(kept)) if kept else np.zeros((0, 2))


def corners(camera: Camera, surface: Surface) -> Floats:
    """4 x 2 px: the table top's corners (of a round one, of the square around it), clockwise as seen, far left first."""
    w = surface.width / 2
    d = w if surface.shape == "round" else surface.depth / 2
    return project(camera, [[-w, d], [w, d], [w, -d], [-w, -d]])


def fit(camera: Camera, surface: Surface, margin: float = 0.04) -> Camera:
    """The camera moved so that the whole table is in the picture, as large as possible.

    ``margin``: share of the picture left free on each side; a negative one cuts the table's rim off. Only ``distance`` and
    ``target`` change.
    """
    rim = outline(surface)
    low = np.array([camera.width, camera.height]) * margin
    high = np.array([camera.width - 1, camera.height - 1]) - low
    centre = (low + high) / 2
    fitted = replace(camera, distance=2.0 * max(surface.width, surface.depth), target=(0.0, 0.0))
    for _ in range(12):
        seen = project(fitted, rim)
        middle = unproject(fitted, [(seen.min(0) + seen.max(0)) / 2])[0]
        here = unproject(fitted, [centre])[0]
        fitted = replace(fitted, target=tuple((np.array(fitted.target) + (middle - here)).tolist()))
        seen = project(fitted, rim)
        grow = float(np.max((seen.max(0) - seen.min(0)) / (high - low)))
        nearest = float(depth(fitted, np.column_stack([rim, np.zeros(len(rim))])).min())
        fitted = replace(fitted, distance=max(fitted.distance * grow, fitted.distance - 0.7 * nearest))
    return fitted
