"""How fast the rules of Lu Stù are, beside pokerkit.

    python -m benchmarks.bench_stu [--pairs 9]

An operation is an event applied (Stù, 12 players), or an entry of the state's operations (pokerkit, hold'em for 6). Wanted:
random play at least 10 times pokerkit's, replay at least 18 times, and 25,000 calls of `legal_acts` a second.
"""

from __future__ import annotations

from benchmarks.game import SEEDS, measure, pairs_asked
from companion.games.stu import rules
from companion.table.log import Line
from tests.games.stu.rules.stu_play import real_game

PLAYERS = 12


def main(pairs: int, seeds: int = SEEDS, hands: int = 30) -> None:
    """Measure everything and print a table; ``seeds`` games of at most ``hands`` hands."""

    def random_play() -> int:
        return sum(1 for seed in range(seeds) for _ in real_game(seed, PLAYERS, hands))

    games = [[Line(event) for event in real_game(seed, PLAYERS, hands)] for seed in range(seeds)]
    measure(f"Stù for {PLAYERS}", rules, games, random_play, "random play, choosing included", pairs)


if __name__ == "__main__":
    main(pairs_asked(__doc__))
