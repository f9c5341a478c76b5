"""The decks in the pictures: drawn in many styles, or scanned where scans are given, each printed a little differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np

from workshop.deck.raster import ITALIAN_KEYS, RAMINO_KEYS, STU_KEYS, draw, from_scans, raster
from workshop.deck.sheet import ITALIAN_SIZE
from workshop.deck.strange.decks import CHIMERA, TAUGHT_FACES, StrangeDeck
from workshop.deck.style import Style
from workshop.stage.cards import Textures
from workshop.stage.scene import Image, Key

TALL = 224
"""Height of a texture in px: about that of the longest card in a training picture."""
SCANNED = {"stu": "stu", "ramino": "french", "napoletane": "napoletane", "piacentine": "piacentine"}
"""Deck → its folder of scans."""

ITALIAN = "italian"
"""Our drawn Italian deck. It lies about as a deck that is not the game's, in any style but that of the committed drawings."""

_KEYS = {"stu": STU_KEYS, "ramino": RAMINO_KEYS, ITALIAN: ITALIAN_KEYS}

PARTS = tuple(family for family in TAUGHT_FACES if family != CHIMERA)
"""Families of drawn decks that chimeras are made from, beside scans."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """One deck of a picture. ``name``: stu, ramino or another; ``faces``: its cards; ``size``: width and length, mm.

    ``scanned``: it is made of scans, not drawn. ``strange``: it is not the game's, but lies about as those do. ``role``: whose
    part it plays in a picture, stu's or ramino's; its own where it is empty.
    """

    name: str
    faces: tuple[str, ...]
    size: tuple[float, float]
    textures: Textures
    scanned: bool
    strange: bool = False
    role: str = ""


class Drawn(Mapping[Key, Image]):
    """The cards of a drawn deck in one style, each drawn when it is first needed."""

    def __init__(self, deck: str, style: Style, size: tuple[float, float]) -> None:
        self._style = style
        self._width = round(TALL * size[0] / size[1])
        self._keys = _KEYS[deck]

    def __getitem__(self, key: Key) -> Image:
        return raster(draw(key, self._style), self._width, TALL)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys


class _Made(Mapping[Key, Image]):
    """The cards of a deck, each picture changed in some way."""

    def __init__(self, images: Mapping[Key, Image]) -> None:
        self._images = images

    def __iter__(self) -> Iterator[Key]:
        return iter(self._images)

    def __len__(self) -> int:
        return len(self._images)

    def __contains__(self, key: object) -> bool:
        return key in self._images


class Printed(_Made):
    """Another printing or ageing of a deck: tone, tint and saturation differ a little, in the same way for all its cards."""

    def __init__(self, images: Mapping[Key, Image], rng: np.random.Generator) -> None:
        super().__init__(images)
        gamma, lift = rng.uniform(0.8, 1.25), rng.uniform(0, 0.12)
        paper = rng.uniform(0.84, 1.0) * np.array([rng.uniform(0.85, 1.0), rng.uniform(0.95, 1.0), 1.0])
        levels = np.arange(256) / 255
        self._table = np.empty((1, 256, 3), np.uint8)
        for channel in range(3):
            self._table[0, :, channel] = (255 * paper[channel] * (lift + (1 - lift) * levels**gamma)).round()
        self._saturation = float(rng.uniform(0.6, 1.2))
        self._soft = float(max(0.0, rng.uniform(-1, 1.0)))

    def __getitem__(self, key: Key) -> Image:
        image = self._images[key]
        s = self._saturation
        grey = (1 - s) * np.array([0.114, 0.587, 0.299])
        colour = cv2.LUT(cv2.transform(np.ascontiguousarray(image[..., :3]), s * np.eye(3) + grey), self._table)
        if self._soft > 0.3:
            colour = cv2.GaussianBlur(colour, (0, 0), self._soft)
        return np.dstack([colour, image[..., 3]]) if image.shape[2] == 4 else np.asarray(colour, np.uint8)


class Swapped(_Made):
    """A deck with another deck's back."""

    def __init__(self, images: Mapping[Key, Image], back: Image) -> None:
        super().__init__(images)
        self._back = back

    def __getitem__(self, key: Key) -> Image:
        return self._back if key[1] == "back" else self._images[key]


