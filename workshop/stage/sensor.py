"""What the camera does to the light: lens blur, drifting exposure and white balance, tone, noise, sharpening, JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import decode_jpeg, encode_jpeg
from workshop.stage.light import UNIT
from workshop.stage.scene import Image, Look

TILE = 64
GRAIN = 64.0


def blur_sigma(look: Look, width: int, defocus: float) -> float:
    """Sigma in px of the lens blur in a picture ``width`` px wide. It comes in steps, so that parts that stand still can be
    kept."""
    return round((look.blur + defocus) * (width / 1280) * 20) / 20


def optics(canvas: Image, light: Image, sigma: float) -> Image:
    """The scene's colours with the light on them, seen through the lens. All uint8 HxWx3; values above full light are cut."""
    lit = np.asarray(cv2.multiply(canvas, light, scale=1 / UNIT), np.uint8)
    if sigma < 0.25:
        return lit
    size = int(2 * np.ceil(2.5 * sigma) + 1)
    return np.asarray(cv2.GaussianBlur(lit, (size, size), sigma, borderType=cv2.BORDER_REPLICATE), np.uint8)


def drift(look: Look, seed: int, t: float) -> tuple[float, float]:
    """Gains of exposure and warmth at ``t`` seconds: sums of slow sines, the same for the same seed."""
    rng = np.random.default_rng([seed, 77])
    phases, speeds = rng.uniform(0, 2 * np.pi, 6), rng.uniform(0.05, 0.6, 6)
    waves = np.sin(phases + speeds * t)
    return float(1 + look.drift * 0.12 * waves[:3].mean()), float(look.drift * 0.12 * waves[3:].mean())


@lru_cache(maxsize=8)
def _grain(seed: int, width: int, height: int) -> NDArray[np.int16]:
    """Sensor noise of standard deviation ``GRAIN``, in part coarse and coloured, a little larger than the picture."""
    rng = np.random.default_rng([seed, 78])
    shape = (height + TILE, width + TILE)
    grey = rng.standard_normal(shape, np.float32)
    grey = 0.75 * grey + 0.9 * np.asarray(cv2.blur(grey, (2, 2)), np.float32)
    colour = 0.6 * rng.standard_normal((shape[0] // 3 + 1, shape[1] // 3 + 1, 3), np.float32)
    coarse = cv2.resize(colour, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(((coarse + grey[..., None]) * GRAIN).round(), np.int16)


@lru_cache(maxsize=4)
def _noise(seed: int, sigma: float, width: int, height: int) -> tuple[Image, Image]:
    """The positive and the negative part of the noise, each unsigned, to be added and subtracted."""
    grain = _grain(seed, width, height)
    parts = [cv2.multiply(grain, np.full(4, sign * sigma / GRAIN), dtype=cv2.CV_8U) for sign in (1.0, -1.0)]
    return np.asarray(parts[0], np.uint8), np.asarray(parts[1], np.uint8)


def expose(optical: Image, look: Look, seed: int, t: float, gain: float) -> Image:
    """The picture that the camera gives, uint8 HxWx3: the same for the same ``seed`` and ``t``. ``gain``: of the exposure."""
    wander, warmer = drift(look, seed, t)
    levels = np.arange(256, dtype=np.float64) / 255
    table = np.empty((1, 256, 3), np.uint8)
    for channel, tint in enumerate((1 - warmer, 1.0, 1 + warmer)):
        value = levels * look.exposure * wander * gain * tint
        value = np.where(value > 0.85, 0.85 + 0.15 * np.tanh((value - 0.85) / 0.15), value)  # highlights roll off
        value = 0.45 + (value - 0.45) * look.contrast
        table[0, :, channel] = np.clip(value * 255 + 0.5, 0, 255)
    picture = np.asarray(cv2.LUT(optical, table), np.uint8)
    if abs(look.saturation - 1) > 0.03:
        s = look.saturation
        grey = np.array([0.114, 0.587, 0.299])
        picture = np.asarray(cv2.transform(picture, s * np.eye(3) + (1 - s) * grey), np.uint8)
    height, width = picture.shape[:2]
    if look.noise > 0.1:
        rng = np.random.default_rng([seed, 79, round(abs(t) * 1000)])
        x, y = (int(v) for v in rng.integers(0, TILE, 2))
        plus, minus = _noise(seed % 4, round(look.noise * 4) / 4, width, height)
        part = (slice(y, y + height), slice(x, x + width))
        picture = np.asarray(cv2.subtract(cv2.add(picture, plus[part]), minus[part]), np.uint8)
    if look.sharpen > 0.05:
        soft = cv2.GaussianBlur(picture, (5, 5), 1.0)
        picture = np.asarray(cv2.addWeighted(picture, 1 + look.sharpen, soft, -look.sharpen, 0), np.uint8)
    if look.jpeg:
        picture = decode_jpeg(encode_jpeg(picture, quality=look.jpeg))
    return picture
