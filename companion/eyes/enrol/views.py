"""Makes views of a card as a table's camera may see it from one straightened photo, without torch and without a renderer."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import straighten
from companion.eyes.reader import CROP

Image = NDArray[np.uint8]

LENGTHS: Final = (40.0, 200.0)
"""Pixels: how long the card is in the views, evenly by ratio."""
PAD: Final = 0.12
"""Share of the card's height by which the table reaches beyond the card."""


def views(card: Image, count: int, rng: np.random.Generator, harder: bool = False) -> list[Image]:
    """``count`` inputs of the reader, (112, 64, 3) uint8 BGR, of the straightened ``card`` ((H, W, 3) uint8 BGR); every other
    one is upside down.

    Size, corners, blur, light, colour and noise vary. ``harder``: they vary by more, and something may cover an edge, so that
    thresholds are set on other views than those that the prototypes are made of.
    """
    return [_view(card, turned=bool(n % 2), rng=rng, harder=harder) for n in range(count)]


def _view(card: Image, turned: bool, rng: np.random.Generator, harder: bool) -> Image:
    length = float(np.exp(rng.uniform(*np.log(LENGTHS))))
    height, width = card.shape[:2]
    pad = round(PAD * height)
    table = [float(level) for level in rng.uniform(20, 220, 3)]
    laid = np.asarray(cv2.copyMakeBorder(card, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=table), np.uint8)
    if harder and rng.random() < 0.4:
        _cover(laid, pad, rng)
    # Seen from a lower angle, a side is squeezed: fewer pixels that way.
    squeeze = rng.uniform(0.55, 1.0)
    along = rng.random() < 0.5
    scale = np.array([length / height * (1.0 if along else squeeze), length / height * (squeeze if along else 1.0)])
    size = [max(4, round(side * factor)) for side, factor in zip((laid.shape[1], laid.shape[0]), scale, strict=True)]
    small = np.asarray(cv2.resize(laid, size, interpolation=cv2.INTER_AREA), np.float32)
    corners = np.array([[pad, pad], [pad + width, pad], [pad + width, pad + height], [pad, pad + height]]) * scale - 0.5
    off = rng.uniform(0.003, 0.03 if harder else 0.018)
    corners = corners + rng.normal(0, length * off, corners.shape) + rng.normal(0, 0.008 * length, 2)
    seen = _camera(small, length, rng, harder)
    return straighten(seen, np.roll(corners, 2, axis=0) if turned else corners, *CROP)


def _cover(laid: NDArray[np.uint8], pad: int, rng: np.random.Generator) -> None:
    """Cover up to a quarter of the card, from one edge inwards, with one colour, in place."""
    height, width = laid.shape[:2]
    reach = pad + rng.uniform(0.0, 0.25) * (height if rng.random() < 0.5 else width)
    colour = [float(level) for level in rng.uniform(20, 235, 3)]
    edge = int(rng.integers(4))
    start, stop = ((0, 0), (width, height))
    if edge == 0:
        stop = (width, round(reach))
    elif edge == 1:
        start = (0, round(height - reach))
    elif edge == 2:
        stop = (round(reach), height)
    else:
        start = (round(width - reach), 0)
    cv2.rectangle(laid, start, stop, colour, -1)


def _camera(picture: NDArray[np.float32], length: float, rng: np.random.Generator, harder: bool) -> Image:
    height, width = picture.shape[:2]
    tilt = rng.uniform(-0.25, 0.25, 2)
    light = 1 + tilt[0] * np.linspace(-1, 1, width)[None, :] + tilt[1] * np.linspace(-1, 1, height)[:, None]
    picture = picture * np.asarray(light[..., None], np.float32)
    if rng.random() < 0.7:
        blurred = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, (0.9 if harder else 0.6) + length / 150))
        picture = np.asarray(blurred, np.float32)
    exposed = 255 * (np.clip(picture, 0, 255) / 255) ** rng.uniform(0.75, 1.35) * rng.uniform(0.5, 1.15)
    exposed = exposed * rng.uniform(0.88, 1.12, 3)
    grain = rng.standard_normal(exposed.shape, dtype=np.float32) * rng.uniform(0, 9 if harder else 5)
    return np.asarray(np.clip(exposed + grain, 0, 255), np.uint8)
