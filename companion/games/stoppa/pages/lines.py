"""A line of the log as a sentence, and what goes with it. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.stoppa import telling
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.log import Back, Event, Giro, Muck, Show, Void
from companion.table.language import Lang
from companion.table.story import frame_said
from companion.table.text import sentence


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line as a sentence, with the cards in it."""
    hand = after.hand
    framed = frame_said(event, hand.n if hand else 0, after.table.names[hand.dealer] if hand else "", lang)
    if framed is not None:
        return framed
    return sentence(telling.act_said(before, event, after, lang))


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoppa stands alone."""
    return index, index + 1


# What a line of Stoppa says in its place, beyond its words: what somebody sees with a vedo, which cards are taken back. Pure.


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: the punto, the change of each balance, the number that was wanted,
    the lays that are taken back, the dealer of the hand that begins."""
    hand = before.hand
    money = tuple([now - was for was, now in zip(before.balances, after.balances, strict=True)])
    punto = hand.betting.phase if hand is not None and hand.betting is not None else None
    match event:
        case Void():
            return None
        case Giro():
            return after.last_hand
        case Show() | Muck():
            return punto  # several show at once: the one told last decides it, and means no more by it
        case Back() if hand is not None:
            return hand.lays[-event.lays :]
    if hand is None:
        return money, after.table.names[after.hand.dealer] if after.hand is not None else None
    return punto, hand.iteration, hand.wants, money
