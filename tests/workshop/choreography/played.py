"""Evenings with cards in the hand for these tests: random legal games with everything that is seldom in them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import ClassVar

from hypothesis import strategies as st

from companion.games import stoper as stoper_game
from companion.games import stoppa as stoppa_game
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.table.log import Event, Line, tag
from workshop.choreography.barlife import Level
from workshop.choreography.play import direct
from workshop.choreography.timeline import Timeline

_SELDOM = stoppa.EventProbabilities(void=0.15, annul=0.15, wrong_dealer=0.1, giro=0.2, omission=0.1, found=0.5, shown=0.5)
_SELDOM_IN_STOPER = stoper.EventProbabilities(void=0.15, wrong_dealer=0.1, absent=0.1, bluff=0.1, dealt=0.3, discards=0.4,
                                              late=0.3)


class Evening(ABC):
    """An evening, directed; shown by what makes it again. ``log``: its game's events; ``pack``: players → cards in the pack."""

    log: ClassVar
    pack: ClassVar[dict[int, int]]

    def __init__(self, players: int, hands: int, seed: int, level: Level, tempo: float) -> None:
        self.recipe = (players, hands, seed, level, tempo)
        self.lines = self.simulated(players, hands, seed)
        self.timeline = self.again()

    @staticmethod
    @abstractmethod
    def simulated(players: int, hands: int, seed: int) -> tuple[Line, ...]:
        """The log of the evening."""

    def again(self) -> Timeline:
        """The same evening, directed again."""
        _, _, seed, level, tempo = self.recipe
        return direct(self.lines, seed=seed, level=level, tempo=tempo)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.recipe}"


class Stoppa(Evening):
    log = stoppa_game.log
    pack: ClassVar = {3: 39, 4: 40, 5: 40, 6: 36}

    @staticmethod
    def simulated(players: int, hands: int, seed: int) -> tuple[Line, ...]:
        rng = Random(seed)
        house = stoppa_game.log.HouseRules(
            pass_=rng.choice(("final", "checks")), grosso_nobody=rng.choice(("dealer", "carried")),
            three_aces_anytime=rng.random() < 0.3, all_at_once=rng.choice(("deck", "left")),
        )  # fmt: skip
        settings = stoppa.Settings(players=stoppa.seated(players), house_rules=house, event_probabilities=_SELDOM)
        return stoppa.simulate(settings, hands=hands, seed=seed)


class Stoper(Evening):
    log = stoper_game.log
    pack: ClassVar = {4: 28, 5: 32, 6: 36}

    @staticmethod
    def simulated(players: int, hands: int, seed: int) -> tuple[Line, ...]:
        rng = Random(seed)
        house = stoper_game.log.HouseRules(
            dealer_pays=rng.random() < 0.7, deck_follows="start", carry_join=rng.choice(("parola_only", "always"))
        )
        settings = stoper.Settings(
            players=stoper.seated(players), mode=rng.choice(("cash", "torneo")), stacks=rng.choice((None, 400, 1500)),
            house_rules=house, event_probabilities=_SELDOM_IN_STOPER,
        )  # fmt: skip
        return stoper.simulate(settings, hands=hands, seed=seed)


def _of(game: type[Evening], fewest: int) -> st.SearchStrategy[Evening]:
    levels, tempi = st.sampled_from(("easy", "medium", "hard")), st.sampled_from((1.0, 0.7, 1.8))
    return st.builds(game, st.integers(fewest, 6), st.integers(1, 3), st.integers(0, 2**32), levels, tempi)


def of_stoppa() -> st.SearchStrategy[Evening]:
    """Random evenings of 3 to 6 players."""
    return _of(Stoppa, 3)


def of_stoper() -> st.SearchStrategy[Evening]:
    """Random evenings of 4 to 6 players."""
    return _of(Stoper, 4)


def of_any() -> st.SearchStrategy[Evening]:
    """Random evenings of either."""
    return st.one_of(of_stoppa(), of_stoper())


def opened(timeline: Timeline) -> Iterator[tuple[float, str, Event]]:
    """When (seconds) which card lies open, and the event that says so."""
    for line, t in zip(timeline.lines, timeline.events, strict=True):
        if tag(line.event) in ("show", "lay", "declare"):
            for card in (*line.event.cards, *(getattr(line.event, "discards", None) or ())):
                yield t, card, line.event
