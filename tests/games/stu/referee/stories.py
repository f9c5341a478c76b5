"""Stories that a camera could tell of four players, and short words for what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.games import GAMES
from companion.games.stu.rules.log import Draw, End, Event, Hand, Passo, Reveal, Swap, Taverna, new_game
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from companion.referee import Evening, observe
from companion.referee.chapter import Chapter

ANNA, BRUNO, CARLA, DINO = range(4)
NAMES = ("Anna", "Bruno", "Carla", "Dino")


def dealt(t: float = 1.0, *places: int) -> list[Sighting]:
    """Cards come to lie in the places (all four), half a second apart."""
    return [Appeared(t + 0.5 * i, place) for i, place in enumerate(places or range(4))]


def shown(t: float, place: int, kind: str, probability: float = 0.99, other: str = "3") -> Shown:
    """A face, with one other kind that it might be; its episode is told from its time."""
    return Shown(t, place, round(t * 100), ((kind, probability), (other, 1 - probability)))


def exchanged(t: float, a: int, b: int, probability: float = 0.97) -> Exchanged:
    return Exchanged(t, t + 1, (a, b), probability)


def drawn(t: float, place: int, probability: float = 0.95) -> DeckExchanged:
    return DeckExchanged(t, t + 1, place, probability)


def showdown(t: float, *kinds: str) -> list[Sighting]:
    """Anna, Bruno, Carla and Dino turn these cards one after another, then the cards are gathered."""
    return [*(shown(t + 0.4 * place, place, kind) for place, kind in enumerate(kinds)), Cleared(t + 6)]


def plain(t: float, *kinds: str) -> list[Sighting]:
    """A hand that takes 30 seconds from ``t`` on, in which all stay, and these are their cards."""
    return [*dealt(t + 1), *showdown(t + 10, *kinds)]


def evening(*sightings: Sighting | list[Sighting], dealer: str = "Dino", edition: Any = "booklet") -> Evening:
    result = Evening.of(GAMES["stu"], new_game(NAMES, 200, dealer, edition=edition))
    return grown(result, *sightings)


def grown(result: Evening, *sightings: Sighting | list[Sighting]) -> Evening:
    for seen in sightings:
        for sighting in seen if isinstance(seen, list) else [seen]:
            result = observe(result, sighting)
    return result


def later(sightings: Iterable[Sighting], seconds: float) -> list[Sighting]:
    """The same, ``seconds`` later; faces as other episodes."""
    moved = []
    for seen in sightings:
        changes: dict[str, Any] = {"t": seen.t + seconds}
        if isinstance(seen, Exchanged | DeckExchanged):
            changes["until"] = seen.until + seconds
        if isinstance(seen, Shown):
            changes["episode"] = seen.episode + round(seconds * 100)
        moved.append(replace(seen, **changes))
    return moved


def told(chapter: Chapter) -> list[str]:
    """The lines of a hand in short: ``hand``, ``passo Anna``, ``swap Bruno``, ``reveal Carla gnao``."""
    return [in_short(line.event) for line in chapter.lines]


def in_short(event: Event) -> str:
    match event:
        case Passo(by=by) | Draw(by=by) | Taverna(by=by):
            return f"{type(event).__name__.lower()} {by}"
        case Swap(with_=name):
            return f"swap {name}"
        case Reveal(by=by, card=card):
            return f"reveal {by} {card}"
        case Hand() | End():
            return type(event).__name__.lower()
    return f"{type(event).__name__.lower()} {getattr(event, 'by', '')}".strip()


def payments(chapter: Chapter) -> list[tuple[str, str]]:
    """Who paid for what in the hand: ``("Anna", "lowest")``."""
    state = chapter.after
    paid = state.hand.payments if state.hand is not None else state.hands[-1].payments
    return [(payment.player, payment.cause) for payment in paid]
