"""One photo of one card: where the card lies in it, and whether the photo is good enough to learn the card from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import Detection, Detector
from companion.eyes.enrol import quality, reasons
from companion.eyes.enrol.outline import outlines
from companion.eyes.geometry import card_length, long_side_upright, shared_area, sides, signed_area, straighten
from companion.table.errors import Reason

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SIZE: Final = (192, 336)
"""Width and height in pixels of a straightened card: three times the reader's input."""
SMALLEST: Final = 90.0
"""Pixels. A shorter card shows too little to be learnt."""
WIDTHS: Final = (320, 640)
"""Input widths of the detector, pixels: the card is near."""
SURE: Final = 0.5
"""Probability from which on what the eyes find in the photo is a card."""
BESIDE: Final = 0.4
"""A card at least this many times as long as the longest one counts; a smaller one is part of its pattern or lies far off."""
INSIDE: Final = 0.7
"""What lies in another one with more than this share of its area is part of it: a figure, a frame, one half of a card."""
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
        return Looked(None, Refusal(reasons.NO_CARD))
    if len(quads) > 1:
        return Looked(None, Refusal(reasons.SEVERAL_CARDS), quads)
    card = cut(image, quads[0])
    height, width = image.shape[:2]
    rim = RIM * max(height, width)
    if not ((card.quad > rim) & (card.quad < np.array([width, height]) - 1 - rim)).all():
        return Looked(None, Refusal(reasons.CUT_OFF), quads)
    if float(card_length(card.quad)) < SMALLEST:
        return Looked(None, Refusal(reasons.TOO_SMALL), quads)
    fault = quality.fault(card.picture)
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
    """Quads (4, 2) of the cards in a photo, longest first; what lies within another card is no card of its own. ``guess`` as of
    `read_photo`."""
    seen = [one for one in detector.detect_still(image, WIDTHS) if one.score >= SURE]
    quads = [one.quad for one in sorted(seen, key=_length, reverse=True)] or (outlines(image) if guess else [])
    kept: list[Floats] = []
    for quad in quads:
        part = any(shared_area(quad, other) > INSIDE * abs(float(signed_area(quad))) for other in kept)
        if not part and (not kept or float(card_length(quad)) >= BESIDE * float(card_length(kept[0]))):
            kept.append(quad)
    return kept


def _length(found: Detection) -> float:
    return float(card_length(found.quad))
