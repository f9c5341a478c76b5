"""The 52 French cards: four suits, numbers 1 (ace) to 10, 11 jack, 12 queen, 13 king. Jokers are no card of the list.

>>> NAMES["hearts-12"].it, NAMES["spades-1"].en
('Donna di cuori', 'Ace of spades')
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from companion.decks.deck import Name, suited

Kind = Annotated[str, Meta(pattern=r"^(hearts|diamonds|clubs|spades)-([1-9]|1[0-3])(?!\n)$")]
"""The id of a card, as an enrolled deck's photos are named: ``hearts-12``. msgspec checks it when it is read."""

SUITS: Final = {
    "hearts": Name("cuori", "hearts"),
    "diamonds": Name("quadri", "diamonds"),
    "clubs": Name("fiori", "clubs"),
    "spades": Name("picche", "spades"),
}
NUMBERS: Final = {
    1: Name("Asso", "Ace"),
    2: Name("Due", "Two"),
    3: Name("Tre", "Three"),
    4: Name("Quattro", "Four"),
    5: Name("Cinque", "Five"),
    6: Name("Sei", "Six"),
    7: Name("Sette", "Seven"),
    8: Name("Otto", "Eight"),
    9: Name("Nove", "Nine"),
    10: Name("Dieci", "Ten"),
    11: Name("Fante", "Jack"),
    12: Name("Donna", "Queen"),
    13: Name("Re", "King"),
}

NAMES: Final = suited(SUITS, NUMBERS)
"""Id → its names."""

KINDS: Final[tuple[Kind, ...]] = tuple(NAMES)
"""The 52 ids, suit by suit, each from 1 to 13."""

COPIES: Final = 1
