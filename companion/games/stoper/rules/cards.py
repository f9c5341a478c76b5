"""The cards and the worth of a hand (rules 1, 15, 16).

>>> from companion.decks.italian_sets import INDEX
>>> def of(*kinds): return rank(mask_of(INDEX[kind] for kind in kinds))
>>> of("denari-1", "spade-10", "spade-9").score, of("bastoni-1", "spade-1", "bastoni-7").score
(31, 22)
>>> of("spade-1", "coppe-1", "denari-10") > of("denari-1", "bastoni-1", "bastoni-10")
True
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple

from companion.decks.italian_sets import ACES, FIGURES, INDEX, OF_NUMBER, WHOLE, Card, Mask, cards_in, mask_of, number_of

Size = Literal[36, 32, 28]
"""How many cards a deck has."""
Level = Literal["donna", "cavallo", "re"]
"""The lowest figure that opens (rule 6)."""
LEVELS: Final[tuple[Level, ...]] = ("donna", "cavallo", "re")

HAND = 3
"""So many cards has a player."""

DECKS: Final[dict[Size, Mask]] = {
    36: WHOLE & ~OF_NUMBER[2],
    32: WHOLE & ~(OF_NUMBER[2] | OF_NUMBER[3]),
    28: WHOLE & ~(OF_NUMBER[2] | OF_NUMBER[3] | OF_NUMBER[4]),
}
FIGURES_FROM: Final[dict[Level, Mask]] = {
    "donna": FIGURES, "cavallo": FIGURES & ~OF_NUMBER[8], "re": OF_NUMBER[10],
}  # fmt: skip
"""Level → the figures that open."""

DENARI_ACE: Final[Card] = INDEX["denari-1"]
_BETTER: Final = (3, 0, 1, 2)
"""Suit (denari, coppe, spade, bastoni, as in a mask) → 3 for the best: denari, bastoni, spade, coppe (rule 16)."""
_DEAR_ACE: Final = 12
"""Where an ace worth 11 stands when cards are compared one by one: above the Re; that of denari is one higher."""


def deck_of(players: int) -> Size:
    """How many cards so many players play with; fewer than four with 28 (rule 1)."""
    return 36 if players >= 6 else 32 if players == 5 else 28


class Rank(NamedTuple):
    """What a hand of three cards is worth; the greater wins, and two hands that can meet are never equal (rule 16).

    ``score``; whether all three cards are ``of_one_suit``; ``suit``: 3 denari, 2 bastoni, 1 spade, 0 coppe;
    ``counted``: the counted cards from the dearest, a Re as 10, a lesser ace as 1, one worth 11 as 12 (denari: 13).
    """

    score: int
    of_one_suit: bool
    suit: int
    counted: tuple[int, ...]


@cache  # at most 9880 hands, by two readings
def rank(cards: Mask, ace_pair_third: Literal["figure", "any"] = "figure") -> Rank:
    """What these three cards are worth. ``ace_pair_third``: what counts beside two aces, a figure alone or any card."""
    hand = cards_in(cards)
    aces = [card for card in hand if 1 << card & ACES]
    others = [card for card in hand if not 1 << card & ACES]
    if len(aces) > 1:
        return _of_aces(aces, others, ace_pair_third == "any")
    joker = DENARI_ACE in aces  # it goes with any suit
    one_suit = hand[0] // 10 == hand[2] // 10  # they ascend
    by_suit: dict[int, list[int]] = {}
    for card in hand[joker:][::-1]:
        by_suit.setdefault(card // 10, []).append(number_of(card))
    return max([
        Rank(
            11 * joker + sum([number if number < 8 else 10 for number in numbers]), one_suit, _BETTER[suit],
            ((_DEAR_ACE + 1, *numbers) if joker else tuple(numbers)),
        )
        for suit, numbers in by_suit.items()
    ])  # fmt: skip


def _of_aces(aces: list[Card], others: list[Card], any_third: bool) -> Rank:
    """Two aces or three: 11 each, whatever their suits."""
    counted = tuple(sorted((_DEAR_ACE + (ace == DENARI_ACE) for ace in aces), reverse=True))
    better = max(_BETTER[ace // 10] for ace in aces)
    if not others:
        return Rank(33, False, better, counted)
    (third,) = others
    number = number_of(third)
    if number < 8 and not any_third:
        return Rank(22, False, better, counted)
    return Rank(22 + (number if number < 8 else 10), False, _BETTER[third // 10], (*counted, number))


def opens(cards: Mask, level: Level, *, by_figure_alone: bool, ace_pair_third: Literal["figure", "any"]) -> bool:
    """Whether a player with these three cards may open: a figure of the level or higher; or, unless the table asks for a figure
    (``by_figure_alone``), a score above one figure's (rule 6)."""
    if cards & FIGURES_FROM[level]:
        return True
    return not by_figure_alone and rank(cards, ace_pair_third).score > 10


__all__ = [
    "DECKS", "DENARI_ACE", "FIGURES_FROM", "HAND", "LEVELS", "Card", "Level", "Mask", "Rank", "Size", "cards_in", "deck_of",
    "mask_of", "number_of", "opens", "rank",
]  # fmt: skip
