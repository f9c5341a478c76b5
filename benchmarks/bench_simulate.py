"""How fast the simulator and the odds are; the simulator beside pokerkit's random play.

    pytest benchmarks/bench_simulate.py

Extra information gives `hands per second`: whole hands, dealt, decided by bots, ruled by the engine and noted. pokerkit's
hands are no-limit hold'em with everything automated but the players, who act by chance; it is measured where it is
installed (`pip install pokerkit`). On a busy machine add `--benchmark-timer=time.process_time`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.games.stu.bots import Settings, seated, simulate
from companion.games.stu.odds import look, odds
from companion.games.stu.rules import log

SEEDS = range(8)


def measure(benchmark: Any, play: Callable[[], int]) -> None:
    counted: list[int] = []
    benchmark(lambda: counted.append(play()))
    if benchmark.stats is not None:
        benchmark.extra_info["hands per second"] = round(sum(counted) / len(counted) / benchmark.stats.stats.median)


@pytest.mark.parametrize("players", [4, 12, 39])
def test_simulate(benchmark: Any, players: int) -> None:
    table = Settings(players=seated(players))

    def play() -> int:
        lines = [line for seed in SEEDS for line in simulate(table, hands=20, seed=seed)]
        return sum(isinstance(line.event, log.Hand) for line in lines)

    measure(benchmark, play)


@pytest.mark.parametrize("players", [2, 6])
def test_pokerkit(benchmark: Any, players: int) -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="pip install pokerkit measures the peer in the same run")

    def hand(chance: random.Random) -> None:
        automations = tuple(pokerkit.Automation)
        state = pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, (200,) * players, players)
        while state.status:
            acts = [state.check_or_call] if state.can_check_or_call() else []
            if state.can_fold():
                acts.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                acts.append(state.complete_bet_or_raise_to)
            chance.choice(acts)()

    def play() -> int:
        chance = random.Random(1)
        for _ in range(50):
            hand(chance)
        return 50

    measure(benchmark, play)


def test_odds_of_10000_samples_for_12_players(benchmark: Any) -> None:
    """In mid-hand, half the table having decided."""
    lines = simulate(Settings(players=seated(12)), hands=1, seed=3)
    decided = [number for number, line in enumerate(lines) if isinstance(line.event, log.Sto | log.Passo)]
    view = look(lines[: decided[6]])
    assert view is not None
    benchmark(lambda: odds(view, samples=10_000))
