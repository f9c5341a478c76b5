"""Evenings to measure on: simulated games with the times at which the choreography plays them; no pictures."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.stu.bots import PLAIN, EventProbabilities, Settings, seated, simulate
from companion.games.stu.rules.log import Hand, HouseRules
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.stu.director import direct
from workshop.choreography.timeline import Timeline
from workshop.streams.adversary import numbered

HANDS = 6
"""Most hands of one evening. A wrong ruling spoils those after it, as at a table where nobody corrects it."""
CARELESS = 0.15
"""Share of the evenings on which people make mistakes: a card shown early looks just like one shown to refuse."""
SEEN = EventProbabilities(0, 0, exposed=0.03, wrong_dealer=0, matto=0, split=0, close=0, mistake=0.03, bargain=False)
"""How often rare things happen at a careless table, as far as they can be seen."""


def evenings(hands: int, seed: int, life: Level = "medium") -> Iterator[Timeline]:
    """Evenings with ``hands`` hands in all: 2 to 12 players, both editions, all house rules."""
    def make(number: int, most: int) -> Timeline:
        return evening(Random(f"evening {seed} {number}"), most, 1000 * seed + number, life)

    return numbered(hands, HANDS, make, lambda made: sum(isinstance(line.event, Hand) for line in made.lines))


def evening(rng: Random, hands: int, seed: int, life: Level) -> Timeline:
    """One evening of at most ``hands`` hands, fewer when the game is won before."""
    settings = Settings(
        players=seated(rng.randint(2, 12)),
        edition=rng.choice(("booklet", "piazza-2010")),
        house_rules=HouseRules(
            salta_on_dealer=rng.choice(("deck", "stop")),
            backward_run=rng.choice(("choice", "forced")),
            two_matti_lowest=rng.choice(("others", "matti")),
        ),
        dealing=rng.choice(("at-once", "one-by-one")),
        event_probabilities=SEEN if rng.random() < CARELESS else PLAIN,
    )
    return direct(simulate(settings, hands=hands, seed=seed), seed=seed, tempo=rng.uniform(0.7, 1.6), level=life)


def timed(timeline: Timeline) -> tuple[Line, ...]:
    """The true log of an evening, each line with its time."""
    return tuple(Line(line.event, round(t, 3)) for line, t in zip(timeline.lines, timeline.events, strict=True))
