"""Taught decks of three court cards, for tests that lay them on a table: kings that look alike but for a sign, and others."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import TaughtCard
from companion.eyes.image import encode_jpeg
from companion.eyes.templates import Templates

Image = NDArray[np.uint8]


def court(suit: tuple[int, int, int], round_sign: bool, seed: int = 5) -> Image:
    """A court card: those of one ``seed`` look alike, but for the sign in two corners."""
    picture = np.full((336, 192, 3), 245, np.uint8)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        x, y = int(rng.integers(50, 142)), int(rng.integers(60, 276))
        cv2.circle(picture, (x, y), int(rng.integers(4, 18)), tuple(map(int, rng.integers(0, 255, 3))), -1)
    for at in ((32, 44), (160, 292)):
        if round_sign:
            cv2.circle(picture, at, 20, suit, -1)
        else:
            cv2.rectangle(picture, (at[0] - 14, at[1] - 24), (at[0] + 14, at[1] + 24), suit, -1)
    return picture


RED, BLACK = (40, 30, 200), (20, 20, 20)
KINGS = {"hearts-13": court(RED, True), "diamonds-13": court(RED, False), "spades-13": court(BLACK, True)}
COURT = {"hearts-13": court(RED, True, 5), "diamonds-12": court(RED, False, 6), "spades-11": court(BLACK, True, 7)}


def taught(pictures: Mapping[str, Image]) -> Templates:
    """The pictures as a deck file keeps them."""
    return Templates.of([TaughtCard(name, (encode_jpeg(picture, quality=88),), b"") for name, picture in pictures.items()])


DECK = taught(KINGS)
