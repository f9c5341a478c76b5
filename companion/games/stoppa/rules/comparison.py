"""The comparison: how many cards of one suit, then what they are worth, then who was served first (rule 6)."""

from __future__ import annotations

from functools import lru_cache

from companion.games.stoppa.rules.cards import WORTH, Mask, cards_in, mask_of, number_of
from companion.games.stoppa.rules.state import Betting, Ranked, Seat, Table

TRIO = 3
"""A group has so many cards at most (rule 8)."""


@lru_cache(maxsize=1024)
def _in_suit(numbers: Mask) -> tuple[int, int]:
    """How many cards the best group of one suit has and what they are worth; ``numbers``: bit 0 is the ace."""
    worth = sorted((WORTH[number] for number in WORTH if numbers >> (number - 1) & 1), reverse=True)[:TRIO]
    return len(worth), sum(worth)


@lru_cache(maxsize=8192)
def best_cards(cards: Mask) -> Mask:
    """The best group of one suit among these cards: three at most. Of two equal groups, that of the suit that comes first.

    >>> from companion.games.stoppa.rules.cards import INDEX, kinds_in, mask_of
    >>> kinds_in(best_cards(mask_of(INDEX[kind] for kind in ("denari-2", "denari-7", "denari-1", "denari-6", "coppe-10"))))
    ('denari-1', 'denari-6', 'denari-7')
    """
    suit = max((0, 10, 20, 30), key=lambda suit: _in_suit(cards >> suit & 1023))
    dearest = sorted(cards_in(cards & 1023 << suit), key=lambda card: -WORTH[number_of(card)])
    return mask_of(dearest[:TRIO])


@lru_cache(maxsize=8192)
def best_group(cards: Mask) -> tuple[int, int]:
    """How many cards of one suit, and their worth, of the best group among these cards.

    >>> from companion.games.stoppa.rules.cards import INDEX, mask_of
    >>> best_group(mask_of(INDEX[kind] for kind in ("coppe-10", "coppe-8", "coppe-3", "denari-7")))
    (3, 33)
    """
    return max(_in_suit(cards >> suit & 1023) for suit in (0, 10, 20, 30))


def ranking(table: Table, betting: Betting, dealer: Seat) -> tuple[Ranked, ...]:
    """Those who have shown, best first; equal groups in order of play."""
    rows = []
    for priority, seat in enumerate(table.round_from(table.after(dealer))):
        if betting.shown[seat]:
            cards, score = best_group(betting.shown[seat])
            rows.append((-cards, -score, priority, seat))
    return tuple([Ranked(table.names[seat], -cards, -score) for cards, score, _, seat in sorted(rows)])
