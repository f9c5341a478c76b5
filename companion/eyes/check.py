"""How well the camera sees the table (card sizes, light, sharpness, speed), and what to mend, as codes with numbers.

All thresholds are here, each with its unit and the reason for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import card_length
from companion.eyes.image import Image
from companion.eyes.sighting import CardSeen, Point

SMALL_PX = 36.0
"""Pixels. Faces of shorter cards are often misread."""
TINY_PX = 24.0
"""Pixels. Shorter cards are often not found at all."""
DARK_LEVEL = 40.0
"""Grey level 0..255, median of the table top. Below it, noise hides the faces."""
BRIGHT_LEVEL = 235.0
"""Grey level 0..255, median of the table top. Above it, the print on white cards is washed out."""
GLARE_LEVEL = 250
"""Grey level 0..255 from which on a pixel is saturated."""
GLARE_SHARE = 0.04
"""Share of the table top. With more of it saturated, a lamp is reflected in cards or table."""
BLURRED = 0.03
"""Variance of the Laplacian along the cards' rims over the variance of their grey levels (no unit). With less, the picture is out
of focus, or the lens is dirty: a card's rim is not a sharp step any more."""
SLOW_PER_SECOND = 4.0
"""Pictures looked at per second. With fewer, a card that is slid to a neighbour is missed."""

Code = Literal["tiny", "small", "dark", "bright", "glare", "blurred", "slow", "no_cards"]


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to mend. ``value``: what was measured. ``place``: the number of the place that it is about, from 1; None where it
    is about the whole picture."""

    code: Code
    value: float = 0.0
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """What was measured in one picture. ``lengths``: of each card, pixels. ``places``: for each card the place that it lies in
    (from 0), None where it lies in none. ``light``: grey level; ``glare``: share; ``sharpness``: see `BLURRED`, None where no
    card can be measured.
    """

    lengths: tuple[float, ...]
    places: tuple[int | None, ...]
    light: float
    glare: float
    sharpness: float | None
    per_second: float
    advice: tuple[Advice, ...]


def check(
    image: Image, cards: Sequence[CardSeen], corners: ArrayLike | None, places: Sequence[Point], per_second: float
) -> Check:
    """Measure one picture ((H, W, 3) uint8 BGR) and say what to mend.

    ``corners``: the table's quad (4, 2), pixels of ``image``; None while unknown: then the whole picture counts. ``places``:
    pixels too. ``per_second``: pictures looked at per second, 0 where that is not known.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    top = _within(grey, corners)
    lengths = tuple(round(float(card_length(card.quad)), 1) for card in cards)
    at = places_of(cards, places)
    light = float(np.median(top)) if top.size else 0.0
    glare = float((top >= GLARE_LEVEL).mean()) if top.size else 0.0
    crisp = [one for one in (sharpness(grey, card.quad) for card in cards) if one is not None]
    sharp = float(np.median(crisp)) if crisp else None
    advice = (*_sizes(cards, lengths, at), *_light(light, glare))
    if sharp is not None and sharp < BLURRED:
        advice += (Advice("blurred", sharp),)
    if 0 < per_second < SLOW_PER_SECOND:
        advice += (Advice("slow", per_second),)
    return Check(lengths, at, round(light, 1), round(glare, 4), sharp, round(per_second, 1), advice)


def _sizes(cards: Sequence[CardSeen], lengths: Sequence[float], at: Sequence[int | None]) -> tuple[Advice, ...]:
    found: dict[int | None, float] = {}
    for card, length, place in zip(cards, lengths, at, strict=True):
        if card.deck != "ramino" and card.side != "stack":
            found[place] = min(found.get(place, length), length)
    if not found:
        return (Advice("no_cards"),)
    # The smallest card decides whether the camera must come nearer. One in no place matters only where no place has a card.
    in_places = sorted((length, place) for place, length in found.items() if place is not None)
    length, number = (in_places[0][0], in_places[0][1] + 1) if in_places else (found[None], None)
    if length < TINY_PX:
        return (Advice("tiny", length, number),)
    return (Advice("small", length, number),) if length < SMALL_PX else ()


def _light(light: float, glare: float) -> tuple[Advice, ...]:
    found: tuple[Advice, ...] = ()
    if light < DARK_LEVEL:
        found += (Advice("dark", light),)
    if light > BRIGHT_LEVEL:
        found += (Advice("bright", light),)
    elif glare > GLARE_SHARE:
        found += (Advice("glare", glare),)
    return found


def places_of(cards: Sequence[CardSeen], places: Sequence[Point]) -> tuple[int | None, ...]:
    """For each card the place (from 0) nearest to its middle; None where that is farther away than a card's length."""
    if not places:
        return (None,) * len(cards)
    points = np.asarray(places, np.float64)
    found: list[int | None] = []
    for card in cards:
        distances = np.linalg.norm(points - np.asarray(card.quad, np.float64).mean(axis=0), axis=1)
        nearest = int(distances.argmin())
        found.append(nearest if distances[nearest] <= float(card_length(card.quad)) else None)
    return tuple(found)


def shown_at(cards: Sequence[CardSeen], places: Sequence[Point]) -> tuple[tuple[str, float] | None, ...]:
    """For each place the face there that was read most surely, as its kind's id and probability; None where no face can be
    read."""
    found: list[tuple[str, float] | None] = [None] * len(places)
    for card, place in zip(cards, places_of(cards, places), strict=True):
        if place is None or card.card is None or card.side != "face":
            continue
        before = found[place]
        if before is None or card.score > before[1]:
            found[place] = card.card, card.score
    return tuple(found)


def sharpness(grey: NDArray[np.uint8], quad: ArrayLike) -> float | None:
    """The variance of the Laplacian in a band along the card's rim, divided by the variance of the grey levels there.

    The ratio depends on how steep the edges are, not on light and contrast. None for a card at the picture's edge. The variance
    of the Laplacian as a measure is due to Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy" (2000).
    """
    corners = np.asarray(quad, np.float64)
    low, high = np.floor(corners.min(axis=0) - 5).astype(int), np.ceil(corners.max(axis=0) + 6).astype(int)
    if (low < 0).any() or high[0] > grey.shape[1] or high[1] > grey.shape[0]:
        return None
    patch = grey[low[1] : high[1], low[0] : high[0]]
    band = np.zeros(patch.shape, np.uint8)
    cv2.polylines(band, [np.round(corners - low).astype(np.int32)], True, 1, 7)
    laplacian = cv2.Laplacian(patch, cv2.CV_64F)
    inside = band.astype(bool)
    spread = float(patch[inside].astype(np.float64).var())
    return float(np.asarray(laplacian)[inside].var()) / spread if spread > 4 else None


def _within(grey: NDArray[np.uint8], corners: ArrayLike | None) -> NDArray[np.uint8]:
    if corners is None:
        return grey.ravel()
    mask = np.zeros_like(grey)
    cv2.fillConvexPoly(mask, np.round(np.asarray(corners, np.float64)).astype(np.int32), 1)
    inside = grey[mask.astype(bool)]
    return inside if inside.size else grey.ravel()
