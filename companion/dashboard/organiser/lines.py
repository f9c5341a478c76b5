"""A hand line by line, and what could stand in each place of it, in one language's words. Pure; for organisers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.dashboard.feed import Snapshot
from companion.dashboard.organiser.effects import summary
from companion.editing.commands import plain
from companion.editing.outcome import before_hand, comes_to
from companion.games import house_game
from companion.pages.moments import unsure_hands
from companion.pages.ruling import believed, end_sure
from companion.pages.settling import won_last
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.clips import clips
from companion.referee.corrections import Correction, Suggestion, suggestions
from companion.referee.following import fits
from companion.table.language import Lang, catalogue
from companion.table.log import tag
from companion.table.play import possible


class Marks(Struct, frozen=True):
    """What the TV shows as unsure. ``hands``: numbers of the hands in which it shows a ruling or a card so; ``believed``: the
    players whose pedine or chips it shows so; ``sure_from``: the probability from which a line is sure; ``end``: the ruling that
    it shows is not sure, nor is the game over that it may have ended. ``won``: who has won the last part of a game alone, as it
    says it; "" where there is one part, or its winner is that of all."""

    hands: frozenset[int]
    believed: tuple[str, ...]
    sure_from: float
    end: bool = False
    won: str = ""


def marks(snapshot: Snapshot, lang: Lang) -> Marks:
    """What the TV shows as unsure of this game."""
    sure_from, moments = snapshot.settings.view.sure_from, snapshot.moments
    if not moments:
        return Marks(frozenset(), (), sure_from)
    view = snapshot.view(lang)
    hands = set(unsure_hands(moments[-1], sure_from))
    if _doubtful(msgspec.to_builtins(view)):
        hands.add(view.hand)
    return Marks(frozenset(hands), believed(view), sure_from, not end_sure(view), won_last(view.whole, view.winner, lang))


def _doubtful(shown: Any) -> bool:
    """Whether anything in a view is unsure: a key ``sure`` that is false, or one that ends in ``doubtful`` and is true."""
    if isinstance(shown, dict):
        return any(
            (key == "sure" and value is False) or (key.endswith("doubtful") and value is True) or _doubtful(value)
            for key, value in shown.items()
        )
    return isinstance(shown, list | tuple) and any(map(_doubtful, shown))


_FRAME = frozenset({"hand", "end", "void"})
"""Tags of the lines that can neither be changed nor deleted, as a hand needs them. A player's act is never among them, even if it
ends the hand."""


class LineView(Struct, frozen=True):
    """One line of a hand: its ``index`` in it, what it says, the event itself as in a table log, and how sure it is.

    ``by_hand``: somebody has said so. ``unsure``: the camera side is not sure. ``frame``: it opens the hand or ends it, and is
    nobody's act. ``stand_in``: it says the outcome of a hand whose course nobody knows, in place of all lines that stand for
    it, and has no event. ``blind``: it is taken to have happened while nothing could be seen. ``together``: the lines, from start
    to stop, that are deleted with it.
    """

    index: int
    text: str
    event: dict[str, Any]
    by_hand: bool
    unsure: bool
    stand_in: bool
    blind: bool
    frame: bool
    together: tuple[int, int]


class HandView(Struct, frozen=True):
    """A hand: its ``id`` for commands, its number, its lines, and what it came to, or comes to so far, a sentence each.

    ``order``: who plays in it, in the order of play. ``over``: it has ended. ``most``: the largest number that can be said of a
    player where only the outcome is known, 0 where that cannot be known; ``in_money``: the numbers are sums in minor units;
    ``comes_to``: the numbers as they stand. ``filmed``: the camera has seen something of what decides it. ``unsure``: the TV
    shows something of it as not sure. ``events``: of all its lines in the log, to be sent as ``shown``.
    """

    id: int
    n: int
    title: str
    lines: tuple[LineView, ...]
    ruling: tuple[str, ...]
    order: tuple[str, ...]
    over: bool
    most: int
    in_money: bool
    comes_to: dict[str, int]
    filmed: bool
    unsure: bool
    events: tuple[dict[str, Any], ...]


class SuggestionView(Struct, frozen=True):
    """What could stand in a place of a hand: a sentence, the events, and how likely the camera side finds it (0: saw nothing)."""

    text: str
    events: tuple[dict[str, Any], ...]
    probability: float


def hand_view(chapter: Chapter, lang: Lang, marks: Marks, later: Sequence[Chapter] = ()) -> HandView:
    """One hand, line by line. ``marks``: what the TV shows as not sure; ``later``: as of `summary`."""
    rules, pages = chapter.game.rules, house_game(chapter.game).pages
    events = [line.event for line in chapter.lines]
    hand = summary(chapter, lang, marks.sure_from, later)
    lines = []
    order: tuple[str, ...] = ()
    ended = _outcome_place(chapter)
    for index, line in enumerate(chapter.lines):
        before, state = chapter.states[index], chapter.states[index + 1]
        if index in chapter.standing_in:
            continue
        if index == ended:
            lines.append(_outcome_line(chapter, lang, marks.sure_from))
        by_hand = index in chapter.fixed
        begun, on = rules.in_hand(before), rules.in_hand(state)
        lines.append(
            LineView(
                index=index,
                text=pages.line_text(before, line.event, state, lang),
                event=plain(line.event),
                by_hand=by_hand,
                unsure=not by_hand and line.confidence is not None and line.confidence < marks.sure_from,
                stand_in=index in chapter.standing_in,
                blind=not by_hand and any(start <= (line.t or 0.0) <= until for start, until in chapter.blind),
                frame=tag(line.event) in _FRAME,
                together=pages.together(events, index),
            )
        )
        if not begun and on:
            order = pages.order(state)
    if ended == len(chapter.lines):
        lines.append(_outcome_line(chapter, lang, marks.sure_from))
    over = not rules.in_hand(chapter.after)
    return HandView(
        id=chapter.id,
        n=hand.n if hand is not None else 0,
        title=hand.title if hand is not None else catalogue(lang).gettext("Before the next hand"),
        lines=tuple(lines),
        ruling=(*hand.paid, *hand.notes) if hand is not None and (hand.pays or over) else (),
        order=order,
        over=over,
        most=pages.outcomes.most(before_hand(chapter)) if pages.outcomes is not None else 0,
        in_money=pages.outcomes is not None and pages.outcomes.in_money,
        comes_to=comes_to(chapter),
        filmed=bool(clips(chapter)),
        unsure=hand is not None and (hand.doubtful or hand.n in marks.hands),
        events=tuple(map(plain, events)),
    )


def _outcome_place(chapter: Chapter) -> int | None:
    """Of a hand whose outcome alone is known: the index of the line before which a list shows it, behind all that is known of the
    hand's course. None for other hands."""
    if not chapter.standing_in:
        return None
    last = max(chapter.standing_in) + 1
    return next((at for at in range(last, len(chapter.lines)) if tag(chapter.lines[at].event) in _FRAME), len(chapter.lines))


