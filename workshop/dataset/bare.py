"""Crops of the bare surfaces in real photos, as table tops for rendered pictures. Like the photos, they are never committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import bounding_boxes
from companion.eyes.image import read_picture
from workshop.dataset.photos import BadPhotos, Photo, stamp_of

LEAST = 100
"""Least side of a crop, pixels."""

MARGIN = 10
"""Least distance in pixels of a crop from cards' edges and the shadows beside them."""

AROUND = 0.02
"""A crop's middle lies at most this share of the picture's size outside the box around all cards: farther out there often is no
surface."""

EACH = 50
"""Most crops of one surface; the largest are taken."""

TONES = (12.0, 243.0)
"""Range of the mean grey level in which a crop shows something of the surface's pattern."""


def bare_square(boxes: NDArray[np.float64], width: int, height: int) -> tuple[int, int, int]:
    """The largest square without a card, near the cards: x and y of its top left pixel and its side; 0 where there is none.

    ``boxes``: (n, 4) x1, y1, x2, y2 of the cards, pixels of a picture of ``width`` x ``height``.
    """
    free = np.ones((height, width), dtype=np.uint8)
    for x1, y1, x2, y2 in boxes:
        left, top = max(int(np.floor(x1)) - MARGIN, 0), max(int(np.floor(y1)) - MARGIN, 0)
        free[top : max(int(np.ceil(y2)) + MARGIN + 1, 0), left : max(int(np.ceil(x2)) + MARGIN + 1, 0)] = 0
    # The chessboard distance to the nearest taken pixel is half the side of the square around each free one.
    reach = cv2.distanceTransform(np.pad(free, 1), cv2.DIST_C, 3)[1:-1, 1:-1]
    if len(boxes):
        (x1, y1), (x2, y2) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        near = np.zeros_like(free)
        low_x, low_y = max(round(x1 - AROUND * width), 0), max(round(y1 - AROUND * height), 0)
        near[low_y : max(round(y2 + AROUND * height), 0), low_x : max(round(x2 + AROUND * width), 0)] = 1
        reach = reach * near
    y, x = np.unravel_index(int(np.argmax(reach)), reach.shape)
    half = int(reach[y, x])
    return (int(x) - half + 1, int(y) - half + 1, 2 * half - 1) if half else (0, 0, 0)


def write_surfaces(folder: Path, photos: Sequence[Photo], out: Path) -> Counter[str]:
    """Writes the largest bare crops of each surface in ``photos`` (of ``folder``) into ``out`` as PNG. Returns how many of each.

    Give photos of training surfaces only, or figures will be measured on surfaces that training has seen.

    Raises:
        BadPhotos: ``out`` already holds pictures.
        UnreadablePicture: a photo that is missing or damaged.
    """
    if out.is_dir() and any(out.glob("*.png")):
        raise BadPhotos(f"{out} already holds pictures: choose another --out or remove it first")
    out.mkdir(parents=True, exist_ok=True)
    squares = []
    for photo in photos:
        boxes = bounding_boxes([card.quad for card in photo.labels.cards]) if photo.labels.cards else np.zeros((0, 4))
        square = bare_square(boxes, photo.labels.width, photo.labels.height)
        if square[2] >= LEAST:
            squares.append((square, photo))
    written: Counter[str] = Counter()
    for (x, y, side), photo in sorted(squares, key=lambda one: (-one[0][2], one[1].labels.image)):
        if written[photo.surface] == EACH:
            continue
        crop = read_picture(folder / photo.labels.image)[y : y + side, x : x + side]
        if TONES[0] <= crop.mean() <= TONES[1]:
            cv2.imwrite(str(out / f"{photo.surface.replace(' ', '-')}-{stamp_of(photo.labels.image)}.png"), crop)
            written[photo.surface] += 1
    return written
