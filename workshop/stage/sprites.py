"""A drawn thing as a patch of the picture: how much of the light from below it lets through, and what it adds."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage.scene import Image

Rect = tuple[int, int, int, int]
"""Left, top, right and bottom in px; right and bottom are the first pixels outside."""

Gray = NDArray[np.uint8]

LEAST_SMEAR = 1.5
"""Pixels. Shorter motion blur is not drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """``keep`` and ``add`` are uint8 h x w x 3: picture = picture * keep / 255 + add. ``mask``: uint8 h x w, 255 where the thing
    itself (not its shadow) covers. (x, y): the patch's top left pixel, which may lie outside the picture."""

    x: int
    y: int
    keep: Image
    add: Image
    mask: Gray

    @property
    def rect(self) -> Rect:
        """The part of the picture that the patch can change."""
        return self.x, self.y, self.x + self.add.shape[1], self.y + self.add.shape[0]


def overlap(a: Rect, b: Rect) -> Rect | None:
    """What two rectangles share; None where that is nothing."""
    left, top, right, bottom = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def bounds(points: NDArray[np.float64], margin: float, width: int, height: int) -> Rect | None:
    """The rectangle around N x 2 px with a margin, clipped to a picture; None where it lies outside."""
    low, high = np.floor(points.min(0) - margin), np.ceil(points.max(0) + margin) + 1
    return overlap((int(low[0]), int(low[1]), int(high[0]), int(high[1])), (0, 0, width, height))


def sprite(rect: Rect, premultiplied: Image, alpha: Gray, shade: Gray | None = None) -> Sprite:
    """A sprite from a premultiplied BGR patch, its alpha, and the darkness of its shadow on what lies below."""
    keep = cv2.bitwise_not(alpha)
    if shade is not None:
        keep = cv2.multiply(keep, cv2.bitwise_not(shade), scale=1 / 255)
    three = np.asarray(cv2.merge([keep, keep, keep]), np.uint8)
    return Sprite(rect[0], rect[1], three, premultiplied, np.asarray((alpha > 127) * 255, np.uint8))


def blend(canvas: Image, thing: Sprite, clip: Rect) -> None:
    """Draw a sprite on the canvas, inside ``clip`` only."""
    shared = overlap(thing.rect, clip)
    if shared is None:
        return
    left, top, right, bottom = shared
    part = (slice(top - thing.y, bottom - thing.y), slice(left - thing.x, right - thing.x))
    target = canvas[top:bottom, left:right]
    cv2.multiply(target, thing.keep[part], dst=target, scale=1 / 255)
    cv2.add(target, thing.add[part], dst=target)


def blurred(thing: Sprite, dx: float, dy: float) -> Sprite:
    """The sprite with the motion blur of a thing that moved by (dx, dy) px while the shutter was open."""
    if float(np.hypot(dx, dy)) < LEAST_SMEAR:
        return thing
    kernel = _streak(dx, dy)
    reach = kernel.shape[0] // 2

    def smeared(patch: Image, outside: int) -> Image:
        border = cv2.copyMakeBorder(patch, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=[outside] * 3)
        return np.asarray(cv2.filter2D(border, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.uint8)

    return Sprite(thing.x - reach, thing.y - reach, smeared(thing.keep, 255), smeared(thing.add, 0), np.pad(thing.mask, reach))


def smear(image: Image, dx: float, dy: float) -> Image:
    """The picture with the motion blur of a camera that moved so that its middle went (dx, dy) px while the shutter was open."""
    if float(np.hypot(dx, dy)) < LEAST_SMEAR:
        return image
    return np.asarray(cv2.filter2D(image, -1, _streak(dx, dy), borderType=cv2.BORDER_REPLICATE), np.uint8)


def _streak(dx: float, dy: float) -> NDArray[np.float32]:
    """The kernel of a motion blur along (dx, dy) px: square, of odd size, summing to 1."""
    reach = int(np.ceil(float(np.hypot(dx, dy)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = np.array([dx, dy]) / 2
    start, end = (np.round((np.array([reach, reach]) + s * half) * 16).astype(int) for s in (-1, 1))
    cv2.line(kernel, tuple(start.tolist()), tuple(end.tolist()), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def merge(rects: list[Rect]) -> list[Rect]:
    """Fewer rectangles that cover these: those that overlap are united."""
    merged: list[Rect] = []
    for rect in rects:
        grown = True
        while grown:
            grown = False
            for other in merged:
                if overlap(rect, other):
                    merged.remove(other)
                    rect = (
                        min(rect[0], other[0]),
                        min(rect[1], other[1]),
                        max(rect[2], other[2]),
                        max(rect[3], other[3]),
                    )
                    grown = True
                    break
        merged.append(rect)
    return merged
