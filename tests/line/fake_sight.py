"""Eyes for teaching that read a card off its grey level, so that tests can lay any card anywhere without a drawing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from companion.decks.deckfile import DeckFile, TaughtCard
from companion.decks.lists import BACK, LISTS, ListId, list_with
from companion.eyes.enrol import CardPhoto, Looked, Refusal, reasons
from companion.eyes.image import encode_jpeg
from companion.line.teaching.drafts import Photo
from companion.line.teaching.sight import Made, Named

BLURRED, NONE = 30, 31
"""Grey levels of a photo that is refused, and of one that shows no card."""
SIZE = 32


def grey(level: int) -> np.ndarray:
    """A picture of the card with this number in its list."""
    return np.full((72, 128, 3), 8 * level + 4, np.uint8)


def sent(level: int) -> bytes:
    """The same as a phone sends it."""
    return encode_jpeg(grey(level), quality=95)


def level_of(image: np.ndarray) -> int:
    return round((float(image.mean()) - 4) / 8)


def a_deck(cards: Sequence[str] = ("matto", "leone"), of: ListId = "stu") -> DeckFile:
    """A small deck that a file can hold."""
    picture = encode_jpeg(np.full((168, 96, 3), 120, np.uint8))
    points = [np.eye(SIZE, dtype="<f4")[number].tobytes() for number in range(len(cards))]
    taught = tuple(TaughtCard(card, (picture,), point) for card, point in zip(cards, points, strict=True))
    return DeckFile(1, of, 0.57, "0" * 64, SIZE, 20.0, 0.5, taught)


class FakeSight:
    """See `companion.line.teaching.sight.Sight`. ``hold``: set, a deck is only made once it is cleared."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()

    def look(self, image: np.ndarray, guess: bool = True) -> Looked:
        level = level_of(image)
        if level >= NONE:
            return Looked(None, Refusal(reasons.NO_CARD))
        quad = np.array([[40, 10], [70, 10], [70, 62], [40, 62]], np.float64)
        if level == BLURRED:
            return Looked(None, Refusal(reasons.BLURRED), (quad,))
        return Looked(CardPhoto(quad, np.asarray(cv2.resize(image, (96, 168)), np.uint8), 0.57), None, (quad,))

    def embed(self, pictures: Sequence[np.ndarray]) -> np.ndarray:
        return np.stack([np.eye(SIZE, dtype=np.float32)[[level_of(one)] * 2] for one in pictures])

    def make(self, cards: Mapping[str, Sequence[Photo]], progress: Callable[[str], object]) -> Made:
        assert self.go.wait(60)
        for card in cards:
            progress(card)
        of = next(found for card in cards if (found := list_with(card)))
        return Made(a_deck(tuple(cards), of), 0.99, like_pedine=BACK in cards)

    def name(self, name: str, deck: DeckFile, image: np.ndarray, quad: np.ndarray) -> Named:
        card = (*LISTS[deck.list].KINDS, BACK)[level_of(image)]
        return Named(card, 0.97) if card in deck.ids else Named(None, 0.1)
