"""Which file of ``web/cards`` shows a card, and what people call it.

>>> drawing("denari-7").file, drawing("denari-7").name.it
('denari-7.svg', 'Sette di denari')
>>> drawing("hearts-12").file
'ramino-Qh.svg'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.decks import french, italian, stu
from companion.decks.deck import Name
from companion.decks.lists import ListId

_COURTS = {"1": "A", "11": "J", "12": "Q", "13": "K"}

BACKS: Final[Mapping[ListId, str]] = {"stu": "back.svg", "italian": "italian-back.svg", "french": "ramino-back.svg"}
"""List of cards → the file of the drawn deck's back."""


class Drawing(NamedTuple):
    """``file``: its name in ``web/cards``, served under ``/cards/``; ``name``: what a reader of the page is told instead."""

    file: str
    name: Name


def drawing(card: str) -> Drawing:
    """The drawing of a face by its id in `stu.KINDS`, `italian.KINDS` or `french.KINDS`, which share no id.

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
