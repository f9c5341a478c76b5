"""What everybody may see of a picture of the table: no face that somebody has not laid open for all.

Whatever is not known to be fit for all eyes is painted over:

- all that is not the table top: people, and cards that they hold before them;
- every place, with the room in which its card would be lifted, unless a card has been lying face down there for a moment, or the
  face that lies there is one that the referee is sure everybody has been shown;
- every face that the eyes found a little before or after, wherever it was, but for those.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.sighting import Point, Quad
from companion.eyes.table import rectangle_aspect
from companion.line.footage import Look, Still, around

Open = Mapping[int, Collection[str]]
"""Place (from 0) → kinds of the card that everybody has been shown there; places that are not in it have shown none."""

STEADY_SECONDS = 0.35
"""A card counts as lying face down if all looks so long before and after found it so."""
FACE_SECONDS = 0.7
"""A face is covered so long before and after the eyes found it: it turns up and away gradually."""
REACH = 0.75
"""A card whose middle is at most this far (in card lengths) from a place lies in it."""
GROWN = 1.5
"""A face is covered so many times as large as it was found."""
AROUND, OUTWARD = 1.1, 1.3
"""The room in which a place's card is lifted: around it, and towards its player and the picture's upper edge, in card lengths."""
PAINT = (46, 40, 36)
"""Blue, green, red: as dark as the TV's table."""
LEAST_ROOM = 0.13
"""Margin around the places that are shown alone, as a share of the picture's width: hands come from somewhere."""
LEAST_LENGTH = 0.06
"""A card's length in table widths where none was seen; for a card this is small."""


def covered(still: Still, looks: Sequence[Look], opened: Open, places: Sequence[int] | None = None) -> bytes:
    """The picture as everybody may see it, as JPEG: the table top alone, or what is ``around`` some ``places`` on it.

    ``looks``: those from `FACE_SECONDS` before it to so long after, and the nearest ones on both sides (`Footage.looks`).
    """
    image = decode_jpeg(still.jpeg)
    scale = image.shape[1] / still.size[0]
    hide = hidden(still, looks, opened, scale, (image.shape[0], image.shape[1]))
    image[hide > 0] = PAINT
    # JPEG mixes blocks of 16 pixels: what is painted is painted before, so nothing of it can be left.
    if places is None:
        corners = np.asarray(still.corners) * scale
        (x0, y0), (x1, y1) = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
        x0, y0 = max(0, int(x0)), max(0, int(y0))
        x1, y1 = min(image.shape[1], max(x0 + 2, int(x1))), min(image.shape[0], max(y0 + 2, int(y1)))
    else:
        shown = image.shape[1], image.shape[0]
        x0, y0, x1, y1 = around([still.places[place] for place in places], still.size, shown, LEAST_ROOM)
    return encode_jpeg(image[y0:y1, x0:x1], quality=80)


def hidden(
    still: Still, looks: Sequence[Look], opened: Open, scale: float, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Which pixels of a picture of ``shape`` (rows, columns) are to be covered, uint8 (rows, columns), 0 or 1; ``scale``: its
    pixels for one of those in which the cards were found."""
    mask = np.ones(shape, np.uint8)
    _fill(mask, np.asarray(still.corners) * scale, 0)
    to_table = _to_table(still)
    length = _card_length(looks, to_table)
    homes = _mapped(to_table, still.places)
    steady = [look for look in looks if abs(look.t - still.t) <= STEADY_SECONDS] or _nearest(looks, still.t)
    before = max((look for look in looks if look.t < still.t), key=lambda look: look.t, default=None)
    after = min((look for look in looks if look.t > still.t), key=lambda look: look.t, default=None)
    steady += [look for look in (before, after) if look is not None and look not in steady]
    from_table = np.asarray(np.linalg.inv(to_table), np.float64)
    for place, home in enumerate(homes):
        kinds = opened.get(place, ())
        if not steady or not all(_fit_for_all(look, to_table, home, REACH * length, kinds) for look in steady):
            _fill(mask, _room(home, length, homes, from_table) * scale, 1)
    for look in looks:
        if abs(look.t - still.t) <= FACE_SECONDS or look in steady:
            for quad, kind in look.up:
                if not _is_open(quad, kind, to_table, homes, REACH * length, opened):
                    points = np.asarray(quad)
                    middle = points.mean(axis=0)
                    _fill(mask, (middle + GROWN * (points - middle)) * scale, 1)
    return mask


def _fit_for_all(
    look: Look, to_table: NDArray[np.float64], home: NDArray[np.float64], reach: float, kinds: Collection[str]
) -> bool:
    """Whether what this look found in a place may be seen: a back and no face, or a face that has been shown."""
    faces = [kind for quad, kind in look.up if _distance(quad, to_table, home) <= reach]
    if faces:
        return all(kind in kinds for kind in faces)
    return any(_distance(quad, to_table, home) <= reach for quad in look.down)


def _is_open(
    quad: Quad, kind: str | None, to_table: NDArray[np.float64], homes: NDArray[np.float64], reach: float, opened: Open
) -> bool:
    return any(
        kind in kinds and place < len(homes) and _distance(quad, to_table, homes[place]) <= reach
        for place, kinds in opened.items()
    )


def _distance(quad: Quad, to_table: NDArray[np.float64], home: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(_mapped(to_table, quad).mean(axis=0) - home))


def _nearest(looks: Sequence[Look], t: float) -> list[Look]:
    return sorted(looks, key=lambda look: abs(look.t - t))[:1]


def _to_table(still: Still) -> NDArray[np.float64]:
    """The homography (3, 3) from its pixels to table coordinates, as `companion.eyes.table.TableMap` has them."""
    corners = np.asarray(still.corners, np.float64)
    deep = 1 / rectangle_aspect(corners, still.size)
    top = np.array([(0, 0), (1, 0), (1, deep), (0, deep)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), top), np.float64)


def _mapped(homography: NDArray[np.float64], points: Sequence[Point] | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(
        cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), homography), np.float64
    ).reshape(-1, 2)


def _card_length(looks: Sequence[Look], to_table: NDArray[np.float64]) -> float:
    """A card's long side in table coordinates; the longest of those that were seen may be a hand's shadow, so not that one."""
    quads = [quad for look in looks for quad in (*look.down, *(quad for quad, _ in look.up))]
    if not quads:
        return LEAST_LENGTH
    found = _mapped(to_table, np.asarray(quads).reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.linalg.norm(found - np.roll(found, -1, axis=1), axis=2)
    return max(LEAST_LENGTH, float(np.median(sides.max(axis=1))))


def _room(
    home: NDArray[np.float64], length: float, homes: NDArray[np.float64], from_table: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The outline (n, 2, pixels) of the room in which the card of a place is lifted and looked at."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = AROUND * length * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    away = home - homes.mean(axis=0)
    away = OUTWARD * length * away / max(float(np.linalg.norm(away)), 1e-6)
    flat = _mapped(from_table, np.concatenate([home + circle, home + away + circle]))
    up = _mapped(from_table, home + circle)
    up[:, 1] -= OUTWARD * float(np.ptp(up[:, 1])) / (2 * AROUND)  # a card that is lifted is higher up in the picture
    return cv2.convexHull(np.concatenate([flat, up]).astype(np.float32)).reshape(-1, 2).astype(np.float64)


def _fill(mask: NDArray[np.uint8], outline: NDArray[np.float64], value: int) -> None:
    cv2.fillConvexPoly(mask, np.rint(np.clip(outline, -30000, 30000)).astype(np.int32), value)


