"""What everybody at the table has seen of Stoppa: the log without the faces of dealt cards, what lies on the table, and what of
it is not sure.

Why it is kept apart: `companion.pages.moments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stoppa import rules, words
from companion.games.stoppa.rules import Hand, State, log
from companion.games.stoppa.rules.cards import INDEX, Mask, mask_of
from companion.games.stoppa.rules.declarations import best_cards
from companion.games.stoppa.rules.log import Close, Deal, Event
from companion.games.stoppa.rules.state import Irregularity
from companion.pages.doubts import doubtful_mistakes
from companion.pages.moments import Moment, is_sure, last_hand
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


# What is not sure of the hand in progress: punti, cards that lie open, and cards of the sequence. The `end` of a hand that is
# over says how sure it is who pays (`Moment.sure`); the cards that took a punto may still be in doubt.


@dataclass(frozen=True, slots=True)
class UnsureLines:
    """``punti``: phases with a word or a card that is not sure; ``players``: names of those who have laid cards open, in the
    phase in play, that are not sure; ``laid``: cards of the stoppata whose face or player is not sure; ``mistakes``: see
    `doubtful_mistakes`; ``shown``: players with each phase in which they have shown cards that are not sure."""

    punti: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    laid: Mask = 0
    mistakes: frozenset[Irregularity] = frozenset()
    shown: frozenset[tuple[str, str]] = frozenset()


_BETTING = log.Punto | log.Vedo | log.Rilancio | log.Passo | log.Show | log.Muck


def doubts(moments: Sequence[Moment], sure_from: float) -> UnsureLines:
    """What is not sure of the hand in progress, by the confidence of its lines. Once it is over: which of the cards are not sure
    that still lie open, or that a sentence on a punto names."""
    if not moments:
        return UnsureLines()
    punti, laid = set[str](), 0
    players: set[tuple[str, str]] = set()
    now = moments[-1].seen
    over = now.hand is None
    playing = now.hand.betting if now.hand is not None else now.ended.betting if now.ended is not None else None
    pots = now.hands[-1].pots if over and now.hands else ()
    told = {(name, pot.phase) for pot in pots for name in words.compared(pot)}
    for moment in reversed(moments):
        event, hand = moment.event, moment.seen.hand
        if isinstance(event, log.Hand):
            break
        if hand is None or is_sure(moment, sure_from):
            continue
        if isinstance(event, log.Show) and hand.betting is not None and not hand.begun:
            players.add((event.by, hand.betting.phase))
        if isinstance(event, log.Lay) and not over:
            laid |= mask_of(INDEX[kind] for kind in event.cards)
        elif isinstance(event, _BETTING) and hand.betting is not None and not hand.begun and not over:
            punti.add(hand.betting.phase)
    punti |= {phase for by, phase in players if (by, phase) in told}
    shown = frozenset(name for name, phase in players if playing is not None and phase == playing.phase)
    return UnsureLines(frozenset(punti), shown, laid, doubtful_mistakes(rules, moments, sure_from), frozenset(players))


def doubtful(moments: Sequence[Moment], sure_from: float) -> frozenset[Any]:
    """See `companion.pages.protocol.ForEverybody.doubtful`: punti, what was shown for them, irregularities."""
    hand = last_hand(moments)
    book = rules.ruling(moments[-1].seen, rules.hands(hand[0].seen) + 1) if hand else None
    if book is None or book.void:
        return frozenset()
    unsure = doubts(moments, sure_from)
    pots = {pot for pot in book.pots if pot.phase in unsure.punti and pot.how != "stated"}
    shown = {one for pot in book.pots for one in pot.ranking if (one.player, pot.phase) in unsure.shown}
    return frozenset(pots | shown) | unsure.mistakes
