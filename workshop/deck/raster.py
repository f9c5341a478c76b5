"""Cards as pixels: drawn decks by resvg and folders of scans, both as the same mapping of BGRA textures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import resvg_py

from companion.decks import italian as italian_deck
from companion.decks.stu import KINDS
from companion.table.errors import CompanionError
from workshop.deck import backs, italian, ramino, stu
from workshop.deck.sheet import ITALIAN_SIZE, NAMESPACE, RAMINO_SIZE, STU_SIZE
from workshop.deck.style import Style
from workshop.deck.svg import rounded

CardKey: TypeAlias = tuple[str, str]
"""(deck, card): ``("stu", "gnao")``, ``("stu", "back")``, ``("ramino", "7h")``, ``("italian", "denari-7")``."""

Texture: TypeAlias = npt.NDArray[np.uint8]
"""BGRA, uint8, height x width x 4, straight (not premultiplied) alpha, upright, transparent outside the round corners."""


class DeckImages(Mapping[CardKey, Texture]):
    """Textures of cards by key, and how large each card is in mm. Textures are read-only arrays."""

    def __init__(self, textures: Mapping[CardKey, Texture], sizes: Mapping[str, tuple[float, float]]) -> None:
        self._textures = dict(textures)
        self._sizes = dict(sizes)
        for texture in self._textures.values():
            texture.flags.writeable = False

    def __getitem__(self, key: CardKey) -> Texture:
        return self._textures[key]

    def __iter__(self) -> Iterator[CardKey]:
        return iter(self._textures)

    def __len__(self) -> int:
        return len(self._textures)

    def size_mm(self, key: CardKey) -> tuple[float, float]:
        """Width and height of the card in mm."""
        return self._sizes[key[0]]

    def merged(self, other: DeckImages) -> DeckImages:
        """Both together; where both have a key or a deck, ``other`` wins."""
        return DeckImages({**self._textures, **other._textures}, {**self._sizes, **other._sizes})


def raster(svg: str, width: int, height: int) -> Texture:
    """An SVG text as a BGRA texture of exactly ``width`` x ``height`` pixels."""
    # The root's own size decides resvg's canvas to the pixel; its width and height arguments would keep the proportions instead.
    sized = re.sub(r'width="[^"]*" height="[^"]*"', f'width="{width}" height="{height}" preserveAspectRatio="none"', svg, count=1)
    png = np.frombuffer(resvg_py.svg_to_bytes(svg_string=sized, skip_system_fonts=True), np.uint8)
    image = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)
    if image is None or image.shape != (height, width, 4):
        raise ValueError(f"resvg gave no {width}x{height} picture with alpha; is the drawing a valid SVG text?")
    return np.asarray(image, np.uint8)


def draw(key: CardKey, style: Style) -> str:
    """The SVG text of one card; `ValueError` when there is no such card."""
    deck, card = key
    if deck == "stu":
        return backs.back(style) if card == "back" else stu.face(card, style)
    if deck == "ramino":
        return ramino.back(style) if card == "back" else ramino.face(card, style)
    if deck == "italian":
        return italian.back(style) if card == "back" else italian.face(card, style)
    raise ValueError(f"no drawn deck is called {deck!r}; there are stu, ramino and italian")


STU_KEYS: tuple[CardKey, ...] = (*(("stu", kind) for kind in KINDS), ("stu", "back"))
RAMINO_KEYS: tuple[CardKey, ...] = (*(("ramino", card) for card in ramino.FACES), ("ramino", "back"))
ITALIAN_KEYS: tuple[CardKey, ...] = (*(("italian", card) for card in italian_deck.KINDS), ("italian", "back"))


DECKS: Mapping[str, tuple[CardKey, ...]] = {"stu": STU_KEYS, "ramino": RAMINO_KEYS, "italian": ITALIAN_KEYS}
"""The drawn decks by name."""


@lru_cache(maxsize=2)
def drawn(style: Style | None = None, px_per_mm: float = 8.0, keys: tuple[CardKey, ...] = STU_KEYS + RAMINO_KEYS) -> DeckImages:
    """The drawn cards ``keys`` in a style (the standard one by default), ``px_per_mm`` pixels to a mm.

    The last two decks drawn are kept, so asking again costs nothing.
    """
    style = style or Style.standard()
    sizes = {"stu": STU_SIZE, "ramino": RAMINO_SIZE, "italian": ITALIAN_SIZE}
    textures = {}
    for key in keys:
        width, height = sizes[key[0]]
        textures[key] = raster(draw(key, style), round(width * px_per_mm), round(height * px_per_mm))
    return DeckImages(textures, sizes)


_HEIGHTS_MM = {"stu": 89.5, "ramino": 88.0, "napoletane": 84.0, "italian": 84.0, "piacentine": 91.0}
_FRENCH_SUITS = {"b": "c", "c": "h", "d": "d", "s": "s"}
"""Suit letters of French packs named the Italian way (bastoni, coppe, denari, spade) to clubs, hearts, diamonds, spades."""


def from_scans(folder: Path, name: str, height_mm: float | None = None) -> DeckImages:
    """A folder of pictures, one for each card, as the deck ``name``: keys ``(name, file name without ending)``.

    ``stu`` needs the twenty kinds and ``back``; ``ramino`` the 52 French-suited cards and ``back`` (named ``7h`` or the
    Italian way: ``poker-7c`` for a seven of hearts, ``poker_figures-8c`` for its jack); any other name one face and ``back``.
    Pictures without alpha lose their outermost two pixels and get round corners. ``height_mm`` is the cards' height where it
    is not that of a known deck. Raises `CompanionError` that says which files are missing or cannot be read.
    """
    if not folder.is_dir():
        raise CompanionError(f"{folder} is no folder: expected one with a picture for each card of the deck {name}")
    files = {_card_of(path.stem): path for path in sorted(folder.iterdir()) if path.suffix.lower() in (".png", ".jpg", ".jpeg")}
    wanted = {"stu": {*KINDS, "back"}, "ramino": {*ramino.FACES[:52], "back"}, "italian": {*italian_deck.KINDS, "back"}}
    expected = wanted.get(name, {"back"})
    missing = sorted(expected - files.keys())
    if missing or len(files) < 2:
        raise CompanionError(
            f"{folder} lacks pictures of {', '.join(missing) or 'faces'}: name each card's file as the card, .png or .jpg"
        )
    chosen = {card: path for card, path in files.items() if name not in ("stu", "ramino") or card in expected}
    textures = {(name, card): _scan(path) for card, path in chosen.items()}
    height, width = next(iter(textures.values())).shape[:2]
    tall = height_mm or _HEIGHTS_MM.get(name, 88.0)
    return DeckImages(textures, {name: (tall * width / height, tall)})


def _card_of(stem: str) -> str:
    """The card that a file name stands for: itself, unless it names a French card the Italian way."""
    match = re.fullmatch(r"poker(_figures)?-(\d+)([bcds])", stem)
    if match is None:
        return stem
    court, value, suit = match[1], int(match[2]), _FRENCH_SUITS[match[3]]
    if court and value > 7:
        return "JQK"[value - 8] + suit
    return ("A" if value == 1 else str(value)) + suit


def _scan(path: Path) -> Texture:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None or image.dtype != np.uint8:
        raise CompanionError(f"{path} cannot be read as a picture of 8 bits a channel")
    if image.ndim == 3 and image.shape[2] == 4:
        return np.ascontiguousarray(image)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    image = image[2:-2, 2:-2]
    height, width = image.shape[:2]
    card = rounded(0, 0, width, height, width * 0.055)
    corners = f'<svg width="0" height="0" viewBox="0 0 {width} {height}" xmlns="{NAMESPACE}"><path d="{card}"/></svg>'
    return np.dstack([image, raster(corners, width, height)[..., 3]])
