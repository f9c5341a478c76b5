"""Light on the table, from one lamp and from everywhere: the light map, shading, glare on lacquer, shadow masks.

Kinds of light and sensor have names: bright noon, evening, a lamp on one side, a dim corner, and random ones in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from workshop.stage import camera as cam
from workshop.stage.scene import Camera, Image, Look
from workshop.stage.sprites import Gray, Rect

Floats = NDArray[np.float64]
UNIT = 180
"""The light map's value for full light: the rest up to 255 is headroom for the brightest spot under a lamp."""


def _tint(warmth: float) -> Floats:
    """BGR gains of a light; positive ``warmth`` is warm."""
    return np.array([1 - 0.32 * warmth, 1 - 0.04 * abs(warmth), 1 + 0.2 * warmth])


def light_map(camera: Camera, look: Look, rng: np.random.Generator) -> Image:
    """uint8 HxWx3: the light that reaches the table at each pixel, times the lens' vignetting; ``UNIT`` is full light."""
    step = max(4, camera.width // 80)
    xs, ys = np.arange(0, camera.width + step, step), np.arange(0, camera.height + step, step)
    pixels = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2).astype(np.float64)
    back = np.linalg.inv(cam.homography(camera))
    plane = pixels @ back[:, :2].T + back[:, 2]
    plane[:, 2] = np.where(np.abs(plane[:, 2]) < 1e-9, 1e-9, plane[:, 2])
    table = plane[:, :2] / plane[:, 2:]
    table = np.clip(table, -4000, 4000)
    towards = np.column_stack([np.array(look.lamp[:2]) - table, np.full(len(table), look.lamp[2])])
    far = np.linalg.norm(towards, axis=1)
    lamp = (look.lamp[2] / far) ** 3
    lamp = lamp / max(1e-6, float(np.percentile(lamp[np.abs(table).max(1) < 1200], 92)))
    spot = (1 - look.falloff) + look.falloff * lamp
    blobs = np.ones(len(table))
    for _ in range(int(rng.integers(0, 4))):  # people lean in and cast wide, vague shadows
        centre, size = rng.uniform(-900, 900, 2), rng.uniform(120, 500)
        stretch = rng.uniform(0.5, 2.0)
        off = (table - centre) / size * np.array([stretch, 1 / stretch])
        blobs *= 1 - look.shadow * rng.uniform(0.1, 0.6) / (1 + np.exp(6 * (np.linalg.norm(off, axis=1) - 1)))
    cool, warm = _tint(look.warmth - 0.3), _tint(look.warmth + 0.25)
    light = look.ambient * cool * (0.6 + 0.4 * blobs)[:, None] + (1 - look.ambient) * warm * (spot * blobs)[:, None]
    radius = np.linalg.norm((pixels / [camera.width, camera.height] - 0.5) * 2, axis=1) / np.sqrt(2)
    light *= (1 - look.vignette * radius**2.5)[:, None]
    small = np.clip(light * UNIT, 0, 255).astype(np.uint8).reshape(len(ys), len(xs), 3)
    full = cv2.resize(small, (len(xs) * step, len(ys) * step), interpolation=cv2.INTER_LINEAR)
    shift = step // 2  # resize lines up cell centres; the samples are at cell corners
    full = cv2.copyMakeBorder(full, 0, shift, 0, shift, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(full[shift : shift + camera.height, shift : shift + camera.width])


def lambert(look: Look, normal: ArrayLike, point: ArrayLike) -> float:
    """Brightness of a matt surface with this normal at this point, relative to one that lies flat there."""
    towards = np.array(look.lamp) - np.asarray(point)
    towards /= np.linalg.norm(towards)
    ratio = max(0.0, float(np.asarray(normal) @ towards)) / max(0.15, float(towards[2]))
    upwards = 0.5 + 0.5 * float(np.asarray(normal)[2])
    return float(np.clip(look.ambient * (0.45 + 0.55 * upwards) + (1 - look.ambient) * ratio, 0.12, 1.25))


def glare(camera: Camera, look: Look, points: Floats, normals: Floats, gloss: float) -> Floats:
    """Grey levels 0..255 of the lamp's reflection in lacquer at N x 3 points with N x 3 unit normals (Blinn 1977)."""
    towards = np.array(look.lamp) - points
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    viewer = cam.position(camera) - points
    viewer /= np.linalg.norm(viewer, axis=1, keepdims=True)
    half = towards + viewer
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    match = np.clip((half * normals).sum(1), 0, 1)
    fresnel = 0.35 + 0.65 * (1 - np.clip((viewer * normals).sum(1), 0, 1)) ** 2
    sharp = 40 + 400 * gloss
    return np.asarray(255 * look.glare * gloss * fresnel * (1.6 * match**sharp + 0.25 * match ** (sharp / 12)), np.float64)


def shadow_offset(look: Look, x: float, y: float, z: float) -> tuple[float, float]:
    """Where the shadow of a point at height ``z`` falls on the table: (x, y) in mm from straight below it."""
    share = z / max(50.0, look.lamp[2] - z)
    return (x - look.lamp[0]) * share, (y - look.lamp[1]) * share


def soft_mask(rect: Rect, polygons: list[Floats], sigma: float, strength: float) -> Gray:
    """The darkness (uint8) of filled polygons' shadow (N x 2 px each) in a patch, blurred by ``sigma`` px."""
    mask = np.zeros((rect[3] - rect[1], rect[2] - rect[0]), np.uint8)
    for polygon in polygons:
        shifted = np.round((polygon - rect[:2]) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, shifted, int(255 * strength), cv2.LINE_AA, 4)
    if sigma > 0.3:
        size = int(2 * np.ceil(2.2 * sigma) + 1)
        mask = np.asarray(cv2.GaussianBlur(mask, (size, size), sigma), np.uint8)
    return mask


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "bright": Look(1.05, -0.1, 0.75, (-900, 900, 1600), 0.15, 0.35, 260, 0.2, 0.12, 0.5, 1.8, 0.1, 1.05),
        "evening": Look(1.15, 0.55, 0.45, (150, 250, 1100), 0.45, 0.5, 120, 0.35, 0.25, 0.7, 4.0, 0.25),
        "lamp": Look(1.15, 0.35, 0.35, (-750, 250, 800), 0.6, 0.6, 80, 0.5, 0.25, 0.6, 3.5, 0.2),
        "dim": Look(0.72, 0.3, 0.5, (400, 500, 1000), 0.5, 0.5, 160, 0.3, 0.35, 0.9, 5.0, 0.3, 0.95, 0.85),
        "neon": Look(1.0, -0.45, 0.65, (0, 100, 1700), 0.2, 0.35, 400, 0.25, 0.15, 0.6, 2.5, 0.15),
        "window": Look(1.0, -0.2, 0.5, (-1300, 500, 700), 0.5, 0.45, 350, 0.6, 0.15, 0.5, 2.5, 0.2),
    }
)
"""Ready looks by name."""


