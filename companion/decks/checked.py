"""Reads deck files that strangers may have made, and checks that every picture in them is what its head says.

`companion.decks.deckfile` takes a picture's size from its head without further checks. Here the whole head is parsed strictly
(`companion.photos.jpeg`), so that the decoder gets no malformed file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.decks import deckfile
from companion.decks.deckfile import MAX_SIDE_PIXELS, DeckFile
from companion.photos.jpeg import jpeg_head
from companion.table.errors import BadDeck

MAX_CARD_SCANS: Final = 10
"""Greatest number of scans of a card's picture: companion writes one, an encoder of progressive pictures ten."""


def decode_deck(data: bytes, named: str) -> DeckFile:
    """As `companion.decks.deckfile.decode_deck`, but raises BadDeck also where a picture is malformed."""
    return _checked(deckfile.decode_deck(data, named), named)


def read_deck(path: Path) -> DeckFile:
    """As `companion.decks.deckfile.read_deck`, but raises BadDeck also where a picture is malformed."""
    return _checked(deckfile.read_deck(path), str(path))


def is_card_picture(data: bytes) -> bool:
    """Whether these bytes are a JPEG that a deck file may hold."""
    head = jpeg_head(data, MAX_CARD_SCANS)
    return head is not None and max(head.width, head.height) <= MAX_SIDE_PIXELS


def _checked(deck: DeckFile, named: str) -> DeckFile:
    for one in deck.cards:
        if not all(is_card_picture(picture) for picture in one.pictures):
            raise BadDeck(
                f"{named}: not a deck that companion wrote: a picture of {one.card} is no JPEG of at most {MAX_SIDE_PIXELS}"
                f" pixels and {MAX_CARD_SCANS} scans"
            )
    return deck
