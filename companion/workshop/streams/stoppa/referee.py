"""The referee over streams of sightings and of what the phone tells, as the whole line runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Sighting
from companion.referee import Evening, observe
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Event, Line
from companion.workshop.streams.stoppa.evenings import evenings
from companion.workshop.streams.stoppa.figures import Verdict, compare
from companion.workshop.streams.stoppa.noise import Noise, corrupt
from companion.workshop.streams.stoppa.truth import Told, ideal, told

BEFORE = (tl.Piccolo(), tl.Grosso())
"""What whoever holds the phone taps first, where the eyes have missed it."""


def evening_of(game: tl.Game, stream: Iterable[Sighting | Told]) -> Evening:
    """The evening that the referee makes of a stream when nobody is asked. What cannot have happened, the phone does not tell."""
    evening = Evening.of(GAMES["stoppa"], game)
    for one in stream:
        evening = tell(evening, one) if isinstance(one, Told) else observe(evening, one)
    return evening


def tell(evening: Evening, told: Told) -> Evening:
    """The evening with a line told by thumb, after all that is known by then."""
    current = evening.current
    ways: list[tuple[Event, ...]] = [(told.event,), *((before, told.event) for before in BEFORE)]
    if isinstance(told.event, tl.Declare):  # what the eyes have read may speak against some of the cards
        ways.append((replace(told.event, cards=()),))
    at = len(current.lines)
    places = [(at, events) for events in ways]
    if at and current.lines[-1].event in BEFORE:  # the eyes have taken a round for dealt that was not
        places.append((at - 1, (told.event,)))
    for start, events in places:
        try:
            return correct(evening, Correction(current.id, start, at, events, t=told.t))
        except Illegal:
            continue
    return evening


def merged(seen: Iterable[Sighting], told: Iterable[Told]) -> tuple[Sighting | Told, ...]:
    """Both in the order of time in which they are reported."""
    return tuple(sorted([*seen, *told], key=lambda one: one.t))


def spoilt(true: tuple[Line, ...], noise: Noise, seed: str, *, phone: bool = True) -> tuple[Sighting | Told, ...]:
    """The stream of a true timed log, spoilt by the adversary; with no ``phone`` nobody tells a word."""
    seen = corrupt(ideal(true), noise, len(true[0].event.players), Random(f"noise {seed}"))
    return merged(seen, told(true) if phone else ())


def measured(hands: int, noise: Noise, seed: int, *, phone: bool = True) -> Iterator[tuple[Verdict, ...]]:
    """The verdicts on what the referee makes of spoilt streams with ``hands`` hands in all, one evening at a time."""
    for number, true in enumerate(evenings(hands, seed)):
        made = evening_of(true[0].event, spoilt(true, noise, f"{seed} {number}", phone=phone))
        yield compare(true, made.log)
