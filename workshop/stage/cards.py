"""Cards and stacks as sprites: textured sheets, some of them bent, with glare on the lacquer, thickness and shadow."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import cardshape, light
from workshop.stage.scene import Camera, CardPose, Image, Key, Look, StackPose
from workshop.stage.sprites import Rect, Sprite, bounds, sprite

Floats = NDArray[np.float64]
PAPER = (205, 212, 216)
"""BGR of a cut card edge."""
_ALONG = np.array([[0], [1 / 3], [2 / 3], [1]])


class Textures:
    """Card images as premultiplied mip pyramids with a clear rim, so that edges are smooth at any size.

    ``images``: key → uint8 BGRA, or BGR, whose corners are rounded here. Level n is half the size of level n - 1.
    """

    def __init__(self, images: Mapping[Key, Image]) -> None:
        self._images = images
        self._levels: dict[Key, list[Image]] = {}

    def level(self, key: Key, length: float) -> Image:
        """The smallest level about as long as ``length`` px or longer: premultiplied BGRA with one clear pixel around it.

        Raises:
            KeyError: there is no picture of the card.
        """
        if key not in self._levels:
            if key not in self._images:
                raise KeyError(f"no picture of card {key!r}: the deck has {len(self._images)} pictures")
            self._levels[key] = list(_pyramid(self._images[key]))
        levels = self._levels[key]
        fitting = [image for image in levels if image.shape[0] - 2 >= 0.8 * length]
        return fitting[-1] if fitting else levels[0]


def _pyramid(image: Image) -> list[Image]:
    height, width = image.shape[:2]
    if image.shape[2] == 3:
        alpha = np.zeros((height, width), np.uint8)
        radius = round(0.055 * width)
        cv2.rectangle(alpha, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
        cv2.rectangle(alpha, (0, radius), (width - 1, height - 1 - radius), 255, -1)
        for x in (radius, width - 1 - radius):
            for y in (radius, height - 1 - radius):
                cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
        image = np.dstack([image, alpha])
    flat = image.astype(np.float32)
    flat[..., :3] *= flat[..., 3:] / 255
    level = flat.round().astype(np.uint8)
    levels: list[Image] = []
    while True:
        levels.append(np.pad(level, ((1, 1), (1, 1), (0, 0))))
        if level.shape[0] < 24:
            return levels
        smaller = (max(1, level.shape[1] // 2), max(1, level.shape[0] // 2))
        level = np.asarray(cv2.resize(level, smaller, interpolation=cv2.INTER_AREA), np.uint8)


def _jitter(name: str, size: float) -> Floats:
    """A small tilt of a card's lacquer, always the same for its name: no card lies quite flat."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return np.array([*(rng.normal(0, size, 2)), 0.0])


