"""Things of bar life: flat printed ones and boxes, and round ones (glasses, cups, bottles, ashtrays) as stacked discs."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.workshop.stage import camera as cam
from companion.workshop.stage import chips, clutter, light
from companion.workshop.stage.scene import Camera, Image, Look, Prop, PropKind
from companion.workshop.stage.sprites import Sprite, bounds, sprite

Floats = NDArray[np.float64]
Rng = np.random.Generator
TALL = frozenset({"glass", "wine", "beer", "cup", "bottle"})
"""Kinds that stand up and hide what is behind them; the others are flat and lie under the cards."""

CLUTTER: tuple[PropKind, ...] = ("chip", *clutter.FLAT)  # type: ignore[arg-type]
"""Kinds that are easily mistaken for cards. Recipes ask for them: see `Recipe.clutter`."""

USUAL: tuple[PropKind, ...] = tuple(kind for kind in get_args(PropKind) if kind not in CLUTTER)
"""The other kinds. Frozen: recipes draw from them, and a further one would change their pictures."""


def prop_sprite(camera: Camera, look: Look, prop: Prop) -> Sprite | None:
    """A prop with its shadow; None outside the picture."""
    rng = _seeded(prop)
    if prop.kind == "chip":
        return chips.chips(camera, look, prop, rng)
    if prop.kind in _FLAT:
        return _flat(camera, look, prop, rng)
    return _turned(camera, look, prop, rng)


def _colour(rng: Rng, low: float = 0, high: float = 255) -> list[float]:
    return [float(v) for v in rng.uniform(low, high, 3)]


def _paper(rng: Rng) -> Image:
    """A receipt or note: lines of print."""
    picture = np.full((300, 170, 3), 0, np.uint8)
    picture[:] = rng.uniform(225, 250, 3)
    y = 14
    while y < 285:
        x, ink = int(rng.integers(8, 30)), int(rng.integers(40, 130))
        end = int(rng.integers(60, 160))
        while x < end:
            word = int(rng.integers(5, 26))
            cv2.rectangle(picture, (x, y), (min(end, x + word), y + 5), (ink, ink, ink), -1)
            x += word + 5
        y += int(rng.integers(9, 16))
    return picture


def _printed(rng: Rng) -> Image:
    """A beer mat, coaster, packet: rings, bands and blocks of colour, sometimes a frame like a card's."""
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[:] = _colour(rng, 60) if rng.random() < 0.7 else (235, 238, 240)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (12, 12), (187, 187), _colour(rng), int(rng.integers(2, 8)), cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 5))):
        x, y = (int(v) for v in rng.integers(50, 150, 2))
        shape = int(rng.integers(4))
        if shape == 0:
            cv2.circle(picture, (x, y), int(rng.integers(15, 85)), _colour(rng), int(rng.choice([-1, 4, 8])), cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(picture, (20, y), (180, y + int(rng.integers(8, 40))), _colour(rng), -1)
        elif shape == 2:
            axes, turn = (80, int(rng.integers(10, 50))), float(rng.uniform(-20, 20))
            cv2.ellipse(picture, (100, y), axes, turn, 0, 360, _colour(rng), -1, cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list("BIRASPQLME"), 5))
            cv2.putText(picture, word, (22, y), cv2.FONT_HERSHEY_DUPLEX, 1.4, _colour(rng), 3, cv2.LINE_AA)
    return picture


def _screen(rng: Rng) -> Image:
    """A phone: dark glass, sometimes lit."""
    picture = np.full((320, 155, 3), 0, np.uint8)
    picture[:] = rng.uniform(8, 40)
    if rng.random() < 0.35:
        picture[14:306, 7:148] = _colour(rng, 80)
        for n in range(int(rng.integers(2, 9))):
            y = 30 + n * 32
            cv2.rectangle(picture, (16, y), (int(rng.integers(60, 140)), y + int(rng.integers(6, 24))), _colour(rng), -1)
    elif rng.random() < 0.5:
        picture[:] = _colour(rng, 10, 230)
        cv2.rectangle(picture, (12, 12), (60, 78), (25, 25, 25), -1)
        for y in (30, 58):
            cv2.circle(picture, (36, y), 12, (60, 60, 60), -1, cv2.LINE_AA)
    return picture


