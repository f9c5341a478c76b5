"""How fast the rules of Stoppa are, beside pokerkit.

    python -m benchmarks.bench_stoppa [--pairs 9]

An operation is an event applied (Stoppa, 5 players), or an entry of the state's operations (pokerkit, hold'em for 6). Wanted:
replay at least 10 times pokerkit's.
"""

from __future__ import annotations

from benchmarks.game import SEEDS, measure_bots, pairs_asked
from companion.games.stoppa import rules
from companion.games.stoppa.bots import Settings, seated, simulate

PLAYERS = 5


def main(pairs: int, seeds: int = SEEDS, hands: int = 10) -> None:
    """Measure everything and print a table; ``seeds`` games of at most ``hands`` hands."""
    settings = Settings(players=seated(PLAYERS))
    measure_bots(f"Stoppa for {PLAYERS}", rules, lambda seed: simulate(settings, hands=hands, seed=seed), pairs, seeds)


if __name__ == "__main__":
    main(pairs_asked(__doc__))
