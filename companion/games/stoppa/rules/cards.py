"""The cards: worth, decks and deals by the number of players (rules 1, 2). A card is a number, a set of cards a bit mask.

Card ``c`` is `KINDS[c]`; bit ``c`` stands for it in a mask. Numbers are those on the cards: 1 (Asso) to 10 (Re).

>>> KINDS[INDEX["coppe-7"]], number_of(INDEX["coppe-7"]), WORTH[7]
('coppe-7', 7, 21)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from companion.decks.italian import KINDS, Kind

Card = int
Mask = int

INDEX: Final[dict[Kind, Card]] = {kind: card for card, kind in enumerate(KINDS)}
WORTH: Final = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 8: 10, 9: 10, 10: 10}
"""Number → worth in a comparison, as in the primiera of scopa."""

ACE, TWO, KING = 1, 2, 10
OF_NUMBER: Final[tuple[Mask, ...]] = (0, *(sum(1 << (suit * 10 + number - 1) for suit in range(4)) for number in range(1, 11)))
"""Number → the cards of it; nothing for 0."""
ACES, TWOS, KINGS = OF_NUMBER[ACE], OF_NUMBER[TWO], OF_NUMBER[KING]
FIGURES: Final[Mask] = OF_NUMBER[8] | OF_NUMBER[9] | KINGS
WHOLE: Final[Mask] = (1 << 40) - 1

DEALS: Final[dict[int, tuple[int, ...]]] = {3: (3, 3, 3, 3, 1), 4: (3, 3, 3, 1), 5: (3, 3, 2), 6: (3, 3)}
"""Number of players → cards to each in every punto piccolo."""


def number_of(card: Card) -> int:
    """The number on a card, 1 to 10."""
    return card % 10 + 1


def mask_of(cards: Iterable[Card]) -> Mask:
    """The set of these cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


@lru_cache(maxsize=8192)
def cards_in(mask: Mask) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    return tuple([card for card in range(mask.bit_length()) if mask >> card & 1])


@lru_cache(maxsize=8192)
def kinds_in(mask: Mask) -> tuple[Kind, ...]:
    """The ids of the cards of a set, ascending."""
    return tuple([KINDS[card] for card in cards_in(mask)])


def deck_for(players: int, removed: Card | None) -> Mask:
    """The deck of so many players: three play without the ``removed`` Re, six without any (rule 2)."""
    if players == 6:
        return WHOLE & ~KINGS
    return WHOLE if removed is None else WHOLE & ~(1 << removed)