class Black(_Made):
    """A deck printed on black: metal or white inks where the other has its own, and a little of those colours."""

    def __init__(self, images: Mapping[Key, Image], rng: np.random.Generator) -> None:
        super().__init__(images)
        self._paper = rng.uniform(12, 42) * rng.uniform(0.85, 1.15, 3)
        metals = np.array([[60, 160, 210], [180, 190, 195], [235, 235, 235], [70, 110, 190]], np.float64)  # gold, silver, …
        self._inks = metals[rng.choice(len(metals), 2)] * rng.uniform(0.75, 1.05, (2, 1))
        self._own = float(rng.choice([0.0, rng.uniform(0.1, 0.6)]))

    def __getitem__(self, key: Key) -> Image:
        image = self._images[key]
        colour = image[..., :3].astype(np.float64)
        ink = np.clip(1.15 - colour.min(axis=2, keepdims=True) / 215, 0, 1)
        red = np.clip((colour[..., 2:] - colour[..., :2].max(axis=2, keepdims=True)) / 90, 0, 1)
        metal = red * self._inks[0] + (1 - red) * self._inks[1]
        printed = (1 - self._own) * metal + self._own * np.maximum(colour, 60)
        made = np.clip(self._paper * (1 - ink) + printed * ink, 0, 255).astype(np.uint8)
        return np.dstack([made, image[..., 3]]) if image.shape[2] == 4 else made


@lru_cache(maxsize=8)
def scanned(folder: Path, name: str) -> Mapping[Key, Image] | None:
    """The scans of the deck ``name`` in ``folder``; None where there are none."""
    path = folder / SCANNED[name]
    return from_scans(path, name) if path.is_dir() else None


def deck(name: str, style: int, scans: Path | None, rng: np.random.Generator) -> Deck | None:
    """The deck ``name``: scanned where ``scans`` is given, else drawn in the style with this seed; None where it cannot be
    had."""
    images: Mapping[Key, Image] | None
    if name == "stu":
        width = rng.uniform(48.5, 52)
        size = (width, width * rng.uniform(1.75, 1.9))
    else:
        size = {"napoletane": (51.0, 83.0), "piacentine": (52.0, 93.0)}.get(name, (rng.uniform(55, 63.5), rng.uniform(85, 90)))
    if scans is not None:
        images = scanned(scans, name)
        if images is not None and name == "ramino" and rng.random() < 0.7:  # there is one scanned back only: show others too
            other = Drawn("ramino", Style.random(Random(style)), size)
            images = Swapped(images, other["ramino", "back"])
    elif name in ("stu", "ramino"):
        plain = style % 8 == 0  # the committed drawings, with which the bundled clip is played
        images = Drawn(name, Style.standard() if plain else Style.random(Random(style)), size)
    else:
        images = None
    if images is None:
        return None
    faces = tuple(card for _, card in images if card != "back")
    return Deck(name, faces, size, Textures(Printed(images, rng)), scans is not None)


def strange(
    faces: str, backs: Sequence[str], styles: tuple[int, int], scans: Path | None, rng: np.random.Generator, black: float = 0.0
) -> Deck | None:
    """A deck that is not the game's, of the family ``faces``: one of `strange.decks.FACES`, a scanned deck, or `ITALIAN`.

    Its back is of one of the families ``backs``; a scanned deck has its own as often, and the Italian one always. ``styles``:
    the first seed that it may have, and the first one after the last. ``black``: how probably it is printed on black. None where
    there are no scans of it.
    """
    back, style = str(rng.choice(backs)), int(rng.integers(*styles))
    if faces == ITALIAN:
        size = (ITALIAN_SIZE[0] * rng.uniform(0.97, 1.05), ITALIAN_SIZE[1] * rng.uniform(0.94, 1.03))
        italian = Drawn(ITALIAN, Style.random(Random(style)), size)
        names = tuple(card for _, card in italian if card != "back")
        return Deck(ITALIAN, names, size, _printed(italian, rng, black), False, strange=True)
    if faces in SCANNED:
        made = deck(faces, style, scans, rng) if scans is not None else None
        if made is None:
            return None
        images: Mapping[Key, Image] = scanned(scans, faces) or {}
        if rng.random() < 0.5:
            other = StrangeDeck("print-blank", back, style, TALL)
            images = Swapped(images, other[other.name, "back"])
        return replace(made, textures=_printed(images, rng, black), strange=True)
    parts: list[Mapping[Key, Image]] = []
    if faces == CHIMERA:
        parts = [StrangeDeck(str(rng.choice(PARTS)), back, int(rng.integers(*styles)), TALL) for _ in range(3)]
        parts += [found for name in ("ramino", "piacentine") if scans is not None and (found := scanned(scans, name)) is not None]
    drawn = StrangeDeck(faces, back, style, TALL, parts)
    cards = tuple(card for _, card in drawn if card != "back")
    return Deck(drawn.name, cards, drawn.size, _printed(drawn, rng, black), False, strange=True)


def _printed(images: Mapping[Key, Image], rng: np.random.Generator, black: float) -> Textures:
    return Textures(Printed(Black(images, rng) if black and rng.random() < black else images, rng))


class Together(Textures):
    """The textures of several decks."""

    def __init__(self, decks: list[Deck]) -> None:
        super().__init__({})
        self._decks = {one.name: one.textures for one in decks}

    def level(self, key: Key, length: float) -> Image:
        """See `Textures.level`, of the deck that the key names."""
        return self._decks[key[0]].level(key, length)
