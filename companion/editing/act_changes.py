"""What a line of a hand could have been instead, as whole acts: with the answer, and with what would have to follow adapted.
Pure."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.editing.commands import plain
from companion.games import house_game
from companion.pages.phone import Offer
from companion.referee import Evening
from companion.referee.beam import shares
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, says_no_more
from companion.referee.following import fits
from companion.table.language import Lang
from companion.table.log import Event


class ActView(Struct, frozen=True):
    """An act that could stand in a place of a hand: what the button says, the lines that give way to it (``start`` to ``stop``,
    excluded), its ``events``, how likely the camera side finds it (0: saw nothing of it), and the ``card`` drawn on it."""

    text: str
    start: int
    stop: int
    events: tuple[dict[str, Any], ...]
    probability: float
    card: str | None


def act_views(evening: Evening, hand: int, index: int, lang: Lang) -> tuple[ActView, ...]:
    """Whole acts that the rules allow in the place of a line, the likeliest first. None where the line is no act of a player's.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(hand)
    pages, rules = house_game(evening.game).pages, evening.game.rules
    states = chapter.states
    if rules.waiting(states[index]) == rules.waiting(states[index + 1]):
        return ()  # a card shown unasked, say: nobody's turn is over
    start, stop = index, index + 1
    while start > 0 and pages.due(states[start]):
        start -= 1
    while stop < len(chapter.lines) and pages.due(states[stop]):
        stop += 1
    found: dict[str, ActView] = {}
    for first in dict.fromkeys((start, index)):
        for offer in pages.whole_acts(states[first], chapter.lines[first].event, lang):
            view = _act_view(chapter, offer, first, stop)
            if view is not None and fits(evening, Correction(hand, first, stop, offer.events), pages.bridge):
                found.setdefault(view.text, view)
    return tuple(sorted(found.values(), key=lambda view: -view.probability))


def _act_view(chapter: Chapter, offer: Offer, start: int, stop: int) -> ActView | None:
    """None where just that stands there, or the same with more told of it."""
    if says_no_more(offer.events, [line.event for line in chapter.lines[start:stop]]):
        return None
    events = tuple(map(plain, offer.events))
    return ActView(offer.label, start, stop, events, round(_likelihood(chapter, start, offer.events), 3), offer.card)


def _likelihood(chapter: Chapter, start: int, events: tuple[Event, ...]) -> float:
    """The share of the histories, told alike up to this place, in which the act follows."""
    head = [line.event for line in chapter.lines[:start]]
    if not chapter.reports.sightings or not chapter.outcome:
        return 0.0
    found = 0.0
    for history, share in zip(chapter.outcome, shares(chapter.outcome), strict=True):
        told = [line.event for line in history.lines]
        if told[:start] == head and tuple(told[start : start + len(events)]) == events:
            found += share
    return found

