"""Italian cards as small numbers, and sets of them as bit masks, for rules that compute with them.

Card ``c`` is `KINDS[c]`; bit ``c`` stands for it in a mask. Suits are tens: 0 denari, 10 coppe, 20 spade, 30 bastoni.

>>> KINDS[INDEX["coppe-7"]], number_of(INDEX["coppe-7"]), kinds_in(mask_of((12, 0)))
('coppe-7', 7, ('denari-1', 'coppe-3'))
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from companion.decks.italian import KINDS, Kind

Card = int
Mask = int

INDEX: Final[dict[Kind, Card]] = {kind: card for card, kind in enumerate(KINDS)}

ACE, KING = 1, 10
OF_NUMBER: Final[tuple[Mask, ...]] = (0, *(sum(1 << (suit * 10 + number - 1) for suit in range(4)) for number in range(1, 11)))
"""Number → the cards of it; nothing for 0."""
ACES, KINGS = OF_NUMBER[ACE], OF_NUMBER[KING]
FIGURES: Final[Mask] = OF_NUMBER[8] | OF_NUMBER[9] | KINGS
WHOLE: Final[Mask] = (1 << 40) - 1


def number_of(card: Card) -> int:
    """The number on a card, 1 to 10."""
    return card % 10 + 1


def mask_of(cards: Iterable[Card]) -> Mask:
    """The mask of these cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


@lru_cache(maxsize=8192)
def cards_in(mask: Mask) -> tuple[Card, ...]:
    """The numbers of the cards in a mask, ascending."""
    return tuple([card for card in range(mask.bit_length()) if mask >> card & 1])


@lru_cache(maxsize=8192)
def kinds_in(mask: Mask) -> tuple[Kind, ...]:
    """The ids of the cards in a mask, in ascending order of their numbers."""
    return tuple([KINDS[card] for card in cards_in(mask)])
