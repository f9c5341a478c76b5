"""The Italian cards in words, in Italian and English, and as pages show them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.decks.italian import KINDS, NAMES, NUMBERS, SUITS, Kind
from companion.decks.italian_sets import Card, number_of
from companion.pages.view import CardView
from companion.table.language import Lang, catalogue
from companion.table.text import listed


def card(kind: Kind, lang: Lang) -> str:
    """The card's name: "Sette di coppe", "Seven of cups"."""
    return NAMES[kind].it if lang == "it" else NAMES[kind].en


def number(number: int, lang: Lang) -> str:
    """A number as people say it in a sentence: "sei", "six", "re"."""
    return (NUMBERS[number].it if lang == "it" else NUMBERS[number].en).lower()


def of_a_suit(cards: Sequence[Card], lang: Lang) -> str:
    """Cards of one suit by their numbers, in this order: "sette, sei e asso di denari"; one at least."""
    suit = SUITS[KINDS[cards[0]].partition("-")[0]]
    numbers = listed([number(number_of(card), lang) for card in cards], lang)
    said = catalogue(lang).gettext("{numbers} of {suit}")
    return said.format(numbers=numbers, suit=suit.it if lang == "it" else suit.en)


def kinds_by_number(lang: Lang) -> tuple[tuple[Kind, str], ...]:
    """Id and name of all cards, low to high."""
    return tuple((kind := f"{suit}-{number}", card(kind, lang)) for number in NUMBERS for suit in SUITS)


def card_view(face: Card, lang: Lang) -> CardView:
    """A card that everybody sees, as pages take it."""
    return CardView(KINDS[face], card(KINDS[face], lang))
