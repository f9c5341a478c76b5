"""Table tops that look like backs of cards or hide white cards: basket weave, lattice, small checks, parquet, white damask."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from workshop.stage.fields import SIZE, Field, Rng, bands, bgr, cloth, grid, mix, noise, scatter
from workshop.stage.scene import Image

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
