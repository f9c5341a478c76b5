"""The cards and the worth of a hand (rules 1, 15, 16).

>>> from companion.decks.italian_sets import INDEX
>>> def of(*kinds): return rank(mask_of(INDEX[kind] for kind in kinds))
>>> of("denari-1", "spade-10", "spade-9").score, of("bastoni-1", "spade-1", "bastoni-7").score
(31, 22)
>>> of("spade-1", "coppe-1", "denari-10") > of("denari-1", "bastoni-1", "bastoni-10")
True
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from companion.decks.italian import Kind
from companion.decks.italian_sets import ACES, FIGURES, INDEX, OF_NUMBER, WHOLE, Card, Mask, cards_in, mask_of, number_of

Size = Literal[36, 32, 28]
"""The number of cards in a deck."""
Level = Literal["donna", "cavallo", "re"]
"""The lowest figure that opens (rule 6)."""
LEVELS: Final[tuple[Level, ...]] = ("donna", "cavallo", "re")

HAND = 3
"""Cards of a player."""

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


@lru_cache(maxsize=8192)
def set_of(kinds: tuple[Kind, ...]) -> Mask:
    """The set of the cards with these ids."""
    return mask_of([INDEX[kind] for kind in kinds])


def deck_of(players: int) -> Size:
    """The number of cards in the deck of this number of players; fewer than four play with 28 (rule 1)."""
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


Edge = Literal["of_one_suit", "suit", "third_suit", "ace_suit", "card"]
"""What decides between two hands with equal scores (rule 16): that only one of them is of one suit; the suit of the counted
cards, of the card beside two aces, or of the better of two aces; the first counted card that differs."""
_SUITS: Final = ("coppe", "spade", "bastoni", "denari")
"""Those of `Rank.suit`."""


def edge(better: Rank, worse: Rank) -> tuple[Edge, str, str]:
    """What makes one of two hands with equal scores the better one, and the two suits or cards that differ. A card is named by
    its number, an ace worth 11 as "ace", that of denari by its id.

    >>> def of(*kinds): return rank(mask_of(INDEX[kind] for kind in kinds))
    >>> edge(of("bastoni-10", "bastoni-9", "coppe-7"), of("spade-10", "spade-9", "coppe-6"))
    ('suit', 'bastoni', 'spade')
    >>> edge(of("denari-1", "coppe-1", "denari-10"), of("spade-1", "bastoni-1", "bastoni-9"))
    ('third_suit', 'denari', 'bastoni')
    >>> edge(of("spade-7", "spade-6", "spade-5"), of("denari-10", "denari-8", "coppe-3"))
    Traceback (most recent call last):
    ValueError: 18 and 20 are not equal
    """
    if better.score != worse.score:
        raise ValueError(f"{better.score} and {worse.score} are not equal")
    if better.of_one_suit != worse.of_one_suit:
        return "of_one_suit", "", ""
    if better.suit != worse.suit:
        aces = sum([card >= _DEAR_ACE for card in better.counted])
        by: Edge = "suit" if aces < 2 else "ace_suit" if len(better.counted) == aces else "third_suit"
        return by, _SUITS[better.suit], _SUITS[worse.suit]
    one, other = next(pair for pair in zip(better.counted, worse.counted, strict=False) if pair[0] != pair[1])
    return "card", _counted(one), _counted(other)


def _counted(card: int) -> str:
    return {_DEAR_ACE: "ace", _DEAR_ACE + 1: "denari-1"}.get(card, str(card))


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
    "DECKS", "DENARI_ACE", "FIGURES_FROM", "HAND", "LEVELS", "Card", "Edge", "Level", "Mask", "Rank", "Size", "cards_in",
    "deck_of", "edge", "mask_of", "number_of", "opens", "rank",
]  # fmt: skip
