"""The chances at an all-in, for spectators, where the organiser wants them shown: counted exactly, from cards that
lie open. Pure.

There are none while anything may still be bet, before somebody has turned their cards up, or while it is not sure which
these are. Nothing is concluded about cards that do not lie open: every hand of those left is as likely as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from companion.games.stoper.pages.public import doubts
from companion.games.stoper.rules import State
from companion.games.stoper.rules.cards import HAND, Rank, cards_in, mask_of, rank
from companion.games.stoper.rules.phases import with_chips
from companion.games.stoper.rules.state import Hand, Seat
from companion.pages.moments import Moment
from companion.table.sure import SURE_FROM

MOST_HIDDEN = 2
"""Hidden hands for which all combinations of cards are counted; for more it would take too long."""


def chances(moments: Sequence[Moment]) -> dict[str, float]:
    """Player → chance (0…1) of the first pot, to which all still in are entitled; empty where there are none to tell."""
    state: State | None = moments[-1].seen if moments else None
    hand = state.hand if state is not None else None
    if state is None or hand is None or hand.phase not in ("exchange", "showdown"):
        return {}
    if len(with_chips(state, hand, hand.order)) > 1:
        return {}
    inside = [seat for seat in hand.order if hand.live >> seat & 1 and seat not in hand.conceded]
    hidden = [seat for seat in inside if not hand.known[seat].shown]
    if len(hidden) == len(inside) or not 0 < len(hidden) <= MOST_HIDDEN or doubts(moments, SURE_FROM).shown:
        return {}
    ranks = {seat: rank(hand.known[seat].shown, state.table.house.ace_pair_third) for seat in inside if seat not in hidden}
    best = max(ranks, key=lambda seat: (not _forfeits(state, hand, seat), ranks[seat]))
    stands = 0.0 if _forfeits(state, hand, best) else _none_beats(state, hand, ranks[best], len(hidden))
    told = {seat: stands if seat == best else 0.0 for seat in ranks} | {seat: (1 - stands) / len(hidden) for seat in hidden}
    return {state.table.names[seat]: told[seat] for seat in inside}


def _forfeits(state: State, hand: Hand, seat: Seat) -> bool:
    """Whether this player is known to have opened falsely where that costs a showdown."""
    if state.table.house.false_opening == "noted":
        return False
    return any(found.kind == "false_opening" and found.player == state.table.names[seat] for found in hand.irregularities)


def _none_beats(state: State, hand: Hand, best: Rank, hidden: int) -> float:
    """The chance (0 to 1) that none of ``hidden`` hands, dealt from the cards that do not lie open, beats this one."""
    left = hand.deck
    for known in hand.known:
        left &= ~known.shown
    cards = cards_in(left)
    beaten = [held for held in combinations(cards, HAND) if rank(mask_of(held), state.table.house.ace_pair_third) < best]
    if hidden == 1:
        return len(beaten) / comb(len(cards), HAND)
    return disjoint_pairs(beaten) / (comb(len(cards), HAND) * comb(len(cards) - HAND, HAND))


def disjoint_pairs(hands: Sequence[tuple[int, ...]]) -> int:
    """How many ordered pairs of these hands share no card: by inclusion and exclusion, over the cards that both could share.

    >>> disjoint_pairs([(1, 2, 3), (4, 5, 6), (3, 4, 5), (7, 8, 9)])
    8
    """
    holding = Counter(part for held in hands for size in range(HAND + 1) for part in combinations(held, size))
    return sum((-1) ** len(part) * count * count for part, count in holding.items())