def random_look(rng: np.random.Generator, hard: float = 0.3) -> Look:
    """A random look; ``hard``: how far dim light, glare, blur and noise may go, 0 to 1."""
    dim = rng.random() < 0.15 + 0.35 * hard
    distance, around = rng.uniform(150, 1400), rng.uniform(0, 2 * np.pi)
    noise = rng.uniform(0.5, 3.0) + hard * rng.uniform(0, 5) * (1.4 if dim else 0.7)
    return Look(
        exposure=float(rng.uniform(0.5, 0.95) if dim else rng.uniform(0.85, 1.45 + 0.25 * hard)),
        warmth=float(np.clip(rng.normal(0.15, 0.35), -0.7, 0.95)),
        ambient=float(rng.uniform(0.35, 0.9)),
        lamp=(float(distance * np.cos(around)), float(distance * np.sin(around)), float(rng.uniform(500, 1800))),
        falloff=float(rng.uniform(0, 0.8)),
        shadow=float(rng.uniform(0.2, 0.65)),
        softness=float(rng.uniform(30, 400)),
        glare=float(rng.random() ** 1.5 * (0.5 + 0.7 * hard)),
        vignette=float(rng.uniform(0, 0.45)),
        blur=float(rng.uniform(0.2, 1.0) + hard * rng.random() ** 2 * 1.8),
        noise=float(noise),
        drift=float(rng.uniform(0, 0.5)),
        contrast=float(rng.uniform(0.8, 1.2)),
        saturation=float(rng.uniform(0.65, 1.3)),
        jpeg=int(rng.integers(35, 96)),
        sharpen=float(max(0.0, rng.uniform(-0.5, 1.0))),
    )
