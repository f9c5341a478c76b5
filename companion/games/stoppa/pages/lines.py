"""A line of the log as a sentence, and what goes with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa import story
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.log import Event
from companion.table.language import Lang
from companion.table.story import frame_said
from companion.table.text import sentence


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line as a sentence, with the cards in it."""
    hand = after.hand
    framed = frame_said(event, hand.n if hand else 0, after.table.names[hand.dealer] if hand else "", lang)
    if framed is not None:
        return framed
    return sentence(story.act_said(before, event, after, lang))


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoppa stands alone."""
    return index, index + 1
