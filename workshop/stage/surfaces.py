"""Table tops and floors as seamless textures: photographed, or drawn from a seed (woods, felts, cloths, stone, laminates).

Some look like backs of cards or hide white cards: basket weave, lattice, small checks, parquet, white damask.
"""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage.scene import Image

Field = NDArray[np.float32]
Rng = np.random.Generator
SIZE = 1024
"""Pixels. Textures are SIZE x SIZE and repeat."""


def noise(rng: Rng, cells_x: int, cells_y: int, octaves: int = 1, size: int = SIZE) -> Field:
    """Seamless value noise, size x size px, from about -1 to 1."""
    total = np.zeros((size, size), np.float32)
    weight = 1.0
    for octave in range(octaves):
        nx, ny = min(size, cells_x << octave), min(size, cells_y << octave)
        grid = np.pad(rng.uniform(-1, 1, (ny, nx)).astype(np.float32), 2, mode="wrap")
        wide, tall = round((nx + 4) * size / nx), round((ny + 4) * size / ny)
        layer = cv2.resize(grid, (wide, tall), interpolation=cv2.INTER_CUBIC)
        left, top = round(2 * size / nx), round(2 * size / ny)
        layer = layer[top : top + size, left : left + size]
        total += weight * np.asarray(layer, np.float32)
        weight *= 0.5
    return total


