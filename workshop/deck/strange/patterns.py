"""Patterns that fill a card, a dress or a background: cloth, tiles, ornament, engraving, noise. All are the same upside down or
mirrored, except those that are random all over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.deck.strange.canvas import Colour, Image, Rng

Field = NDArray[np.float32]
Indices = NDArray[np.intp]


def pattern(kind: str, shape: tuple[int, int], rng: Rng, inks: Sequence[Colour], period: float = 0.0) -> Image:
    """A picture of ``shape`` (height, width) in pixels, filled with a pattern in two inks or more.

    ``period``: pixels after which it repeats itself, drawn where it is 0.
    """
    height, width = shape
    period = period or float(rng.uniform(0.03, 0.13)) * height
    x = ((np.arange(width, dtype=np.float32) - (width - 1) / 2) / period)[None, :].repeat(height, 0)
    y = ((np.arange(height, dtype=np.float32) - (height - 1) / 2) / period)[:, None].repeat(width, 1)
    return np.array(inks, np.uint8)[PATTERNS[kind](x, y, rng, len(inks))]


def clouds(shape: tuple[int, int], rng: Rng, inks: Sequence[Colour], cells: int = 0) -> Image:
    """Smooth random patches of the inks, as in a photograph out of focus."""
    cells = cells or int(rng.integers(2, 9))
    small = np.array(inks, np.float32)[rng.integers(len(inks), size=(cells + 2, cells + 1))]
    small += rng.normal(0, 18, (*small.shape[:2], 1)).astype(np.float32)
    return np.clip(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)


def grain(image: Image, rng: Rng, strength: float, coarse: float = 1.0) -> Image:
    """The picture with noise of ``strength`` grey levels in grains of about ``coarse`` pixels."""
    height, width = image.shape[:2]
    noise = rng.standard_normal((max(2, round(height / coarse)), max(2, round(width / coarse))), dtype=np.float32) * strength
    noise = np.asarray(cv2.resize(noise, (width, height)), np.float32)
    return np.clip(image + noise[..., None], 0, 255).astype(np.uint8)


def _whole(field: NDArray[np.floating[Any]]) -> Indices:
    return np.asarray(np.floor(field), np.intp)


def _part(field: NDArray[np.floating[Any]]) -> Field:
    return np.asarray(field - np.floor(field), np.float32)


def _stripes(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    a = np.radians(rng.choice([0, 45, 90, 135, rng.uniform(0, 180)]))
    at = np.float32(np.cos(a)) * x + np.float32(np.sin(a)) * y
    edges = np.cumsum(rng.uniform(0.2, 1.0, inks + 2))
    return np.searchsorted(edges / edges[-1], _part(at + 0.5 * float(edges[0] / edges[-1]))).astype(np.intp) % inks


def _checks(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    return (_whole(x + 0.5) + _whole(y + 0.5)) % inks


def _lozenges(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    steep = np.float32(rng.uniform(0.5, 1.0))
    u, v = x + y * steep, x - y * steep
    inner = np.maximum(abs(_part(u) - 0.5), abs(_part(v) - 0.5))
    if rng.random() < 0.5:
        return np.where(inner > rng.uniform(0.34, 0.45), 0, 1 + (_whole(u) + _whole(v)) % max(1, inks - 1))
    return (_whole(u) + _whole(v)) % 2 + np.where((inner < 0.2) & (inks > 2), 1, 0)


def _lattice(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    steep, thin = np.float32(rng.uniform(0.6, 1.0)), rng.uniform(0.06, 0.2)
    u, v = _part(x + y * steep), _part(x - y * steep)
    lines = (abs(u - 0.5) > 0.5 - thin) | (abs(v - 0.5) > 0.5 - thin)
    dot = (abs(u - 0.5) + abs(v - 0.5)) < rng.uniform(0.0, 0.3)
    return np.where(lines, 1, np.where(dot, inks - 1, 0))


def _dots(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    row = _whole(y + 0.5)
    u = x + 0.5 + (row % 2) * 0.5
    r = np.hypot(_part(u.astype(np.float32)) - 0.5, _part(y + np.float32(0.5)) - 0.5)
    size = rng.uniform(0.18, 0.42)
    return np.where(r < size * 0.5, inks - 1, np.where(r < size, 1, 0))


def _scales(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    row = _whole(y)
    r = np.hypot(_part((x + (row % 2) * 0.5).astype(np.float32)) - 0.5, _part(y))
    rings = int(rng.integers(2, 5))
    return _whole(np.minimum(r, 0.99).astype(np.float32) * rings * 1.4) % inks


def _waves(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    if rng.random() < 0.3:
        x, y = y, x
    swing, often = rng.uniform(0.15, 0.9), rng.uniform(0.4, 3)
    wave = abs(_part(x * np.float32(often)) * 2 - 1) if rng.random() < 0.4 else np.cos(x * np.float32(often * np.pi))
    return _whole((y * np.float32(rng.uniform(1, 2)) + np.float32(swing) * wave).astype(np.float32)) % inks


def _weave(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    strands = int(rng.integers(1, 4))
    over = (_whole(x) + _whole(y)) % 2
    across = np.where(over == 1, x, y)
    gap = abs(_part(across * strands) - 0.5) > rng.uniform(0.3, 0.45)
    return np.where(gap, 0, 1 + over * (inks > 2))


def _flowers(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    row = _whole(y / 2 + 0.5)
    u = (_part((x / 2 + 0.5 + (row % 2) * 0.5).astype(np.float32)) - 0.5) * 2
    v = (_part(y / 2 + np.float32(0.5)) - 0.5) * 2
    r, t = np.hypot(u, v), np.arctan2(v, u)
    petals = int(rng.integers(4, 9))
    bloom = r < rng.uniform(0.45, 0.7) * (1 + rng.uniform(0.15, 0.5) * np.cos(petals * t))
    stem = abs(u - 0.35 * np.sin(v * 3.1)) < rng.uniform(0.05, 0.14)
    leaf = np.hypot((abs(u) - 0.7) * 2, (abs(v) - 0.65) * 1.1) < 0.33
    index = np.where(stem | leaf, 2 % inks, 0)
    return np.where(r > rng.uniform(0.1, 0.2), np.where(bloom, 1, index), 0)


def _damask(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    """Ornament: random waves folded into a mirrored tile, cut at levels."""
    long = np.float32(rng.uniform(3, 6))
    u = abs(_part(x / long) * 2 - 1)
    v = abs(_part(y / (long * np.float32(rng.uniform(1, 1.7)))) * 2 - 1)
    total = np.zeros_like(x)
    for _ in range(5):
        f, g = rng.uniform(1, 9, 2).astype(np.float32)
        total += np.cos(f * u + rng.uniform(0, 6.3)) * np.cos(g * v + rng.uniform(0, 6.3))
    level = _whole((total * np.float32(rng.uniform(0.8, 1.8)) + 20).astype(np.float32))
    return level % inks


def _guilloche(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    r, t = np.hypot(x, y), np.arctan2(y, x)
    leaves = int(rng.integers(2, 9)) * 2
    total = np.sin(r * rng.uniform(1.5, 4) + rng.uniform(0.5, 2.5) * np.sin(leaves * t + r * rng.uniform(-0.5, 0.5)))
    total += np.sin(r * rng.uniform(1.5, 4) - rng.uniform(0.5, 2.5) * np.sin(leaves * t))
    return np.where(abs(total) < rng.uniform(0.25, 0.6), 1, np.where(total > 0, 0, (inks > 2) * 2))


def _mosaic(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    """Quarter circles in squares, each turned at random: a maze of loops."""
    column, row = _whole(x), _whole(y)
    turns = rng.integers(0, 2, (64, 64))[row % 64, column % 64]
    u, v = _part(x), _part(y)
    u = np.where(turns == 1, u, 1 - u)
    near = np.minimum(np.hypot(u, v), np.hypot(1 - u, 1 - v))
    band = abs(near - 0.5)
    return np.where(band < rng.uniform(0.1, 0.2), 1, np.where(near < 0.5, (inks > 2) * 2, 0))


def _bricks(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    row = _whole(y * 2)
    u = (x + (row % 2) * 0.5).astype(np.float32)
    joint = (_part(y * 2) < 0.14) | (_part(u) < 0.07)
    tone = rng.integers(1, max(2, inks), (32, 32))[row % 32, _whole(u) % 32]
    return np.where(joint, 0, tone)


def _rays(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    rays = int(rng.integers(5, 24)) * 2
    turn = rng.uniform(-0.4, 0.4) * (rng.random() < 0.5)
    t = np.arctan2(y, x) / (2 * np.pi) * rays + np.hypot(x, y) * turn
    return _whole(np.asarray(t, np.float32)) % inks


def _rings(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    side = np.maximum(abs(x), abs(y)) if rng.random() < 0.3 else np.hypot(x, y)
    if rng.random() < 0.3:
        side = abs(x) + abs(y)
    return _whole(np.asarray(side * 1.5, np.float32)) % inks


def _engraving(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    """Lines that swell and thin with a tone that changes slowly."""
    fine = np.float32(rng.uniform(2, 5))
    a = rng.uniform(0, np.pi)
    at = np.float32(np.cos(a)) * x + np.float32(np.sin(a)) * y
    tone = 0.5 + 0.35 * np.sin(x * rng.uniform(0.2, 0.8) + rng.uniform(0, 6)) * np.cos(y * rng.uniform(0.2, 0.8))
    lines = _part(at * fine) < tone * 0.8
    if rng.random() < 0.5:
        cross = np.float32(np.sin(a)) * x - np.float32(np.cos(a)) * y
        lines |= (_part(cross * fine) < 0.3) & (tone > 0.55)
    return np.where(lines, 1, 0)


def _halftone(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    u, v = x * 2 + y * 2, x * 2 - y * 2
    r = np.hypot(_part(u) - 0.5, _part(v) - 0.5)
    size = 0.32 + 0.28 * np.sin(y * rng.uniform(0.05, 0.3) + x * rng.uniform(-0.2, 0.2) + rng.uniform(0, 6))
    return np.where(r < size, 1, 0)


def _speckles(x: Field, y: Field, rng: Rng, inks: int) -> Indices:
    """Every small square in an ink of its own."""
    fine = float(rng.choice([1.0, 2.0, 3.0]))
    return rng.integers(0, inks, (64, 64))[_whole(y * np.float32(fine)) % 64, _whole(x * np.float32(fine)) % 64]


PATTERNS: Mapping[str, Callable[[Field, Field, Rng, int], Indices]] = MappingProxyType(
    {
        "stripes": _stripes,
        "checks": _checks,
        "lozenges": _lozenges,
        "lattice": _lattice,
        "dots": _dots,
        "scales": _scales,
        "waves": _waves,
        "weave": _weave,
        "flowers": _flowers,
        "damask": _damask,
        "guilloche": _guilloche,
        "mosaic": _mosaic,
        "bricks": _bricks,
        "rays": _rays,
        "rings": _rings,
        "engraving": _engraving,
        "halftone": _halftone,
        "speckles": _speckles,
    }
)
"""Kind → its indices into the inks, of x and y in periods about the middle."""

CLOTH = ("stripes", "checks", "lozenges", "lattice", "dots", "scales", "waves", "flowers", "damask", "weave", "engraving")
"""What dresses and hangings are made of."""
