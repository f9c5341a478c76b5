"""Deck files whose pictures are what they say that they are. Whatever may come from a stranger is read here.

`companion.decks.deckfile` looks at a picture's size as its head tells it; here the head is read as strictly as a decoder has to
be protected (`companion.photos.jpeg`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.decks import deckfile
from companion.decks.deckfile import LONGEST_SIDE, DeckFile
from companion.photos.jpeg import jpeg_head
from companion.table.errors import BadDeck

MOST_SCANS: Final = 10
"""Of a card's picture: companion writes one, an encoder of progressive pictures ten."""


def decode_deck(data: bytes, named: str) -> DeckFile:
    """As `companion.decks.deckfile.decode_deck`. Raises BadDeck, also where a picture is not what it says."""
    return _checked(deckfile.decode_deck(data, named), named)


def read_deck(path: Path) -> DeckFile:
    """As `companion.decks.deckfile.read_deck`. Raises BadDeck, also where a picture is not what it says."""
    return _checked(deckfile.read_deck(path), str(path))


def is_card_picture(data: bytes) -> bool:
    """Whether these bytes are a JPEG that a deck file may hold."""
    head = jpeg_head(data, MOST_SCANS)
    return head is not None and max(head.width, head.height) <= LONGEST_SIDE


def _checked(deck: DeckFile, named: str) -> DeckFile:
    for one in deck.cards:
        if not all(is_card_picture(picture) for picture in one.pictures):
            raise BadDeck(
                f"{named}: not a deck that companion wrote: a picture of {one.card} is no JPEG of at most {LONGEST_SIDE} pixels"
                f" and {MOST_SCANS} scans"
            )
    return deck
