"""One photo of one card: where the card lies in it, and whether the photo is good enough to learn the card from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import Detector
from companion.eyes.enrol import quality, reasons
from companion.eyes.enrol.outline import outlines
from companion.eyes.enrol.sides import sharpened
from companion.eyes.geometry import card_length, long_side_upright, polygon_iou, shared_area, sides, signed_area, skew, straighten
from companion.table.errors import Reason

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SIZE: Final = (192, 336)
"""Width and height in pixels of a straightened card: three times the reader's input."""
SMALLEST: Final = 60.0
"""Pixels. A shorter card shows too little to be learnt."""
WIDTHS: Final = (320, 640)
"""Input widths of the detector, pixels: the card is near."""
SURE: Final = 0.5
"""Probability from which on what the eyes find in the photo is a card."""
BESIDE: Final = 0.4
"""A card at least this many times as long as the longest one counts; a smaller one is part of its pattern or lies far off."""
INSIDE: Final = 0.7
"""What lies in another one with more than this share of its area is part of it: a figure, a frame, one half of a card."""
FAINT: Final = 0.15
"""The same where there is no outline either."""
SAME: Final = 0.8
"""An outline that shares more than this with a card that was found (polygon IoU) shows no more."""
PART: Final = 0.9
"""Share of what was found from which on it lies within an outline."""
WHOLE: Final = 2.2
"""A card is less than this many times as large as a part of it that looks like a card: its frame, its picture, its half."""
ALIKE: Final = 0.15
"""Outlines as long and as wide as a card that was found, but for this share, are cards beside it."""
SKEW: Final = 0.15
"""Share of a part's width by which the sides of the whole card may be off the part's direction. A shadow's are further off."""
SQUARE, SLIM = 0.88, 0.38
"""Width / height from which on, and up to which, what was found is a part of a card: seven swords end for the networks where the
one that lies across does. A card as wide as those for poker looks so from 36 degrees off."""
RIM: Final = 0.004
"""A corner that is nearer to the photo's edge than this share of its longer side may be cut off."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPhoto:
    """A card that was found. ``quad``: (4, 2) pixels of the photo, clockwise, its long sides upright; ``picture``: the
    straightened card, (336, 192, 3) uint8 BGR, either way up; ``ratio``: its width / height, as far as one photo tells."""

    quad: Floats
    picture: Image
    ratio: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a photo cannot be used. ``reason``: its code never changes; gettext translates its text."""

    reason: Reason

    def __str__(self) -> str:
        return self.reason.text


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What a photo shows: the ``card``, or why it cannot be used. ``quads``: where cards were seen, for a page to draw."""

    card: CardPhoto | None
    refusal: Refusal | None
    quads: tuple[Floats, ...] = ()


def read_photo(image: Image, detector: Detector, guess: bool = True) -> Looked:
    """The one card in ``image`` ((H, W, 3) uint8 BGR), which lies whole on a plain surface, turned any way.

    ``guess``: what has the outline of a card is taken for one where the eyes find none, as somebody says that there is one.
    """
    found = found_cards(image, detector, guess)
    quads = tuple(found)
    if not quads:
        return Looked(None, Refusal(reasons.DARK if quality.dark(image, quality.BLACK) else reasons.NO_CARD))
    if len(quads) > 1:
        return Looked(None, Refusal(reasons.SEVERAL_CARDS), quads)
    sides = sharpened(image, quads[0])
    card = cut(image, quads[0] if sides is None else sides)
    height, width = image.shape[:2]
    rim = RIM * max(height, width)
    if not ((card.quad > rim) & (card.quad < np.array([width, height]) - 1 - rim)).all():
        return Looked(None, Refusal(reasons.CUT_OFF), quads)
    if not SLIM < card.ratio < SQUARE:
        return Looked(None, Refusal(reasons.PART), quads)
    if float(card_length(card.quad)) < SMALLEST:
        return Looked(None, Refusal(reasons.TOO_SMALL), quads)
    fault = quality.fault(card.picture) or (reasons.ALIKE if sides is None else None)
    return Looked(None if fault else card, Refusal(fault) if fault else None, quads)


def cut(image: Image, quad: Floats) -> CardPhoto:
    """The card at ``quad`` (4, 2) of ``image``, straightened."""
    upright = long_side_upright(np.asarray(quad, np.float64)[None])[0]
    length = sides(upright)
    wide, high = sorted((float(length[0] + length[2]) / 2, float(length[1] + length[3]) / 2))
    source = image
    if high > 1.5 * SIZE[1]:  # a warp that shrinks by much skips pixels: shrink evenly first
        scale = 1.5 * SIZE[1] / high
        source = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        upright_there = (upright + 0.5) * scale - 0.5
    else:
        upright_there = upright
    return CardPhoto(upright, straighten(source, upright_there, *SIZE), wide / max(high, 1e-9))


def found_cards(image: Image, detector: Detector, guess: bool = True) -> list[Floats]:
    """Quads (4, 2) of the cards in a photo, longest first; what lies within another card is no card of its own.

    The detector has learnt what cards look like, not these: it may see a part for the whole, or nothing. Outlines help out.
    ``guess`` as of `read_photo`.
    """
    found = detector.detect_still(image, WIDTHS, FAINT)
    seen = [one.quad for one in found if one.score >= SURE]
    drawn = outlines(image)
    if not seen and not guess:
        return []
    if not seen:
        return _whole_ones(drawn or [one.quad for one in found[:1]] or outlines(image, cut_off=True))
    shares = detector.refiner.refine(image, drawn)[1] if detector.refiner is not None else np.ones((len(drawn), 4))
    further = [quad for quad, share in zip(drawn, shares, strict=True) if _helps(quad, float(share[-1]), seen)]
    return _whole_ones([*seen, *further])


def _helps(outline: Floats, nothing: float, seen: Sequence[Floats]) -> bool:
    """Whether an ``outline`` says more than the cards ``seen``; ``nothing``: probability that it is none of a card."""
    if any(polygon_iou(outline, one) > SAME for one in seen):
        return False
    area = _area(outline)
    for one in seen:
        within = shared_area(one, outline) / _area(one)
        if within > PART:  # the whole of which a part was seen, and not a sheet of paper that a card lies on
            return skew(outline, one) < SKEW and (nothing < SURE or area < WHOLE * _area(one))
        if within > 0.1:
            return False
    return nothing < SURE or any(_alike_in_size(outline, one) for one in seen)


def _whole_ones(quads: Sequence[Floats]) -> list[Floats]:
    kept: list[Floats] = []
    for quad in sorted(quads, key=lambda one: -float(card_length(one))):
        part = any(shared_area(quad, other) > INSIDE * _area(quad) for other in kept)
        if not part and (not kept or float(card_length(quad)) >= BESIDE * float(card_length(kept[0]))):
            kept.append(quad)
    return kept


def _alike_in_size(one: Floats, other: Floats) -> bool:
    length = float(card_length(one)) / float(card_length(other))
    return abs(length - 1) < ALIKE and abs(_area(one) / _area(other) / length - 1) < ALIKE


def _area(quad: Floats) -> float:
    return max(abs(float(signed_area(quad))), 1e-9)
