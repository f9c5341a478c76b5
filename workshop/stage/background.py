"""What the camera sees before anything lies on the table: floor, room, and the table top with its edge."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import surfaces
from workshop.stage.scene import Camera, Image, Look, Surface

FLOOR = -740.0
"""Height of the floor below the table top, mm."""


def _plane(camera: Camera, texture: surfaces.Texture, z: float, turn: float) -> Image:
    """A texture on the horizontal plane at height ``z``, over the whole picture: what is above the horizon must be painted
    over."""
    pixels = cam.scale(camera, *camera.target, z) * texture.mm / surfaces.SIZE
    level = int(np.clip(np.floor(np.log2(max(1.0, 1.25 / max(1e-6, pixels)))), 0, len(texture.levels) - 1))
    image = texture.levels[level]
    c, s, k = np.cos(turn), np.sin(turn), image.shape[0] / texture.mm
    to_texture = np.array([[c * k, -s * k, 0], [s * k, c * k, 0], [0, 0, 1.0]])
    matrix = to_texture @ np.linalg.inv(cam.homography(camera, z))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (camera.width, camera.height)
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags, borderMode=cv2.BORDER_WRAP), np.uint8)


def _room(camera: Camera, panorama: Image, turn: float) -> Image:
    """The part of an equirectangular panorama that the camera sees."""
    step = 8
    xs, ys = np.arange(0, camera.width + step, step), np.arange(0, camera.height + step, step)
    pixels = np.stack(np.meshgrid(xs, ys), -1).astype(np.float64)
    focal = camera.focal * camera.width
    rays = np.dstack(
        [
            (pixels[..., 0] - (camera.width - 1) / 2) / focal,
            (pixels[..., 1] - (camera.height - 1) / 2) / focal,
            np.ones(pixels.shape[:2]),
        ]
    )
    directions = rays @ cam.pose(camera)[0]
    height, width = panorama.shape[:2]
    longitude = np.unwrap(np.unwrap(np.arctan2(directions[..., 0], directions[..., 1]), axis=1), axis=0) + turn
    latitude = np.arctan2(directions[..., 2], np.hypot(directions[..., 0], directions[..., 1]))
    full = (len(xs) * step, len(ys) * step)
    map_x = cv2.resize((longitude / (2 * np.pi) * width).astype(np.float32), full)[step // 2 :, step // 2 :]
    map_y = cv2.resize(((0.5 - latitude / np.pi) * height).astype(np.float32), full)[step // 2 :, step // 2 :]
    size = (slice(0, camera.height), slice(0, camera.width))
    picture = cv2.remap(panorama, map_x[size], map_y[size], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    if picture.shape[:2] != (camera.height, camera.width):
        picture = cv2.resize(picture, (camera.width, camera.height))
    return np.asarray(picture, np.uint8)


def _clutter(camera: Camera, rng: np.random.Generator, picture: Image) -> None:
    """Chairs, legs and bags as vague dark shapes on the floor: far things are out of focus anyway."""
    for _ in range(int(rng.integers(2, 12))):
        x, y = rng.uniform(-1800, 1800, 2)
        if float(cam.depth(camera, [[x, y, FLOOR]])[0]) < 300:
            continue
        size, tall = rng.uniform(60, 350), rng.uniform(0, 650)
        left, right, top = x - size, x + size, FLOOR + tall
        base = cam.project(camera, [[left, y, FLOOR], [right, y, FLOOR], [right, y, top], [left, y, top]])
        turned = cv2.convexHull((base + rng.normal(0, 15, (4, 2))).astype(np.float32))[:, 0]
        if np.abs(turned).max() > 20000:
            continue
        tone = rng.uniform(10, 140) * (1 + rng.uniform(-0.35, 0.35, 3))
        cv2.fillConvexPoly(picture, np.round(turned).astype(np.int32), np.clip(tone, 0, 255).tolist(), cv2.LINE_AA)


def beyond(camera: Camera, surface: Surface, panorama: Image | None, rng: np.random.Generator) -> Image:
    """Everything around the table: a photographed room, or a floor with clutter and a wall."""
    if panorama is not None:
        picture = _room(camera, panorama, float(rng.uniform(0, 2 * np.pi)))
    else:
        floors = ["wood", "stone", "laminate", "terrazzo", "upholstery"]
        kind = surface.floor if surface.floor != "auto" else str(rng.choice(floors))
        picture = _plane(camera, surfaces.texture(kind, surface.seed // 4), FLOOR, float(rng.uniform(0, 6.3)))
        picture = np.asarray(cv2.multiply(picture, np.full(4, rng.uniform(0.35, 0.95))), np.uint8)
        xs, ys = np.arange(camera.width), np.arange(camera.height)[:, None]
        near = np.linalg.inv(cam.homography(camera, FLOOR))[2]  # of a pixel: 1 / depth of the floor there, mm
        above = near[0] * xs + near[1] * ys + near[2] <= 1 / 6500
        wall = rng.uniform(30, 190, 3) * 0.3 + rng.uniform(30, 190) * 0.7
        picture[above] = np.clip(wall, 0, 255).astype(np.uint8)
        _clutter(camera, rng, picture)
    sigma = float(rng.uniform(0.8, 3.5)) * camera.width / 1280 * 2
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def _at(rim: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    return np.column_stack([rim, np.full(len(rim), z)])


def _poly(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(np.clip(points, -50000, 50000) * 16).astype(np.int32)


def paint(camera: Camera, surface: Surface, look: Look, panorama: Image | None, seed: int) -> Image:
    """The empty table, uint8 HxWx3: colours without light, but with the lamp's reflection in a glossy top."""
    rng = np.random.default_rng([seed, 31])
    texture = surfaces.texture(surface.kind, surface.seed)
    top = _plane(camera, texture, 0.0, float(rng.choice([0, np.pi / 2]) + rng.normal(0, 0.1)))
    rim = cam.outline(surface)
    inside = cam.project_polygon(camera, _at(rim, 0.0))
    mask = np.zeros((camera.height, camera.width), np.uint8)
    cv2.fillPoly(mask, [_poly(inside)], 255, cv2.LINE_AA, 4)
    if int(mask.min()) < 255:
        around = beyond(camera, surface, panorama, rng)
        edge = np.zeros_like(mask)
        thick = rng.uniform(15, 45)
        below = cam.project_polygon(camera, _at(rim, -thick))
        hull = cv2.convexHull(np.concatenate([inside, below]).astype(np.float32))[:, 0].astype(np.float64)
        cv2.fillPoly(edge, [_poly(hull)], 255, cv2.LINE_AA, 4)
        tone = np.asarray(texture.levels[-1], np.float64).mean((0, 1)) * rng.uniform(0.3, 0.7)
        around = _over(around, np.broadcast_to(tone.astype(np.uint8), around.shape).copy(), edge)
        # a lighter or darker band along the rim: a moulding or the cloth's hem
        inner = cam.project_polygon(camera, _at(rim * (1 - rng.uniform(8, 30) / max(surface.width, surface.depth)), 0.0))
        band = mask.copy()
        cv2.fillPoly(band, [_poly(inner)], 0, cv2.LINE_AA, 4)
        tinted = np.asarray(cv2.multiply(top, np.full(4, rng.uniform(0.6, 1.15))), np.uint8)
        top = _over(_over(around, top, mask), tinted, band) if rng.random() < 0.6 else _over(around, top, mask)
    if look.glare * texture.gloss > 0.02:
        _reflect(camera, look, texture.gloss, top, mask)
    return top


