"""A line of the log as a sentence, and what goes with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa import story
from companion.games.stoppa.rules import State, log
from companion.games.stoppa.rules.log import Event
from companion.table.language import Lang, catalogue
from companion.table.text import sentence


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line as a sentence, with the cards in it."""
    _ = catalogue(lang).gettext
    match event:
        case log.Hand() if after.hand is not None:
            return _("Hand {n}: {dealer} deals").format(n=after.hand.n, dealer=after.table.names[after.hand.dealer])
        case log.End():
            return _("The hand is over")
        case log.Close():
            return _("The game is over")
        case log.Deal(to=to, faces=()):
            return _("{player} is dealt cards").format(player=to)
    return sentence(story.act_said(before, event, after, lang))


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoppa stands alone."""
    return index, index + 1
