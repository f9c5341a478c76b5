"""Finds where a card was put down: the rectangle of a card's size on the table's plane that best holds what has changed.

A card that is put on a pile changes the picture by what is printed and by its edges; white paper on white paper changes nothing.
What changed lies within the card, but for its shadow, and at its four sides there are edges that were not there before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import between_turns
from companion.eyes.image import Image
from companion.eyes.plane import Plane

Floats = NDArray[np.float32]
Quads = NDArray[np.float64]
"""(n, 4, 2) float64, pixels of the picture."""
Box = tuple[int, int, int, int]
"""x1, y1, x2, y2, whole pixels; the last two excluded."""

CARD_PIXELS: Final = 72.0
"""Pixels: length of a card in the pictures that are compared. The first comparison, at all turns, uses half of it."""
EDGE_ROOM_LENGTHS: Final = 0.3
"""Card lengths: a card's edges are looked for this far around what changed."""
MAX_SPREAD_LENGTHS: Final = 9.0
"""Card lengths: a change that is wider or higher than this is not a card that was put down."""
MIN_LEVELS, NOISE_MULTIPLE = 14.0, 4.0
"""Levels (0..255), and multiples of the usual difference in the surroundings: a larger difference than both is a change."""
SHADOW_FACTORS, MAX_SHADOW_TINT, SHADOW_WEIGHT = (0.4, 0.97), 0.1, 0.2
"""Range of factors by which a shadow darkens; greatest difference between the factors of the colours; weight of a changed pixel
that may be a shadow."""
MIN_CHANGED_SHARE: Final = 0.04
"""Least share of a card's area that changed."""
WHOLE_EDGE_LEVELS, OLD_EDGE_SHARE = 12.0, 0.7
"""Levels from one pixel to the next that count as a whole edge; share of an earlier edge's strength that is subtracted."""
INSIDE_WEIGHT, EDGES_WEIGHT = 3.0, 1.5
"""Weights of the share of what changed that lies within the card, and of the share of its four sides that are new edges."""
UPPER_INSIDE_WEIGHT: Final = 1.0
"""`INSIDE_WEIGHT` for the upper one of several cards: it holds only a part of what changed."""
COARSE_DEGREES, FINE_DEGREES = 6.0, 3.0
"""Degrees from one turn that is tried to the next: first all the way round, then beside the best turns."""
MAX_FINE_TURNS, MAX_PLACES_A_TURN = 5, 2
"""Turns that are tried again in fine steps; places that are kept for each turn."""
MIN_APART: Final = 4.0
"""Pixels, or degrees: candidates that differ by less are one."""
OWN_PIXELS, BESIDE_PIXELS = 3, 40
"""Pixels from a card's sides: up to the first, a change belongs to the card itself; up to the second, it may belong to another
card that came with it."""
MAX_CANDIDATES: Final = 8
"""Candidates in each connected part of what changed."""
JOINED_PIXELS, MAX_PARTS = 9, 3
"""Pixels: changes closer than this are one part; the number of parts, largest first, in which a card is looked for."""


