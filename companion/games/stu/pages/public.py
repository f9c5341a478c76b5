"""What everybody at the table has seen: the log without unseen faces, and the game replayed from that log alone.

The camera may have caught a card while it was dealt, and a correction may name one. Such a face is taken out of the log
before anything is made of it, and all that a spectator gets is computed from what is left: so no sentence, no ruling and no
irregularity can give away a card, and nobody has to remember to hide it.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.games.stu.rules import Hand, Illegal, State, apply, begin
from companion.games.stu.rules.log import Deal, Draw, End, Event, Game, Reveal, Void
from companion.table.log import Line


class Moment(msgspec.Struct, frozen=True):
    """A game after one line of its log.

    Attributes:
        known: the game as the log tells it, faces that nobody showed included. Never shown to anybody.
        seen: the game as everybody has seen it.
        event: what has just happened, without an unseen face.
        lines: what this line comes to in the public log.
        laid: the hand whose cards lie on the table: the one in progress, else the last one until the next begins.
        confidence: the probability (0…1) that the last ruling is right, as its lines say; None where none does.
    """

    known: State
    seen: State
    event: Event
    lines: tuple[Line, ...]
    laid: Hand | None = None
    confidence: float | None = None


def advance(before: Moment | None, line: Line) -> Moment:
    """The game one line further; the first line, with nothing `before`, must be `game`.

    Raises Illegal when the line cannot have happened now.
    """
    event = line.event
    if before is None:
        if not isinstance(event, Game):
            raise Illegal("the log does not begin with a game", expected="a `game` line")
        state = begin(event)
        return Moment(state, state, event, (line,))
    known = apply(before.known, event)
    lines = _public(before, line)
    seen, laid = before.seen, before.laid
    for said in lines:
        hand, seen = seen.hand, apply(seen, said.event)
        if seen.hand is not None:
            laid = seen.hand
        elif hand is not None:
            laid = _last_look(hand, said.event, seen.table.names)
    return Moment(known, seen, lines[-1].event, lines, laid, _confidence(before, line, seen))


def _public(before: Moment, line: Line) -> tuple[Line, ...]:
    """The lines that say what everybody saw of this one: at the end of a hand, also every card not shown until then."""
    event = line.event
    if isinstance(event, Deal | Draw):  # without a confidence, too: it would tell whose card is known
        return (Line(replace(event, card=None), line.t),)
    if isinstance(event, End) and (known := before.known.hand) and (seen := before.seen.hand):
        names = before.known.table.names
        shown = [
            Line(Reveal(by=names[known.order[position]], card=face), line.t)
            for position in known.positions()
            if seen.face_of(position) is None and (face := known.face_of(position)) is not None
        ]
        return (*shown, line)
    return (line,)


def _last_look(hand: Hand, event: Event, names: tuple[str, ...]) -> Hand | None:
    """How the cards lay when this event ended the hand: with the face it showed, nothing after a void."""
    if isinstance(event, Void):
        return None
    if isinstance(event, Reveal):
        token = hand.holds[hand.order.index(names.index(event.by))]
        return replace(hand, faces=(*hand.faces[:token], event.card, *hand.faces[token + 1 :]))
    return hand


def _confidence(before: Moment, line: Line, seen: State) -> float | None:
    """How sure the ruling is that stands after this line: what its `end` says, or until then the lines that made payments."""
    had, has = before.seen.hand, seen.hand
    if has is None:
        if had is not None:
            return line.confidence
        if isinstance(line.event, End):  # after a final won outright, which is over already
            return min((c for c in (before.confidence, line.confidence) if c is not None), default=None)
        return before.confidence
    if had is None:
        return None
    if len(has.payments) > len(had.payments):
        return min((c for c in (before.confidence, line.confidence) if c is not None), default=None)
    return before.confidence
