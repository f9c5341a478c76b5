"""Things of bar life: flat printed ones and boxes; the round ones are in `workshop.stage.sprites`."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import clutter, light, panels, prints
from workshop.stage.scene import Camera, Image, Look, Lookalike, Prop, PropKind, Surface
from workshop.stage.sprites import Sprite, bounds, sprite
from workshop.stage.turned import turned_sprite
from workshop.stage.unseen import PAINTERS

Floats = NDArray[np.float64]
Rng = np.random.Generator
TALL = frozenset({"glass", "wine", "beer", "cup", "bottle"})
"""Kinds that stand up and hide what is behind them; the others are flat and lie under the cards."""

CLUTTER: tuple[PropKind, ...] = ("chip", *clutter.FLAT)  # type: ignore[arg-type]
"""Kinds that are easily mistaken for cards. Recipes ask for them: see `Recipe.clutter`."""

USUAL: tuple[PropKind, ...] = tuple(kind for kind in get_args(PropKind) if kind not in (*CLUTTER, *PAINTERS))
"""The other kinds. Frozen: recipes draw from them, and a further one would change their pictures."""


def prop_sprite(camera: Camera, look: Look, prop: Prop, surface: Surface | None = None) -> Sprite | None:
    """A prop with its shadow; None outside the picture. ``surface``: the table top that may hide what stands behind it."""
    rng = _seeded(prop)
    if isinstance(prop, Lookalike):
        return panels.panel_sprite(camera, look, prop, PAINTERS[prop.kind], rng, surface)
    if prop.kind == "chip":
        return clutter.chips(camera, look, prop, rng)
    if prop.kind in _FLAT:
        return _flat(camera, look, prop, rng)
    return turned_sprite(camera, look, prop, rng)


# width, length, thickness in mm, round?, picture
_FLAT: Mapping[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float], bool, Callable[[Rng], Image]]] = {
    "coin": ((19, 26), (19, 26), (2, 2.4), True, prints.metal),
    "phone": ((68, 78), (138, 165), (8, 10), False, prints.screen),
    "coaster": ((85, 105), (85, 105), (1.5, 5), True, prints.printed),
    "beermat": ((80, 98), (80, 110), (1.2, 1.6), False, prints.printed),
    "receipt": ((55, 80), (90, 190), (0.3, 0.6), False, prints.paper),
    "napkin": ((100, 165), (100, 165), (0.8, 2), False, prints.napkin),
    "pack": ((52, 60), (80, 92), (16, 23), False, prints.printed),
    "notepad": ((75, 150), (105, 210), (2, 7), False, prints.paper),
    "pen": ((8, 11), (130, 150), (7, 9), False, prints.plain),
    "lighter": ((22, 26), (70, 82), (10, 13), False, prints.plain),
    "keys": ((24, 40), (50, 75), (3, 7), False, prints.metal),
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
    `turned.profile` knows."""
    if isinstance(prop, Lookalike):
        return *prop.mm, prop.thick, False, panels.painted(prop, PAINTERS[prop.kind], _seeded(prop))
    if prop.kind == "chip":
        width, height, picture = clutter.chip_shape(_seeded(prop), prop)
        return width, width, height, True, picture
    return _shape(prop, _seeded(prop)) if prop.kind in _FLAT else None


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
