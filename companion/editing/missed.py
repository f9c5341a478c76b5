"""A whole hand that the camera has missed, or one that an organiser tells again, act by act as when playing by thumb. Pure."""

from __future__ import annotations

from msgspec import Struct

from companion.games import Game, house_game
from companion.pages.phone import Next
from companion.referee import Evening
from companion.referee.corrections import check_lines
from companion.table.game import State
from companion.table.language import Lang
from companion.table.log import Event, tag


class Telling(Struct, frozen=True):
    """How far somebody has said it: its ``events``, each as a sentence in ``lines``, what comes ``next``, and whether it is
    ``over``, so that it can be inserted."""

    events: tuple[Event, ...]
    lines: tuple[str, ...]
    next: Next
    over: bool


def telling(evening: Evening, before: int, events: tuple[Event, ...], lang: Lang) -> Telling:
    """What these events tell of a hand before another, or in its place. It begins with the deal; where nothing but its end can
    follow, it is over.

    Raises:
        KeyError: there is no hand with the id ``before``.
        Illegal: it cannot have been so.
    """
    game = house_game(evening.game)
    rules, pages = game.rules, game.pages
    begun = evening.chapter(before).before
    events = events or _beginning(game, begun, lang)
    state = check_lines(rules, begun, events)
    while rules.in_hand(state) and (more := pages.by_itself(state, events[-1])) is not None:
        events = (*events, more)
        state = rules.apply(state, more)
    lines, here = [], begun
    for event in events:
        was, here = here, rules.apply(here, event)
        lines.append(pages.line_text(was, event, here, lang))
    return Telling(events, tuple(lines), pages.offers(state, lang), over=not rules.in_hand(state))


def _beginning(game: Game, state: State, lang: Lang) -> tuple[Event, ...]:
    """How a hand begins here: in the plainest way, or where that says too little as the phone would begin it."""
    plain: Event = game.rules.LOG.event({"e": "hand"})
    if game.rules.check(state, plain) is not None:
        for offer in game.pages.offers(state, lang).offers:
            if tag(offer.events[0]) == "hand":
                return offer.events
    return (plain,)