def _over(beneath: Image, above: Image, mask: NDArray[np.uint8]) -> Image:
    three = cv2.merge([mask, mask, mask])
    return np.asarray(
        cv2.add(cv2.multiply(above, three, scale=1 / 255), cv2.multiply(beneath, cv2.bitwise_not(three), scale=1 / 255)),
        np.uint8,
    )


def _reflect(camera: Camera, look: Look, gloss: float, picture: Image, mask: NDArray[np.uint8]) -> None:
    """The lamp's reflection in the table top: a soft bright spot where its mirror image is seen."""
    mirrored = np.array([[look.lamp[0], look.lamp[1], -look.lamp[2]]])
    if float(cam.depth(camera, mirrored)[0]) < 100:
        return
    spot = cam.project(camera, mirrored)[0]
    radius = cam.scale(camera, *mirrored[0].tolist()) * (look.softness + 90) * 2
    step = 8
    ys, xs = np.mgrid[0 : camera.height : step, 0 : camera.width : step].astype(np.float32)
    far = ((xs - spot[0]) ** 2 + ((ys - spot[1]) / 1.4) ** 2) / max(1.0, radius) ** 2
    glow = (170 * look.glare * gloss * (np.exp(-far) + 0.35 * np.exp(-far / 7))).astype(np.float32)
    full = cv2.resize(np.clip(glow, 0, 255).astype(np.uint8), (camera.width, camera.height))
    full = cv2.min(full, mask)
    cv2.add(picture, cv2.merge([full, full, full]), dst=picture)
