"""Logs for these tests: random legal games, and one written by hand."""

import json
from random import Random

from hypothesis import strategies as st

from companion.stu.log import Line, read_lines
from companion.workshop.choreography.director import direct
from companion.workshop.choreography.timeline import Timeline
from companion.workshop.simulator import Rarities, Settings, seated, simulate

OFTEN = Rarities(penalty=0.1, void=0.15, exposed=0.15, wrong_dealer=0.05, matto=0.2, mistake=0.1)


def log(*entries: dict[str, object]) -> tuple[Line, ...]:
    """A log from JSON objects."""
    return read_lines("\n".join(json.dumps(entry) for entry in entries).encode())


def game(*names: str, dealer: str, **more: object) -> dict[str, object]:
    """A game line."""
    return {"e": "game", "v": 1, "game": "stu", "players": list(names), "stake": 100, "currency": "EUR", "dealer": dealer, **more}


@st.composite
def logs(draw: st.DrawFn, most: int = 20) -> tuple[Line, ...]:
    """A random legal game with everything that is seldom in it."""
    count = draw(st.integers(2, most))
    rng = Random(draw(st.integers(0, 2**32)))
    settings = Settings(
        players=seated(count),
        rarities=OFTEN,
        edition=rng.choice(("booklet", "piazza-2010")),
        dealing=rng.choice(("at-once", "one-by-one")),
        pedine=rng.choice((1, 3)),
    )
    return simulate(settings, hands=draw(st.integers(1, 4)), seed=rng.randrange(2**32))


@st.composite
def evenings(draw: st.DrawFn, most: int = 20) -> Timeline:
    """A random legal game, directed."""
    level = draw(st.sampled_from(("easy", "medium", "hard")))
    tempo = draw(st.sampled_from((1.0, 1.0, 0.7, 1.8)))
    return direct(draw(logs(most)), seed=draw(st.integers(0, 2**32)), level=level, tempo=tempo)


GNAFFATA = log(
    game("Anna", "Bruno", "Carla", "Dino", dealer="Dino"),
    {"e": "hand"},
    {"e": "passo", "by": "Anna"},
    {"e": "swap", "with": "Bruno"},
    {"e": "passo", "by": "Bruno"},
    {"e": "reveal", "by": "Carla", "card": "gnao"},
    {"e": "swap", "with": "Anna"},
    {"e": "passo", "by": "Dino"},
    {"e": "draw", "by": "Dino", "card": "7"},
    {"e": "reveal", "by": "Anna", "card": "2"},
    {"e": "reveal", "by": "Bruno", "card": "5"},
    {"e": "reveal", "by": "Carla", "card": "gnao"},
    {"e": "reveal", "by": "Dino", "card": "7"},
    {"e": "end"},
)
"""Anna passes to Bruno, Bruno is gnaffed by Carla, the card runs back to Anna, Dino draws; Anna's 2 is lowest."""
