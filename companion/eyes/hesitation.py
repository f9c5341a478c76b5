"""Where the reader hesitates between cards of a taught deck, compares the card with their pictures.

The reader sees a small crop, which holds little of what distinguishes the court cards of a deck that it never saw. But the deck
file has pictures of the cards. Those of the likeliest cards, and of others that the card resembles, are laid over it where they
correlate best, and aligned with it where they may still win (ECC: Evangelidis and Psarakis, 2008). The correlations tell which
card it is, and whether it is of the deck at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import card_length
from companion.eyes.reading import Reading, ranked, supposed
from companion.eyes.remembered import Remembered
from companion.eyes.sheets import Sheets
from companion.eyes.templates import BORDER_PIXELS, MIN_CARD_PIXELS, RIM_PIXELS, Floats, cut_out, padded

MAX_SHIFT_PIXELS: Final = 3
"""Greatest distance in pixels between where the card was found and where a picture is laid over it."""
MAX_ALIGNED_PIXELS: Final = 7.0
"""Pixels: an alignment that moves a corner further than this has failed."""
MIN_ALIGNED_CORRELATION, MAX_ALIGNED_GAIN = 0.35, 0.55
"""Least correlation of a picture that is aligned, and the most that an alignment adds to it. In the demo clips 97 of 100
alignments of pictures with less fail, and the others add less than a tenth."""
ECC_CRITERIA: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)
CLEAR_PROBABILITY: Final = 0.97
"""Probability of a kind from which on the reader does not hesitate."""
OPEN_PROBABILITIES: Final = (0.05, 0.9)
"""Probabilities of the deck between which the reader hesitates."""
MAX_LIKELIEST, MAX_RESEMBLING = 4, 2
"""Number of cards that are compared: the likeliest ones for the reader, and of the others those that resemble most what lies
there. A card that is worn, or printed differently from its photo, may not be among the first."""
CORRELATION_WEIGHT: Final = 8.0
"""Factor of log(1 / (1 - correlation²)) in a kind's log-odds. Fitted, like the three below, on the enrolled decks leaded,
enamelled, stu-7001, italian-committed and neapolitan."""
DECK_SLOPE, DECK_LEVEL, MAX_DECK_FACTOR = 8.0, 0.6, 20.0
"""The deck's odds grow by exp(`DECK_SLOPE` (correlation - `DECK_LEVEL`)), at most by `MAX_DECK_FACTOR`, and never shrink: a hand
may lie on the card."""
MAX_CARDS, SAME_PLACE_LENGTHS = 24, 0.02
"""Number of cards whose comparison is remembered, and the card lengths between a corner's places in two looks up to which the
card lies as before."""


@dataclass(slots=True, eq=False)
class Likeness:
    """The correlations, -1..1, of one card with the pictures of a deck: ``roughly`` with all of them, and ``closely`` with those
    that were laid over it so far."""

    view: Floats
    roughly: Mapping[str, float]
    closely: dict[str, float] = field(default_factory=dict)

    def with_kinds(self, kinds: Sequence[str], sheets: Sheets) -> Mapping[str, float]:
        """The correlations of these kinds' pictures, -1..1."""
        new = [kind for kind in kinds if kind not in self.closely]
        if new:
            self.closely |= laid_over(self.view, new, sheets, max(self.closely.values(), default=0.0))
        return {kind: self.closely[kind] for kind in kinds}


class Hesitation:
    """Compares the cards of one source with the pictures of a taught deck. The result for a card is kept while the card lies as
    before."""

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets
        self._kinds = frozenset(sheets.fine.kinds)
        self._remembered: Remembered[Likeness] = Remembered(MAX_CARDS, SAME_PLACE_LENGTHS)

    def settled(self, image: NDArray[np.uint8], quad: ArrayLike, reading: Reading) -> Reading:
        """The ``reading`` of the card at ``quad`` (4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR), corners 0 → 1 a short side,
        after a comparison where the reader hesitates."""
        corners = np.asarray(quad, np.float64)
        read = [kind for kind, _ in reading.alternatives if kind in self._kinds]
        if not read or not hesitates(reading) or float(card_length(corners)) < MIN_CARD_PIXELS:
            return reading
        (alike,) = self._remembered.told(image, corners[None], lambda: (self._likeness(image, corners),))
        others = sorted(read[MAX_LIKELIEST:], key=lambda kind: -alike.roughly[kind])[:MAX_RESEMBLING]
        return weighed(reading, alike.with_kinds([*read[:MAX_LIKELIEST], *others], self._sheets))

    def _likeness(self, image: NDArray[np.uint8], quad: NDArray[np.float64]) -> Likeness:
        view = cut_out(image, padded(quad))
        return Likeness(view, self._sheets.coarse.resembled(view))


