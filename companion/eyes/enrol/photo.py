"""Reads one photo of one card: where the card lies in it, and whether the photo is good enough to learn the card from."""

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
MIN_CARD_PIXELS: Final = 60.0
"""Least length in pixels of a card that is learnt: a shorter one shows too little."""
WIDTHS: Final = (320, 640)
"""Input widths of the detector, pixels: the card is near."""
MIN_PROBABILITY: Final = 0.5
"""Least probability of a card that the detector found in a photo."""
MIN_OTHER_LENGTH: Final = 0.4
"""Least length of a further card, as a share of the longest one's: a smaller one is part of its pattern, or lies far off."""
INSIDE_SHARE: Final = 0.7
"""Share of its area within another quad above which a quad is a part of that one: a figure, a frame, half a card."""
MIN_FAINT_PROBABILITY: Final = 0.15
"""Least probability of a card where the photo shows no card's outline either."""
SAME_CARD_IOU: Final = 0.8
"""Polygon IoU above which an outline and a card that was found are the same card."""
PART_SHARE: Final = 0.9
"""Share of a quad's area above which it lies within an outline."""
MAX_WHOLE_FACTOR: Final = 2.2
"""Greatest ratio of a card's area to that of a part of it that looks like a card: its frame, its picture, its half."""
ALIKE_SHARE: Final = 0.15
"""Relative difference in length and width up to which an outline is another card beside the one that was found."""
MAX_SKEW: Final = 0.15
"""Greatest `skew` between a part and the whole card. A shadow's sides are more skewed."""
MIN_SQUARE_RATIO, MAX_SLIM_RATIO = 0.88, 0.38
"""Width / height: a quad that is wider than the first, or slimmer than the second, is only a part of a card. For the networks a
seven of swords may end at the sword that lies across. A poker card looks as wide as the first when seen from 36 degrees off."""
RIM_SHARE: Final = 0.004
"""Share of the photo's longer side: a corner nearer than this to its edge may be cut off."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPhoto:
    """A card that was found. ``quad``: (4, 2) pixels of the photo, clockwise, its long sides upright; ``picture``: the
    straightened card, (336, 192, 3) uint8 BGR, either way up; ``ratio``: its width / height, as well as one photo tells."""

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

    ``guess``: where the eyes find no card, take what has the outline of one for it, as somebody has said that there is one.
    """
    found = found_cards(image, detector, guess)
    quads = tuple(found)
    if not quads:
        return Looked(None, Refusal(reasons.DARK if quality.dark(image, quality.BLACK_LEVEL) else reasons.NO_CARD))
    if len(quads) > 1:
        return Looked(None, Refusal(reasons.SEVERAL_CARDS), quads)
    sides = sharpened(image, quads[0])
    card = cut(image, quads[0] if sides is None else sides)
    height, width = image.shape[:2]
    rim = RIM_SHARE * max(height, width)
    if not ((card.quad > rim) & (card.quad < np.array([width, height]) - 1 - rim)).all():
        return Looked(None, Refusal(reasons.CUT_OFF), quads)
    if not MAX_SLIM_RATIO < card.ratio < MIN_SQUARE_RATIO:
        return Looked(None, Refusal(reasons.PART), quads)
    if float(card_length(card.quad)) < MIN_CARD_PIXELS:
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
    found = detector.detect_still(image, WIDTHS, MIN_FAINT_PROBABILITY)
    seen = [one.quad for one in found if one.score >= MIN_PROBABILITY]
    drawn = outlines(image)
    if not seen and not guess:
        return []
    if not seen:
        return _whole_ones(drawn or [one.quad for one in found[:1]] or outlines(image, cut_off=True))
    shares = detector.refiner.refine(image, drawn)[1] if detector.refiner is not None else np.ones((len(drawn), 4))
    further = [quad for quad, share in zip(drawn, shares, strict=True) if _helps(quad, float(share[-1]), seen)]
    return _whole_ones([*seen, *further])


def _helps(outline: Floats, nothing: float, seen: Sequence[Floats]) -> bool:
    """Whether an ``outline`` is better than the cards ``seen``. ``nothing``: probability that there is no card in it."""
    if any(polygon_iou(outline, one) > SAME_CARD_IOU for one in seen):
        return False
    area = _area(outline)
    for one in seen:
        within = shared_area(one, outline) / _area(one)
        if within > PART_SHARE:  # the whole card whose part was seen, and not a sheet of paper under it
            return skew(outline, one) < MAX_SKEW and (nothing < MIN_PROBABILITY or area < MAX_WHOLE_FACTOR * _area(one))
        if within > 0.1:
            return False
    return nothing < MIN_PROBABILITY or any(_alike_in_size(outline, one) for one in seen)


def _whole_ones(quads: Sequence[Floats]) -> list[Floats]:
    kept: list[Floats] = []
    for quad in sorted(quads, key=lambda one: -float(card_length(one))):
        part = any(shared_area(quad, other) > INSIDE_SHARE * _area(quad) for other in kept)
        if not part and (not kept or float(card_length(quad)) >= MIN_OTHER_LENGTH * float(card_length(kept[0]))):
            kept.append(quad)
    return kept


def _alike_in_size(one: Floats, other: Floats) -> bool:
    length = float(card_length(one)) / float(card_length(other))
    return abs(length - 1) < ALIKE_SHARE and abs(_area(one) / _area(other) / length - 1) < ALIKE_SHARE


def _area(quad: Floats) -> float:
    return max(abs(float(signed_area(quad))), 1e-9)
