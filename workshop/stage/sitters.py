"""People who sit at the table, drawn with what hides them.

The table top hides what of them is under it. Their arms that reach over it belong to their hands (`FingersPose.limb`).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage.fingers import Bone, Field, cast_shadows, in_front, quick_blur
from workshop.stage.physique import CLOTH, HAIR, LIP, SKIN, TROUSERS, Build, bones, build
from workshop.stage.scene import Camera, Look, SitterPose, Surface
from workshop.stage.sprites import Rect, Sprite, bounds, sprite

Floats = NDArray[np.float64]
SHADE = 0.62
"""Darkness of a sitter's shadow on the table, as a share of `Look.shadow`."""
_FINE = 0.36
"""Pixels per millimetre at which a sitter is drawn at half the size, at twice as many at a third: nothing about a trunk is as
fine as a card's print."""


def sitter_sprite(camera: Camera, look: Look, surface: Surface, sitter: SitterPose) -> Sprite | None:
    """Somebody who sits at the table, without their shadow on it; None outside the picture."""
    kept, seen, near, radii = _projected(camera, bones(sitter))
    if not kept:
        return None
    reach = radii.max(1)[:, None]
    rect = bounds(np.concatenate([seen.min(1) - reach, seen.max(1) + reach]), 3, camera.width, camera.height)
    if rect is None:
        return None
    scale = float(camera.focal * camera.width / near.mean())
    step = min(1 + int(scale / _FINE), 3)
    field, paints = _field(rect, step, seen, near, radii, kept)
    field[_under(camera, surface, rect, step, field)] = np.inf
    patch, alpha = _shaded(camera, look, sitter, field, paints, scale / step, rect, step)
    if step > 1:
        patch = np.asarray(cv2.GaussianBlur(patch, (3, 3), 0.8), np.uint8)
        size = rect[2] - rect[0], rect[3] - rect[1]
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        alpha = np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return sprite(rect, patch, alpha)


def shadow_sprite(camera: Camera, look: Look, sitter: SitterPose) -> Sprite | None:
    """The shadow that a sitter casts on the table and what lies there; None outside the picture."""
    over = [bone for bone in bones(sitter) if max(bone.a[2], bone.b[2]) > 0 and bone.ra > 55]
    if not over:
        return None
    ends = np.array([[bone.a, bone.b] for bone in over])
    ends[..., 2] = np.maximum(ends[..., 2], 0)
    outlines, sigma = cast_shadows(camera, look, ends, over)
    sigma *= 2.5
    rect = bounds(np.concatenate(outlines), 2 * sigma + 2, camera.width, camera.height) if outlines else None
    if rect is None:
        return None
    mask = np.zeros((rect[3] - rect[1], rect[2] - rect[0]), np.uint8)
    dark = int(255 * min(0.8, look.shadow * SHADE))
    for polygon in outlines:
        cv2.fillConvexPoly(mask, np.round((polygon - rect[:2]) * 16).astype(np.int32), dark, cv2.LINE_AA, 4)
    clear = np.zeros_like(mask)
    return sprite(rect, np.asarray(cv2.merge([clear] * 3), np.uint8), clear, quick_blur(mask, sigma))


def _projected(camera: Camera, all_bones: list[Bone]) -> tuple[list[Bone], Floats, Floats, Floats]:
    """The bones before the camera; their ends in px (N x 2 x 2), the ends' depths in mm and radii in px (N x 2)."""
    ends = np.array([[bone.a, bone.b] for bone in all_bones])
    near = cam.depth(camera, ends.reshape(-1, 3)).reshape(-1, 2)
    ends, kept, near = in_front(camera, ends, all_bones, near)
    if not kept:
        return [], ends, near, near
    seen = cam.project(camera, ends.reshape(-1, 3)).reshape(-1, 2, 2)
    return kept, seen, near, np.array([[bone.ra, bone.rb] for bone in kept]) * camera.focal * camera.width / near


