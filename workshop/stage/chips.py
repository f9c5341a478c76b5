"""Poker chips, one or a stack: round, often white, with a sign in the middle, and so taken for cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import light
from workshop.stage.clutter import emblem, ink_of, pale, sheet
from workshop.stage.scene import Camera, Image, Look, Prop
from workshop.stage.sprites import Sprite, bounds, sprite

Floats = NDArray[np.float64]
Rng = np.random.Generator
CHIP = (38.0, 44.0)
"""Diameter of a poker chip, mm."""


def _chip(rng: Rng, prop: Prop) -> tuple[Image, tuple[Floats, Floats], tuple[int, float], int, float, float]:
    """A chip's top, its two colours, how many marks it has and how wide, how many chips there are, radius and thickness in mm."""
    ground = np.array(pale(rng) if rng.random() < 0.5 else ink_of(rng))
    spot = np.array(ink_of(rng) if ground.mean() > 150 or rng.random() < 0.3 else pale(rng))
    marks, share = int(rng.choice([4, 6, 6, 8, 12])), float(rng.uniform(0.25, 0.5))
    top = _chip_top(rng, ground, spot, marks, share)
    count = 1 if rng.random() < 0.6 else int(rng.integers(2, 13))
    radius, thick = float(rng.uniform(*CHIP)) / 2 * prop.size, float(rng.uniform(2.8, 3.5))
    return top, (ground, spot), (marks, share), count, radius, thick


def chip_shape(rng: Rng, prop: Prop) -> tuple[float, float, Image]:
    """Diameter and height in mm of a chip or a stack of them, and the picture on its top."""
    top, _, _, count, radius, thick = _chip(rng, prop)
    return 2 * radius, count * thick, top


def chips(camera: Camera, look: Look, prop: Prop, rng: Rng) -> Sprite | None:
    """A poker chip, or a stack of up to twelve: marks along the edge, a ring, an inlay with a number or a sign.

    Half of them are white or nearly: those are mistaken for cards.
    """
    top, (ground, spot), (marks, share), count, radius, thick = _chip(rng, prop)
    turns = np.linspace(0, 2 * np.pi, 49)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    places = np.array([prop.x, prop.y]) + np.cumsum(rng.normal(0, 0.5, (count, 2)), 0)
    discs = []
    for n, at in enumerate(places):
        rim = ring * radius + at
        discs.append([cam.project(camera, np.column_stack([rim, np.full(49, z)])) for z in (n * thick, (n + 1) * thick)])
    high = count * thick
    dx, dy = light.shadow_offset(look, prop.x, prop.y, high)
    cast = cam.project(camera, np.concatenate([ring * radius + places[-1] + [dx, dy], ring * radius + places[0]]))
    pixels = cam.scale(camera, prop.x, prop.y)
    sigma = max(0.6, pixels * (1.0 + 0.15 * high))
    rect = bounds(np.concatenate([*[d for pair in discs for d in pair], cast]), 3 * sigma + 2, camera.width, camera.height)
    if rect is None or float(cam.depth(camera, [[prop.x, prop.y, high]])[0]) < 120:
        return None
    patch = np.zeros((rect[3] - rect[1], rect[2] - rect[0], 4), np.uint8)
    viewer = cam.position(camera)[:2] - [prop.x, prop.y]
    viewer = viewer / max(1e-6, float(np.linalg.norm(viewer)))
    towards = np.array(look.lamp[:2]) - [prop.x, prop.y]
    towards = towards / max(1e-6, float(np.linalg.norm(towards)))
    facing, lit = ring @ viewer > -0.05, 0.62 + 0.22 * (ring @ towards)

    def fill(points: Floats, colour: Floats) -> None:
        shape = np.round((points - rect[:2]) * 16).astype(np.int32)
        cv2.fillConvexPoly(patch, shape, [*np.clip(colour, 0, 255).tolist(), 255], cv2.LINE_AA, 4)

    spin = rng.uniform(0, 2 * np.pi, count)
    step = 1 if pixels * radius > 14 else 3  # small ones need fewer facets
    for (low, up), turn in zip(discs, spin, strict=True):
        fill(np.asarray(cv2.convexHull(np.concatenate([low, up]).astype(np.float32))[:, 0], np.float64), ground * 0.6)
        for k in range(0, 48, step):
            if facing[k] and facing[k + step]:
                mark = ((turns[k] - turn) * marks / (2 * np.pi)) % 1 < share
                fill(np.array([low[k], low[k + step], up[k + step], up[k]]), (spot if mark else ground) * lit[k])
        fill(up[:-1], ground * 0.9)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) * radius
    a = spin[-1]
    corners = corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + places[-1]
    target = cam.project(camera, np.column_stack([corners, np.full(4, high)])) - rect[:2]
    length = float(np.linalg.norm(target[0] - target[3]))
    while top.shape[0] > 2 * length + 8:
        top = np.asarray(cv2.resize(top, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    side = top.shape[0]
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    size = (patch.shape[1], patch.shape[0])
    print_ = cv2.warpPerspective(top, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shine = light.glare(camera, look, np.array([[*places[-1], high]]), np.array([[0, 0, 1.0]]), 0.35)
    print_ = cv2.add(print_, np.full(4, float(shine[0])))
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((discs[-1][1][:-1] - rect[:2]) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    three = cv2.merge([mask] * 3)
    under = np.ascontiguousarray(patch[..., :3])
    colour = cv2.add(cv2.multiply(under, cv2.bitwise_not(three), scale=1 / 255), cv2.multiply(print_, three, scale=1 / 255))
    hull = np.asarray(cv2.convexHull(cast.astype(np.float32))[:, 0], np.float64)
    shade = light.soft_mask(rect, [hull], sigma, look.shadow)
    return sprite(rect, np.asarray(colour, np.uint8), np.ascontiguousarray(patch[..., 3]), shade)


def _chip_top(rng: Rng, ground: Floats, spot: Floats, marks: int, share: float) -> Image:
    picture = sheet(160, 160, ground.tolist())
    step = 360 / marks
    for n in range(marks):
        cv2.ellipse(picture, (80, 80), (80, 80), 0, n * step, (n + share) * step, spot.tolist(), -1, cv2.LINE_AA)
    inner = int(rng.integers(46, 62))
    cv2.circle(picture, (80, 80), inner, ground.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(picture, (80, 80), inner, (ground * 0.75).tolist(), 2, cv2.LINE_AA)
    kind = rng.random()
    if kind < 0.45:
        inlay = int(rng.integers(26, 44))
        cv2.circle(picture, (80, 80), inlay, pale(rng), -1, cv2.LINE_AA)
        cv2.circle(picture, (80, 80), inlay, spot.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    ink = ink_of(rng)
    if kind < 0.3:
        text = str(rng.choice(["1", "5", "10", "25", "50", "100", "500"]))
        size = 0.9 if len(text) > 2 else 1.3
        (wide, tall), _ = cv2.getTextSize(text, 2, size, 2)
        cv2.putText(picture, text, (80 - wide // 2, 80 + tall // 2), 2, size, ink, 2, cv2.LINE_AA)
    elif kind < 0.75:
        emblem(picture, (80, 80), int(rng.integers(14, 30)), int(rng.integers(7)), ink)
    if rng.random() < 0.35:  # four signs around the rim's inside
        for n in range(4):
            a = np.pi / 2 * n + np.pi / 4
            at = (int(80 + 68 * np.cos(a)), int(80 + 68 * np.sin(a)))
            emblem(picture, at, 8, n, ink)
    return picture
