"""What everybody at the table has seen of Stoper: the log without the faces of cards dealt or thrown away, and what lies on the
table.

Why it is kept apart: `companion.table.moments`.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoper.rules import Hand, State
from companion.games.stoper.rules.log import Cambio, Close, Deal, Event
from companion.table.log import Line


def public(known: State, seen: State, line: Line) -> tuple[Line, ...]:
    """The lines that say what everybody saw of this one: of cards dealt and thrown away, their backs. All else is laid open or
    said aloud."""
    event = line.event
    if isinstance(event, Deal):  # without a confidence, too: it would tell whose cards are known
        count = len(event.faces) if event.cards is None else event.cards
        return (Line(replace(event, cards=count, faces=()), line.t),)
    if isinstance(event, Cambio):
        return (replace(line, event=replace(event, discards=None)),)
    return (line,)


def laid(laid: Hand | None, before: State, event: Event, after: State) -> Hand | None:
    """The hand that lies on the table after this event, in progress or over; nothing after a void one."""
    if isinstance(event, Close):
        return laid
    return after.hand or after.ended or (laid if before.hand is None else None)
