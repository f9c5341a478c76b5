"""What a line of Lu Stù means where it stands, beyond its words: the same card shown may answer a passo, or nobody. Pure."""

from __future__ import annotations

from collections.abc import Hashable

from companion.games.stu.pages.offers import due
from companion.games.stu.rules import State
from companion.games.stu.rules.log import Event, Hand, Rebuy, Set, Void
from companion.games.stu.rules.money import price
from companion.games.stu.rules.waiting import waiting
from companion.table.game import Turn


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: whom it answers, whom it asks, what is paid for it, who deals the
    hand that it begins, what the ricompera costs."""
    names, hand = before.table.names, before.hand
    match event:
        case Hand():
            return names[after.hand.dealer] if after.hand is not None else None
        case Rebuy():
            return price(before.table.stake, before.ricompere)
        case Set():
            return after.pedine, after.virgins, after.ricompere
        case Void():
            return None
    if hand is None:
        return before.last_ended
    waits, ask = waiting(before), hand.asking
    step = waits.step if isinstance(waits, Turn) else ""
    answers = (names[hand.order[ask.asker]], names[hand.order[ask.asked]], ask.back) if ask is not None else None
    paid = after.hand.payments if after.hand is not None else after.hands[-1].payments
    return step, answers, waiting(after) if due(after) else None, paid[len(hand.payments) :]
