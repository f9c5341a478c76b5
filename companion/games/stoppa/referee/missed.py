"""Cards that were laid and that nobody saw: what must have come before a card that does not fit (rule 10)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa.referee.costs import COSTS, log_of
from companion.games.stoppa.referee.fans import aces_of
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.referee.turns import turn_odds
from companion.games.stoppa.rules.cards import ACE, kinds_in
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.rules.state import to_lay

C = COSTS
PRUNE_BELOW = 8.0
"""What is this much less likely (natural logarithm) than the best way is not tried."""


def missed(one: History, numbers: set[int], t: float, most: int) -> list[History]:
    """The history with up to so many cards laid that nobody saw, after which a card of one of these numbers fits."""
    starts, found = [one], list[History]()
    for _ in range(most):
        starts = [more for start in starts for more in one_missed(start, t, max(numbers))]
        best = max((start.weight for start in starts), default=0.0)
        starts = [start for start in starts if start.weight > best - PRUNE_BELOW]
        found += [start for start in starts if _fits(start, numbers)]
    return found


def _fits(one: History, numbers: set[int]) -> bool:
    hand = one.state.hand
    return hand is not None and (not hand.wants or hand.wants in numbers)


def one_missed(one: History, t: float, below: int = 10) -> Iterator[History]:
    """The history with one more card laid that nobody saw: the wanted number by anybody, or one that opens a sequence."""
    hand = one.state.hand
    if hand is None:
        return
    cost = C.hidden if one.hole else C.missed
    if hand.wants:
        turns = turn_odds(one.state, hand, one.held)
        ways = [(seat, hand.wants, log_of(odds)) for seat, odds in enumerate(turns)]
    else:
        opener = to_lay(one.state.table, hand)
        ways = [(opener, number, -math.log(max(below - 1, 1))) for number in range(1, below)]
    for seat, number, whose in ways:
        card = one.unseen_of(number, seat)
        if card is not None:
            more = aces_of(one, hand, seat) & ~(1 << card) if number == ACE else 0
            event = Lay(by=one.name(seat), cards=(KINDS[card], *kinds_in(more)))
            found = one.after([event], cost + whose, t)
            if found is not None:
                noted = 0 if hand.wants else omissions(found) - omissions(one)
                yield replace(found.costing(noted * C.omitted), read=(*found.read, (card, ())))


def omissions(one: History) -> int:
    """How many wanted cards that were not laid have come to light in the hand."""
    hand = one.state.hand if one.state.hand is not None else one.state.ended
    return sum(noted.kind == "omitted" for noted in hand.irregularities) if hand is not None else 0
