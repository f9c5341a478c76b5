"""A hand line by line, and what could stand in each place of it, already said in one language. Pure; for organisers only."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.dashboard.organiser.commands import Change
from companion.dashboard.organiser.effects import paid
from companion.dashboard.organiser.offers import exchanges, possible
from companion.games.stu import words
from companion.games.stu.pages.commentary import comment, notes_of, short
from companion.games.stu.rules import State, apply
from companion.games.stu.rules.log import Deal, Event
from companion.games.stu.rules.state import HandRulings
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Suggestion, ruling_of, suggestions
from companion.table.language import Lang, catalogue

NEVER_SURE = 0.95
"""A line less sure than this is marked."""


class LineView(Struct, frozen=True):
    """One line of a hand: its ``index`` in it, what it says, the event itself as in a table log, and how sure it is.

    ``by_hand``: somebody has said so. ``unsure``: the camera side is not sure. ``fixed``: it opens the hand, or ends it.
    """

    index: int
    text: str
    event: dict[str, Any]
    by_hand: bool
    unsure: bool
    frame: bool


class HandView(Struct, frozen=True):
    """A hand: its ``id`` for commands, its number, its lines, and what it came to, or comes to so far, a sentence each.

    ``order``: who plays in it, di mano first. ``over``: it has ended.
    """

    id: int
    n: int
    title: str
    lines: tuple[LineView, ...]
    ruling: tuple[str, ...]
    order: tuple[str, ...]
    over: bool


class SuggestionView(Struct, frozen=True):
    """What could stand in a place of a hand: a sentence, the events, and how likely the camera side finds it (0: saw nothing)."""

    text: str
    events: tuple[dict[str, Any], ...]
    probability: float


def hand_view(chapter: Chapter, lang: Lang) -> HandView:
    """One hand, line by line."""
    state = chapter.before
    lines = []
    order: tuple[str, ...] = ()
    for index, line in enumerate(chapter.lines):
        before, state = state, apply(state, line.event)
        by_hand = index in chapter.fixed
        unsure = not by_hand and line.confidence is not None and line.confidence < NEVER_SURE
        frame = before.hand is None or state.hand is None
        lines.append(LineView(index, line_text(before, line.event, state, lang), plain(line.event), by_hand, unsure, frame))
        if before.hand is None and state.hand is not None:
            order = tuple(state.table.names[seat] for seat in state.hand.order)
    ruling = ruling_of(chapter)
    over = chapter.after.hand is None
    title = words.title(ruling, lang) if ruling is not None else catalogue(lang).gettext("Before the next hand")
    return HandView(
        id=chapter.id,
        n=ruling.n if ruling is not None else 0,
        title=title,
        lines=tuple(lines),
        ruling=_sentences(ruling, chapter.before, lang) if ruling is not None and (ruling.payments or over) else (),
        order=order,
        over=over,
    )


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line of a log as a sentence."""
    said = comment(before, event, after, lang)
    if said is not None:
        more = getattr(event, "card", None) if not hasattr(event, "terms") else None
        return said if more is None or event.__struct_config__.tag == "reveal" else f"{said}: {words.card(more, lang)}"
    assert isinstance(event, Deal), "what else the commentary passes over is no line of a hand"
    dealt = catalogue(lang).gettext("{player} is dealt a card").format(player=short(event.to))
    return dealt + (f": {words.card(event.card, lang)}" if event.card else "")


def suggested_in(evening: Evening, hand: int, start: int, stop: int) -> tuple[Suggestion, ...]:
    """`companion.referee.corrections.suggestions`, and whole exchanges among them: those before single acts that are as likely.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(hand)
    state = chapter.before
    for line in chapter.lines[:start]:
        state = apply(state, line.event)
    found = suggestions(evening, hand, start, stop)
    told = {suggestion.events for suggestion in found}
    rest = tuple(line.event for line in chapter.lines[stop:])
    whole = [Suggestion(events, 0.0) for events in exchanges(state) if events not in told and possible(state, (*events, *rest))]
    likely = tuple(one for one in found if one.probability > 0)
    return (*likely, *whole, *found[len(likely) :])


def suggestion_views(
    evening: Evening, hand: int, start: int, found: tuple[Suggestion, ...], lang: Lang
) -> tuple[SuggestionView, ...]:
    """The suggestions for a place of a hand, each as a sentence."""
    chapter = evening.chapter(hand)
    state = chapter.before
    for line in chapter.lines[:start]:
        state = apply(state, line.event)
    views = []
    for suggestion in found:
        said, here = [], state
        for event in suggestion.events:
            before, here = here, apply(here, event)
            said.append(line_text(before, event, here, lang))
        views.append(SuggestionView("; ".join(said), tuple(map(plain, suggestion.events)), round(suggestion.probability, 3)))
    return tuple(views)


def left_out(evening: Evening, change: Change, mended: Change, lang: Lang) -> tuple[str, ...]:
    """The lines, as sentences, that a mended change leaves out of its hand."""
    lines = hand_view(evening.chapter(change.hand), lang).lines[change.stop :]
    kept = list(mended.events[len(change.events) :])
    gone = []
    for line, told in zip(lines, evening.chapter(change.hand).lines[change.stop :], strict=True):
        if kept and kept[0] == told.event:
            kept.pop(0)
        else:
            gone.append(line.text)
    return tuple(gone)


def plain(event: Event) -> dict[str, Any]:
    """The event as in a table log."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return found


def _sentences(ruling: HandRulings, before: State, lang: Lang) -> tuple[str, ...]:
    virgins = [player.name for player in before.players if player.virgin]
    return (*paid(ruling, lang).split("\n"), *notes_of(ruling, lang, virgins))
