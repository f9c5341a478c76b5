"""What everybody at the table has seen of Lu Stù: the log without unseen faces, and the cards as they lie.

Why it is kept apart: `companion.pages.moments`.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stu.rules import Hand, State
from companion.games.stu.rules.log import Deal, Draw, End, Event, Reveal, Void
from companion.table.log import Line


def public(known: State, seen: State, line: Line) -> tuple[Line, ...]:
    """The lines that say what everybody saw of this one: at the end of a hand, also every card not shown until then."""
    event = line.event
    if isinstance(event, Deal | Draw):  # without a confidence, too: it would tell whose card is known
        return (Line(replace(event, card=None), line.t),)
    if isinstance(event, End) and known.hand is not None and seen.hand is not None:
        hand, names = known.hand, known.table.names
        shown = [
            Line(Reveal(by=names[hand.order[position]], card=face), line.t)
            for position in hand.positions()
            if seen.hand.face_of(position) is None and (face := hand.face_of(position)) is not None
        ]
        return (*shown, line)
    return (line,)


def laid(laid: Hand | None, before: State, event: Event, after: State) -> Hand | None:
    """The hand whose cards lie on the table: the one in progress, else the last one until the next begins."""
    if after.hand is not None:
        return after.hand
    return laid if before.hand is None else _last_look(before.hand, event, before.table.names)


def _last_look(hand: Hand, event: Event, names: tuple[str, ...]) -> Hand | None:
    """The cards as they lay when this event ended the hand, with the face that it showed; None after a void."""
    if isinstance(event, Void):
        return None
    if isinstance(event, Reveal):
        token = hand.holds[hand.order.index(names.index(event.by))]
        return replace(hand, faces=(*hand.faces[:token], event.card, *hand.faces[token + 1 :]))
    return hand
