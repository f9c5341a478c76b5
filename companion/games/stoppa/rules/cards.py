"""The cards: worth, decks and deals by the number of players (rules 1, 2). A card is a number, a set of cards a bit mask.

>>> WORTH[number_of(INDEX["coppe-7"])]
21
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from companion.decks.italian import Kind
from companion.decks.italian_sets import (
    ACE,
    ACES,
    FIGURES,
    INDEX,
    KING,
    KINGS,
    OF_NUMBER,
    WHOLE,
    Card,
    Mask,
    cards_in,
    kinds_in,
    mask_of,
    number_of,
)

__all__ = [
    "ACE", "ACES", "DEALS", "FIGURES", "INDEX", "KING", "KINGS", "OF_NUMBER", "TWO", "TWOS", "WHOLE", "WORTH", "Card", "Mask",
    "Named", "cards_in", "deck_for", "kinds_in", "mask_of", "named", "number_of",
]  # fmt: skip

WORTH: Final = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 8: 10, 9: 10, 10: 10}
"""Number → worth in a comparison, as in the primiera of scopa."""

TWO = 2
TWOS: Final[Mask] = OF_NUMBER[TWO]

DEALS: Final[dict[int, tuple[int, ...]]] = {3: (3, 3, 3, 3, 1), 4: (3, 3, 3, 1), 5: (3, 3, 2), 6: (3, 3)}
"""Number of players → cards to each in every punto piccolo."""


class Named(Struct, frozen=True, gc=False):
    """Cards as a line names them, in its order, and as a set; one that is named twice is in both once and twice."""

    cards: tuple[Card, ...]
    mask: Mask


@lru_cache(maxsize=8192)
def named(kinds: tuple[Kind, ...]) -> Named:
    """The cards with these ids."""
    cards = tuple([INDEX[kind] for kind in kinds])
    return Named(cards, mask_of(cards))


def deck_for(players: int, removed: Card | None) -> Mask:
    """The deck for this number of players: three play without the ``removed`` Re, six without any (rule 2)."""
    if players == 6:
        return WHOLE & ~KINGS
    return WHOLE if removed is None else WHOLE & ~(1 << removed)