@dataclass(frozen=True, eq=False)
class Changed:
    """What differs between two pictures, on the plane. ``mask`` (height, width): 0 to 1; ``now``, ``then``: grey levels there.

    ``card``: width and length of a card there, pixels; ``flat`` (3, 3): homography from the picture's pixels to the plane's. The
    results of `fits` are kept.
    """

    mask: Floats
    now: Floats
    then: Floats
    card: tuple[float, float]
    flat: NDArray[np.float64]
    _fits: dict[float, tuple[Floats, Floats]] = field(default_factory=dict, init=False)

    @cached_property
    def half(self) -> Changed:
        """The same change at half the resolution."""
        size = self.mask.shape[1] // 2, self.mask.shape[0] // 2
        mask, now, then = (np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32)
                           for one in (self.mask, self.now, self.then))  # fmt: skip
        shrunk = np.diag([size[0] / self.mask.shape[1], size[1] / self.mask.shape[0], 1.0])
        return Changed(mask, now, then, (self.card[0] / 2, self.card[1] / 2), shrunk @ self.flat)

    @cached_property
    def total(self) -> float:
        """The changed area, pixels of the plane."""
        return float(self.mask.sum())

    @cached_property
    def parts(self) -> tuple[Changed, ...]:
        """The largest separate parts of the change, at most `MAX_PARTS`: one may be a card, and another what a hand has left."""
        square = np.ones((JOINED_PIXELS, JOINED_PIXELS), np.uint8)
        joined = cv2.morphologyEx((self.mask > 0).astype(np.uint8), cv2.MORPH_CLOSE, square)
        number, labels = cv2.connectedComponents(joined, connectivity=8)
        parts = [self._part(labels == one) for one in range(1, number)]
        large = [part for part in parts if part.total >= MIN_CHANGED_SHARE * self.card[0] * self.card[1]]
        return tuple(sorted(large, key=lambda part: -part.total)[:MAX_PARTS])

    def _part(self, cells: NDArray[np.bool_]) -> Changed:
        """The part of the change at these cells (height, width), with a card's length of room around it."""
        room, (rows, columns) = round(self.card[1]), np.nonzero(cells)
        top, left = max(int(rows.min()) - room, 0), max(int(columns.min()) - room, 0)
        here = np.s_[top : int(rows.max()) + room + 1, left : int(columns.max()) + room + 1]
        mask = np.where(cells, self.mask, np.float32(0))
        shifted = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ self.flat
        return Changed(mask[here], self.now[here], self.then[here], self.card, shifted)

    def fits(self, turn: float) -> tuple[Floats, Floats]:
        """For each pixel as the middle of a card that is turned by ``turn`` degrees: the share of the change that lies within the
        card, and the share of its four sides that are new edges. Both (height, width), 0 to 1."""
        if turn not in self._fits:
            self._fits[turn] = self._fits_of(turn)
        return self._fits[turn]

    def _fits_of(self, turn: float) -> tuple[Floats, Floats]:
        width, length = (max(round(side), 8) for side in self.card)
        size = self.mask.shape[1], self.mask.shape[0]
        turned = _turned(self, turn)
        mask = cv2.warpAffine(self.mask, turned, size)
        inside = cv2.boxFilter(mask, -1, (width, length), normalize=False, borderType=cv2.BORDER_CONSTANT) / max(self.total, 1e-9)
        now, then = (
            np.asarray(cv2.warpAffine(one, turned, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
            for one in (self.now, self.then)
        )
        return np.asarray(inside, np.float32), _sides(now, then, width, length)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place where a card may lie: ``x``, ``y`` of its middle, pixels of the plane turned by ``turn`` degrees; ``worth``: how
    well it fits."""

    worth: float
    turn: float
    x: int
    y: int


def places(changed: Changed, inside: float = INSIDE_WEIGHT) -> Quads:
    """The places (n, 4, 2) where a card can have been put down, pixels of the picture, likeliest first. ``inside``: how much it
    weighs that the change lies within the card, `INSIDE_WEIGHT` or `UPPER_INSIDE_WEIGHT`."""
    found = [place for part in changed.parts for place in _in_part(part, inside)]
    best = sorted(found, key=lambda one: -one[1].worth)
    return np.array([_quad(part, place) for part, place in best]).reshape(-1, 4, 2)


def around(changed: Changed, quad: NDArray[np.float64]) -> float:
    """The changed area close beside a card at ``quad`` (4, 2), pixels of the picture, as a multiple of a card's area. It is near
    0 where the card came alone, and larger where others came with it."""
    there = cv2.perspectiveTransform(quad[None], changed.flat)[0]
    card = cv2.fillConvexPoly(np.zeros(changed.mask.shape, np.uint8), np.round(there).astype(np.int32), 1)
    reaches = (OWN_PIXELS, BESIDE_PIXELS)
    within, near = (cv2.dilate(card, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0 for reach in reaches)
    return float((changed.mask[near & ~within] > SHADOW_WEIGHT).sum()) / (changed.card[0] * changed.card[1])


def _in_part(changed: Changed, inside: float) -> list[tuple[Changed, Place]]:
    """The best places of a card that alone explains this change, each with the change itself."""
    half = changed.half
    turns = np.arange(0.0, 180.0, COARSE_DEGREES)
    best = sorted((place for turn in turns for place in _of_turn(half, float(turn), inside)),
                  key=lambda one: -one.worth)[:MAX_FINE_TURNS]
    near = {(place.turn + step) % 180 for place in best for step in (-FINE_DEGREES, 0.0, FINE_DEGREES)}
    found = sorted((place for turn in sorted(near) for place in _of_turn(changed, turn, inside)), key=lambda one: -one.worth)
    return [(changed, place) for place in _distinct(changed, found)]


def changes(before: Image, now: Image, plane: Plane, box: Box) -> Changed | None:
    """The change between the pictures ``before`` and ``now`` ((H, W, 3) uint8 BGR) within a ``box``; None where that is too
    small, or spread too far, to be a card.

    What reaches the border of the part that is looked at, such as a hand, is left out.
    """
    flat, size, card = _view(plane, box)
    if min(size) <= 0 or max(size) > (MAX_SPREAD_LENGTHS + 2 * EDGE_ROOM_LENGTHS) * CARD_PIXELS:
        return None
    then, here = (np.asarray(cv2.warpPerspective(one, flat, size), np.float32) for one in (before, now))
    then *= np.float32(np.median(here[::3, ::3] / np.maximum(then[::3, ::3], 8)))
    apart = cv2.GaussianBlur(np.abs(here - then).max(axis=2), (0, 0), 1.0)
    mask = (apart > max(MIN_LEVELS, NOISE_MULTIPLE * float(np.median(apart)))).astype(np.float32)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.float32)
    mask[_from_elsewhere(mask)] = 0
    mask[_darker(then, here)] *= np.float32(SHADOW_WEIGHT)
    found = Changed(mask, _grey(here), _grey(then), card, flat)
    return found if found.total >= MIN_CHANGED_SHARE * card[0] * card[1] else None


def _view(plane: Plane, box: Box) -> tuple[NDArray[np.float64], tuple[int, int], tuple[float, float]]:
    """How to see the surroundings of a ``box`` on the plane, where a card is `CARD_PIXELS` long: the homography (3, 3) from the
    picture, the size (width, height) of what it gives, and a card's width and length there, pixels."""
    x1, y1, x2, y2 = box
    corners = np.array([[[x1, y1], [x2, y1], [x2, y2], [x1, y2]]], np.float64)
    there = cv2.perspectiveTransform(corners, plane.homography)[0]
    width, length = np.exp(plane.sides)
    scale, room = CARD_PIXELS / float(length), EDGE_ROOM_LENGTHS * CARD_PIXELS
    (left, top), (right, bottom) = scale * there.min(axis=0) - room, scale * there.max(axis=0) + room
    flat = np.array([[scale, 0, -left], [0, scale, -top], [0, 0, 1]]) @ plane.homography
    return flat, (int(right - left), int(bottom - top)), (float(width) * scale, CARD_PIXELS)


def _from_elsewhere(mask: Floats) -> NDArray[np.bool_]:
    """The part of a ``mask`` (height, width) that is connected to its border."""
    joined = cv2.morphologyEx((mask > 0).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels = cv2.connectedComponents(joined, connectivity=8)
    outside = np.unique(np.concatenate([labels[:2].ravel(), labels[-2:].ravel(), labels[:, :2].ravel(), labels[:, -2:].ravel()]))
    return np.asarray(np.isin(labels, outside[outside > 0]))


def _darker(then: Floats, here: Floats) -> NDArray[np.bool_]:
    """The pixels (height, width) that have only become darker, as in a shadow."""
    factor = np.asarray((cv2.GaussianBlur(here, (0, 0), 1.0) + 4) / (cv2.GaussianBlur(then, (0, 0), 1.0) + 4), np.float32)
    mean = factor.mean(axis=2)
    blue, green, red = cv2.split(factor)
    tint = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)  # ptp takes ten times as long
    return np.asarray((mean > SHADOW_FACTORS[0]) & (mean < SHADOW_FACTORS[1]) & (tint < MAX_SHADOW_TINT))


def _grey(picture: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8).mean(axis=2), np.float32)


def _of_turn(changed: Changed, turn: float, weight: float) -> Iterator[Place]:
    """The best places of a card turned by ``turn`` degrees."""
    inside, sides = changed.fits(turn)
    worth = weight * inside + EDGES_WEIGHT * sides
    for _ in range(MAX_PLACES_A_TURN):
        y, x = (int(at) for at in np.unravel_index(int(worth.argmax()), worth.shape))
        yield Place(float(worth[y, x]), turn, x, y)
        reach = round(2 * MIN_APART)
        worth[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1] = -1


def _sides(now: Floats, then: Floats, width: int, length: int) -> Floats:
    """The share (0 to 1) of new edges along the four sides of an upright card with its middle at each pixel."""
    total = np.zeros(now.shape, np.float32)
    for across, along, half in (((1, 0), (1, length - 6), width / 2), ((0, 1), (width - 6, 1), length / 2)):
        here, was = (np.abs(cv2.Sobel(one, cv2.CV_32F, *across, ksize=3)) / 8 for one in (now, then))
        new = np.clip(np.minimum(here - OLD_EDGE_SHARE * was, WHOLE_EDGE_LEVELS), 0, None) / WHOLE_EDGE_LEVELS
        edge = cv2.dilate(new, np.ones((3, 1) if across[1] else (1, 3), np.uint8))
        side = cv2.boxFilter(edge, -1, along, borderType=cv2.BORDER_CONSTANT)
        for way in (-half, half):
            shift = np.array([[1, 0, way * across[0]], [0, 1, way * across[1]]], np.float32)
            total += cv2.warpAffine(side, shift, (now.shape[1], now.shape[0])) / 4
    return total


def _turned(changed: Changed, turn: float) -> NDArray[np.float64]:
    """The rotation (2, 3) of the plane's picture by ``turn`` degrees about its middle."""
    rows, columns = changed.mask.shape
    return np.asarray(cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), turn, 1.0), np.float64)


def _distinct(changed: Changed, found: list[Place]) -> list[Place]:
    """The first `MAX_CANDIDATES` places that differ in position or turn by at least `MIN_APART`."""
    kept: list[tuple[Place, NDArray[np.float64]]] = []
    for place in found:
        back = cv2.invertAffineTransform(_turned(changed, place.turn))
        at = np.asarray(back[:, :2] @ np.array([place.x, place.y]) + back[:, 2], np.float64)
        if all(np.abs(at - there).max() >= MIN_APART or between_turns(place.turn, one.turn) >= MIN_APART for one, there in kept):
            kept.append((place, at))
        if len(kept) == MAX_CANDIDATES:
            break
    return [place for place, _ in kept]


def _quad(changed: Changed, place: Place) -> NDArray[np.float64]:
    """The corners (4, 2) of a card at that place, pixels of the picture."""
    width, length = changed.card
    corners = np.array([[-width, -length], [width, -length], [width, length], [-width, length]]) / 2 + [place.x, place.y]
    back = cv2.invertAffineTransform(_turned(changed, place.turn))
    there = corners @ back[:, :2].T + back[:, 2]
    return np.asarray(cv2.perspectiveTransform(there[None], np.linalg.inv(changed.flat))[0])
