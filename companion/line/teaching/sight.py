"""The eyes as teaching needs them: one card in a photo, how much two look alike, a deck of photos, a card's name in a trial;
whether a card before the camera lies still, and is another than the one before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import DeckFile
from companion.eyes.enrol import CardPhoto, Looked, enrol, read_photo
from companion.eyes.enrol.deck import Cohort, like_pedine
from companion.eyes.geometry import card_length
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
    """What a card was read as: ``card`` None for one that the deck does not have, or that cannot be recognised."""

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


MIN_LOOKS: Final = 3
"""Number of equal looks in a row after which a card lies still, …"""
MIN_STILL_SECONDS: Final = 0.7
"""… and the seconds that they must span."""
MAX_STILL_SHIFT: Final = 0.03
"""Greatest shift of a still card's corners from look to look, as a share of its length."""
MIN_SAME_COSINE: Final = 0.9
"""Cosine similarity from which on two looks show the same card."""

Verdict = Literal["none", "moving", "still", "before"]
"""No card; not yet still; still; still the card that was taken before: lift it first."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A card seen at ``t`` seconds: its ``quad`` (4, 2) in pixels and its embedding either way up, ``points`` (2, d)."""

    t: float
    quad: NDArray[np.float64]
    points: NDArray[np.float32]

    def lies_as(self, other: Glance) -> bool:
        """Whether both show the same card in the same place, whichever corner comes first."""
        reach = MAX_STILL_SHIFT * float(card_length(self.quad))
        turned = (np.roll(other.quad, turn, axis=0) for turn in range(4))
        there = min(float(np.abs(self.quad - quad).max()) for quad in turned) < reach
        return there and closeness(self.points, other.points) > MIN_SAME_COSINE


def closeness(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The cosine of two cards' embeddings (2, d), whichever way up each was."""
    return float((one[0] @ other.T).max())


class Stillness:
    """Follows what lies before the camera, look by look."""

    def __init__(self) -> None:
        self._row: list[Glance] = []
        self._taken: Glance | None = None

    def saw(self, glance: Glance | None) -> Verdict:
        """What the next look shows; None: no card alone."""
        if glance is None:
            self._row, self._taken = [], None
            return "none"
        row = self._row
        kept = bool(row) and glance.lies_as(row[-1])
        self._row = [*row, glance] if kept else [glance]
        if self._taken is not None:
            if glance.lies_as(self._taken):
                return "before"
            self._taken = None
        still = len(self._row) >= MIN_LOOKS and glance.t - self._row[0].t >= MIN_STILL_SECONDS
        return "still" if still else "moving"

    def pause(self) -> None:
        """Nobody has watched for a while: looks of before that tell nothing of those that follow."""
        self._row = []

    def took(self) -> None:
        """The card that lies there was taken: it has to go before another one is."""
        self._taken = self._row[-1] if self._row else None
        self._row = []