def _field(
    rect: Rect, step: int, seen: Floats, near: Floats, radii: Floats, all_bones: list[Bone]
) -> tuple[Field, NDArray[np.uint8]]:
    """For every ``step``-th pixel of the patch, the depth in mm of what is nearest (inf: nothing), and its paint."""
    wide, tall = -(-(rect[2] - rect[0]) // step), -(-(rect[3] - rect[1]) // step)
    field = np.full((tall, wide), np.inf, np.float32)
    paints = np.zeros((tall, wide), np.uint8)
    middle = (step - 1) / 2
    for (a, b), (na, nb), (ra, rb), bone in zip(seen, near, radii, all_bones, strict=True):
        reach = max(ra, rb) + 1
        low = np.maximum(np.floor((np.minimum(a, b) - reach - rect[:2]) / step).astype(int), 0)
        high = np.minimum(np.ceil((np.maximum(a, b) + reach - rect[:2]) / step).astype(int) + 1, (wide, tall))
        if np.any(low >= high):
            continue
        xs = np.arange(low[0], high[0], dtype=np.float32) * step + np.float32(rect[0] + middle - a[0])
        ys = (np.arange(low[1], high[1], dtype=np.float32) * step + np.float32(rect[1] + middle - a[1]))[:, None]
        along = b - a
        length = float(along @ along)
        if length < 1e-3:
            share = np.zeros((ys.shape[0], xs.shape[0]), np.float32)
        else:
            share = np.clip(xs * np.float32(along[0] / length) + ys * np.float32(along[1] / length), 0, 1)
        off = (xs - share * np.float32(along[0])) ** 2 + (ys - share * np.float32(along[1])) ** 2
        radius = np.float32(ra) + share * np.float32(rb - ra)
        inside = radius * radius - off
        mm = np.float32(bone.ra / max(ra, 1e-6))  # of a pixel, at this bone
        depth = np.float32(na) + share * np.float32(nb - na) - mm * np.sqrt(np.maximum(inside, 0))
        part = (slice(low[1], high[1]), slice(low[0], high[0]))
        nearer = (inside > 0) & (depth < field[part])
        paints[part][nearer] = bone.paint
        field[part][nearer] = depth[nearer]
    return field, paints


def _under(camera: Camera, surface: Surface, rect: Rect, step: int, field: Field) -> NDArray[np.bool_]:
    """The pixels of the patch in which the table top is nearer than the body."""
    top = np.zeros(field.shape, np.uint8)
    outline = (cam.project(camera, cam.outline(surface)) - rect[:2] - (step - 1) / 2) / step
    cv2.fillPoly(top, [np.round(np.clip(outline, -30000, 30000) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    rows, columns = np.nonzero(top)
    hidden = np.zeros(field.shape, bool)
    if len(rows):
        pixels = np.column_stack([columns, rows]) * step + np.array(rect[:2]) + (step - 1) / 2
        there = cam.unproject(camera, pixels)
        hidden[rows, columns] = cam.depth(camera, np.column_stack([there, np.zeros(len(there))])) < field[rows, columns]
    return hidden


def _palette(sitter: SitterPose, made: Build) -> NDArray[np.float32]:
    rng = np.random.default_rng([sitter.seed, 52])
    skin, cloth, hair = (np.array(colour, np.float64) for colour in (sitter.skin, sitter.clothes, sitter.hair))
    trousers = rng.choice([[90, 60, 40], [50, 50, 55], [60, 75, 95], [35, 35, 38]])
    return np.array([skin, cloth, hair, [25, 25, 28], skin * [0.75, 0.62, 0.85], [50, 80, 120], trousers, made.second,
                     [225, 228, 230]], np.float32)  # fmt: skip


def _shaded(
    camera: Camera, look: Look, sitter: SitterPose, field: Field, paints: NDArray[np.uint8], scale: float, rect: Rect, step: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Premultiplied BGR and alpha. ``scale``: pixels of the patch per mm."""
    made = build(sitter.seed)
    solid = np.isfinite(field)
    alpha = np.asarray(cv2.blur(solid.astype(np.uint8) * 255, (3, 3)), np.uint8)
    floor = float(field[solid].max()) if solid.any() else 0.0
    height = np.where(solid, np.float32(floor) - field, 0) * np.float32(scale)
    cloth = (paints == CLOTH) | (paints == TROUSERS)
    smooth = np.where(cloth, cv2.GaussianBlur(height, (0, 0), max(0.6, 16 * scale)),
                      cv2.GaussianBlur(height, (0, 0), max(0.6, 8 * scale)))  # fmt: skip
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    rng = np.random.default_rng([sitter.seed, 53])
    cells = [max(2, int(side / max(2.0, mm * scale))) for side, mm in zip(field.shape, (70, 45), strict=True)]
    folds = cv2.resize(rng.normal(0, 1, cells).astype(np.float32), field.shape[::-1], interpolation=cv2.INTER_CUBIC)
    dx, dy = (slope + 0.16 * cloth * folds * way for slope, way in ((dx, 1), (dy, 0.5)))
    norm = 1 / np.sqrt(dx * dx + dy * dy + 1)
    towards = np.array(look.lamp) - np.array([*sitter.chest[:2], 200.0])
    right, down, forward = cam.pose(camera)[0] @ (towards / np.linalg.norm(towards))
    facing = (-dx * np.float32(right) - dy * np.float32(down) - np.float32(forward)) * norm
    wrap = np.clip((facing + 0.4) / 1.4, 0, 1)
    size = 2 * int(22 * scale) + 3
    hollow = np.clip(1 - (cv2.boxFilter(height, -1, (size, size)) - smooth) / np.float32(max(2.0, 90 * scale)), 0.55, 1.05)
    level = (np.float32(0.62 * look.ambient) * (0.6 + 0.4 * norm) + np.float32(1.0 - 0.5 * look.ambient) * wrap) * hollow
    level = np.clip(level, 0.08, 1.15)
    colours = _palette(sitter, made)[paints]
    if made.pattern != "plain":
        colours = _patterned(camera, sitter, made, colours, paints, rect, step)
    strands = paints == HAIR
    colours[strands] *= 1 + 0.18 * folds[strands][:, None]
    flesh = (paints == SKIN) | (paints == LIP)
    colours[flesh] *= level[flesh][:, None] ** np.array([0.25, 0.1, -0.15],
                                                        np.float32)  # shaded skin turns red before it turns dark
    return np.clip(colours * (level * alpha / np.float32(255))[..., None], 0, 255).astype(np.uint8), alpha


def _patterned(
    camera: Camera, sitter: SitterPose, made: Build, colours: NDArray[np.float32], paints: NDArray[np.uint8], rect: Rect,
    step: int,
) -> NDArray[np.float32]:
    """Stripes or checks on the cloth; they go with the chest."""
    chest, below = cam.project(camera, [sitter.chest, sitter.hips])
    down = (below - chest) / max(float(np.linalg.norm(below - chest)), 1e-6)
    scale = cam.scale(camera, *sitter.chest)
    xs = (np.arange(paints.shape[1], dtype=np.float32) * step + rect[0] - chest[0])[None]
    ys = (np.arange(paints.shape[0], dtype=np.float32) * step + rect[1] - chest[1])[:, None]
    across, along = (xs * down[1] - ys * down[0]) / scale, (xs * down[0] + ys * down[1]) / scale
    pitch = 24.0 if made.pattern == "stripes" else 48.0
    share = ((along % pitch) < pitch / 2).astype(np.float32)
    if made.pattern == "checks":
        share = (share + ((across % pitch) < pitch / 2)) / 2
    share *= 0.65 * (paints == CLOTH)
    return np.asarray(colours * (1 - share[..., None]) + np.array(made.second, np.float32) * share[..., None], np.float32)
