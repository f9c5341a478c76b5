"""What table tops are painted with: seamless noise, colours, weaves, and shapes scattered without a seam."""

from __future__ import annotations

import colorsys
from collections.abc import Callable

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
