"""Evenings of Stoppa for these tests: random legal games with everything that is seldom in them."""

from random import Random

from hypothesis import strategies as st

from companion.games.stoppa.bots import Rarities, Settings, seated, simulate
from companion.games.stoppa.rules.log import HouseRules
from companion.workshop.choreography.barlife import Level
from companion.workshop.choreography.stoppa.director import direct
from companion.workshop.choreography.timeline import Timeline

OFTEN = Rarities(void=0.15, annul=0.15, wrong_dealer=0.1, giro=0.2, omission=0.1, found=0.5, shown=0.5)


class Evening:
    """An evening, directed; shown by what makes it again."""

    def __init__(self, players: int, hands: int, seed: int, level: Level, tempo: float) -> None:
        self.recipe = (players, hands, seed, level, tempo)
        rng = Random(seed)
        house = HouseRules(
            pass_=rng.choice(("final", "checks")), grosso_nobody=rng.choice(("dealer", "carried")),
            three_aces_anytime=rng.random() < 0.3, all_at_once=rng.choice(("deck", "left")),
        )  # fmt: skip
        self.lines = simulate(Settings(players=seated(players), house_rules=house, rarities=OFTEN), hands=hands, seed=seed)
        self.timeline = self.again()

    def again(self) -> Timeline:
        """The same evening, directed anew."""
        _, _, seed, level, tempo = self.recipe
        return direct(self.lines, seed=seed, level=level, tempo=tempo)

    def __repr__(self) -> str:
        return f"Evening{self.recipe}"


def evenings() -> st.SearchStrategy[Evening]:
    """Random evenings of 3 to 6 players."""
    levels, tempi = st.sampled_from(("easy", "medium", "hard")), st.sampled_from((1.0, 0.7, 1.8))
    return st.builds(Evening, st.integers(3, 6), st.integers(1, 3), st.integers(0, 2**32), levels, tempi)
