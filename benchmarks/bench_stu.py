"""How fast the rules engine is, beside pokerkit, the best-known pure-Python engine of another card game.

    pytest benchmarks/bench_stu.py

Each benchmark is one round of many operations and gives `operations per second` of its best round in its extra
information (the best: other programs only ever slow a round down); an operation is one event applied (Stù) or one entry of
the state's operations (pokerkit). pokerkit is measured where it is installed
(`pip install pokerkit`).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stu"))

from stu_play import real_game

from companion.games import stu
from companion.games.stu.rules import log
from companion.table.log import Line, write_lines

SEEDS = range(8)


def measure(benchmark: Any, play: Callable[[], int]) -> None:
    operations = play()
    assert benchmark(play) == operations
    if benchmark.stats is not None:
        benchmark.extra_info["operations per second"] = round(operations / benchmark.stats.stats.min)


@pytest.fixture(scope="module")
def games() -> list[list[log.Event]]:
    return [list(real_game(seed, 12, hands=30)) for seed in SEEDS]


def test_stu_replay_for_12_players(benchmark: Any, games: list[list[log.Event]]) -> None:
    lines = [[Line(event) for event in events] for events in games]
    total = sum(map(len, lines))

    def replay() -> int:
        for game in lines:
            stu.replay(game)
        return total

    measure(benchmark, replay)


def test_stu_random_play_for_12_players(benchmark: Any) -> None:
    """Choosing included: every event is made up on the spot, from the cards and by chance."""
    measure(benchmark, lambda: sum(1 for seed in SEEDS for _ in real_game(seed, 12, hands=10)))


def test_stu_decode_for_12_players(benchmark: Any, games: list[list[log.Event]]) -> None:
    data = [write_lines(Line(event) for event in events) for events in games]
    measure(benchmark, lambda: sum(len(log.read_lines(game)) for game in data))


def test_stu_legal_acts_for_12_players(benchmark: Any, games: list[list[log.Event]]) -> None:
    states = []
    for event in games[0]:
        states.append(stu.begin(event) if isinstance(event, log.Game) else stu.apply(states[-1], event))

    def look() -> int:
        for state in states:
            stu.legal_acts(state)
        return len(states)

    measure(benchmark, look)


def test_pokerkit_random_play_for_6_players(benchmark: Any) -> None:
    """No-limit hold'em with everything automated but the players, who check, call, fold or raise by chance."""
    pokerkit = pytest.importorskip("pokerkit", reason="pip install pokerkit measures the peer in the same run")

    def hand(chance: random.Random) -> int:
        automations = tuple(pokerkit.Automation)
        state = pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, (200,) * 6, 6)
        while state.status:
            acts = [state.check_or_call] if state.can_check_or_call() else []
            if state.can_fold():
                acts.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                acts.append(state.complete_bet_or_raise_to)
            chance.choice(acts)()
        return len(state.operations)

    def play() -> int:
        chance = random.Random(1)
        return sum(hand(chance) for _ in range(100))

    counted: list[int] = []
    benchmark(lambda: counted.append(play()))  # the deck is shuffled anew each time: the number of operations varies
    if benchmark.stats is not None:
        per_round = sum(counted) / len(counted)
        benchmark.extra_info["operations per second"] = round(per_round / benchmark.stats.stats.min)
