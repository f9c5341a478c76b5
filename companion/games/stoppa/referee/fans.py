"""Cards put down together, some of them unseen: others of the fan lie on them, or a hand was over them (rules 12, 13).

A player who holds several aces puts them all down, and so does one who holds all of a number: nobody keeps back what goes
together, as the first player without cards stops. So what a player has shown, and what lies on the pile, tells what a fan must
have been.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from math import comb

from companion.games.stoppa.referee.history import COSTS, History, log_of
from companion.games.stoppa.rules.cards import ACE, ACES, OF_NUMBER, Card, Mask, cards_in, number_of
from companion.games.stoppa.rules.state import Hand, Seat

C = COSTS


def unseen_with(
    one: History, hand: Hand, seat: Seat, seen: Mask, plainly: float
) -> Iterator[tuple[tuple[Card, ...], float]]:
    """The cards that this player may have put down, unseen, together with those ``seen``, which are of one number, and the
    logarithm of the probability; no such cards come first. ``plainly``: the probability (0..1) of what was read. Where nothing
    could be read, a fan shows no more than a single card."""
    number = number_of(seen.bit_length() - 1)
    if number == ACE:
        more = aces_of(one, hand, seat) & ~seen
        holds = 1.0 if more else 0.0
    else:
        more = _others(one, hand, number, seen)
        holds = _holds(one, hand, seat, seen, more)
    yield (), log_of(1 - holds + holds * math.exp(C.kept))
    if holds:
        yield cards_in(more), log_of(holds * (1 - plainly * (1 - math.exp(C.under))))


def aces_of(one: History, hand: Hand, seat: Seat) -> Mask:
    """The aces that this player is known to have in hand."""
    return known_of(one, hand, seat) & ~hand.laid[seat] & ACES


def _others(one: History, hand: Hand, number: int, seen: Mask) -> Mask:
    """The cards that must be put down with those ``seen`` to make all of the number; 0 where that is impossible."""
    whole = OF_NUMBER[number] & one.state.table.deck
    if one.state.table.house.all_at_once == "left":
        whole &= ~hand.on_pile
    return 0 if whole & hand.on_pile else whole & ~seen


def _holds(one: History, hand: Hand, seat: Seat, seen: Mask, more: Mask) -> float:
    """The probability (0..1) that a player with the cards ``seen`` has ``more``, too, if cards are dealt by chance."""
    seats, size = range(len(one.state.table.names)), one.state.table.size
    own = known_of(one, hand, seat)
    if not more or any(known_of(one, hand, other) & more for other in seats if other != seat):
        return 0.0
    dark = [max(size - (hand.laid[other] | known_of(one, hand, other)).bit_count(), 0) for other in seats]
    new = (seen & ~own).bit_count()
    mine, pool, count = dark[seat] - new, sum(dark) - new, (more & ~own).bit_count()
    return comb(pool - count, mine - count) / comb(pool, mine) if 0 <= count <= mine else 0.0


def known_of(one: History, hand: Hand, seat: Seat) -> Mask:
    """The cards known to be this player's, laid or not."""
    return hand.known[seat] | (one.held[seat] if one.held else 0)
