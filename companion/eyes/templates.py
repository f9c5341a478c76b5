"""The pictures of a taught deck's cards, prepared for comparison with what lies on the table: template matching.

Pictures and cards are evened out, so that light and print matter less. A card that is wholly visible is compared with them where
the reader hesitates (`companion.eyes.hesitation`), a covered one by its visible part (`companion.eyes.covered`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.decks.deckfile import TaughtCard
from companion.decks.lists import BACK
from companion.eyes.geometry import grown, straighten
from companion.eyes.image import Image, opened

SIZE: Final = (48, 84)
"""Width and height of the pictures that are compared, pixels."""
BORDER_PIXELS: Final = 6
"""Pixels of the table round the card that are cut out with it: its corners may be a little off."""
BORDER_SHARES: Final = (BORDER_PIXELS / SIZE[0], BORDER_PIXELS / SIZE[1])
"""`BORDER_PIXELS` as shares of the card's width and height."""
PADDED_SIZE: Final = (SIZE[0] + 2 * BORDER_PIXELS, SIZE[1] + 2 * BORDER_PIXELS)
"""Width and height of what is cut out, pixels."""
RIM_PIXELS: Final = 3
"""Pixels at a picture's rim that are left out: the table shows there where a photo was cut a little wide."""
LIGHT_PIXELS: Final = 8.0
"""Pixels: light and colour that change over more than this are evened out."""
MIN_CARD_PIXELS: Final = 26.0
"""Least length in pixels of a card in the picture that is compared."""

Floats = NDArray[np.float32]
"""(H, W, 3) float32: CIELAB, evened out."""
Mask = NDArray[np.uint8]
"""(H, W): 1 where a card shows, 0 where others cover it."""


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """The pictures of a taught deck's cards, ready for comparison: card → pictures, (78, 42, 3) float32 each."""

    cards: Mapping[str, tuple[Floats, ...]]

    @staticmethod
    def of(cards: Iterable[TaughtCard]) -> Templates:
        """The templates of a deck file's ``cards``, without the back. Pictures that cannot be decoded are left out."""
        return Templates({
            one.card: tuple(_template(picture) for data in one.pictures if (picture := opened(data)) is not None)
            for one in cards if one.card != BACK
        })  # fmt: skip

    def and_those(self, others: Templates) -> Templates:
        """These templates together with those of another deck of the same list."""
        names = self.cards.keys() | others.cards.keys()
        return Templates({name: (*self.cards.get(name, ()), *others.cards.get(name, ())) for name in names})


def padded(quad: ArrayLike) -> NDArray[np.float64]:
    """The ``quad`` (4, 2) of a card, corners 0 → 1 a short side, enlarged by `BORDER_PIXELS` of the table on each side."""
    return grown(quad, *BORDER_SHARES)


def cut_out(image: NDArray[np.uint8], around: NDArray[np.float64]) -> Floats:
    """The part of ``image`` ((H, W, 3) uint8 BGR) within the `padded` quad ``around`` (4, 2), ready for comparison, of
    `PADDED_SIZE`."""
    return evened(straighten(image, around, *PADDED_SIZE))


def _template(picture: Image) -> Floats:
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(evened(np.asarray(small, np.uint8))[RIM_PIXELS:-RIM_PIXELS, RIM_PIXELS:-RIM_PIXELS])


def evened(picture: NDArray[np.uint8]) -> Floats:
    """The picture in CIELAB, with the mean of its surroundings taken from each pixel, and divided by their contrast."""
    lab = cv2.GaussianBlur(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.float32), (0, 0), 0.6)
    apart = lab - cv2.GaussianBlur(lab, (0, 0), LIGHT_PIXELS)
    strength = cv2.transform(apart * apart, np.ones((1, 3), np.float32))  # the sum of the three, faster than NumPy's
    contrast = np.sqrt(cv2.GaussianBlur(strength, (0, 0), LIGHT_PIXELS)) + 4
    return np.asarray(apart / contrast[..., None], np.float32)
