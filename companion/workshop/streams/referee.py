"""A stream of sightings through the referee, as the whole line runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from companion.eyes.sighting import Sighting
from companion.referee import Evening, observe
from companion.stu.log import Game, Line
from companion.workshop.streams.evenings import evenings
from companion.workshop.streams.figures import Verdict, compare
from companion.workshop.streams.noise import Noise, corrupt
from companion.workshop.streams.truth import ideal


def told(game: Game, stream: Iterable[Sighting]) -> tuple[Line, ...]:
    """The table log that the referee makes of a stream, nobody being asked anything."""
    evening = Evening.of(game)
    for sighting in stream:
        evening = observe(evening, sighting)
    return evening.log


def spoilt(true: tuple[Line, ...], noise: Noise, seed: str) -> tuple[Game, tuple[Sighting, ...]]:
    """The game of a true timed log, and its stream as the adversary leaves it."""
    game = true[0].event
    assert isinstance(game, Game)
    return game, corrupt(ideal(true), noise, len(game.players), Random(f"noise {seed}"))


def measured(hands: int, noise: Noise, seed: int) -> Iterator[tuple[Verdict, ...]]:
    """What the referee makes of evenings of so many hands in all, an evening at a time."""
    for number, true in enumerate(evenings(hands, seed)):
        yield compare(true, told(*spoilt(true, noise, f"{seed} {number}")))