def hesitates(reading: Reading) -> bool:
    """Whether the reader is unsure of the kind, or of the deck."""
    least, most = OPEN_PROBABILITIES
    return bool(reading.alternatives) and reading.known > least and (
        reading.probability < CLEAR_PROBABILITY or reading.known < most
    )


def weighed(reading: Reading, correlations: Mapping[str, float]) -> Reading:
    """The ``reading`` with the result of a comparison: the correlations -1..1 of the card with the pictures of some of its
    kinds."""
    shares = dict(reading.alternatives)
    lot = sum(shares[kind] for kind in correlations)
    logs = {kind: np.log(max(shares[kind], 1e-4)) - CORRELATION_WEIGHT * np.log1p(-min(max(found, 0.0), 0.99) ** 2)
            for kind, found in correlations.items()}  # fmt: skip
    shares |= {kind: lot * share for kind, share in odds_of(logs).items()}
    kinds = ranked(shares)
    known = reading.known
    if OPEN_PROBABILITIES[0] < known < OPEN_PROBABILITIES[1]:
        known = likelier(known, correlations.get(kinds[0][0], 0.0))
    return replace(reading, known=known, alternatives=kinds, supposed=supposed(kinds, known))


def odds_of(logs: Mapping[str, float]) -> dict[str, float]:
    """The probabilities of kinds, from their log-likelihoods."""
    highest = max(logs.values())
    shares = {kind: float(np.exp(one - highest)) for kind, one in logs.items()}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()}


def likelier(known: float, correlation: float) -> float:
    """The probability that a card is of its deck, given the probability ``known`` before, and the card's ``correlation`` with one
    of that deck."""
    factor = float(np.clip(np.exp(DECK_SLOPE * (correlation - DECK_LEVEL)), 1.0, MAX_DECK_FACTOR))
    return factor * known / (factor * known + 1 - known)


def laid_over(view: Floats, kinds: Sequence[str], sheets: Sheets, best: float = 0.0) -> dict[str, float]:
    """For each of the ``kinds`` the greatest correlation -1..1 of its pictures with a ``view`` of the card (`templates.cut_out`).
    A picture is aligned where it can still win against the others, and against the ``best`` of those compared before."""
    fine, start = sheets.fine, BORDER_PIXELS + RIM_PIXELS - MAX_SHIFT_PIXELS
    numbers = np.array([n for n, kind in enumerate(fine.kinds) if kind in kinds], np.intp)
    height, width = fine.size
    reach = view[start : start + height + 2 * MAX_SHIFT_PIXELS, start : start + width + 2 * MAX_SHIFT_PIXELS]
    found, places = fine.placed(reach, numbers)
    told: dict[str, float] = {}
    laid = sorted(zip(found.tolist(), numbers.tolist(), places.tolist(), strict=True), reverse=True)
    for correlation, number, (x, y) in laid:
        if correlation >= max(MIN_ALIGNED_CORRELATION, best - MAX_ALIGNED_GAIN):
            correlation = max(correlation, _aligned(view, fine.picture(number), start + x, start + y))
        best, kind = max(best, correlation), fine.kinds[number]
        told[kind] = max(told.get(kind, -1.0), correlation)
    return told


def _aligned(view: Floats, template: Floats, x: float, y: float) -> float:
    """The correlation after an alignment by ECC that starts with the ``template`` at ``x``, ``y`` of the view; -1 where it
    fails."""
    height, width = template.shape[:2]
    warp = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float32)
    light = np.ascontiguousarray(template[..., 0]), np.ascontiguousarray(view[..., 0])
    try:
        _, warp = cv2.findTransformECC(*light, warp, cv2.MOTION_HOMOGRAPHY, ECC_CRITERIA, None, 3)  # type: ignore[call-overload]
    except cv2.error:  # too unlike to be aligned
        return -1.0
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = cv2.perspectiveTransform(corners[None], warp)[0] - corners - (BORDER_PIXELS + RIM_PIXELS)
    if np.abs(moved).max() > MAX_ALIGNED_PIXELS:
        return -1.0
    there = cv2.warpPerspective(view, warp, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                                borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return float(cv2.matchTemplate(np.asarray(there, np.float32), template, cv2.TM_CCOEFF_NORMED)[0, 0])
