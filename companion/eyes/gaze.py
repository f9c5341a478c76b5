"""How closely to look: the detector's input width, chosen by how large the cards are in the pictures of this source."""

from __future__ import annotations

from collections import deque
from statistics import median

from companion.eyes.geometry import card_length
from companion.eyes.image import Image
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen

COMFORTABLE = 40.0
"""Card length in pixels of the detector's input that it finds well; larger inputs cost time and find no more."""
WIDTHS = (640, 1280)
"""The least and the greatest input width in pixels."""
STEP = 64
"""Widths change in steps of so many pixels."""


class Gaze:
    """Eyes on one source. The first pictures are looked at closely; then as closely as its cards ask for."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._lengths: deque[float] = deque(maxlen=200)

    def look(self, image: Image) -> tuple[CardSeen, ...]:
        """Cards in the next picture of the source ((H, W, 3) uint8 BGR), surest first."""
        cards = self._eyes.look(image, self.width(image.shape[1]))
        self._lengths.extend(float(card_length(card.quad)) for card in cards)
        return cards

    def width(self, available: int) -> int:
        """The input width in pixels for a picture ``available`` pixels wide: multiples of `STEP` within `WIDTHS`."""
        least, greatest = WIDTHS
        if not self._lengths:
            return min(greatest, max(least, available))
        wanted = available * COMFORTABLE / median(self._lengths)
        return int(min(greatest, max(least, -(-wanted // STEP) * STEP)))
