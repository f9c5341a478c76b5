"""Where the camera stands: drawn by chance within docs/camera.md, the whole table in view, cards large enough to read."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from workshop.choreography.layout import Plan
from workshop.choreography.motion import Pose
from workshop.stage import camera as cam
from workshop.stage.cardshape import quad
from workshop.stage.scene import Camera, CardPose, Surface

LEAST_LENGTH = 45 / 1280
"""Length of a card in its place, in picture widths, that is always reached at a table of up to six."""


def surface_of(plan: Plan, kind: str, seed: int) -> Surface:
    """The plan's table top, of this ``kind`` (one of `stage.surfaces.KINDS`)."""
    return Surface(kind, seed, plan.shape, plan.width, plan.depth)


def pick_camera(plan: Plan, rng: Random, size: tuple[int, int]) -> Camera:
    """A camera that sees the whole table. ``size``: picture width and height in pixels."""
    surface = surface_of(plan, "wood", 0)
    slack = 14 if plan.width > 1.3 * plan.depth else 30
    camera = Camera(
        size[0], size[1], elevation=rng.uniform(40, 66), azimuth=rng.uniform(-slack, slack), roll=rng.gauss(0, 0.7),
        focal=rng.uniform(0.72, 1.0),
    )  # fmt: skip
    margin = rng.uniform(0.015, 0.04)
    camera = cam.fit(camera, surface, margin)
    while len(plan.seats) <= 6 and camera.elevation < 69 and shortest(plan, camera) < LEAST_LENGTH * size[0]:
        camera = cam.fit(replace(camera, elevation=camera.elevation + 2), surface, margin)
    return camera


def card_in_place(plan: Plan, camera: Camera, seat: int) -> NDArray[np.float64]:
    """The quad (4 x 2 pixels) of a card that lies exactly in this seat's place."""
    place = plan.seats[seat]
    return quad(camera, CardPose("", (plan.cards, "back"), *place.place, angle=place.facing))


def shortest(plan: Plan, camera: Camera) -> float:
    """Length in pixels (mean of the long sides) of the smallest card that lies in a place."""
    lengths = []
    for seat in range(len(plan.seats)):
        corners = card_in_place(plan, camera, seat)
        sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
        lengths.append(float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2))
    return min(lengths)


def project_pose(camera: Camera, pose: Pose) -> tuple[float, float]:
    """Where a pose's point is in the picture, pixels."""
    x, y = cam.project(camera, [[pose.x, pose.y, pose.z]])[0]
    return float(x), float(y)
