"""The geometry of a card's pose: its corners and the lines across it in table mm, which side the camera sees, and how much of it
the picture shows: its quad less what lies on it and what lies out of the picture.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage.scene import Camera, CardPose, StackPose
from workshop.stage.sprites import Gray, Rect, Sprite, overlap

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


Cover = Floats | Sprite
"""What can lie on a card: a convex quad (4 x 2 px), or the mask of anything drawn."""

FINE = 96
"""Least number of points along its longer side at which a card is sampled."""


def cover_rect(cover: Cover) -> Rect:
    """The pixels that a cover can touch."""
    if isinstance(cover, Sprite):
        return cover.rect
    low, high = np.floor(cover.min(0)), np.ceil(cover.max(0)) + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _fill(mask: Gray, polygon: Floats, origin: Floats, factor: float, value: int) -> None:
    # +0.5: pixel (0, 0) covers -0.5..0.5 of the picture and, when enlarged, the samples 0..factor.
    points = (polygon + 0.5 - origin) * factor - 0.5
    cv2.fillConvexPoly(mask, np.round(points * 256).astype(np.int32), value, cv2.LINE_8, 8)


def share(quad: Floats, covers: list[Cover], width: int, height: int) -> float:
    """The visible share, 0..1, of a convex quad (4 x 2 px) under ``covers`` in a width x height picture, to about 0.02."""
    low, high = quad.min(0), quad.max(0)
    longest = float(np.max(high - low))
    factor = float(np.clip(np.ceil(FINE / max(1.0, longest)), 1, 16)) if longest < FINE else 1.0
    origin = np.floor(low) - 1
    size = np.ceil((high - origin + 2) * factor).astype(int)
    if not np.all(np.isfinite(size)) or size.max() > 8000:
        return 0.0
    mask = np.zeros((size[1], size[0]), np.uint8)
    _fill(mask, quad, origin, factor, 255)
    whole = int(cv2.countNonZero(mask))
    if whole == 0:
        return 0.0
    box = (int(origin[0]), int(origin[1]), int(np.ceil(high[0])) + 2, int(np.ceil(high[1])) + 2)
    for cover in covers:
        if overlap(cover_rect(cover), box) is None:
            continue
        if isinstance(cover, Sprite):
            _stamp(mask, cover, origin, factor)
        else:
            _fill(mask, cover, origin, factor, 0)
    left, top = np.ceil((np.array([0, 0]) - origin) * factor).astype(int)
    right, bottom = np.floor((np.array([width, height]) - origin) * factor).astype(int)
    inside = mask[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    return float(cv2.countNonZero(inside) / whole) if inside.size else 0.0


def _stamp(mask: Gray, cover: Sprite, origin: Floats, factor: float) -> None:
    """Clear what the sprite's mask covers."""
    matrix = np.array(
        [
            [factor, 0, (cover.x + 0.5 - origin[0]) * factor - 0.5],
            [0, factor, (cover.y + 0.5 - origin[1]) * factor - 0.5],
        ]
    )
    enlarged = cv2.warpAffine(cover.mask, matrix, (mask.shape[1], mask.shape[0]), flags=cv2.INTER_NEAREST)
    mask[enlarged > 127] = 0
