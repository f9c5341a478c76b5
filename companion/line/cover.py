"""What everybody may see of a picture of the table: no face that somebody has not laid open for all.

Whatever is not known to be fit for all eyes is painted over:

- all of it, where the camera was not looking all the time, from a moment before it to a moment after it;
- all that is not the table top: people, and cards that they hold before them;
- every place, with the room in which its card would be lifted, unless a card has been lying face down there for a moment, or the
  face that lies there is one that the referee is sure everybody has been shown, and it stays up: a player who only looks at a
  card puts it down again, whatever the referee made of it;
- every face that the eyes found a little before or after, wherever it was, but for those.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.sighting import Point
from companion.eyes.table import rectangle_aspect
from companion.line.footage import Look, Still, around

Open = Mapping[int, Collection[str]]
"""Place (from 0) → kinds of the card that everybody has been shown there; places that are not in it have shown none."""

STEADY_SECONDS = 0.35
"""Seconds before and after a moment in which every look must have found a card face down, so that it counts as such."""
FACE_SECONDS = 0.7
"""Seconds before and after the eyes found a face in which it is covered, too: a card turns up and away gradually."""
UNWATCHED_SECONDS = 1.0
"""Seconds between two looks about the time of a picture, from which on all of it is covered: a camera may fail, or come, while a
card is lifted, and nobody knows what the eyes would have found meanwhile."""
LASTING_SECONDS = 3.0
"""Seconds afterwards in which no back may be seen in a face's place, so that the face counts as shown to everybody."""
MAX_DISTANCE_LENGTHS = 0.75
"""Greatest distance, in card lengths, of a card's middle from the place in which it counts as lying."""
COVER_SCALE = 1.5
"""Factor by which the cover of a face is larger than the face that was found."""
AROUND, OUTWARD = 0.9, 1.1
"""The room in which a place's card is lifted: around it, and towards its player and the picture's upper edge, in card lengths."""
PAINT = (46, 40, 36)
"""Colour of the cover, blue, green, red: as dark as the TV's table."""
MIN_MARGIN = 0.13
"""Margin around the places that are shown alone, as a share of the picture's width: hands come from somewhere."""
MASK_WIDTH = 320
"""Width in pixels at which it is looked up whether a place is covered: a card is some 20 of them."""
DEFAULT_CARD_LENGTH = 0.06
"""A card's length, in table widths, that is assumed where none was seen: short for a card."""


def covered(still: Still, looks: Sequence[Look], opened: Open, places: Sequence[int] | None = None) -> bytes:
    """The picture as everybody may see it, as JPEG: the table top alone, or what is ``around`` some ``places`` on it.

    ``looks``: those from `LASTING_SECONDS` before it to the same time after, and the nearest ones on both sides
    (`Footage.looks`).
    """
    image = decode_jpeg(still.jpeg)
    scale = image.shape[1] / still.size[0]
    hide = hidden(still, looks, opened, scale, (image.shape[0], image.shape[1]))
    image = np.asarray(cv2.copyTo(np.full_like(image, PAINT), hide, image), np.uint8)
    # JPEG mixes blocks of 16 pixels: what is painted is painted before, so nothing of it can be left.
    if places is None:
        corners = np.asarray(still.corners) * scale
        (x0, y0), (x1, y1) = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
        x0, y0 = max(0, int(x0)), max(0, int(y0))
        x1, y1 = min(image.shape[1], max(x0 + 2, int(x1))), min(image.shape[0], max(y0 + 2, int(y1)))
    else:
        shown = image.shape[1], image.shape[0]
        x0, y0, x1, y1 = around([still.places[place] for place in places], still.size, shown, MIN_MARGIN)
    return encode_jpeg(image[y0:y1, x0:x1], quality=80)


def uncovered(still: Still, looks: Sequence[Look], opened: Open, place: int) -> bool:
    """Whether the middle of a place is in the picture, and not painted over in it. The rest as of `covered`."""
    if place >= len(still.places):
        return False
    scale = MASK_WIDTH / still.size[0]
    shape = round(still.size[1] * scale), MASK_WIDTH
    x, y = (int(value * scale) for value in still.places[place])
    return 0 <= x < shape[1] and 0 <= y < shape[0] and not hidden(still, looks, opened, scale, shape)[y, x]


