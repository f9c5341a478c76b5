"""What everybody at the table has seen of Stoppa: the log without the faces of dealt cards, and what lies on the table.

Why it is kept apart: `companion.pages.moments`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stoppa.rules import Hand, State
from companion.games.stoppa.rules.cards import Mask
from companion.games.stoppa.rules.declarations import best_cards
from companion.games.stoppa.rules.log import Close, Deal, Event
from companion.table.log import Line


class OnTable(Struct, frozen=True):
    """What lies there: of the hand in progress or, until the next begins, of the last one.

    ``hand``: as everybody has seen it; ``won``: for each of its punti that is decided, the cards that its winner won it with,
    none where nobody had to show.
    """

    hand: Hand
    won: tuple[Mask, ...] = ()


def public(known: State, seen: State, line: Line) -> tuple[Line, ...]:
    """The lines that say what everybody saw of this one: of cards dealt, their backs. All else is laid open or said aloud."""
    event = line.event
    if isinstance(event, Deal):  # without a confidence, too: it would tell whose cards are known
        return (Line(replace(event, faces=()), line.t),)
    return (line,)


def laid(laid: OnTable | None, before: State, event: Event, after: State) -> OnTable | None:
    """What lies on the table after this event; nothing after a void hand."""
    hand = after.hand or after.ended
    if hand is None:
        return laid if isinstance(event, Close) else None
    if laid is None or laid.hand.n != hand.n:
        laid = OnTable(hand)
    return OnTable(hand, _won(after.table.names, hand, laid.won))


def _won(names: tuple[str, ...], hand: Hand, before: tuple[Mask, ...]) -> tuple[Mask, ...]:
    """The cards with which each punto was won; ``before``: the same before this event. Cards added to a comparison change the
    last."""
    betting, decided = hand.betting, len(hand.pots)
    won = (*before[:decided], *[0] * (decided - len(before)))
    if not decided or betting is None or not betting.decided:
        return won
    pot = hand.pots[-1]
    if pot.how != "shown" or pot.winner is None:
        return won
    return (*won[:-1], best_cards(betting.shown[names.index(pot.winner)]))
