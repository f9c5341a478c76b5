"""What a user might otherwise take: OpenCV's ORB features matched between photo and play, and a homography by RANSAC.

It is given what the reader is given: the same photos, with the true corners of their cards, and in play the quads that the
detector found, straightened from the picture at its full resolution. It is tuned on pictures of other seeds than those that are
measured: the length to which cards are straightened, the features' threshold, a second, softer copy of every photo as small cards
look, the test of the ratio, and how many agreeing features name a card.

Source: Rublee and others, ORB: an efficient alternative to SIFT or SURF (2011); Lowe 2004 for the test of the ratio; Fischler and
Bolles 1981 for RANSAC.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import long_side_upright, sides, straighten
from workshop.enrolment.prints import CardPhoto
from workshop.stage.scene import Image

TALL = 176
"""Length in pixels to which cards are straightened."""
FEATURES = 400
"""Most features of a card."""
SOFT = (None, 90)
"""Lengths in pixels to which a photo's card is reduced before it is straightened: not at all, and as small as cards in play."""
RATIO = 0.9
"""A feature's best match must be nearer than this share of the second best one's distance."""
NEAR = 7.0
"""Pixels within which a feature agrees with the homography; and four times that, within which the card's corners do."""
ENOUGH = 6
"""Agreeing features from which on a card is named."""


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    points: NDArray[np.float32]
    descriptors: NDArray[np.uint8]


class OrbReader:
    """Names cards by their features. ``photos``: those of a deck, one or more for each card; backs are cards like any other."""

    def __init__(self, photos: Iterable[CardPhoto]) -> None:
        self._orb = cv2.ORB.create(nfeatures=FEATURES, nlevels=6, edgeThreshold=12, fastThreshold=5)
        self._matcher = cv2.BFMatcher.create(cv2.NORM_HAMMING)
        self._cards: list[tuple[str, _Features]] = []
        shapes = []
        for photo in photos:
            quad = long_side_upright(photo.quad[None])[0]
            length = sides(quad)
            shapes.append((length[0] + length[2]) / (length[1] + length[3]))
            for soft in SOFT:
                self._cards.append((photo.card, self._features(photo.image, quad, soft)))
        self._ratio = float(np.median(shapes)) if shapes else 0.6

    def read(self, image: Image, quad: ArrayLike) -> tuple[str, int]:
        """The card that the quad (4, 2) of ``image`` shows, and how many features agree; ``""`` where it is none, as far as ORB
        can tell."""
        seen = self._features(image, long_side_upright(np.asarray(quad)[None])[0], None)
        best: dict[str, int] = {}
        for card, known in self._cards:
            best[card] = max(best.get(card, 0), self._agreeing(seen, known))
        card = max(best, key=lambda name: best[name], default="")
        return (card, best[card]) if card and best[card] >= ENOUGH else ("", 0)

    def _features(self, image: Image, quad: NDArray[np.float64], soft: int | None) -> _Features:
        wide = round(TALL * getattr(self, "_ratio", 0.58))
        flat = straighten(image, quad, wide, TALL)
        if soft is not None:
            small = cv2.resize(flat, (round(wide * soft / TALL), soft), interpolation=cv2.INTER_AREA)
            flat = np.asarray(cv2.resize(small, (wide, TALL), interpolation=cv2.INTER_CUBIC), np.uint8)
        grey = cv2.createCLAHE(2.0, (4, 4)).apply(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY))
        keys, descriptors = self._orb.detectAndCompute(grey, None)
        if descriptors is None:
            return _Features(np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8))
        return _Features(np.array([key.pt for key in keys], np.float32), np.asarray(descriptors, np.uint8))

    def _agreeing(self, seen: _Features, known: _Features) -> int:
        """How many features of a card agree on one homography that leaves it the shape of a card, either way up."""
        if min(len(seen.points), len(known.points)) < 8:
            return 0
        pairs = [two[0] for two in self._matcher.knnMatch(seen.descriptors, known.descriptors, k=2)
                 if len(two) == 2 and two[0].distance < RATIO * two[1].distance]  # fmt: skip
        if len(pairs) < ENOUGH:
            return 0
        here = seen.points[[pair.queryIdx for pair in pairs]]
        there = known.points[[pair.trainIdx for pair in pairs]]
        matrix, agreeing = cv2.findHomography(here, there, cv2.RANSAC, NEAR, maxIters=300)
        if matrix is None:
            return 0
        return int(agreeing.sum()) if self._a_card(np.asarray(matrix, np.float64)) else 0

    def _a_card(self, matrix: NDArray[np.float64]) -> bool:
        wide = round(TALL * self._ratio)
        corners = np.array([[0, 0], [wide, 0], [wide, TALL], [0, TALL]], np.float32)
        moved = cv2.perspectiveTransform(corners[None], matrix)[0]
        return min(float(np.abs(moved - np.roll(corners, turn, axis=0)).max()) for turn in (0, 2)) < 4 * NEAR
