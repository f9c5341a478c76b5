"""Logs for these tests: random legal games, and one written by hand."""

import json
from random import Random

from hypothesis import strategies as st

from companion.games.stu.bots import EventProbabilities, Settings, seated, simulate
from companion.games.stu.rules.log import read_lines
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.stu.director import direct
from workshop.choreography.timeline import Timeline

OFTEN = EventProbabilities(penalty=0.1, void=0.15, exposed=0.15, wrong_dealer=0.05, matto=0.2, mistake=0.1)


def log(*entries: dict[str, object]) -> tuple[Line, ...]:
    """A log from JSON objects."""
    return read_lines("\n".join(json.dumps(entry) for entry in entries).encode())


def game(*names: str, dealer: str, **more: object) -> dict[str, object]:
    """A game line."""
    return {"e": "game", "v": 1, "game": "stu", "players": list(names), "stake": 100, "currency": "EUR", "dealer": dealer, **more}


class Evening:
    """A random legal game with everything that is seldom in it, directed; shown by what makes it again."""

    def __init__(self, players: int, hands: int, seed: int, level: Level, tempo: float) -> None:
        self.recipe = (players, hands, seed, level, tempo)
        rng = Random(seed)
        settings = Settings(
            players=seated(players),
            event_probabilities=OFTEN,
            edition=rng.choice(("booklet", "piazza-2010")),
            dealing=rng.choice(("at-once", "one-by-one")),
            pedine=rng.choice((1, 3)),
        )
        self.lifts = rng.choice((0.0, 0.0, 0.5, 1.0))
        self.lines = simulate(settings, hands=hands, seed=seed)
        self.timeline = self.again()

    def again(self) -> Timeline:
        """The same evening, directed again."""
        _, _, seed, level, tempo = self.recipe
        return direct(self.lines, seed=seed, level=level, tempo=tempo, lifts=self.lifts)

    def __repr__(self) -> str:
        return f"Evening{self.recipe}"


def evenings(most: int = 20) -> st.SearchStrategy[Evening]:
    """Random evenings of up to ``most`` players."""
    levels, tempi = st.sampled_from(("easy", "medium", "hard")), st.sampled_from((1.0, 0.7, 1.8))
    return st.builds(Evening, st.integers(2, most), st.integers(1, 4), st.integers(0, 2**32), levels, tempi)


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
