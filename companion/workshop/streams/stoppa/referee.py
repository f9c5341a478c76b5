"""The referee over streams of sightings and of what the phone tells, as the whole line runs it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games import GAMES
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Sighting
from companion.referee import Evening, observe
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Event
from companion.workshop.streams.stoppa.truth import Told

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
    for events in ways:
        at = len(current.lines)
        try:
            return correct(evening, Correction(current.id, at, at, events, t=told.t))
        except Illegal:
            continue
    return evening


def merged(seen: Iterable[Sighting], told: Iterable[Told]) -> tuple[Sighting | Told, ...]:
    """Both in the order of time in which they are reported."""
    return tuple(sorted([*seen, *told], key=lambda one: one.t))
