"""Which cards refuse a passo: the five trumps, trionfi (rules 13 to 17)."""

from __future__ import annotations

from typing import Final

from companion.decks.stu import KINDS, RANK, Kind

LOWEST_TRUMP: Final = RANK["taverna"]
"""The rank from which a card is a trump."""

TRUMPS: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if RANK[kind] >= LOWEST_TRUMP)
"""The five trumps, low to high."""


def is_trump(kind: str) -> bool:
    """Whether a card of this kind refuses a passo.

    Raises:
        KeyError: no such kind.
    """
    return RANK[kind] >= LOWEST_TRUMP
