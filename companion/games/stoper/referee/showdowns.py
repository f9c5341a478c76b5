"""A showdown that was not wholly seen: who can have taken the pot all the same, and how probable it is.

No cards are made up. Where somebody may have won with cards that nobody saw, the history says that all others have conceded: it
pays the right player, and its lines are guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from companion.games.stoper import rules
from companion.games.stoper.referee.costs import (
    SHOWN_AFTER_THROWING,
    SHOWN_IN_HOLE,
    SHOWN_IN_PART,
    SHOWN_UNSEEN,
    log_of,
)
from companion.games.stoper.referee.exchanges import thrown_in
from companion.games.stoper.referee.history import History
from companion.games.stoper.rules.cards import HAND, Mask, Rank, cards_in, mask_of, rank
from companion.games.stoper.rules.ending import so_far
from companion.games.stoper.rules.log import HouseRules, Muck, Show
from companion.games.stoper.rules.state import Hand, Seat
from companion.table.play import state_after

MIN_THROWN_PROBABILITY = 0.5
"""Probability from which on somebody was seen to throw their cards."""


def settled(one: History, t: float) -> Iterator[History]:
    """The histories with the showdown over at ``t`` seconds: one in which nobody has won with cards that were not seen, and one
    for each player who may have."""
    hand = one.state.hand
    if hand is None or hand.phase != "showdown":
        return
    names = one.state.table.names
    unseen = [seat for seat in hand.order if _waits(hand, seat)]
    odds = {seat: _won_unseen(one, hand, seat, t) for seat in unseen}
    nobody = 1.0
    for odd in odds.values():
        nobody *= 1.0 - odd
    shown = [seat for seat in hand.order if hand.known[seat].shown]
    for order in _orders(hand, unseen) if shown else ():
        found = one.guessing([Muck(by=names[seat]) for seat in order], log_of(nobody), t)
        if found is not None:
            yield found
    for seat, odd in odds.items():
        cost = log_of(odd * nobody / (1.0 - odd) if odd < 1.0 else odd)
        won = _won_by(one, hand, seat, cost if shown else -log_of(len(unseen)), t)
        if won is not None:
            yield won


def _orders(hand: Hand, unseen: list[Seat]) -> Iterator[list[Seat]]:
    """The orders in which they can have conceded: the last one takes a pot that is between them alone."""
    among = sum(1 << seat for seat in unseen)
    between = [entitled for _, entitled in so_far(hand)[0] if not entitled & ~among and entitled.bit_count() > 1]
    for last in [seat for seat in unseen if between[0] >> seat & 1] if between else unseen[-1:]:
        yield [*(seat for seat in unseen if seat != last), last]
    if not unseen:
        yield []


def _waits(hand: Hand, seat: Seat) -> bool:
    return bool(hand.live >> seat & 1) and seat not in hand.conceded and not hand.known[seat].shown


def _won_unseen(one: History, hand: Hand, seat: Seat, t: float) -> float:
    """The probability that this player has shown a better hand than all that were seen, and it was not seen."""
    mine = next((found for found in one.reading.hands if found.seat == seat), None) if one.reading is not None else None
    last = max((line.t or 0.0 for line in one.lines if not isinstance(line.event, Show)), default=0.0)
    if mine is not None and mine.cards:
        shown = SHOWN_IN_PART
    elif one.seen.hidden(last, t):
        shown = SHOWN_IN_HOLE
    elif thrown_in(one.seen, len(one.state.table.names), seat, last) >= MIN_THROWN_PROBABILITY:
        shown = SHOWN_AFTER_THROWING
    else:
        shown = SHOWN_UNSEEN
    free = hand.deck
    for known in hand.known:
        free &= ~known.cards
    for other in one.reading.hands if one.reading is not None else ():
        free &= ~other.cards
    house = one.state.table.house
    cards, against = mine.cards if mine is not None else 0, list[Rank | None]()
    for _, entitled in so_far(hand)[0]:
        if entitled >> seat & 1:
            ranks = [rank(hand.known[other].shown, house.ace_pair_third) for other in hand.order
                     if entitled >> other & 1 and hand.known[other].shown]  # fmt: skip
            against.append(max(ranks, default=None))
    beaten = [found for found in against if found is not None]
    if len(beaten) < len(against) or not beaten:
        return shown
    return shown * better(cards, HAND - cards.bit_count(), free, min(beaten), house)


@lru_cache(maxsize=512)
def better(cards: Mask, unknown: int, free: Mask, best: Rank, house: HouseRules) -> float:
    """The share, 0 to 1, of hands that beat the ``best``, among all of these cards and ``unknown`` more out of the ``free``
    ones."""
    ways = list(combinations(cards_in(free), unknown))
    return sum(rank(cards | mask_of(way), house.ace_pair_third) > best for way in ways) / max(len(ways), 1)


def _won_by(one: History, hand: Hand, winner: Seat, cost: float, t: float) -> History | None:
    """The history in which all others have conceded, the worst hand first; None where the rules refuse it."""
    house = one.state.table.house
    others = [seat for seat in hand.order if hand.live >> seat & 1 and seat != winner and seat not in hand.conceded]
    others.sort(key=lambda seat: rank(hand.known[seat].shown, house.ace_pair_third) if hand.known[seat].shown else (-1,))
    start = _unshown(one)
    if start is None:
        return None
    return start.guessing([Muck(by=one.name(seat)) for seat in others], cost, t)


def _unshown(one: History) -> History | None:
    """The history without the hands that were shown; None where somebody's turned up early."""
    if one.before is None:
        return None
    lines = tuple(line for line in one.lines if not isinstance(line.event, Show))
    state = state_after(rules.apply, one.before, (line.event for line in lines))
    return replace(one, state=state, lines=lines) if state is not None else None