def _plain(rng: Rng) -> Image:
    picture = np.zeros((120, 120, 3), np.uint8)
    picture[:] = _colour(rng, 20)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 40), (120, int(rng.integers(60, 110))), _colour(rng), -1)
    return picture


def _napkin(rng: Rng) -> Image:
    picture = np.zeros((160, 160, 3), np.uint8)
    picture[:] = rng.uniform(215, 252, 3) if rng.random() < 0.7 else _colour(rng, 60)
    cv2.line(picture, (80, 0), (80 + int(rng.integers(-6, 6)), 160), (picture[0, 0] * 0.85).tolist(), 3, cv2.LINE_AA)
    cv2.rectangle(picture, (6, 6), (153, 153), (picture[0, 0] * 0.93).tolist(), 2)
    return picture


def _metal(rng: Rng) -> Image:
    picture = np.zeros((100, 100, 3), np.uint8)
    gold = rng.random() < 0.6
    picture[:] = (95, 165, 200) if gold else (175, 180, 182)
    cv2.circle(picture, (50, 50), 34, (185, 190, 192) if gold else (95, 165, 200), -1, cv2.LINE_AA)
    cv2.circle(picture, (50, 50), 47, (70, 110, 130), 3, cv2.LINE_AA)
    for _ in range(6):
        a, b = (tuple(int(v) for v in rng.integers(25, 75, 2)) for _ in range(2))
        cv2.line(picture, a, b, (120, 140, 150), 3, cv2.LINE_AA)
    return picture


# width, length, thickness in mm, round?, picture
_FLAT: Mapping[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float], bool, Callable[[Rng], Image]]] = {
    "coin": ((19, 26), (19, 26), (2, 2.4), True, _metal),
    "phone": ((68, 78), (138, 165), (8, 10), False, _screen),
    "coaster": ((85, 105), (85, 105), (1.5, 5), True, _printed),
    "beermat": ((80, 98), (80, 110), (1.2, 1.6), False, _printed),
    "receipt": ((55, 80), (90, 190), (0.3, 0.6), False, _paper),
    "napkin": ((100, 165), (100, 165), (0.8, 2), False, _napkin),
    "pack": ((52, 60), (80, 92), (16, 23), False, _printed),
    "notepad": ((75, 150), (105, 210), (2, 7), False, _paper),
    "pen": ((8, 11), (130, 150), (7, 9), False, _plain),
    "lighter": ((22, 26), (70, 82), (10, 13), False, _plain),
    "keys": ((24, 40), (50, 75), (3, 7), False, _metal),
    **clutter.FLAT,
}


def _shape(prop: Prop, rng: Rng) -> tuple[float, float, float, bool, Image]:
    wide, long, thick, is_round, paint = _FLAT[prop.kind]
    w, h, z = (float(rng.uniform(*span)) * prop.size for span in (wide, long, thick))
    return w, w if is_round else h, z, is_round, paint(rng)


def _seeded(prop: Prop) -> Rng:
    return np.random.default_rng([prop.seed, zlib.crc32(prop.kind.encode())])


def flat_shape(prop: Prop) -> tuple[float, float, float, bool, Image] | None:
    """Width, length and thickness in mm of a flat thing, whether it is round, and the picture on its top; None for one that
    `profile` knows."""
    if prop.kind == "chip":
        width, height, picture = chips.chip_shape(_seeded(prop), prop)
        return width, width, height, True, picture
    return _shape(prop, _seeded(prop)) if prop.kind in _FLAT else None


def profile(prop: Prop) -> tuple[tuple[tuple[float, float], ...], float]:
    """Of a thing turned on a lathe: height and radius in mm of each ring at size 1, and how opaque its wall is, 0..1."""
    return _PROFILES[prop.kind]


