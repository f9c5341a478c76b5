"""How people at a table of Stoppa say numbers, groups, punti and sums, in Italian and English."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from companion.decks import italian_words
from companion.decks.italian import Kind
from companion.games.stoppa import words
from companion.games.stoppa.rules.cards import INDEX, WORTH, Card, Mask, cards_in, number_of
from companion.games.stoppa.rules.declarations import best_cards, best_group
from companion.games.stoppa.rules.state import Table
from companion.table.language import N_, Lang, catalogue
from companion.table.text import sentence

FIGURES: Final = (8, 9, 10)


def sum_of(table: Table, minor: int, lang: Lang) -> str:
    """An amount of this table's stakes: "12,00 €", "12 punti". Not negative."""
    return words.amount(minor, lang, points=table.points)


def signed_sum(table: Table, minor: int, lang: Lang) -> str:
    """A balance, with its sign."""
    return words.signed_sum(minor, lang, points=table.points)


def dearest_first(cards: Mask) -> tuple[Card, ...]:
    """The cards of a group as people name them: the dearest first, figures from the Re down.

    >>> from companion.decks.italian import KINDS
    >>> from companion.games.stoppa.rules.cards import INDEX, mask_of
    >>> [KINDS[card] for card in dearest_first(mask_of(INDEX[kind] for kind in ("coppe-8", "coppe-1", "coppe-10", "coppe-7")))]
    ['coppe-7', 'coppe-1', 'coppe-10', 'coppe-8']
    """
    return tuple(sorted(cards_in(cards), key=lambda card: (-WORTH[number_of(card)], -number_of(card))))


def group(cards: Mask, lang: Lang) -> str:
    """The best group among cards that lie open, with its worth.

    >>> from companion.games.stoppa.rules.cards import INDEX, mask_of
    >>> shown = mask_of(INDEX[kind] for kind in ("denari-1", "denari-7", "denari-6", "coppe-10"))
    >>> group(shown, "it"), group(shown, "en")
    ('55: sette, sei e asso di denari', '55: seven, six and ace of coins')
    """
    return f"{best_group(cards)[1]}: {italian_words.of_a_suit(dearest_first(best_cards(cards)), lang)}"


def number(number: int, lang: Lang) -> str:
    """A number as it is written where it is to be seen from far: "6", "fante".

    >>> number(6, "it"), number(8, "it"), number(8, "en")
    ('6', 'fante', 'knave')
    """
    return italian_words.number(number, lang) if number in FIGURES else str(number)


def numbers(kinds: Sequence[Kind], lang: Lang) -> str:
    """Cards by their numbers alone, as they are put down; several of a number in one, as people say them.

    >>> lay = ("coppe-5", "denari-8", "spade-8", "coppe-9", "coppe-1", "spade-1", "denari-2", "coppe-2", "spade-10", "coppe-10")
    >>> numbers(lay, "it")
    '5, due fanti, cavallo, due assi, due 2, due re'
    >>> numbers(lay, "en")
    '5, two knaves, knight, two aces, two 2s, two kings'
    """
    runs = groupby(number_of(INDEX[kind]) for kind in kinds)
    return ", ".join(_several(one, sum(1 for _same in run), lang) for one, run in runs)


_SEVERAL: Final[dict[int, str]] = {
    1: N_("{how_many} aces"), 8: N_("{how_many} knaves"), 9: N_("{how_many} knights"), 10: N_("{how_many} kings"),
}  # fmt: skip
_SEVERAL_LOW: Final = N_("{how_many} {number}s")


def _several(one: int, how_many: int, lang: Lang) -> str:
    """Cards of one number, 10 at most: "fante", "quattro fanti", "due 5"."""
    if how_many == 1:
        return number(one, lang)
    message = _SEVERAL.get(one, _SEVERAL_LOW)
    return catalogue(lang).gettext(message).format(how_many=italian_words.number(how_many, lang), number=one)


def wants(wanted: int, lang: Lang) -> str:
    """What an open sequence wants next: "vuole il 6", "vuole il fante"."""
    return catalogue(lang).gettext("wants the {number}").format(number=number(wanted, lang))


def punto(phase: str, lang: Lang, of: int = 0) -> str:
    """What is played for: "punto grosso"; of ``of`` punti piccoli, "punto piccolo 2 di 4"."""
    if not of or phase == "grosso":
        return words.punto(phase)
    return catalogue(lang).gettext("{punto} of {of}").format(punto=words.punto(phase), of=of)


def punto_title(phase: str, lang: Lang, of: int = 0) -> str:
    """As `punto`, for a heading."""
    return sentence(punto(phase, lang, of))
