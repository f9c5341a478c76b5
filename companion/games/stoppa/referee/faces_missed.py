"""A face that lay open at a comparison and was not seen: it is known later, as the player lays the card in the stoppata.

Nobody keeps back a card that would make their group better, and hardly anybody shows fewer cards than they were dealt.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa import rules
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules.cards import INDEX, Mask, cards_in, mask_of
from companion.games.stoppa.rules.comparison import best_group
from companion.games.stoppa.rules.log import Grosso, Lay, Piccolo, Show
from companion.table.errors import Illegal
from companion.table.log import Line

KEPT_BACK = math.log(0.5)
"""A card that would have made the group better was missed, and not kept back, in proportion."""
ONE_OF = math.log(0.9)
"""The same of all the cards that may be the one missing among those of a punto piccolo: hardly anybody shows fewer than they were
dealt."""
UNSEEN, MOST = {1: math.log(0.1), 2: math.log(0.1), 3: math.log(0.06)}, 3
"""So few cards are seldom all that somebody shows for the punto grosso: as likely as that, in proportion, at most so many more
lay where they were not seen. In a filmed clip a bottle hid two of five."""
SUITS = tuple(1023 << shift for shift in (0, 10, 20, 30))
LEAST = 0.05
"""A history is not made less likely than this by what may have been missed in it."""


def with_faces_missed(one: History) -> Iterator[History]:
    """The history, and those with one more card in what somebody has shown, one that is or may be theirs, where another is paid
    then; all together they are as likely as it was, but for a punto grosso."""
    told = list(_with_one_more(one))
    others = sum(math.exp(cost) for _, cost, grosso in told if not grosso)
    yield one.costing(math.log(max(1 - others, LEAST)))
    for found, cost, _ in told:
        yield found.costing(cost)


def _with_one_more(one: History) -> Iterator[tuple[History, float, bool]]:
    """Each history with one more card shown for which another is paid, how likely that card is the one (logarithm), and whether
    it was shown for the punto grosso."""
    if one.before is None:
        return
    paid = rules.outcome(one.state)
    owned, dealt_in = _owned(one)
    free = one.state.table.deck
    for known in owned:
        free &= ~known
    iteration, grosso, deals = 0, False, one.state.table.deals
    for at, line in enumerate(one.lines):
        event = line.event
        iteration += isinstance(event, Piccolo)
        grosso = grosso or isinstance(event, Grosso)
        if isinstance(event, Lay):
            return
        if not isinstance(event, Show):
            continue
        shown = mask_of(INDEX[kind] for kind in event.cards)
        if not grosso and len(event.cards) >= deals[iteration - 1]:
            continue
        seat = one.state.table.names.index(event.by)
        if grosso and len(event.cards) in UNSEEN:
            unseen = _with_a_group(one, at, event, shown, owned[seat] | free, paid)
            if unseen is not None:
                yield unseen, UNSEEN[len(event.cards)], grosso
        dark = free if owned[seat].bit_count() < one.state.table.size and not grosso else 0
        others = 0 if grosso else _of_others(dealt_in, iteration)
        candidates = cards_in((owned[seat] | dark) & ~shown & ~others)
        better = [card for card in candidates if best_group(shown | 1 << card) > best_group(shown)]
        for card in better:
            cost = KEPT_BACK if grosso else ONE_OF - math.log(len(candidates))
            found = _shown_more(one, at, Show(by=event.by, cards=(*event.cards, KINDS[card])))
            if found is not None and rules.outcome(found.state) != paid:
                yield found, cost, grosso


def _with_a_group(
    one: History, at: int, event: Show, shown: Mask, may_be: Mask, paid: Hashable
) -> History | None:
    """The history with as many more of the cards that ``may_be`` theirs as it takes for another to be ``paid``; None where none
    would be. What is shown for the punto grosso is of one suit."""
    suits = sum(suit for suit in SUITS if shown & suit)
    for _ in range(MOST):
        further = cards_in(may_be & suits & ~shown)
        if not further:
            return None
        shown |= 1 << max(further, key=lambda card: best_group(shown | 1 << card))
        found = _shown_more(one, at, Show(by=event.by, cards=tuple(KINDS[card] for card in cards_in(shown))))
        if found is not None and rules.outcome(found.state) != paid:
            return found
    return None


def _of_others(dealt_in: tuple[Mask, ...], iteration: int) -> Mask:
    """The cards that were shown for other punti piccoli than this: they were not dealt for it."""
    found = 0
    for number, cards in enumerate(dealt_in, start=1):
        found |= cards if number != iteration else 0
    return found


def _owned(one: History) -> tuple[tuple[Mask, ...], tuple[Mask, ...]]:
    """Per seat, the cards known to be theirs; per iteration, those known to be of it."""
    hand = one.state.ended
    return (hand.known, hand.dealt_in) if hand is not None else ((0,) * len(one.state.table.names), ())


def _shown_more(one: History, at: int, event: Show) -> History | None:
    assert one.before is not None
    lines = tuple(Line(event, line.t) if number == at else line for number, line in enumerate(one.lines))
    state = one.before
    try:
        for line in lines:
            state = rules.apply(state, line.event)
    except Illegal:
        return None
    return replace(one, state=state, lines=lines)
