"""The lists of cards that a deck can be of, and the decks that are shipped.

`drawing` says which file of ``web/cards`` shows a card, and what people call it.

>>> list_with("denari-7"), sorted(LISTS)
('italian', ['french', 'italian', 'stu'])
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from companion.decks import french, italian, stu
from companion.decks.deck import Deck, Name

ListId = Literal["stu", "italian", "french"]
"""Stù's 20 kinds, the 40 Italian cards, the 52 French ones."""

LISTS: Final[Mapping[ListId, Deck]] = MappingProxyType({"stu": stu, "italian": italian, "french": french})

SUITED: Final[Mapping[ListId, tuple[Mapping[str, Name], Mapping[int, Name]]]] = MappingProxyType(
    {"italian": (italian.SUITS, italian.NUMBERS), "french": (french.SUITS, french.NUMBERS)}
)
"""The suits and the numbers of those lists whose ids are a suit and a number, as in ``denari-7``."""

BACK: Final = "back"
"""The id of a deck's back among its cards."""

SHIPPED: Final[Mapping[str, ListId]] = MappingProxyType(
    {"stu": "stu", "napoletane": "italian", "piacentine": "italian", "ramino": "french"}
)
"""The decks that the program knows without being taught, and the list that each is of."""

PEDINE: Final = "ramino"
"""The deck that the eyes report for pedine, which may be of any deck."""

BESIDE: Final[Mapping[ListId, ListId]] = MappingProxyType({"stu": "french"})
"""List of the cards that a game is played with → list of the cards on its table that are used as pedine. The eyes do not name
those, and nobody has to choose their deck."""


def cards_of(of: ListId) -> tuple[str, ...]:
    """All that a deck of this list must be taught: its cards in the list's order, and then the back."""
    return (*LISTS[of].KINDS, BACK)


def list_with(card: str) -> ListId | None:
    """The list that has this card's id; None where none has it, and for `BACK`, which all have."""
    return next((of for of, deck in LISTS.items() if card in deck.NAMES), None)


def spoken(of: ListId, card: str) -> str:
    """What people call a card of this list in Italian, its back too: ``denari-7`` is ``Sette di denari``."""
    return "Dorso" if card == BACK else LISTS[of].NAMES[card].it


_COURTS = {"1": "A", "11": "J", "12": "Q", "13": "K"}

BACKS: Final[Mapping[ListId, str]] = {"stu": "back.svg", "italian": "italian-back.svg", "french": "ramino-back.svg"}
"""List of cards → the file of the drawn deck's back."""


class Drawing(NamedTuple):
    """The drawing of a card. ``file``: its name in ``web/cards``, served under ``/cards/``; ``name``: its alternative text."""

    file: str
    name: Name


def drawing(card: str) -> Drawing:
    """The drawing of a face by its id in `stu.KINDS`, `italian.KINDS` or `french.KINDS`, which share no id.

    >>> drawing("denari-7").file, drawing("denari-7").name.it
    ('denari-7.svg', 'Sette di denari')
    >>> drawing("hearts-12").file
    'ramino-Qh.svg'

    Raises:
        ValueError: no card of these decks has this id.
    """
    for deck in (stu, italian):
        if card in deck.NAMES:
            return Drawing(f"{card}.svg", deck.NAMES[card])
    if card in french.NAMES:
        suit, number = card.split("-")
        return Drawing(f"ramino-{_COURTS.get(number, number)}{suit[0]}.svg", french.NAMES[card])
    raise ValueError(f"no drawn card is called {card!r}: expected an id of companion.decks.stu, italian or french")
