"""The 40 cards of Lu Stù: 20 kinds, two copies each (rule 3)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from companion.decks.deck import Name

Kind = Literal[
    "matto", "leone", "mascherone", "secchia", "nulla",
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
    "taverna", "gnao", "salta", "bragon", "cucco",
]  # fmt: skip
"""The id of a kind of card, as the table log writes it."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The 20 kinds, low to high."""

RANK: Final[Mapping[str, int]] = MappingProxyType(
    dict(zip(KINDS, (*range(-5, 0), *range(1, 16)), strict=True))
)
"""Kind → rank: -5 (Matto) to -1 (Nulla), 1 to 15 (Cucco). There is no 0."""

COPIES: Final = 2
DECK: Final = COPIES * len(KINDS)


def as_kind(text: str) -> Kind:
    """The kind with this id, for callers that have a plain string.

    >>> as_kind("nulla")
    'nulla'

    Raises:
        ValueError: no such kind.
    """
    if text in RANK:
        return KINDS[tuple(RANK).index(text)]
    raise ValueError(f"no card is called {text!r}: expected one of {', '.join(KINDS)}")


_FIGURES = {
    "matto": Name("Matto", "Fool", "lu Matt"),
    "leone": Name("Leone", "Lion", "lu Ffù"),
    "mascherone": Name("Mascherone", "Mask", "lu Mmascaràun"),
    "secchia": Name("Secchia", "Bucket", "la Sàcchje"),
    "nulla": Name("Nulla", "Nothing", "la Null"),
    "taverna": Name("Taverna", "Tavern", "la Tavèrn"),
    "gnao": Name("Gnao", "Cat", "la Gnàff"),
    "salta": Name("Salta", "Horse", "lu Cavàll"),
    "bragon": Name("Bragon", "Bragon", "lu BBùm"),
    "cucco": Name("Cucco", "Owl", "lu Cill"),
}

NAMES: Final[Mapping[str, Name]] = MappingProxyType(
    {kind: _FIGURES.get(kind, Name(kind, kind)) for kind in KINDS}
)
"""Kind → its names for people. Numerals are called by their number everywhere."""
