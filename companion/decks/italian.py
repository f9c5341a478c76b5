"""The 40 Italian cards, napoletane or piacentine: four suits, numbers 1 (Asso) to 7, 8 Fante, 9 Cavallo, 10 Re.

>>> NAMES["denari-9"].it, NAMES["coppe-1"].en
('Cavallo di denari', 'Ace of cups')
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from companion.decks.deck import Name, suited

Kind = Annotated[str, Meta(pattern=r"^(denari|coppe|spade|bastoni)-([1-9]|10)(?!\n)$")]
"""The id of a card, as table logs write it: ``denari-7``. msgspec checks it when a log is read."""

SUITS: Final = {
    "denari": Name("denari", "coins"),
    "coppe": Name("coppe", "cups"),
    "spade": Name("spade", "swords"),
    "bastoni": Name("bastoni", "batons"),
}
NUMBERS: Final = {
    1: Name("Asso", "Ace"),
    2: Name("Due", "Two"),
    3: Name("Tre", "Three"),
    4: Name("Quattro", "Four"),
    5: Name("Cinque", "Five"),
    6: Name("Sei", "Six"),
    7: Name("Sette", "Seven"),
    8: Name("Fante", "Knave"),
    9: Name("Cavallo", "Knight"),
    10: Name("Re", "King"),
}

NAMES: Final = suited(SUITS, NUMBERS)
"""Id → its names."""

KINDS: Final[tuple[Kind, ...]] = tuple(NAMES)
"""The 40 ids, suit by suit, each from 1 to 10."""

COPIES: Final = 1
