"""Printed things as patches of the picture: those that lie on the table, and those that stand upright on it or in the room."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from workshop.stage import camera as cam
from workshop.stage import light
from workshop.stage.scene import Camera, Image, Look, Lookalike, Surface
from workshop.stage.sprites import Rect, Sprite, bounds, sprite

Floats = NDArray[np.float64]
Rng = np.random.Generator
FINEST = 420
"""Pixels of a print's longer side; less where the picture shows it small."""
NEAREST = 120.0
"""Nothing is drawn that comes nearer to the camera than this, mm."""


def panel_sprite(
    camera: Camera, look: Look, thing: Lookalike, paint: Callable[[Rng, int, int], Image], rng: Rng, surface: Surface | None
) -> Sprite | None:
    """The thing with its shadow where it lies; without one where it stands; None outside the picture. ``paint``: its print."""
    outline, print_corners = _shape(thing)
    upper = _placed(thing, outline, 1.0)
    lower = _placed(thing, outline, 0.0)
    if min(cam.depth(camera, upper).min(), cam.depth(camera, lower).min()) < NEAREST:
        return None
    seen, under = cam.project(camera, upper), cam.project(camera, lower)
    target = cam.project(camera, _placed(thing, print_corners, 1.0))
    lies = thing.stands is None
    if _turned_away(target):  # it stands with its back to the camera, which is printed, too
        target = target[[1, 0, 3, 2]]
        seen, under = under, seen
    cast = under + (0 if not lies else _offset(camera, look, thing, outline) - under)
    sigma = max(0.6, cam.scale(camera, thing.x, thing.y) * (1.2 + 0.4 * thing.thick)) if lies else 0.0
    rect = bounds(np.concatenate([seen, under, cast]), 3 * max(sigma, thing.soft) + 2, camera.width, camera.height)
    if rect is None:
        return None
    shape = (rect[3] - rect[1], rect[2] - rect[0])
    alpha, front = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    hull = cv2.convexHull(np.concatenate([seen, under]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(alpha, _poly(hull - rect[:2]), 255, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(front, _poly(seen - rect[:2]), 255, cv2.LINE_AA, 4)
    picture = _reduced(painted(thing, paint, rng), target)
    height, width = picture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (target - rect[:2]).astype(np.float32))
    sheet = cv2.warpPerspective(picture, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if lies:
        shine = 0.9 if thing.kind in ("screen", "laptop") else 0.3
        glow = light.glare(camera, look, np.array([[thing.x, thing.y, thing.thick]]), np.array([[0, 0, 1.0]]), shine)
        sheet = cv2.add(sheet, np.full(4, float(glow[0])))
    else:
        sheet = cv2.multiply(sheet, np.full(4, float(rng.uniform(0.45, 1.1))))
    side = np.empty((*shape, 3), np.uint8)
    side[:] = picture.reshape(-1, 3).mean(0) * 0.55
    three = cv2.merge([front] * 3)
    rest = cv2.subtract(cv2.merge([alpha] * 3), three)
    patch = cv2.add(cv2.multiply(sheet, three, scale=1 / 255), cv2.multiply(side, rest, scale=1 / 255))
    if not lies and surface is not None:
        hidden = _behind(camera, surface, thing, rect, shape)
        patch[hidden], alpha[hidden] = 0, 0
    if thing.soft > 0.3:
        patch, alpha = (np.asarray(cv2.GaussianBlur(one, (0, 0), thing.soft), np.uint8) for one in (patch, alpha))
    shade = None
    if lies:
        shadow = cv2.convexHull(np.concatenate([cast, under]).astype(np.float32))[:, 0].astype(np.float64)
        shade = light.soft_mask(rect, [shadow], sigma, look.shadow)
    return sprite(rect, np.asarray(patch, np.uint8), np.asarray(alpha, np.uint8), shade)


def _shape(thing: Lookalike) -> tuple[Floats, Floats]:
    """Outline with its corners rounded, and the print's corners, N x 2 mm about the middle, clockwise from the top left."""
    half = np.array(thing.mm) / 2
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) * half
    radius = min(thing.rounded, 0.45 * float(half.min()))
    if radius < 0.5:
        return corners, corners
    turns = np.radians(np.linspace(0, 90, 6))
    parts = []
    for corner, start in zip(corners, (90, 0, -90, 180), strict=True):
        middle = corner - np.sign(corner) * radius
        way = np.radians(start) + turns[::-1]
        parts.append(middle + radius * np.column_stack([np.cos(way), np.sin(way)]))
    return np.concatenate(parts), corners


def _placed(thing: Lookalike, points: Floats, share: float) -> Floats:
    """N x 3 mm of the points, on the front (``share`` 1) or on the back (0)."""
    angle = np.radians(thing.angle)
    right, ahead = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    if thing.stands is None:
        flat = points[:, :1] * right + points[:, 1:] * ahead + [thing.x, thing.y]
        return np.column_stack([flat, np.full(len(points), thing.thick * share)])
    foot = points[:, :1] * right - ahead * thing.thick * share + [thing.x, thing.y]
    return np.column_stack([foot, points[:, 1] + thing.mm[1] / 2 + thing.stands])


def _offset(camera: Camera, look: Look, thing: Lookalike, outline: Floats) -> Floats:
    ground = _placed(thing, outline, 0.0)
    ground[:, :2] += np.array(light.shadow_offset(look, thing.x, thing.y, thing.thick))
    return cam.project(camera, ground)


def _turned_away(target: Floats) -> bool:
    across, down = target[1] - target[0], target[3] - target[0]
    return float(across[0] * down[1] - across[1] * down[0]) < 0


def _poly(points: ArrayLike) -> NDArray[np.int32]:
    return np.asarray(np.round(np.clip(np.asarray(points, np.float64), -30000, 30000) * 16), np.int32)


def painted(thing: Lookalike, paint: Callable[[Rng, int, int], Image], rng: Rng) -> Image:
    """The print on its front."""
    pixels = FINEST / max(thing.mm)
    return paint(rng, max(24, round(thing.mm[0] * pixels)), max(24, round(thing.mm[1] * pixels)))


def _reduced(picture: Image, target: Floats) -> Image:
    """The print a little larger than the picture shows it at these corners, px."""
    sides = [float(np.linalg.norm(target[n] - target[(n + 1) % 4])) for n in range(4)]
    shrink = min(1.0, 1.2 * max(sides) / FINEST)
    if shrink < 0.9:
        picture = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def _behind(camera: Camera, surface: Surface, thing: Lookalike, rect: Rect, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels at which the table top hides what stands beyond its rim and begins below it."""
    hidden = np.zeros(shape, np.uint8)
    if thing.stands is not None and thing.stands < 0:
        rim = np.column_stack([cam.outline(surface), np.zeros(len(cam.outline(surface)))])
        cv2.fillPoly(hidden, [_poly(cam.project_polygon(camera, rim) - rect[:2])], 1, cv2.LINE_8, 4)
    return hidden.astype(bool)