def hidden(
    still: Still, looks: Sequence[Look], opened: Open, scale: float, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Which pixels of a picture of ``shape`` (rows, columns) are to be covered, uint8 (rows, columns), 0 or 1; ``scale``: its
    pixels for one of those in which the cards were found."""
    mask = np.ones(shape, np.uint8)
    if not any(abs(look.t - still.t) <= STEADY_SECONDS for look in looks) or not _watched(still, looks):
        return mask
    _fill(mask, np.asarray(still.corners) * scale, 0)
    to_table = _to_table(still)
    homes = _mapped(to_table, still.places)
    found, length = _on_table(looks, to_table, homes)
    nearest = [one for one in found if one.t < still.t][-1:] + [one for one in found if one.t > still.t][:1]
    steady = [one for one in found if abs(one.t - still.t) <= STEADY_SECONDS or one in nearest]
    shown = {place: kinds for place, kinds in opened.items() if _stays_up(found, still.t, place)}
    from_table = np.asarray(np.linalg.inv(to_table), np.float64)
    for place, home in enumerate(homes):
        if not all(one.fit_for_all(place, shown.get(place, ())) for one in steady):
            _fill(mask, _room(home, length, homes, from_table) * scale, 1)
    for one in found:
        if abs(one.t - still.t) <= FACE_SECONDS or one in steady:
            for quad, kind, where in one.up:
                if where is None or kind not in shown.get(where, ()):
                    middle = quad.mean(axis=0)
                    _fill(mask, (middle + COVER_SCALE * (quad - middle)) * scale, 1)
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A look at ``t`` seconds. ``up``: faces, each its quad (4, 2 pixels), its kind and the place that it lies in; ``down``: in
    which places the others lie. A place is None for a card that lies in none."""

    t: float
    up: tuple[tuple[NDArray[np.float64], str | None, int | None], ...]
    down: frozenset[int | None]

    def fit_for_all(self, place: int, kinds: Collection[str]) -> bool:
        """Whether what lies in the place may be seen: a back and no face, or a face of these kinds, which were shown."""
        faces = [kind for _, kind, where in self.up if where == place]
        return all(kind in kinds for kind in faces) if faces else place in self.down


def _on_table(
    looks: Sequence[Look], to_table: NDArray[np.float64], homes: NDArray[np.float64]
) -> tuple[list[_Found], float]:
    """The looks with the places that the cards lie in, and a card's length in table coordinates: the median of them all."""
    all_quads = [quad for look in looks for quad in (*(quad for quad, _ in look.up), *look.down)]
    quads = np.asarray(all_quads, np.float64).reshape(-1, 4, 2)
    if not len(quads):
        return [_Found(look.t, (), frozenset()) for look in looks], DEFAULT_CARD_LENGTH
    flat = _mapped(to_table, quads.reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2).max(axis=1)
    length = max(DEFAULT_CARD_LENGTH, float(np.median(sides)))
    away = np.linalg.norm(flat.mean(axis=1)[:, None] - homes[None], axis=2)
    places = [int(at) if far <= MAX_DISTANCE_LENGTHS * length else None for at, far in zip(away.argmin(axis=1), away.min(axis=1),
                                                                                           strict=True)]
    found, at = [], 0
    for look in looks:
        up = tuple((quads[at + i], kind, places[at + i]) for i, (_, kind) in enumerate(look.up))
        at += len(look.up)
        found.append(_Found(look.t, up, frozenset(places[at : at + len(look.down)])))
        at += len(look.down)
    return found, length


def _watched(still: Still, looks: Sequence[Look]) -> bool:
    """Whether the eyes have looked again and again from `FACE_SECONDS` before the picture to the same time after it."""
    since, until = still.t - FACE_SECONDS, still.t + FACE_SECONDS
    times = sorted(look.t for look in looks)
    if not times or times[0] > since or times[-1] < until:
        return False
    return all(after - before <= UNWATCHED_SECONDS for before, after in pairwise(times) if before < until and after > since)


def _stays_up(found: Sequence[_Found], t: float, place: int) -> bool:
    """Whether a face that lies in a place at ``t`` seconds lies there for long, as far as the eyes have seen by now."""
    later = [one for one in found if t <= one.t <= t + LASTING_SECONDS]
    if not later or later[-1].t < t + LASTING_SECONDS - STEADY_SECONDS:
        return False
    return all(place not in one.down or any(where == place for _, _, where in one.up) for one in later)


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


