"""Brushes for prints: one colour, letters, lines of small print, what a photograph shows, windows, a rim."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from workshop.stage.clutter import WORDS, ink_of, pale
from workshop.stage.scene import Image

Rng = np.random.Generator
Colour = list[float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom: shares of a picture's width and height."""
LETTERS = np.array(list("ABCDEFGHILMNOPRSTUVZ"))
FONTS = (0, 2, 3, 4, 7)


def colour(rng: Rng) -> Colour:
    """Any BGR: a print's ink, pale, dark, or none of these."""
    kind = rng.random()
    if kind < 0.4:
        return ink_of(rng)
    return pale(rng) if kind < 0.6 else [float(v) for v in rng.uniform(10, 245) * rng.uniform(0.7, 1.2, 3)]


def ground(width: int, height: int, paint: Colour) -> Image:
    """A picture of one colour."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = np.clip(paint, 0, 255)
    return picture


def word(rng: Rng, picture: Image, box: Box, ink: Colour) -> None:
    """A word as large as fits into ``box``."""
    height, width = picture.shape[:2]
    text = str(rng.choice(WORDS)) if rng.random() < 0.4 else "".join(rng.choice(LETTERS, int(rng.integers(1, 9))))
    font = int(rng.choice(FONTS))
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, 2)
    left, top, right, bottom = box
    scale = min((right - left) * width / wide, (bottom - top) * height / tall)
    at = round((left + right) / 2 * width - wide * scale / 2), round((top + bottom) / 2 * height + tall * scale / 2)
    cv2.putText(picture, text, at, font, scale, ink, max(1, round(rng.uniform(1.5, 4) * scale)), cv2.LINE_AA)


def lines(rng: Rng, picture: Image, box: Box, ink: Colour) -> None:
    """Lines of small print in ``box``, which end where they like."""
    height, width = picture.shape[:2]
    left, right, y, bottom = box[0] * width, box[2] * width, box[1] * height, box[3] * height
    tall = max(1.0, rng.uniform(0.006, 0.022) * height)
    gap, even = tall * rng.uniform(1.0, 2.6), rng.random() < 0.5
    while y + tall < bottom:
        end = left + (right - left) * (rng.uniform(0.9, 1.0) if even else rng.uniform(0.3, 1.0))
        x = left
        while x < end:
            step = min(end - x, tall * rng.uniform(1.5, 9))
            cv2.rectangle(picture, (int(x), int(y)), (int(x + step), int(y + tall)), ink, -1)
            x += step + tall
        y += tall + gap * (2.5 if rng.random() < 0.1 else 1)


def scenery(rng: Rng, width: int, height: int) -> Image:
    """What a photograph shows: soft patches, a horizon, something near, grain."""
    cells = rng.integers(2, 9, 2)
    small = rng.uniform(10, 245, (*cells, 1)) * 0.6 + rng.uniform(0, 110, (*cells, 3))
    picture = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    made = np.ascontiguousarray(np.clip(picture, 0, 255), np.uint8)
    if rng.random() < 0.6:
        y = int(height * rng.uniform(0.3, 0.8))
        cv2.rectangle(made, (0, y), (width, height), colour(rng), -1)
    for _ in range(int(rng.integers(1, 9))):
        at = int(rng.uniform(0, width)), int(rng.uniform(0.2, 1) * height)
        axes = int(width * rng.uniform(0.03, 0.3)) + 1, int(height * rng.uniform(0.03, 0.3)) + 1
        if rng.random() < 0.6:
            cv2.ellipse(made, at, axes, float(rng.uniform(0, 180)), 0, 360, colour(rng), -1, cv2.LINE_AA)
        else:
            cv2.rectangle(made, at, (at[0] + axes[0], at[1] + 2 * axes[1]), colour(rng), -1)
    if rng.random() < 0.4:  # somebody's head and shoulders
        x, skin = int(width * rng.uniform(0.3, 0.7)), (rng.uniform(0.5, 1.0) * np.array([140.0, 175, 225])).tolist()
        cv2.ellipse(made, (x, height), (width // 3, height // 2), 0, 180, 360, colour(rng), -1, cv2.LINE_AA)
        cv2.ellipse(made, (x, int(height * 0.4)), (width // 8 + 1, height // 6 + 1), 0, 0, 360, skin, -1, cv2.LINE_AA)
    made = np.asarray(cv2.GaussianBlur(made, (0, 0), float(rng.uniform(0.5, 5))), np.uint8)
    noise = rng.normal(0, rng.uniform(1, 12), (height, width, 1))
    return np.ascontiguousarray(np.clip(made + noise, 0, 255), np.uint8)


def inset(picture: Image, inner: Callable[[int, int], Image], box: Box) -> None:
    """Puts what ``inner`` paints into ``box`` of the picture."""
    height, width = picture.shape[:2]
    left, top = max(0, int(box[0] * width)), max(0, int(box[1] * height))
    right, bottom = min(width, int(box[2] * width)), min(height, int(box[3] * height))
    if right - left > 3 and bottom - top > 3:
        picture[top:bottom, left:right] = inner(right - left, bottom - top)


def border(rng: Rng, picture: Image, most: float = 0.1) -> float:
    """A line or two along the rim; returns what they take, a share of the width."""
    height, width = picture.shape[:2]
    far = rng.uniform(0.0, most)
    for n in range(int(rng.integers(1, 3))):
        d = int(width * (far + 0.025 * n))
        cv2.rectangle(picture, (d, d), (width - 1 - d, height - 1 - d), colour(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
    return float(far + 0.06)
