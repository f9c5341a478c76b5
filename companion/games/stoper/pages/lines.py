"""A line of the log as a sentence, and what goes with it. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.decks.italian_sets import INDEX, mask_of
from companion.games.stoper import telling
from companion.games.stoper.pages import phrases
from companion.games.stoper.rules import State, log
from companion.games.stoper.rules.log import Event, Muck, Show, Void
from companion.games.stoper.rules.waiting import waiting
from companion.table.game import Turn
from companion.table.language import Lang
from companion.table.story import frame_said
from companion.table.text import sentence


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line as a sentence, with the cards in it and what they come to."""
    hand = after.hand
    framed = frame_said(event, hand.n if hand else 0, after.table.names[hand.dealer] if hand else "", lang)
    if framed is not None:
        return framed
    said = sentence(telling.act_said(before, event, after, lang))
    return f"{said} ({named(before, event.cards, lang)})" if isinstance(event, log.Show) else said


def named(state: State, cards: Sequence[str], lang: Lang) -> str:
    """What a hand of three cards comes to: "32: due assi e figura"; "" for more or fewer."""
    hand = mask_of(INDEX[kind] for kind in cards)
    return phrases.hand(hand, state.table.house, lang) if hand.bit_count() == 3 else ""


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoper stands alone."""
    return index, index + 1


# What a line of Stoper means where it stands, beyond its words: what a vedo sees, whether a player who passes is out. Pure.


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: what the table waited for, whose chips become more or fewer, whether
    somebody is out, who deals the hand that begins."""
    hand, waits = before.hand, waiting(before)
    if isinstance(event, Void | Show | Muck):
        return None  # several show at once: the one told last ends the showdown, and means no more by it
    chips = tuple([now - was for was, now in zip(before.stacks, after.stacks, strict=True)])
    if hand is None:
        return chips, after.table.names[after.hand.dealer] if after.hand is not None else None
    out = hand.live & ~after.hand.live if after.hand is not None else 0
    return waits.step if isinstance(waits, Turn) else "", hand.phase, chips, out
