"""What everybody at the table has seen of Stoper: the log without the faces of cards dealt or thrown away, and what lies on the
table.

Why it is kept apart: `companion.pages.moments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.decks.italian import Kind
from companion.decks.italian_sets import kinds_in
from companion.games.stoper import rules, words
from companion.games.stoper.rules import Hand, State, apply
from companion.games.stoper.rules.log import Cambio, Close, Deal, Event, Show
from companion.games.stoper.rules.state import Irregularity
from companion.pages.doubts import doubtful_mistakes
from companion.pages.moments import Moment, is_sure, last_hand
from companion.table.log import Line


def public(known: State, seen: State, line: Line) -> tuple[Line, ...]:
    """The lines that say what everybody saw of this one: of cards dealt and thrown away, their backs. All else is laid open or
    said aloud."""
    event = line.event
    if isinstance(event, Deal):  # without a confidence, too: it would tell whose cards are known
        count = len(event.faces) if event.cards is None and event.faces else event.cards  # without a count a card is out, too
        return (Line(replace(event, cards=count, faces=()), line.t),)
    if isinstance(event, Cambio):
        return (replace(line, event=replace(event, discards=None)),)
    if isinstance(event, Show) and (discards := _laid_open_with(known, seen, event)):
        return (replace(line, event=replace(event, discards=discards)),)
    return (line,)


def _laid_open_with(known: State, seen: State, event: Show) -> tuple[Kind, ...]:
    """The discards that everybody sees with this hand: those that cost a false opener the showdown, where the table plays so. Had
    they not been laid open, the ruling would be another one. Where a false opening is only noted they may stay closed."""
    hand = known.hand
    if hand is None or known.table.house.false_opening == "noted":
        return ()
    shown, told = (len(_false_openings(apply(state, event))) for state in (known, seen))
    return kinds_in(hand.known[known.table.names.index(event.by)].discards) if shown > told else ()


def _false_openings(state: State) -> list[Irregularity]:
    hand = state.hand or state.ended
    return [found for found in hand.irregularities if found.kind == "false_opening"] if hand is not None else []


def laid(laid: Hand | None, before: State, event: Event, after: State) -> Hand | None:
    """The hand that lies on the table after this event, in progress or over; nothing after a void one."""
    if isinstance(event, Close):
        return laid
    return after.hand or after.ended or (laid if before.hand is None else None)


# What is not sure of the hand on the table: hands laid open, and how many cards somebody changed. Pure.


@dataclass(frozen=True, slots=True)
class UnsureLines:
    """Names of players: whose open cards are not sure, and for whom it is not sure how many cards they ``changed``.
    ``mistakes``: see `doubtful_mistakes`."""

    shown: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    mistakes: frozenset[Irregularity] = frozenset()


def doubts(moments: Sequence[Moment], sure_from: float) -> UnsureLines:
    """What is not sure of the hand in progress or, between hands, of the last one, by the confidence of its lines."""
    hand = last_hand(moments)
    unsure = [moment.event for moment in hand if not is_sure(moment, sure_from)]
    return UnsureLines(
        frozenset(event.by for event in unsure if isinstance(event, Show)),
        frozenset(event.by for event in unsure if isinstance(event, Cambio)),
        doubtful_mistakes(rules, moments, sure_from),
    )


def doubtful(moments: Sequence[Moment], sure_from: float) -> frozenset[Any]:
    """See `companion.pages.protocol.ForEverybody.doubtful`: hands shown that may be others, pots that are told with one of these,
    and irregularities. How sure it is whose a pot is, the hand's ruling says."""
    hand = last_hand(moments)
    book = rules.ruling(moments[-1].seen, rules.hands(hand[0].seen) + 1) if hand else None
    if book is None or book.void:
        return frozenset()
    unsure = doubts(moments, sure_from)
    shown = {one for pot in book.pots for one in pot.ranking if one.player in unsure.shown}
    return frozenset(shown | {pot for pot in book.pots if unsure.shown & words.compared(pot, book.pots)}) | unsure.mistakes
