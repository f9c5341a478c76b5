"""The eyes as teaching needs them: one card in a photo, how much two look alike, a deck of photos, a card's name in a trial."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import DeckFile
from companion.eyes.enrol import CardPhoto, Looked, enrol, read_photo
from companion.eyes.enrol.deck import Cohort, like_pedine
from companion.eyes.image import Image, encode_jpeg
from companion.eyes.look import MIN_DECK_PROBABILITY, MIN_NAMED_PROBABILITY, Eyes
from companion.eyes.reader import CROP
from companion.line.teaching.drafts import Photo
from companion.photos.apart import photos as reader

MAX_PHOTO_WIDTH: Final = 2400
"""Greatest length of a photo's longer side, pixels: a larger photo is shrunk."""
JPEG_QUALITY: Final = 95
"""JPEG quality of the pictures in a draft, OpenCV's scale of 0 to 100."""


@dataclass(frozen=True, slots=True)
class Made:
    """A deck made of photos. ``right``: as of `companion.eyes.enrol.Enrolled`. ``like_pedine``: its back cannot be told from a
    pedina's."""

    deck: DeckFile
    right: float
    like_pedine: bool


@dataclass(frozen=True, slots=True)
class Named:
    """What a card was read as: ``card`` None for one that the deck does not have, or that cannot be told."""

    card: str | None
    probability: float


class Sight:
    """Loaded when first needed; one thread at a time. ``models``: the folder, as of `Eyes.load`."""

    def __init__(self, models: Path, threads: int = 2) -> None:
        self._models, self._threads = models, threads
        self._lock = threading.Lock()
        self._loaded: tuple[Eyes, Cohort] | None = None
        self._of: tuple[tuple[str, DeckFile], Eyes] | None = None

    def look(self, image: Image, guess: bool = True) -> Looked:
        """The one card in a picture (H, W, 3), uint8 BGR; ``guess`` as of `read_photo`."""
        with self._lock:
            return read_photo(image, self._eyes().detector, guess)

    def embed(self, pictures: Sequence[Image]) -> NDArray[np.float32]:
        """Embeddings (n, 2, d) of straightened cards, upright and upside down."""
        small = [np.asarray(cv2.resize(picture, CROP, interpolation=cv2.INTER_AREA), np.uint8) for picture in pictures]
        crops = [np.ascontiguousarray(turned) for one in small for turned in (one, one[::-1, ::-1])]
        with self._lock:
            points = self._eyes().reader.embed(crops)
        return points.reshape(len(pictures), 2, -1)

    def make(self, cards: Mapping[str, Sequence[Photo]], progress: Callable[[str], object]) -> Made:
        """The deck of these photos. Raises CannotEnrol, NotRead."""
        photos = {card: [_straightened(photo) for photo in kept] for card, kept in cards.items()}
        with self._lock:
            eyes, cohort = self._eyes(), self._cohort()
        made = enrol(photos, eyes.reader, cohort, progress)  # seconds: a look in between must not wait
        return Made(made.deck, made.right, like_pedine(made.deck, eyes.reader.prototypes))

    def name(self, name: str, deck: DeckFile, image: Image, quad: NDArray[np.float64]) -> Named:
        """What a card at ``quad`` (4, 2) of ``image`` is called when this deck is played with."""
        with self._lock:
            if self._of is None or self._of[0] != (name, deck):
                self._of = (name, deck), self._eyes().taught([(name, deck)], self._cohort(), deck.list)
            reading = self._of[1].reader.read(image, [quad])[0]
        back = reading.back[1] if reading.back[0] == deck.list else 0.0
        if back > max(reading.known, MIN_DECK_PROBABILITY):
            return Named("back", back)
        known = reading.known >= MIN_DECK_PROBABILITY and reading.probability >= MIN_NAMED_PROBABILITY
        return Named(reading.card if known else None, reading.known * reading.probability)

    def _eyes(self) -> Eyes:
        if self._loaded is None:
            self._loaded = Eyes.load(self._models, self._threads), Cohort.load(self._models / "cohort.npz")
        return self._loaded[0]

    def _cohort(self) -> Cohort:
        self._eyes()
        assert self._loaded is not None
        return self._loaded[1]


def decoded(data: bytes) -> Image:
    """The photo that somebody sent, (H, W, 3) uint8 BGR, turned as a viewer shows it. It is decoded in another process. Raises
    NotRead."""
    return reader.read(data, MAX_PHOTO_WIDTH)


def kept(card: str, photo: CardPhoto) -> Photo:
    """A photo as drafts keep it."""
    return Photo(card, float(np.clip(photo.ratio, 0.1, 1.5)), encode_jpeg(photo.picture, quality=JPEG_QUALITY))


def _straightened(photo: Photo) -> CardPhoto:
    picture = decoded(photo.picture)
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)
    return CardPhoto(corners, picture, photo.ratio)
