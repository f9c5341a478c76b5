"""How people at a table of Stoper say hands, figures, pots and blinds, in Italian and English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.decks import italian_words
from companion.decks.italian_sets import ACES, FIGURES
from companion.games.stoper.rules.cards import DENARI_ACE, Card, Level, Mask, cards_in, number_of, rank
from companion.games.stoper.rules.log import HouseRules
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed

BLINDS: Final = ("buio", "controbuio", "over")
"""What each blind is called, in any language."""
_FIGURES: Final[dict[Level, str]] = {"donna": N_("a knave (Donna)"), "cavallo": N_("a knight (Cavallo)"), "re": N_("a king (Re)")}


def score(cards: Mask, house: HouseRules) -> int:
    """What three cards are worth."""
    return rank(cards, house.ace_pair_third).score


def counted(cards: Mask, house: HouseRules) -> tuple[Card, ...]:
    """Those among three cards that make the score, the dearest first, aces worth 11 before all. The others add nothing to it.

    >>> from companion.decks.italian_sets import INDEX, KINDS, mask_of
    >>> hand = mask_of(INDEX[kind] for kind in ("denari-1", "coppe-7", "coppe-8"))
    >>> [KINDS[card] for card in counted(hand, HouseRules())]
    ['denari-1', 'coppe-8', 'coppe-7']
    """
    held = cards_in(cards)
    aces = [card for card in held if 1 << card & ACES]
    if len(aces) > 1:
        others = [card for card in held if not 1 << card & ACES]
        counts = [card for card in others if 1 << card & FIGURES or house.ace_pair_third == "any"]
        return (*sorted(aces, key=lambda card: card != DENARI_ACE), *counts)
    worth = score(cards, house)
    joker = [DENARI_ACE] if DENARI_ACE in aces else []
    by_suit: dict[int, list[Card]] = {}
    for card in held:
        if card not in joker:
            by_suit.setdefault(card // 10, []).append(card)
    fitting = [suited for suited in by_suit.values() if sum(map(_worth, suited)) + 11 * len(joker) == worth]
    best = max(fitting, key=lambda suited: _BETTER[suited[0] // 10])
    return (*joker, *sorted(best, key=lambda card: (-_worth(card), -number_of(card))))


_BETTER: Final = (3, 0, 1, 2)
"""Suit, as in a mask → 3 for the best: of two that are equally dear the better one counts (rule 16)."""


def _worth(card: Card) -> int:
    number = number_of(card)
    return 10 if number > 7 else number


def hand(cards: Mask, house: HouseRules, lang: Lang) -> str:
    """Three cards that lie open, with their score and what makes it.

    >>> from companion.decks.italian_sets import INDEX, mask_of
    >>> def said(lang, *kinds): return hand(mask_of(INDEX[kind] for kind in kinds), HouseRules(), lang)
    >>> said("it", "bastoni-1", "coppe-1", "spade-9"), said("en", "bastoni-1", "coppe-1", "spade-9")
    ('32: due assi e figura', '32: two aces and a figure')
    >>> said("it", "denari-1", "spade-10", "coppe-7"), said("it", "spade-10", "spade-9", "coppe-7")
    ('21: asso di denari e re di spade', '20: re e cavallo di spade')
    >>> said("it", "denari-1", "spade-10", "spade-9")
    '31: asso di denari, re e cavallo di spade'
    """
    return f"{score(cards, house)}: {_why(counted(cards, house), lang)}"


def _why(counts: Sequence[Card], lang: Lang) -> str:
    _ = catalogue(lang).gettext
    aces = [card for card in counts if 1 << card & ACES]
    if len(aces) == 3:
        return _("three aces")
    if len(aces) == 2:
        if len(counts) == 2:
            return _("two aces")
        third = counts[2]
        if 1 << third & FIGURES:
            return _("two aces and a figure")
        return _("two aces and {card}").format(card=italian_words.number(number_of(third), lang))
    if len(counts) > 1 and counts[0] == DENARI_ACE and counts[1] // 10:
        ace, others = italian_words.of_a_suit(counts[:1], lang), italian_words.of_a_suit(counts[1:], lang)
        return f"{ace}, {others}" if len(counts) > 2 else listed([ace, others], lang)
    return italian_words.of_a_suit(counts, lang)


def figure(level: Level, lang: Lang) -> str:
    """What opens: "un fante", "a knight (Cavallo)"."""
    message = _FIGURES[level]
    return catalogue(lang).gettext(message)


def pot(n: int, of: int, lang: Lang) -> str:
    """The name of pot ``n``, from 1, of ``of`` pots: "Piatto", "Piatto 2"."""
    _ = catalogue(lang).gettext
    return _("The pot") if of == 1 else _("Pot {n}").format(n=n)
