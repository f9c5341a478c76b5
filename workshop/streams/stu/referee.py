"""The referee over streams of Lu Stù's sightings, and figures over what it makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.games.stu.sightings import Sighting
from companion.referee import Evening, observe
from companion.table.log import Line
from workshop.bench.stu.hands import PlayedHand, compared, moves, played
from workshop.scoring import Verdict
from workshop.streams.adversary import ruled
from workshop.streams.stu.evenings import evenings, timed
from workshop.streams.stu.noise import Noise, corrupt
from workshop.streams.stu.truth import ideal

NEAR_SECONDS = 3.0
"""An exchange is found when one between the same two is told at most this long before or after it."""


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, the true one and the one to be judged."""
    return compared(_over(true), _over(seen), NEAR_SECONDS)


def _over(log: Sequence[Line]) -> list[PlayedHand]:
    return [hand for hand in played(log) if hand.over]


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """As of `adversary.Ruled`. ``recall``, ``precision``: of exchanges and draws."""

    hands: int
    right: float
    sure_but_wrong: float
    unsure: float
    recall: float
    precision: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true]
    seen = [verdict.seen for verdict in verdicts if verdict.seen]
    found = sum(len(verdict.found) for verdict in verdicts)
    made, reported = sum(len(moves(hand)) for hand in true), sum(len(moves(hand)) for hand in seen)
    return StreamFigures(
        **ruled(verdicts),
        recall=found / made if made else 1.0,
        precision=found / reported if reported else 1.0,
    )


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
    for number, evening in enumerate(evenings(hands, seed)):
        true = timed(evening)
        yield compare(true, log_of(game_of(true), spoilt(true, noise, f"{seed} {number}")))