def _outcome_line(chapter: Chapter, lang: Lang, sure_from: float) -> LineView:
    """The one line of a hand whose outcome alone is known."""
    stated = summary(chapter, lang, sure_from)
    payers = stated.payers if stated is not None else ""
    first, last = min(chapter.standing_in), max(chapter.standing_in)
    text = catalogue(lang).gettext("Only the outcome: {payers}").format(payers=payers)
    return LineView(
        first, text, {}, by_hand=True, unsure=False, stand_in=True, blind=False, frame=True, together=(first, last + 1)
    )


def suggested_in(evening: Evening, hand: int, start: int, stop: int) -> tuple[Suggestion, ...]:
    """The suggestions for lines ``start`` to ``stop`` of a hand: those of `companion.referee.corrections.suggestions`, the likely
    ones first, then the game's whole exchanges, then the rest. Those that a later hand does not allow are left out.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(hand)
    state = chapter.states[start]
    found = suggestions(evening, hand, start, stop)
    known = {suggestion.events for suggestion in found}
    rest = tuple(line.event for line in chapter.lines[stop:])
    whole = [
        Suggestion(events, 0.0)
        for events in house_game(evening.game).pages.exchanges(state)
        if events not in known and possible(evening.game.rules.apply, state, (*events, *rest))
    ]
    likely = tuple(one for one in found if one.probability > 0)
    bridge, everything = house_game(evening.game).pages.bridge, (*likely, *whole, *found[len(likely) :])
    return tuple(one for one in everything if fits(evening, Correction(hand, start, stop, one.events), bridge))


def suggestion_views(
    evening: Evening, hand: int, start: int, found: tuple[Suggestion, ...], lang: Lang
) -> tuple[SuggestionView, ...]:
    """The suggestions for a place of a hand, each as a sentence."""
    state, game = evening.chapter(hand).states[start], house_game(evening.game)
    views = []
    for suggestion in found:
        texts, here = [], state
        for event in suggestion.events:
            before, here = here, game.rules.apply(here, event)
            texts.append(game.pages.line_text(before, event, here, lang))
        views.append(SuggestionView("; ".join(texts), tuple(map(plain, suggestion.events)), round(suggestion.probability, 3)))
    return tuple(views)
