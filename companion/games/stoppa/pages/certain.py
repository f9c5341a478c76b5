"""What is not sure of the hand in progress: punti, cards that lie open, and cards of the sequence. Pure.

The `end` of a hand that is over says how sure it is who pays (`Moment.doubts`); the cards that took a punto may still be in
doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.stoppa import rules
from companion.games.stoppa.rules.cards import INDEX, Mask, mask_of
from companion.games.stoppa.rules.log import Hand, Lay, Muck, Passo, Punto, Rilancio, Show, Vedo
from companion.games.stoppa.rules.state import Irregularity
from companion.pages.moments import Moment, doubtful_mistakes, is_sure


@dataclass(frozen=True, slots=True)
class UnsureLines:
    """``punti``: phases with a word or a card that is not sure; ``players``: names of those who have laid cards open, in the
    phase in play, that are not sure; ``laid``: cards of the stoppata whose face or player is not sure; ``mistakes``: see
    `doubtful_mistakes`."""

    punti: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    laid: Mask = 0
    mistakes: frozenset[Irregularity] = frozenset()


_BETTING = Punto | Vedo | Rilancio | Passo | Show | Muck


def doubts(moments: Sequence[Moment], sure_from: float) -> UnsureLines:
    """What is not sure of the hand in progress, by the confidence of its lines. Once it is over: which cards that took a punto,
    or still lie open, are not sure."""
    if not moments:
        return UnsureLines()
    punti, laid = set[str](), 0
    players: set[tuple[str, str]] = set()
    now = moments[-1].seen
    over = now.hand is None
    playing = now.hand.betting if now.hand is not None else now.ended.betting if now.ended is not None else None
    won = {(pot.winner, pot.phase) for pot in now.hands[-1].pots} if over and now.hands else set()
    for moment in reversed(moments):
        event, hand = moment.event, moment.seen.hand
        if isinstance(event, Hand):
            break
        if hand is None or is_sure(moment, sure_from):
            continue
        if isinstance(event, Show) and hand.betting is not None and not hand.begun:
            players.add((event.by, hand.betting.phase))
        if isinstance(event, Lay) and not over:
            laid |= mask_of(INDEX[kind] for kind in event.cards)
        elif isinstance(event, _BETTING) and hand.betting is not None and not hand.begun and not over:
            punti.add(hand.betting.phase)
    punti |= {phase for by, phase in players if (by, phase) in won}
    shown = frozenset(name for name, phase in players if playing is not None and phase == playing.phase)
    return UnsureLines(frozenset(punti), shown, laid, doubtful_mistakes(rules, moments, sure_from))