def bgr(hue: float, saturation: float, value: float) -> NDArray[np.float32]:
    """BGR 0..255 from hue, saturation, value 0..1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1)))
    return np.array([blue, green, red], np.float32) * 255


def grid() -> tuple[Field, Field]:
    """The x and the y of each pixel, SIZE x SIZE each."""
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    return xs, ys


def bands(count: int) -> tuple[Field, Field]:
    """Upright and level stripes, ``count`` pairs each: 0 or 1 for each pixel, SIZE x SIZE."""
    upright, level = (np.floor(along * 2 * count / SIZE) % 2 for along in grid())
    return upright.astype(np.float32), level.astype(np.float32)


def mix(a: NDArray[np.float32], b: NDArray[np.float32], share: NDArray[np.floating]) -> Field:
    """From colour ``a`` (BGR) to ``b`` by ``share``, SIZE x SIZE, 0 to 1."""
    return np.asarray(a + (b - a) * np.clip(share, 0, 1)[..., None], np.float32)


def cloth(rng: Rng, picture: Field, strength: float = 6.0) -> Field:
    """Add a weave and soft folds to a printed cloth."""
    weave = rng.normal(0, strength, (SIZE, SIZE)).astype(np.float32)
    weave = cv2.blur(weave, (3, 1)) + cv2.blur(weave, (1, 3))
    folds = noise(rng, 2, 3, 2) * rng.uniform(0, 9)
    return np.asarray(picture + (weave + folds)[..., None], np.float32)


def scatter(rng: Rng, picture: Image, draw: Callable[[Image, tuple[int, int], int], None], count: int, size: int) -> None:
    """Call ``draw`` at random places, in such a way that the picture stays seamless."""
    for _ in range(count):
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        radius = int(size * rng.uniform(0.6, 1.4))
        state = rng.bit_generator.state
        for dx in (-SIZE, 0, SIZE):
            for dy in (-SIZE, 0, SIZE):
                if -3 * radius < x + dx < SIZE + 3 * radius and -3 * radius < y + dy < SIZE + 3 * radius:
                    rng.bit_generator.state = state
                    draw(picture, (x + dx, y + dy), radius)


HUES = (0.0, 0.02, 0.58, 0.62, 0.33, 0.08, 0.95)
"""Hues 0..1 that backs of cards and table cloths have: reds, blues, green, brown, pink."""


def _weave(rng: Rng) -> Field:
    """A basket weave, such as place mats, rattan tables and cane have: bands that go over and under each other."""
    count = 2 * int(rng.integers(6, 40))
    xs, ys = grid()
    u, v = xs * count / SIZE, ys * count / SIZE
    over = (np.floor(u) + np.floor(v)) % 2
    across = np.where(over > 0.5, v % 1, u % 1)  # place across the band that lies on top
    along = np.where(over > 0.5, u % 1, v % 1)
    round_ = np.sqrt(np.clip(1 - (2 * across - 1) ** 2, 0, 1)) * (0.65 + 0.35 * np.sin(np.pi * along))
    hue, value = float(rng.choice([0.07, 0.09, 0.11, 0.6, 0.0, 0.3])), rng.uniform(0.35, 0.95)
    one = bgr(hue, rng.uniform(0.05, 0.6), value)
    two = bgr(hue + rng.normal(0, 0.02), rng.uniform(0.05, 0.6), value * rng.uniform(0.6, 1.0))
    colour = np.where((over > 0.5)[..., None], one, two).astype(np.float32)
    fibre = np.where(over > 0.5, noise(rng, 8, 256, 2), noise(rng, 256, 8, 2))
    deep = rng.uniform(0.3, 0.75)
    return np.asarray(colour * (1 - deep + deep * round_)[..., None] + 9 * fibre[..., None], np.float32)


def _lattice(rng: Rng) -> Field:
    """A diagonal lattice with something in each mesh, as on backs of cards and on oilcloth."""
    count = int(rng.integers(6, 40))
    xs, ys = grid()
    u, v = (xs + ys) * count / SIZE, (xs - ys) * count / SIZE
    far_u, far_v = np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5)
    wide = rng.uniform(0.05, 0.2)
    line = np.clip((np.maximum(far_u, far_v) - 0.5 + wide) * 12, 0, 1)
    colour = bgr(float(rng.choice(HUES)), rng.uniform(0.4, 0.95), rng.uniform(0.25, 0.8))
    white = bgr(0.1, rng.uniform(0, 0.15), rng.uniform(0.8, 0.98))
    ground, ink = (white, colour) if rng.random() < 0.5 else (colour, white)
    picture = mix(ground, ink, line)
    if rng.random() < 0.7:
        size = rng.uniform(0.08, 0.22)
        shape = np.hypot(far_u, far_v) if rng.random() < 0.5 else far_u + far_v
        picture = mix(picture, ink, np.clip((size - shape) * 16, 0, 1))
    return cloth(rng, picture, 3) if rng.random() < 0.5 else np.asarray(picture + 4 * noise(rng, 3, 3, 3)[..., None], np.float32)


def _chequer(rng: Rng) -> Field:
    """Small checks: gingham, a chessboard, houndstooth seen from far away."""
    count = int(rng.integers(10, 46))
    one, two = bands(count)
    white = bgr(0.1, rng.uniform(0, 0.2), rng.uniform(0.75, 1))
    colour = bgr(float(rng.choice(HUES)), rng.uniform(0.2, 0.95), rng.uniform(0.1, 0.8))
    share = (one + two) / 2 if rng.random() < 0.5 else np.abs(one - two)
    return cloth(rng, mix(white, colour, share), 4)


def _parquet(rng: Rng) -> Field:
    """Blocks of parallel staves that turn from block to block, each stave about as long as a card."""
    blocks = 2 * int(rng.integers(2, 6))
    staves = int(rng.integers(3, 7))
    side = SIZE / blocks
    hue, dark = rng.uniform(0.045, 0.11), rng.uniform(0.3, 0.85)
    base, vein = bgr(hue, rng.uniform(0.25, 0.65), dark), bgr(hue - 0.02, rng.uniform(0.4, 0.8), dark * rng.uniform(0.5, 0.85))
    xs, ys = grid()
    column, row = np.floor(xs / side), np.floor(ys / side)
    turned = ((column + row) % 2) > 0.5
    across = np.where(turned, ys % side, xs % side) / side * staves
    which = (np.floor(across) + staves * (column + blocks * row)).astype(np.int64)
    tone = rng.uniform(1 - rng.uniform(0.05, 0.3), 1.1, blocks * blocks * staves + staves).astype(np.float32)[which]
    fibre = np.where(turned, noise(rng, 6, 256, 2), noise(rng, 256, 6, 2))
    along = np.where(turned, xs % side, ys % side) / side
    gap = (np.abs(across % 1 - 0.5) > 0.5 - rng.uniform(0.02, 0.06)) | (np.abs(along - 0.5) > 0.5 - rng.uniform(0.004, 0.015))
    picture = mix(base, vein, 0.35 + 0.4 * fibre) * tone[..., None]
    picture[gap] *= rng.uniform(0.4, 0.8)
    return np.asarray(picture, np.float32)


def _damask(rng: Rng) -> Field:
    """A white or cream table cloth with a pattern in its own colour: white cards hardly stand out from it."""
    base = bgr(rng.uniform(0.05, 0.16), rng.uniform(0, 0.12), rng.uniform(0.78, 0.98))
    picture = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    sheen = (base * rng.uniform(0.9, 0.98)).tolist()

    def flower(image: Image, at: tuple[int, int], radius: int) -> None:
        turn, petal = float(rng.uniform(0, 360)), (max(1, int(0.6 * radius)), max(1, radius // 4))
        for n in range(6):
            a = np.radians(turn + 60 * n)
            end = (int(at[0] + 0.7 * radius * np.cos(a)), int(at[1] + 0.7 * radius * np.sin(a)))
            cv2.ellipse(image, end, petal, turn + 60 * n, 0, 360, sheen, -1, cv2.LINE_AA)

    if rng.random() < 0.7:
        scatter(rng, picture, flower, int(rng.integers(20, 80)), int(rng.integers(15, 60)))
    return cloth(rng, picture.astype(np.float32), rng.uniform(3, 8))


PAINTERS: Mapping[str, tuple[Callable[[Rng], Field], tuple[float, float], tuple[float, float]]] = {
    "weave": (_weave, (250, 900), (0.0, 0.3)),
    "lattice": (_lattice, (250, 900), (0.0, 0.5)),
    "chequer": (_chequer, (250, 700), (0.0, 0.3)),
    "parquet": (_parquet, (400, 1200), (0.1, 0.6)),
    "damask": (_damask, (300, 800), (0.0, 0.1)),
}
"""Painter, range of the length of one repeat in mm, range of the gloss."""

@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """``levels``: a mip pyramid, uint8 BGR, level n half the size of n - 1. ``mm``: length of one repeat. ``gloss``: 0..1."""

    levels: tuple[Image, ...]
    mm: float
    gloss: float


def _wood(rng: Rng) -> Field:
    hue, dark = rng.uniform(0.045, 0.11), rng.uniform(0.22, 0.85)
    base = bgr(hue, rng.uniform(0.25, 0.7), dark)
    vein = bgr(hue - 0.02, rng.uniform(0.4, 0.8), dark * rng.uniform(0.5, 0.8))
    warp = noise(rng, 2, 6, 3)
    _, ys = grid()
    rings = np.sin(2 * np.pi * (ys * int(rng.integers(6, 22)) / SIZE + rng.uniform(0.3, 1.6) * warp))
    fibre = noise(rng, 6, 256, 2)
    share = 0.3 + 0.25 * rings + 0.25 * fibre + 0.15 * warp
    planks = int(rng.integers(0, 9))
    picture = mix(base, vein, share)
    if planks:
        tall = SIZE // planks
        for n in range(planks):
            rows = slice(n * tall, (n + 1) * tall if n < planks - 1 else SIZE)
            picture[rows] = np.roll(picture[rows], int(rng.integers(SIZE)), 1) * rng.uniform(0.86, 1.1)
            picture[n * tall : n * tall + int(rng.integers(1, 4))] *= 0.5
    return picture


def _felt(rng: Rng) -> Field:
    hue = float(rng.choice([0.38, 0.4, 0.35, 0.6, 0.98, 0.1, 0.75]))
    base = bgr(hue + rng.uniform(-0.02, 0.02), rng.uniform(0.35, 0.85), rng.uniform(0.2, 0.6))
    fuzz = rng.normal(0, 9, (SIZE, SIZE)).astype(np.float32) + 8 * noise(rng, 64, 64, 3)
    return np.asarray(base + fuzz[..., None] + 4 * noise(rng, 3, 3, 2)[..., None], np.float32)


def _checks(rng: Rng) -> Field:
    count = int(rng.integers(4, 22))
    one, two = bands(count)
    white = bgr(0.1, rng.uniform(0, 0.15), rng.uniform(0.8, 1))
    colour = bgr(float(rng.choice([0.0, 0.6, 0.33, 0.1, 0.93, 0.55])), rng.uniform(0.5, 0.95), rng.uniform(0.3, 0.85))
    share = (one + two) / 2 if rng.random() < 0.7 else np.abs(one - two)
    if rng.random() < 0.3:  # a tartan's thin lines
        xs, ys = grid()
        for _ in range(2):
            at = rng.uniform(0, 1)
            share = np.maximum(share, (np.abs((xs * count / SIZE + at) % 1 - 0.5) < 0.04).astype(np.float32))
            share = np.maximum(share, (np.abs((ys * count / SIZE + at) % 1 - 0.5) < 0.04).astype(np.float32))
    return cloth(rng, mix(white, colour, share))


def _stripes(rng: Rng) -> Field:
    xs, _ = grid()
    picture = np.broadcast_to(bgr(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.6, 0.98)), (SIZE, SIZE, 3)).copy()
    count = int(rng.integers(2, 20))
    for _ in range(int(rng.integers(1, 4))):
        at, wide = rng.random(), rng.uniform(0.05, 0.4)
        line = (((xs * count / SIZE + at) % 1) < wide).astype(np.float32)
        picture = mix(picture, bgr(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9)), line)
    return cloth(rng, picture)


def _flowers(rng: Rng) -> Field:
    base = bgr(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.15, 0.98))
    picture = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    leaf = bgr(rng.uniform(0.2, 0.45), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.6)).tolist()
    hues = rng.random(3)

    def flower(image: Image, at: tuple[int, int], radius: int) -> None:
        turn, petals = rng.uniform(0, 360), int(rng.integers(4, 8))
        colour = bgr(float(rng.choice(hues)), rng.uniform(0.3, 0.9), rng.uniform(0.5, 1)).tolist()
        for n in range(int(rng.integers(0, 4))):
            a = np.radians(turn + n * 137)
            end = (int(at[0] + 1.6 * radius * np.cos(a)), int(at[1] + 1.6 * radius * np.sin(a)))
            cv2.ellipse(image, end, (radius, max(1, radius // 3)), turn + n * 137, 0, 360, leaf, -1, cv2.LINE_AA)
        for n in range(petals):
            a = np.radians(turn + n * 360 / petals)
            end = (int(at[0] + 0.6 * radius * np.cos(a)), int(at[1] + 0.6 * radius * np.sin(a)))
            shade = [c * rng.uniform(0.85, 1) for c in colour]
            cv2.ellipse(image, end, (int(radius * 0.6), max(1, int(radius * 0.4))), np.degrees(a), 0, 360, shade, -1, cv2.LINE_AA)
        cv2.circle(image, at, max(1, radius // 3), (60, 200, 240), -1, cv2.LINE_AA)

    scatter(rng, picture, flower, int(rng.integers(10, 90)), int(rng.integers(12, 60)))
    return cloth(rng, picture.astype(np.float32), 5)


def _print(rng: Rng) -> Field:
    """Bold prints as on oilcloth and cushion covers: dots, leaves, diamonds, crossing lines."""
    base = bgr(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.05, 0.95))
    picture = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    colours = [bgr(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 1)).tolist() for _ in range(3)]
    kind = int(rng.integers(4))

    def shape(image: Image, at: tuple[int, int], radius: int) -> None:
        colour = colours[int(rng.integers(3))]
        turn = rng.uniform(0, 360)
        if kind == 0:
            cv2.circle(image, at, radius, colour, -1, cv2.LINE_AA)
        elif kind == 1:
            for n in range(5):
                cv2.ellipse(image, at, (2 * radius, max(2, radius // 3)), turn + 25 * n, 0, 180, colour, -1, cv2.LINE_AA)
        else:
            corners = np.array(at) + radius * np.array([[0, -1.4], [1, 0], [0, 1.4], [-1, 0]])
            cv2.fillConvexPoly(image, corners.round().astype(np.int32), colour, cv2.LINE_AA)

    if kind < 3:
        scatter(rng, picture, shape, int(rng.integers(20, 120)), int(rng.integers(10, 60)))
    else:
        step, wide = SIZE // int(rng.integers(4, 12)), int(rng.integers(1, 6))
        for start in range(-SIZE, 2 * SIZE, step):
            for slope in (-1, 0, 1):
                cv2.line(picture, (start, 0), (start + slope * SIZE, SIZE), colours[0], wide, cv2.LINE_AA)
            cv2.line(picture, (0, start), (SIZE, start), colours[0], wide, cv2.LINE_AA)
    return np.asarray(picture.astype(np.float32) + 3 * noise(rng, 64, 64)[..., None], np.float32)


def _marble(rng: Rng) -> Field:
    flow = noise(rng, 3, 3, 5)
    veins = np.exp(-np.abs(flow + 0.3 * noise(rng, 2, 2, 3)) * rng.uniform(6, 22))
    light, dark = (0.9, 0.55) if rng.random() < 0.7 else (0.25, 0.75)
    hue = rng.uniform(0.02, 0.65)
    base = bgr(hue, rng.uniform(0, 0.2), light)
    return np.asarray(
        mix(base, bgr(hue, rng.uniform(0, 0.3), dark), veins * rng.uniform(0.4, 1)) + 6 * flow[..., None], np.float32
    )


def _laminate(rng: Rng) -> Field:
    base = bgr(rng.random(), rng.uniform(0, 0.5) ** 1.5, rng.uniform(0.08, 0.97))
    speck = rng.normal(0, rng.uniform(0.5, 8), (SIZE, SIZE)).astype(np.float32)
    return np.asarray(base + cv2.GaussianBlur(speck, (3, 3), 0)[..., None] + 4 * noise(rng, 3, 3, 3)[..., None], np.float32)


def _terrazzo(rng: Rng) -> Field:
    picture = _laminate(rng).clip(0, 255).astype(np.uint8)
    hues = rng.random(4)

    def chip(image: Image, at: tuple[int, int], radius: int) -> None:
        corners = np.array(at) + radius * rng.uniform(-1, 1, (5, 2))
        hull = cv2.convexHull(corners.astype(np.int32))
        colour = bgr(float(rng.choice(hues)), rng.uniform(0, 0.4), rng.uniform(0.2, 0.9)).tolist()
        cv2.fillConvexPoly(image, hull, colour, cv2.LINE_AA)

    scatter(rng, picture, chip, int(rng.integers(200, 700)), int(rng.integers(4, 16)))
    return picture.astype(np.float32)


def _linen(rng: Rng) -> Field:
    base = bgr(rng.random(), rng.uniform(0, 0.7) ** 1.3, rng.uniform(0.15, 0.97))
    threads = rng.normal(0, 1, (2, SIZE)).astype(np.float32)
    weave = 5 * (threads[0][None] + threads[1][:, None])
    picture = np.broadcast_to(base, (SIZE, SIZE, 3)) + weave[..., None].astype(np.float32)
    return cloth(rng, np.asarray(picture, np.float32), rng.uniform(4, 14))


def _upholstery(rng: Rng) -> Field:
    base = bgr(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.12, 0.7))
    coarse = cv2.GaussianBlur(rng.normal(0, 60, (SIZE, SIZE)).astype(np.float32), (0, 0), rng.uniform(1.0, 2.5))
    return np.asarray(base + coarse[..., None] + 10 * noise(rng, 5, 5, 3)[..., None], np.float32)


def _stone(rng: Rng) -> Field:
    tiles = int(rng.integers(1, 7))
    picture = bgr(rng.uniform(0, 0.12), rng.uniform(0, 0.45), rng.uniform(0.25, 0.75)) + (18 * noise(rng, 8, 8, 6))[..., None]
    side = SIZE // tiles
    for n in range(tiles):
        for m in range(tiles):
            part = picture[n * side : (n + 1) * side, m * side : (m + 1) * side]
            part *= rng.uniform(0.88, 1.1)
        picture[n * side : n * side + 5] *= 0.7
        picture[:, n * side : n * side + 5] *= 0.7
    return np.asarray(picture, np.float32)


_PAINTERS: Mapping[str, tuple[Callable[[Rng], Field], tuple[float, float], tuple[float, float]]] = {
    "wood": (_wood, (500, 1300), (0.05, 0.6)),
    "felt": (_felt, (350, 700), (0.0, 0.0)),
    "checks": (_checks, (300, 900), (0.0, 0.2)),
    "stripes": (_stripes, (300, 900), (0.0, 0.2)),
    "flowers": (_flowers, (300, 1000), (0.0, 0.3)),
    "print": (_print, (300, 900), (0.1, 0.6)),
    "marble": (_marble, (600, 1500), (0.3, 0.8)),
    "laminate": (_laminate, (500, 1200), (0.1, 0.7)),
    "terrazzo": (_terrazzo, (400, 900), (0.2, 0.7)),
    "linen": (_linen, (250, 700), (0.0, 0.05)),
    "upholstery": (_upholstery, (300, 700), (0.0, 0.05)),
    "stone": (_stone, (600, 2000), (0.0, 0.4)),
}
_ALL_PAINTERS = {**_PAINTERS, **PAINTERS}
_PHOTOGRAPHED = ((250.0, 900.0), (0.0, 0.6))


def _photographed(path: str, rng: Rng) -> Image:
    """The picture in ``path``, in a light of its own, mirrored both ways so that it repeats without a seam."""
    found = cv2.imread(path)
    if found is None:
        raise ValueError(f"no surface {path!r}: there are {', '.join(ALL)}, and pictures of bare surfaces by their path")
    how = cv2.INTER_AREA if min(found.shape[:2]) > SIZE // 2 else cv2.INTER_CUBIC
    half = cv2.resize(found, (SIZE // 2, SIZE // 2), interpolation=how)
    toned = np.clip(np.asarray(half, np.float32) * rng.uniform(0.7, 1.4) * rng.uniform(0.92, 1.08, 3), 0, 255).astype(np.uint8)
    wide = np.hstack([toned, toned[:, ::-1]])
    return np.vstack([wide, wide[::-1]])


KINDS: tuple[str, ...] = tuple(_PAINTERS)
"""The surfaces that recipes and clips draw from where they name none. Frozen: a further one would change their pictures."""

ALL: tuple[str, ...] = tuple(_ALL_PAINTERS)
"""The surfaces' names, for ``Surface.kind`` and ``Surface.floor``: those of ``KINDS``, then those that a recipe must name. New
ones come last: a kind's place is part of its seed."""


@lru_cache(maxsize=48)
def texture(kind: str, seed: int) -> Texture:
    """The texture of this kind and seed, painted (about 0.1 s) when it is first needed.

    ``kind``: one of ``ALL``, or the path of a picture of a bare surface.

    Raises:
        ValueError: a kind that is neither.
    """
    if kind in _ALL_PAINTERS:
        paint, (least, most), gloss = _ALL_PAINTERS[kind]
        rng = np.random.default_rng([seed, ALL.index(kind)])
        picture = np.clip(paint(rng), 0, 255).astype(np.uint8)
    else:
        (least, most), gloss = _PHOTOGRAPHED
        rng = np.random.default_rng([seed, zlib.crc32(Path(kind).name.encode())])
        picture = _photographed(kind, rng)
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(np.rot90(picture))
    levels = [picture]
    while levels[-1].shape[0] > 32:
        half = levels[-1].shape[0] // 2
        levels.append(np.asarray(cv2.resize(levels[-1], (half, half), interpolation=cv2.INTER_AREA), np.uint8))
    return Texture(tuple(levels), float(rng.uniform(least, most)), float(rng.uniform(*gloss)))
