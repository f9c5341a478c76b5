"""Games of Stoppa in every state that the TV shows, with as many players as a test wants to see."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from leaks import played

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stoppa.bots import PLAIN, Settings, seated, simulate
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.pages.view import StoppaView
from companion.games.stoppa.rules.log import (
    Declare,
    Event,
    Giro,
    Grosso,
    Hand,
    Lay,
    Passo,
    Piccolo,
    Punto,
    Show,
    Vedo,
    Void,
    new_game,
)  # fmt: skip
from companion.pages.moments import Moment
from companion.table.language import Lang
from companion.table.log import Line

STOPPA = GAMES["stoppa"]
LONG = (
    "Massimiliano Bartolomeis", "Anna", "Giandomenico Sanvitalesi", "Maria Antonietta", "Elisabetta Di Francesco", "Bruno",
)  # fmt: skip
"""Names of 24 letters, and some that are shorter."""
SIXES = ("denari-6", "coppe-6", "spade-6", "bastoni-6")
PICCOLI = {3: 5, 4: 4, 5: 3, 6: 2}


def table(players: int, events: tuple[Event | Line, ...], names: tuple[str, ...] | None = None, **more: Any) -> list[Moment]:
    """A game by hand: the first of the names is mano."""
    names = names or seated(players)
    removed = "denari-10" if players == 3 else None
    first = new_game(names, 600, 100, names[-1], removed=removed, **more)
    return played(STOPPA, [event if isinstance(event, Line) else Line(event) for event in (first, *events)])


def grosso(players: int) -> tuple[Event, ...]:
    """A hand up to the punto grosso, in which nobody has bet."""
    return (Hand(), *[Piccolo()] * PICCOLI[players], Grosso())


def view(moments: list[Moment], lang: Lang = "it") -> StoppaView:
    shown: StoppaView = PAGES.view(moments, lang, DEFAULTS.view)
    return shown


@lru_cache(maxsize=8)
def evening(names: tuple[str, ...], seed: int = 7, points: bool = False) -> tuple[Moment, ...]:
    """Some hands that bots have played without mistakes, as far as the last one's stop."""
    lines = simulate(Settings(players=names, event_probabilities=PLAIN, points=points), hands=4, seed=seed)
    return tuple(played(STOPPA, lines))


WITHOUT_FIGURES = tuple(f"{suit}-{number}" for suit in ("spade", "bastoni") for number in range(1, 8))
DEALT = {3: 13, 4: 10, 5: 8, 6: 6}
"""Number of players → cards each."""


@lru_cache(maxsize=16)
def states(players: int, long: bool = False, lang: Lang = "it", points: bool = False) -> dict[str, StoppaView]:
    """Each state that a table of this size comes to, by a name: deal, betting, comparison, punto, grosso, stoppata, …"""
    names = LONG[:players] if long else seated(players)
    by_hand: dict[str, tuple[Event | Line, ...]] = {
        "misera": (*grosso(players), Declare(by=names[2], what="misera", cards=WITHOUT_FIGURES[: DEALT[players]])),
        "aces": (*grosso(players), Lay(by=names[0], cards=("denari-1",)), Lay(by=names[1], cards=("coppe-1", "spade-1"))),
        "exhausted": (*grosso(players), Lay(by=names[0], cards=SIXES),
                      Lay(by=names[1], cards=("coppe-7",)), Lay(by=names[2], cards=("coppe-8",))),
        "unsure": (Hand(), Piccolo(), Punto(by=names[0], to=50), Vedo(by=names[1]), *(Passo(by=name) for name in names[2:]),
                   Show(by=names[0], cards=("denari-7", "denari-6", "denari-1")),
                   Line(Show(by=names[1], cards=("coppe-7", "coppe-6", "spade-1")), None, 0.6)),
        "void": (Hand(), Piccolo(), Void()),
        "last hand": (Giro(by=names[0]), *grosso(players), Punto(by=names[0], to=1000)),
    }  # fmt: skip
    found = {
        name: view(table(players, events, names, points=points, hands_before=players - 1 if name == "last hand" else 0), lang)
        for name, events in by_hand.items()
    }
    moments = evening(names, points=points)
    for length in range(2, len(moments) + 1):
        shown = view(list(moments[:length]), lang)
        for name, is_it in _STATES.items():
            if name not in found and is_it(moments[length - 1], shown):
                found[name] = shown
    return found


def _betting(now: Moment) -> Any:
    return now.seen.hand.betting if now.seen.hand is not None else None


_STATES: dict[str, Any] = {
    "deal": lambda now, shown: isinstance(now.event, Hand),
    "betting": lambda now, shown: (bets := _betting(now)) and not bets.decided and bets.todo and bets.bets > bets.high,
    "comparison": lambda now, shown: (bets := _betting(now)) and bets.comparing and not bets.decided and any(bets.shown),
    "punto": lambda now, shown: shown.ruling and shown.ruling.about.startswith("Punto piccolo") and len(shown.ruling.sums) > 1,
    "grosso": lambda now, shown: shown.ruling and shown.ruling.about == "Punto grosso",
    "stoppata": lambda now, shown: shown.centre and len(shown.centre.pile) == 6,
    "opens": lambda now, shown: now.seen.hand and now.seen.hand.lays and not now.seen.hand.wants,
    "stop": lambda now, shown: shown.ruling and shown.ruling.final and shown.ruling.payments,
    "over": lambda now, shown: shown.status == "won",
}
"""State → whether a moment with its view is one."""


