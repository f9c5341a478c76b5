"""Games of Stoper in every state that the TV shows, with as many players as a test wants to see."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from leaks import played

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stoper.bots import seated
from companion.games.stoper.pages import PAGES
from companion.games.stoper.pages.view import StoperView
from companion.games.stoper.rules.log import (
    Apro,
    Buio,
    Busso,
    Cambio,
    Close,
    Event,
    Game,
    Hand,
    Muck,
    Parola,
    Passo,
    Punto,
    Rilancio,
    Show,
    Vedo,
    Void,
    new_game,
)
from companion.pages.moments import Moment
from companion.table.language import Lang
from companion.table.log import Line

STOPER = GAMES["stoper"]
LONG = (
    "Massimiliano Bartolomeis", "Anna", "Giandomenico Sanvitalesi", "Maria Antonietta", "Elisabetta Di Francesco", "Bruno",
)  # fmt: skip
"""Names of 24 letters, and some that are shorter."""
STACKS = (1_200_000, 100_000, 250_000, 450_000, 700_000, 1_200_000)
"""Chips, so that bets of all of them make as many pots."""
HANDS = (
    ("denari-1", "spade-10", "spade-9"), ("bastoni-1", "coppe-1", "coppe-10"), ("coppe-9", "coppe-8", "coppe-7"),
    ("denari-10", "denari-9", "bastoni-7"), ("spade-8", "spade-7", "denari-5"), ("bastoni-10", "bastoni-8", "spade-1"),
)  # fmt: skip
"""31, 32, 27, 20, 17 and 20 again: of the deck for four."""
STAKES = Hand(cip=5_000, invito=5_000)


def table(players: int, events: Iterable[Event | Line], names: tuple[str, ...] | None = None, **more: Any) -> list[Moment]:
    """A game by hand: the first of the names is First, and the last one deals."""
    names = names or seated(players)
    first = game(names, **more)
    return played(STOPER, [event if isinstance(event, Line) else Line(event) for event in (first, *events)])


def game(names: tuple[str, ...], **more: Any) -> Game:
    """The first line: for cash, with the `STACKS` where it says no others."""
    return new_game(names, more.pop("stacks", dict(zip(names, STACKS, strict=False))), names[-1], **more)


def view(moments: list[Moment], lang: Lang = "it") -> StoperView:
    shown: StoperView = PAGES.view(moments, lang, DEFAULTS.view)
    return shown


def all_in(names: tuple[str, ...]) -> tuple[Event, ...]:
    """First opens with 9,000.00; the others see with all that they have, and the sixth passes: four pots of five or six."""
    seen = [Passo(by=name) if seat == 5 else Vedo(by=name) for seat, name in enumerate(names)][1:]
    return (STAKES, Apro(by=names[0], to=900_000), *seen)


def changed(names: Iterable[str]) -> tuple[Event, ...]:
    """The exchange: two, one, none, two, …"""
    return tuple(Cambio(by=name, n=(2, 1, 0)[at % 3]) for at, name in enumerate(names))  # type: ignore[arg-type]


def shown(names: Iterable[str]) -> tuple[Event, ...]:
    return tuple(Show(by=name, cards=cards) for name, cards in zip(names, HANDS, strict=False))


@lru_cache(maxsize=16)
def states(players: int, long: bool = False, lang: Lang = "it") -> dict[str, StoperView]:
    """Each state that a table of this size comes to, by a name."""
    names = LONG[:players] if long else seated(players)
    inside = names[:5]  # of those who see all bets
    opened = (STAKES, Apro(by=names[0], to=20_000))
    seen = (*opened, *(Vedo(by=name) for name in names[1:]))
    served = (*seen, *(Cambio(by=name, n=0) for name in names))
    said_parola = (*served, *(Parola(by=name) for name in names))
    short = {name: 8_000 if name == names[1] else 50_000 for name in names}
    by_hand: dict[str, tuple[Event | Line, ...]] = {
        "deal": (STAKES,),
        "blinds": (STAKES, Buio(by=names[0])),
        "opening": (STAKES, Parola(by=names[0])),
        "betting": (*opened, Vedo(by=names[1]), Rilancio(by=names[2], to=90_000), Passo(by=names[3])),
        "exchange": (*seen, Cambio(by=names[0], n=2), Cambio(by=names[1], n=0)),
        "final": (*served, Busso(by=names[0]), Busso(by=names[1])),
        "punto": (*served, Busso(by=names[0]), Punto(by=names[1], to=10_000), Passo(by=names[2])),
        "turned up": (*all_in(names), *changed(inside)[:-1], *shown(names[1:3])),
        "showdown": (*all_in(names), *changed(inside), *shown(names[:2])),
        "pots": (*all_in(names), *changed(inside), *shown(inside)),
        "conceded": (*all_in(names), *changed(inside), *shown(names[:3]), *(Muck(by=name) for name in inside[3:])),
        "alone": (*opened, *(Passo(by=name) for name in names[1:])),
        "parola": said_parola,
        "carried": (*said_parola, Hand(), Parola(by=names[1])),
        "nobody opens": (STAKES, *(Parola(by=name) for name in names)),
        "absent": (Hand(cip=5_000, invito=0, absent=names[2:3]), Apro(by=names[0], to=5_000)),
        "unsure": (*all_in(names), *changed(inside), *shown(inside[:-1]), Line(shown(inside)[-1], None, 0.6)),
        "void": (STAKES, Void()),
        "closed": (*all_in(names), *changed(inside), *shown(inside), Close()),
    }  # fmt: skip
    found = {name: view(table(players, events, names), lang) for name, events in by_hand.items()}
    found["controbuio"] = view(table(players, (STAKES, Buio(by=names[0]), Buio(by=names[1])), names, stacks=900_000), lang)
    found["short"] = view(table(players, (STAKES,), names, stacks=short), lang)
    out = [STAKES, Apro(by=names[0], to=10_000), *(Vedo(by=name) for name in names[1:])]
    out += [*changed(names), *(Show(by=name, cards=cards) for name, cards in zip(names, HANDS, strict=False))]
    found["won"] = view(table(players, out, names, stacks=20_000, mode="torneo"), lang)
    return found


