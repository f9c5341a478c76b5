"""Evenings to measure on: simulated games of Stoppa, each line with its time; no pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from companion.games.stoppa.bots import PLAIN, EventProbabilities, Settings, seated, simulate
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.rules.log import HouseRules
from companion.table.log import Event, Line

HANDS = 4
"""Most hands of one evening."""
CARELESS = 0.3
"""Share of the evenings on which people make mistakes, agree on something, or deal out of turn."""
SECONDS: dict[type[Event], float] = {
    tl.Hand: 6.0, tl.Piccolo: 2.0, tl.Grosso: 1.0, tl.Show: 2.0, tl.Lay: 2.0, tl.Back: 3.0, tl.Declare: 4.0,
}  # fmt: skip
"""Mean time before a line, where it is not `WORD_SECONDS`."""
WORD_SECONDS = 1.8


def evenings(hands: int, seed: int) -> Iterator[tuple[Line, ...]]:
    """True logs with times, with ``hands`` hands in all: 3 to 6 players, the house rules that change the play."""
    number = 0
    while hands > 0:
        made = evening(Random(f"stoppa {seed} {number}"), min(HANDS, hands), 1000 * seed + number)
        hands -= sum(isinstance(line.event, tl.Hand) for line in made)
        number += 1
        yield made


def evening(rng: Random, hands: int, seed: int) -> tuple[Line, ...]:
    """One evening of at most ``hands`` hands."""
    players = rng.randint(3, 6)
    house = HouseRules(
        all_at_once=rng.choice(("deck", "left")),
        three_aces_anytime=rng.random() < 0.2,
        cards_per_misera=rng.choice((2, 3)),
        grosso_nobody=rng.choice(("dealer", "carried")),
    )
    event_probabilities = EventProbabilities(giro=0.1) if rng.random() < CARELESS else PLAIN
    settings = Settings(players=seated(players), house_rules=house, event_probabilities=event_probabilities)
    return timed(simulate(settings, hands=hands, seed=seed), rng)


def timed(lines: tuple[Line, ...], rng: Random) -> tuple[Line, ...]:
    """The log with a time for each line: people take 0.6 to 1.8 times the mean for what they do."""
    t, players = 0.0, len(lines[0].event.players)
    found = [lines[0]]
    for before, line in pairwise(lines):
        t += SECONDS.get(type(line.event), WORD_SECONDS) * rng.uniform(0.6, 1.8)
        if isinstance(before.event, tl.Piccolo):
            t += 0.8 * players
        elif isinstance(before.event, tl.Show | tl.Declare):
            t += 0.15 * len(before.event.cards)
        found.append(Line(line.event, round(t, 3)))
    return tuple(found)