def _flat(camera: Camera, look: Look, prop: Prop, rng: Rng) -> Sprite | None:
    w, h, z, round_, picture = _shape(prop, rng)
    angle = np.radians(prop.angle)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2 @ spin.T + [prop.x, prop.y]
    if round_:
        turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        rim = np.column_stack([np.cos(turns), np.sin(turns)]) * w / 2 + [prop.x, prop.y]
    else:
        rim = corners
    upper = np.column_stack([rim, np.full(len(rim), z)])
    both = cam.project(camera, np.concatenate([upper, np.column_stack([rim, np.zeros(len(rim))])]))
    dx, dy = light.shadow_offset(look, prop.x, prop.y, z)
    cast = cam.project(camera, rim + np.array([dx, dy]))
    sigma = max(0.6, cam.scale(camera, prop.x, prop.y) * (1.2 + 0.4 * z))
    rect = bounds(np.concatenate([both, cast]), 3 * sigma + 2, camera.width, camera.height)
    if rect is None or cam.depth(camera, upper).min() < 100:
        return None
    shape = (rect[3] - rect[1], rect[2] - rect[0])
    alpha, top_mask = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    hull = cv2.convexHull(both.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(alpha, np.round((hull - rect[:2]) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    seen = both[: len(rim)]
    cv2.fillConvexPoly(top_mask, np.round((seen - rect[:2]) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    target = cam.project(camera, np.column_stack([corners, np.full(4, z)])) - rect[:2]
    length = float(np.linalg.norm(target[0] - target[3]))
    while picture.shape[0] > 2 * length + 8:
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    th, tw = picture.shape[:2]
    source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    sheet = cv2.warpPerspective(picture, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    points = np.column_stack([rim.mean(0)[None], [[z]]])
    shine = float(light.glare(camera, look, points, np.array([[0, 0, 1.0]]), 0.9 if prop.kind == "phone" else 0.3)[0])
    sheet = cv2.add(sheet, np.full(4, shine))
    side = np.empty((*shape, 3), np.uint8)
    side[:] = np.asarray(picture, np.float64).mean((0, 1)) * 0.55
    three = cv2.merge([top_mask] * 3)
    rest = cv2.subtract(cv2.merge([alpha] * 3), three)
    patch = cv2.add(cv2.multiply(sheet, three, scale=1 / 255), cv2.multiply(side, rest, scale=1 / 255))
    cast_hull = cv2.convexHull(np.concatenate([cast, both[len(rim) :]]).astype(np.float32))[:, 0].astype(np.float64)
    shade = light.soft_mask(rect, [cast_hull], sigma, look.shadow)
    return sprite(rect, np.asarray(patch, np.uint8), alpha, shade)


# profile (height and radius in mm of each ring), opacity of the wall
_PROFILES: Mapping[str, tuple[tuple[tuple[float, float], ...], float]] = {
    "glass": (((0, 30), (5, 31), (95, 36)), 0.22),
    "beer": (((0, 34), (10, 33), (60, 36), (150, 41)), 0.25),
    "wine": (((0, 34), (2, 33), (4, 6), (75, 5), (85, 20), (110, 38), (140, 37), (175, 30)), 0.18),
    "cup": (((0, 55), (5, 70), (7, 70), (8, 24), (14, 28), (45, 38), (60, 40)), 1.0),
    "bottle": (((0, 36), (150, 37), (185, 26), (215, 14), (285, 13)), 0.85),
    "ashtray": (((0, 50), (8, 60), (30, 62), (30, 50), (8, 46)), 0.95),
}


def _turned(camera: Camera, look: Look, prop: Prop, rng: Rng) -> Sprite | None:
    profile, opaque = _PROFILES[prop.kind]
    turns = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    knots = np.array(profile) * prop.size * rng.uniform(0.9, 1.1)
    steps = np.linspace(0, len(knots) - 1, 8 * (len(knots) - 1) + 1)
    heights, radii = (np.interp(steps, np.arange(len(knots)), knots[:, n]) for n in (0, 1))
    if float(cam.depth(camera, [[prop.x, prop.y, heights.max()]])[0]) < 250:
        return None
    at = np.array([prop.x, prop.y])

    def disc(radius: float, height: float) -> Floats:
        return cam.project(camera, np.column_stack([circle * radius + at, np.full(len(circle), height)]))

    discs = [disc(r, z) for z, r in zip(heights, radii, strict=True)]
    casts = []
    for z, r in zip(heights[::3], radii[::3], strict=True):
        dx, dy = light.shadow_offset(look, prop.x, prop.y, float(z))
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
