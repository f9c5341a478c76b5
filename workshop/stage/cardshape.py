"""The geometry of a card's pose: its corners and the lines across it in table mm, and which side the camera sees."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage.scene import Camera, CardPose, StackPose

Floats = NDArray[np.float64]

STRIPS = 4
"""Flat strips across its length in which a bent card is drawn."""


@lru_cache(maxsize=2048)
def rows(card: CardPose) -> Floats:
    """Read-only (STRIPS + 1) x 2 x 3 mm: the left and right ends of lines across the card, as seen by somebody who looks at the
    printed face, from its top to its bottom."""
    width, length = card.mm
    along = np.linspace(1, -1, STRIPS + 1)
    local = np.zeros((STRIPS + 1, 2, 3))
    local[:, 0, 0], local[:, 1, 0] = -width / 2, width / 2
    local[:, :, 1] = (along * length / 2)[:, None]
    local[:, :, 2] = (card.bend * along**2)[:, None]
    turn = card.tilt + (0.0 if card.face_up else 180.0)
    local = local @ _about(turn, card.tilt_axis).T
    angle = np.radians(card.angle)
    spin = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    table = local @ spin.T
    table[..., 2] += card.z - table[..., 2].min()
    table[..., :2] += (card.x, card.y)
    placed = np.asarray(table, np.float64)
    placed.flags.writeable = False
    return placed


def cross(a: Floats, b: Floats) -> Floats:
    """The cross product of two vectors, (3,) each. Numpy's own is made for stacks of them, and ten times slower."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _about(degrees: float, axis: float) -> Floats:
    """Rotation by ``degrees`` about the direction ``axis`` in the card's plane, degrees from +y (Rodrigues' formula)."""
    a, t = np.radians(axis), np.radians(degrees)
    x, y = -np.sin(a), np.cos(a)
    k = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(t) * k + (1 - np.cos(t)) * (k @ k), np.float64)


def corners3(card: CardPose) -> Floats:
    """4 x 3 mm: top left, top right, bottom right and bottom left of the printed face."""
    lines = rows(card)
    return np.stack([lines[0, 0], lines[0, 1], lines[-1, 1], lines[-1, 0]])


@lru_cache(maxsize=2048)
def shows_face(camera: Camera, card: CardPose) -> bool:
    """Whether the printed face is turned to the camera."""
    corners = corners3(card)
    normal = cross(corners[1] - corners[0], corners[0] - corners[3])
    return bool(normal @ (cam.position(camera) - corners.mean(0)) > 0)


@lru_cache(maxsize=2048)
def quad(camera: Camera, card: CardPose) -> Floats:
    """Read-only 4 x 2 px, clockwise as seen, beginning with the printed top left corner of the side that shows."""
    seen = cam.project(camera, corners3(card))
    if not shows_face(camera, card):
        seen = seen[[1, 0, 3, 2]]
    seen.flags.writeable = False
    return seen


def stack_top(stack: StackPose) -> CardPose:
    """The stack's top card as a card of its own."""
    height = stack.count * stack.thickness
    return CardPose(stack.id, stack.key, stack.x, stack.y, stack.angle, height, stack.face_up, size=stack.size, gloss=stack.gloss)
