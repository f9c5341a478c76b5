"""A face that lay open at a comparison and was not seen: it is known later, as the player lays the card in the stoppata.

Nobody keeps back a card that would make their group better, and hardly anybody shows fewer cards than they were dealt.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

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


def with_faces_missed(one: History) -> Iterator[History]:
    """The history with one more card in what somebody has shown, one that is or may be theirs, where another is paid then."""
    if one.before is None:
        return
    paid = rules.outcome(one.state)
    owned = _owned(one)
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
        dark = free if owned[seat].bit_count() < one.state.table.size and not grosso else 0
        candidates = cards_in((owned[seat] | dark) & ~shown)
        better = [card for card in candidates if best_group(shown | 1 << card) > best_group(shown)]
        for card in better:
            cost = KEPT_BACK if grosso else ONE_OF - math.log(len(candidates))
            found = _shown_more(one, at, Show(by=event.by, cards=(*event.cards, KINDS[card])))
            if found is not None and rules.outcome(found.state) != paid:
                yield found.costing(cost)


def _owned(one: History) -> tuple[Mask, ...]:
    hand = one.state.ended
    return hand.known if hand is not None else (0,) * len(one.state.table.names)


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
