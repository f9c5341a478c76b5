"""How fast the simulator and the odds are; the simulator beside pokerkit's random play.

    python -m benchmarks.bench_simulate [--pairs 9]

A hand of the simulator is dealt, decided by bots, ruled by the engine and noted; pokerkit's, no-limit hold'em for 6, is automated
but for the players, who act by chance.
"""

from __future__ import annotations

import argparse

from benchmarks.peer import compare, heading, poker_hands
from companion.games.stu.bots import Settings, seated, simulate
from companion.games.stu.odds import look, odds
from companion.games.stu.rules import log


def main(pairs: int, seeds: int = 8, samples: int = 10_000) -> None:
    """Measure everything and print a table; ``seeds`` games at each table."""

    def simulated(players: int) -> int:
        table = Settings(players=seated(players))
        lines = [line for seed in range(seeds) for line in simulate(table, hands=20, seed=seed)]
        return sum(isinstance(line.event, log.Hand) for line in lines)

    lines = simulate(Settings(players=seated(12)), hands=1, seed=3)
    decided = [number for number, line in enumerate(lines) if isinstance(line.event, log.Sto | log.Passo)]
    view = look(lines[: decided[6]])
    assert view is not None

    def frame_quality() -> int:
        odds(view, samples=samples)
        return 1

    heading("hands")
    for players in (4, 12, 39):
        compare(f"`companion simulate`, {players} players", lambda players=players: simulated(players), poker_hands, pairs)
    compare(f"odds in mid-hand, 12 players, {samples:,} samples", frame_quality, None, pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="how often each is run, in turn with pokerkit")
    main(parser.parse_args().pairs)
