"""The referee over streams of sightings, as the whole line runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.games.stu.sightings import Sighting
from companion.referee import Evening, observe
from companion.table.log import Line
from workshop.bench.stu.hands import PlayedHand
from workshop.scoring import Verdict
from workshop.streams.stu.evenings import evenings, timed
from workshop.streams.stu.figures import compare
from workshop.streams.stu.noise import Noise, corrupt
from workshop.streams.stu.truth import ideal


def log_of(game: Game, stream: Iterable[Sighting]) -> tuple[Line, ...]:
    """The table log that the referee makes of a stream when nobody is asked."""
    evening = Evening.of(GAMES["stu"], game)
    for sighting in stream:
        evening = observe(evening, sighting)
    return evening.log


def game_of(lines: tuple[Line, ...]) -> Game:
    """The first line of a log.

    Raises:
        ValueError: it is no game line.
    """
    if not lines or not isinstance(lines[0].event, Game):
        raise ValueError("no game line first: expected a table log")
    return lines[0].event


def spoilt(true: tuple[Line, ...], noise: Noise, seed: str) -> tuple[Sighting, ...]:
    """The stream of sightings of a true timed log, spoilt by the adversary."""
    return corrupt(ideal(true), noise, len(game_of(true).players), Random(f"noise {seed}"))


def measured(hands: int, noise: Noise, seed: int) -> Iterator[tuple[Verdict[PlayedHand], ...]]:
    """The verdicts on what the referee makes of spoilt streams with ``hands`` hands in all, one evening at a time."""
    for number, played in enumerate(evenings(hands, seed)):
        true = timed(played)
        yield compare(true, log_of(game_of(true), spoilt(true, noise, f"{seed} {number}")))
