"""Whose turn it can be to lay the wanted card: how many cards everybody has left, and who has let it go by before. Pure."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from companion.games.stoppa.rules.cards import OF_NUMBER, Mask
from companion.games.stoppa.rules.state import Hand, State

OVERLOOKED = 0.02
"""How often somebody has a card who let its number go by before."""


def turn_odds(state: State, hand: Hand, held: tuple[Mask, ...]) -> tuple[float, ...]:
    """Seat → how probable it is that they lay the wanted card (0..1), before anything is seen of it; summing to about 1.

    In turn from whoever laid last, the first who has it lays it. ``held``: per seat, faces that were seen in their hand.
    """
    table = state.table
    wanted = OF_NUMBER[hand.wants] & table.deck & ~hand.on_pile
    unknown = wanted
    seats = []
    for seat in table.round_from(hand.last):
        own = (hand.known[seat] | held[seat]) & ~hand.laid[seat]
        unknown &= ~own
        gone_by = any(passed.cards & wanted for passed in hand.passed[seat])
        dark = max(table.size - hand.laid[seat].bit_count() - own.bit_count(), 0)
        seats.append((seat, dark, bool(own & wanted), gone_by))
    count = unknown.bit_count()
    pool = sum(dark for _, dark, _, gone_by in seats if not gone_by)
    odds = [0.0] * len(seats)
    none_so_far = 1.0
    for seat, dark, has, gone_by in seats:
        chance = 1.0 if has else OVERLOOKED if gone_by or not count else _some(pool, dark, count)
        pool -= 0 if gone_by else dark
        chance = min(max(chance, OVERLOOKED), 1 - OVERLOOKED)
        odds[seat] = none_so_far * chance
        none_so_far *= 1 - chance
    return tuple(odds)


def may_begin_lower(state: State, hand: Hand, own: Mask, number: int) -> bool:
    """Whether a sequence leads to ``number`` from one of a player's ``own`` cards: they would begin with that one."""
    for lower in range(number - 1, 0, -1):
        if left := OF_NUMBER[lower] & state.table.deck & ~hand.on_pile:
            return bool(left & own)
    return False


@lru_cache(maxsize=4096)
def _some(pool: int, own: int, count: int) -> float:
    """How probable it is that ``own`` unknown cards of a ``pool`` hold at least one of the ``count`` wanted."""
    if own <= 0 or pool <= own or pool < count:
        return float(own > 0)
    return 1.0 - comb(pool - own, count) / comb(pool, count)
