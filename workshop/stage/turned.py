"""Things turned on a lathe (glasses, cups, bottles, ashtrays), drawn as stacked discs."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import light
from workshop.stage.scene import Camera, LiftedProp, Look, Prop
from workshop.stage.sprites import Sprite, bounds, sprite

Floats = NDArray[np.float64]
Rng = np.random.Generator

PROFILES: Mapping[str, tuple[tuple[tuple[float, float], ...], float]] = {
    "glass": (((0, 30), (5, 31), (95, 36)), 0.22),
    "beer": (((0, 34), (10, 33), (60, 36), (150, 41)), 0.25),
    "wine": (((0, 34), (2, 33), (4, 6), (75, 5), (85, 20), (110, 38), (140, 37), (175, 30)), 0.18),
    "cup": (((0, 55), (5, 70), (7, 70), (8, 24), (14, 28), (45, 38), (60, 40)), 1.0),
    "bottle": (((0, 36), (150, 37), (185, 26), (215, 14), (285, 13)), 0.85),
    "ashtray": (((0, 50), (8, 60), (30, 62), (30, 50), (8, 46)), 0.95),
}
"""Kind → its profile, and how opaque its wall is: see `profile`."""


def profile(prop: Prop) -> tuple[tuple[tuple[float, float], ...], float]:
    """The profile of a thing that was turned on a lathe: height and radius in mm of each ring at size 1; and the opacity of its
    wall, 0..1."""
    return PROFILES[prop.kind]


def turned_sprite(camera: Camera, look: Look, prop: Prop, rng: Rng) -> Sprite | None:
    """A turned thing with its shadow; None outside the picture."""
    profile, opaque = PROFILES[prop.kind]
    turns = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    knots = np.array(profile) * prop.size * rng.uniform(0.9, 1.1)
    steps = np.linspace(0, len(knots) - 1, 8 * (len(knots) - 1) + 1)
    heights, radii = (np.interp(steps, np.arange(len(knots)), knots[:, n]) for n in (0, 1))
    lift = prop.z if isinstance(prop, LiftedProp) else 0.0
    if float(cam.depth(camera, [[prop.x, prop.y, heights.max() + lift]])[0]) < 250:
        return None
    at = np.array([prop.x, prop.y])

    def disc(radius: float, height: float) -> Floats:
        return cam.project(camera, np.column_stack([circle * radius + at, np.full(len(circle), height + lift)]))

    discs = [disc(r, z) for z, r in zip(heights, radii, strict=True)]
    casts = []
    for z, r in zip(heights[::3], radii[::3], strict=True):
        dx, dy = light.shadow_offset(look, prop.x, prop.y, float(z) + lift)
        casts.append(cam.project(camera, np.clip(circle * r + [prop.x + dx, prop.y + dy], -3000, 3000)))
    pixels = cam.scale(camera, prop.x, prop.y)
    sigma = max(0.8, pixels * 7)
    rect = bounds(np.concatenate([*discs, *casts]), 2 * sigma + 2, camera.width, camera.height)
    if rect is None:
        return None
    shape = (rect[3] - rect[1], rect[2] - rect[0])
    porcelain = np.array(rng.choice([[235, 238, 240], [60, 60, 70], [200, 190, 120], [70, 90, 170]]), np.float64)
    tones = {
        "bottle": np.array(rng.choice([[30, 70, 25], [20, 40, 80], [190, 195, 190]]), np.float64),
        "cup": porcelain,
        "ashtray": np.array(rng.choice([[40, 40, 45], [150, 160, 165], [60, 90, 150]]), np.float64),
    }
    tone = tones.get(prop.kind, np.array([205.0, 212, 210]))
    colour, alpha = np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32)
    wine = np.array(rng.choice([[40, 25, 110], [120, 215, 235], [35, 70, 120], [40, 165, 220]]), np.float64)
    fill = rng.uniform(0.1, 0.85)
    filled = np.zeros(shape, np.uint8)
    body = np.zeros(shape, np.uint8)
    layer = np.zeros(shape, np.uint8)
    low = 0.51 if prop.kind == "wine" else 0.06  # where the liquid begins, as a share of the height
    for n, ring in enumerate(discs):
        points = np.round((ring - rect[:2]) * 16).astype(np.int32)
        layer[:] = 0
        cv2.fillConvexPoly(layer, points, 255, cv2.LINE_AA, 4)
        body = np.maximum(body, layer)
        share = heights[n] / heights.max()
        if opaque >= 0.5:
            inner = prop.kind in ("cup", "ashtray") and n > 0 and radii[n] < radii[n - 1]
            level = 0.6 + 0.4 * share - (0.25 if inner else 0)
            part = (layer.astype(np.float32) / 255)[..., None]
            colour = colour * (1 - part) + (tone * level).astype(np.float32) * part
        elif low < share < low + fill * 0.5:
            filled = np.maximum(filled, layer)
    seen = np.asarray(body, np.float32) / np.float32(255)
    inside = cv2.distanceTransform((body > 127).astype(np.uint8), cv2.DIST_L2, 3)
    edge = np.exp(-inside / np.float32(max(0.8, 2.2 * pixels)))
    if opaque >= 0.5:
        axis = cam.project(camera, [[prop.x, prop.y, 0], [prop.x, prop.y, float(heights.max())]])
        xs = (np.arange(shape[1], dtype=np.float32) + rect[0] - np.float32(axis[:, 0].mean())) / max(1.0, pixels * radii.max())
        lamp_side = np.float32(np.sign(look.lamp[0] - prop.x))
        lit = np.clip(1 + 0.25 * lamp_side * xs[None, :, None], 0.6, 1.2).astype(np.float32)
        colour *= lit * (1 - 0.35 * edge[..., None])
        alpha = seen * np.float32(opaque)
        if prop.kind == "cup":
            coffee = disc(34 * prop.size, heights.max() * 0.8)
            cv2.fillConvexPoly(colour, np.round((coffee - rect[:2]) * 16).astype(np.int32), (25, 45, 75), cv2.LINE_AA, 4)
    else:
        alpha = seen * np.clip(opaque + 0.55 * edge, 0, 1).astype(np.float32)
        colour = np.broadcast_to(tone.astype(np.float32), (*shape, 3)) * (0.75 + 0.3 * edge[..., None])
        liquid = (filled.astype(np.float32) / 255)[..., None]
        colour = colour * (1 - liquid) + wine.astype(np.float32) * liquid
        alpha = np.maximum(alpha, liquid[..., 0] * np.float32(0.72))
        for rim, strength in ((discs[-1], 0.75), (discs[0], 0.4)):
            line, wide = np.zeros(shape, np.uint8), max(1, round(1.5 * pixels))
            cv2.polylines(line, [np.round((rim - rect[:2]) * 16).astype(np.int32)], True, 255, wide, cv2.LINE_AA, 4)
            part = line.astype(np.float32) / 255 * np.float32(strength)
            colour = colour * (1 - part[..., None]) + 235 * part[..., None]
            alpha = np.maximum(alpha, part)
    _highlight(colour, alpha, discs, rect[:2], look, prop, pixels, seen)
    premultiplied = np.clip(colour * alpha[..., None], 0, 255).astype(np.uint8)
    strength = look.shadow * (0.35 if opaque < 0.5 else 0.9)
    shade = light.soft_mask(rect, [hull_of(casts[n : n + 2]) for n in range(len(casts) - 1)], sigma, strength)
    return sprite(rect, premultiplied, (alpha * 255).astype(np.uint8), shade)


def hull_of(rings: list[Floats]) -> Floats:
    """The convex hull of several rings of points, px."""
    return np.asarray(cv2.convexHull(np.concatenate(rings).astype(np.float32))[:, 0], np.float64)


def _highlight(
    colour: NDArray[np.float32],
    alpha: NDArray[np.float32],
    discs: list[Floats],
    origin: tuple[int, int],
    look: Look,
    prop: Prop,
    pixels: float,
    seen: NDArray[np.float32],
) -> None:
    """Adds a bright streak down the side that faces the lamp."""
    towards = np.arctan2(look.lamp[1] - prop.y, look.lamp[0] - prop.x)
    which = round(towards / (2 * np.pi) * 36) % 36
    line = np.array([disc[which] * 0.75 + disc.mean(0) * 0.25 for disc in discs[2:-1:4]]) - origin
    streak = np.zeros(alpha.shape, np.uint8)
    cv2.polylines(streak, [np.round(line * 16).astype(np.int32)], False, 255, max(1, round(3 * pixels)), cv2.LINE_AA, 4)
    spot = cv2.GaussianBlur(streak, (0, 0), max(0.6, pixels)).astype(np.float32) / 255 * seen * np.float32(0.4 + 0.5 * look.glare)
    colour += (255 - colour) * spot[..., None]
    np.maximum(alpha, spot, out=alpha)