def _strip(texture: Image, top: float, bottom: float, target: Floats, rect: Rect) -> Image:
    """Warp the part of a texture between two heights (0..1) onto a quad of the patch; premultiplied BGRA of the patch's size."""
    height, width = texture.shape[0] - 2, texture.shape[1] - 2
    first, last = (0.5 + s * height for s in (top, bottom))  # 0.5: the card begins half a pixel into the clear rim
    source = np.array([[0.5, first], [0.5 + width, first], [0.5 + width, last], [0.5, last]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (target - rect[:2]).astype(np.float32))
    size = (rect[2] - rect[0], rect[3] - rect[1])
    return np.asarray(cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def card_sprite(camera: Camera, look: Look, textures: Textures, card: CardPose, below: float = 0.0) -> Sprite | None:
    """A card with its shadow; None outside the picture. ``below``: height in mm of what it lies on."""
    lines = cardshape.rows(card)
    face = cardshape.shows_face(camera, card)
    outline3 = np.concatenate([lines[:, 0], lines[::-1, 1]])
    seen = cam.project(camera, outline3)
    shadow, sigma, strength = _shadow(camera, look, outline3, below)
    rect = bounds(np.concatenate([seen, shadow]), 3 * sigma + 2, camera.width, camera.height)
    if rect is None:
        return None
    ends = np.linalg.norm(seen[0] - seen[len(lines) - 1]), np.linalg.norm(seen[-1] - seen[len(lines)])
    texture = textures.level(card.key if face else (card.key[0], "back"), float(max(ends)))
    if not face:
        lines = lines[:, ::-1]
    patch = _sheet(camera, look, texture, card, lines, rect)
    shade = light.soft_mask(rect, [_hull(shadow)], sigma, strength)
    if card.contact > 0:
        thin = _contact(camera, card, outline3, rect)
        shade = np.asarray(cv2.add(shade, cv2.multiply(cv2.bitwise_not(shade), thin, scale=1 / 255)), np.uint8)
    return sprite(rect, np.ascontiguousarray(patch[..., :3]), np.ascontiguousarray(patch[..., 3]), shade)


def _hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def _contact(camera: Camera, card: CardPose, outline3: Floats, rect: Rect) -> NDArray[np.uint8]:
    """The darkness, in the patch ``rect``, of the gap between a card's edge and what it lies on, which light hardly reaches."""
    pixels = cam.scale(camera, card.x, card.y, card.z)
    wide = 0.45 + 0.2 * min(5.0, card.z)  # mm
    # A line thinner than the blur that pixels need anyway must be as much fainter, or small cards would have black rims.
    faint = min(1.0, pixels * wide / 0.5)
    outline = _hull(cam.project(camera, outline3))
    return light.soft_mask(rect, [outline], max(0.5, pixels * wide), card.contact * faint)


def _shadow(camera: Camera, look: Look, outline3: Floats, below: float) -> tuple[Floats, float, float]:
    """Outline of the shadow in px, its blur in px, its darkness 0..1."""
    height = float(outline3[:, 2].max()) - below
    cast = np.empty_like(outline3)
    for n, (x, y, z) in enumerate(outline3.tolist()):
        dx, dy = light.shadow_offset(look, x, y, max(0.4, z - below))
        cast[n] = x + dx, y + dy, below
    pixels = cam.scale(camera, float(cast[0, 0]), float(cast[0, 1]))
    # The penumbra: the lamp's size seen through the gap, plus the contact shadow of a card that lies flat.
    blur = 0.9 + 0.35 * height * min(1.0, look.softness / 200)
    return cam.project(camera, cast), float(max(0.5, pixels * min(blur, 22))), look.shadow / (1 + height / 110)


def _sheet(camera: Camera, look: Look, texture: Image, card: CardPose, lines: Floats, rect: Rect) -> Image:
    """The card's picture, premultiplied BGRA, warped in one piece, or in strips where it is bent."""
    if card.bend == 0:
        lines = lines[[0, -1]]
    count = len(lines) - 1
    jitter = _jitter(card.id, 0.025)
    shaded = []
    points, normals = [], []
    for n in range(count):
        a, b, c = lines[n, 0], lines[n, 1], lines[n + 1, 0]
        normal = cardshape.cross(b - a, a - c)
        normal = normal / max(1e-9, float(np.linalg.norm(normal)))
        middle = lines[n : n + 2].mean((0, 1))
        shaded.append(light.lambert(look, normal, middle))
        normals.append((normal + jitter) / np.linalg.norm(normal + jitter))
    for n in range(7):  # samples of the gloss: 7 lines of 4 points, between which it is interpolated
        where = n / 6 * count
        low = min(count - 1, int(where))
        line = lines[low] * (low + 1 - where) + lines[low + 1] * (where - low)
        points.append(line[0] * (1 - _ALONG) + line[1] * _ALONG)
    which = [min(count - 1, int(n / 6 * count)) for n in range(7) for _ in range(4)]
    shine = light.glare(camera, look, np.concatenate(points), np.array(normals)[which], card.gloss)
    texture = _lit(texture, shine.reshape(7, 4), np.array(shaded))
    pixels = cam.project(camera, lines.reshape(-1, 3)).reshape(-1, 2, 2)
    patch: Image | None = None
    for n in range(count):
        target = np.array([pixels[n, 0], pixels[n, 1], pixels[n + 1, 1], pixels[n + 1, 0]])
        part = _strip(_rows_only(texture, n, count), n / count, (n + 1) / count, target, rect)
        patch = part if patch is None else np.asarray(cv2.add(patch, part), np.uint8)
    assert patch is not None
    return patch


def _rows_only(texture: Image, n: int, count: int) -> Image:
    """The texture with all but one strip cleared. Strips share their seam pixels, so that their sum has no gap."""
    if count == 1:
        return texture
    height = texture.shape[0] - 2
    only = np.zeros_like(texture)
    first, last = round(1 + n * height / count), round(1 + (n + 1) * height / count)
    only[(0 if n == 0 else first) : (None if n == count - 1 else last)] = texture[
        (0 if n == 0 else first) : (None if n == count - 1 else last)
    ]
    return only


def _lit(texture: Image, shine: Floats, shaded: Floats) -> Image:
    """The texture times its shading plus the glare, still premultiplied."""
    height, width = texture.shape[:2]
    if shine.max() < 2 and np.ptp(shaded) < 0.01 and abs(shaded[0] - 1) < 0.01:
        return texture
    colour = np.ascontiguousarray(texture[..., :3])
    if len(shaded) == 1:
        colour = np.asarray(cv2.multiply(colour, np.full(4, min(1.25, shaded[0]))), np.uint8)
    else:
        ramp = cv2.resize(shaded.astype(np.float32)[:, None], (1, height), interpolation=cv2.INTER_LINEAR)
        colour = np.clip(colour * ramp[:, :, None], 0, 255).astype(np.uint8)
    alpha = texture[..., 3]
    if shine.max() >= 2:
        spot = cv2.resize(np.clip(shine, 0, 255).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        spot = cv2.multiply(np.clip(spot, 0, 255).astype(np.uint8), alpha, scale=1 / 255)
        colour = np.asarray(cv2.add(colour, cv2.merge([spot, spot, spot])), np.uint8)
    return np.asarray(cv2.merge([*cv2.split(colour), alpha]), np.uint8)


def stack_sprite(camera: Camera, look: Look, textures: Textures, stack: StackPose) -> Sprite | None:
    """A deck or pile: the edges of its cards, not quite squared up, and the top card."""
    top = cardshape.stack_top(stack)
    rng = np.random.default_rng(zlib.crc32(stack.id.encode()))
    pixels = cam.scale(camera, stack.x, stack.y)
    levels = int(np.clip(top.z * pixels * 0.8, 2, 14))
    heights = np.linspace(0, top.z, levels, endpoint=False)
    shifts = np.cumsum(rng.normal(0, 0.5 * stack.untidy, (levels, 2)), 0)
    shifts -= shifts[-1:]
    layers = []
    for z, shift in zip(heights, shifts, strict=True):
        at = replace(top, x=top.x + float(shift[0]), y=top.y + float(shift[1]), z=float(z))
        layers.append(cam.project(camera, cardshape.corners3(at)))
    corners = cardshape.corners3(top)
    shadow, sigma, strength = _shadow(camera, look, np.concatenate([corners, corners * [1, 1, 0]]), 0.0)
    hull = _hull(shadow)
    rect = bounds(np.concatenate([*layers, hull, cam.project(camera, corners)]), 3 * sigma + 2, camera.width, camera.height)
    if rect is None:
        return None
    patch = np.zeros((rect[3] - rect[1], rect[2] - rect[0], 4), np.uint8)
    side = light.lambert(look, np.array([0, -0.8, 0.6]), corners.mean(0))
    for n, layer in enumerate(layers):
        shade = side * (0.62 + 0.3 * rng.random()) * (0.75 + 0.25 * n / levels)
        colour = [min(255.0, c * shade) for c in PAPER]
        cv2.fillConvexPoly(patch, np.round((layer - rect[:2]) * 16).astype(np.int32), [*colour, 255], cv2.LINE_AA, 4)
    seen = cardshape.quad(camera, top)
    length = float(np.linalg.norm(seen[1] - seen[2]))
    face = cardshape.shows_face(camera, top)
    lines = cardshape.rows(top)
    texture = textures.level(top.key if face else (top.key[0], "back"), length)
    sheet = _sheet(camera, look, texture, top, lines if face else lines[:, ::-1], rect)
    clear = cv2.bitwise_not(np.ascontiguousarray(sheet[..., 3]))
    patch = np.asarray(cv2.add(cv2.multiply(patch, cv2.merge([clear] * 4), scale=1 / 255), sheet), np.uint8)
    shade_mask = light.soft_mask(rect, [hull], sigma, strength)
    return sprite(rect, np.ascontiguousarray(patch[..., :3]), np.ascontiguousarray(patch[..., 3]), shade_mask)
