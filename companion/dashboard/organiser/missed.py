"""A whole hand that the camera has missed, told act by act like one that is played by thumb. Pure."""

from __future__ import annotations

from msgspec import Struct

from companion.dashboard.organiser.lines import line_text
from companion.dashboard.organiser.offers import Next, offers
from companion.games.stu.rules import apply, check
from companion.games.stu.rules.log import End, Event, Hand
from companion.referee import Evening
from companion.referee.corrections import check_lines
from companion.table.language import Lang


class Telling(Struct, frozen=True):
    """How far it is told: its ``events``, each as a sentence in ``lines``, what comes ``next``, and whether it is ``over``, so
    that it can be inserted."""

    events: tuple[Event, ...]
    lines: tuple[str, ...]
    next: Next
    over: bool


def telling(evening: Evening, before: int, events: tuple[Event, ...], lang: Lang) -> Telling:
    """What these events tell of a hand before another. It begins with the deal; once every card lies open it is over.

    Raises:
        KeyError: there is no hand with the id ``before``.
        Illegal: it cannot have been so.
    """
    begun = evening.chapter(before).before
    events = events or (Hand(),)
    state = check_lines(evening.game.rules, begun, events)
    hand = state.hand
    if hand is not None and all(hand.is_shown(hand.holds[at]) for at in hand.positions()) and check(state, End()) is None:
        events = (*events, End())
        state = apply(state, End())
    lines, here = [], begun
    for event in events:
        was, here = here, apply(here, event)
        lines.append(line_text(was, event, here, lang))
    return Telling(events, tuple(lines), offers(state, lang), over=state.hand is None)
