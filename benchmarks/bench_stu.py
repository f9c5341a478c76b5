"""How fast the rules of Lu Stù are, beside pokerkit.

    python -m benchmarks.bench_stu [--pairs 9]

An operation is an event applied (Stù, 12 players), or an entry of the state's operations (pokerkit, hold'em for 6). Wanted:
random play at least 10 times pokerkit's, replay at least 15 times, and 25,000 calls of `legal_acts` a second.
"""

from __future__ import annotations

import argparse

from benchmarks.peer import compare, heading, poker_operations
from companion.games import stu
from companion.games.stu.rules import log
from companion.table.log import Line, write_lines
from tests.games.stu.rules.stu_play import real_game

PLAYERS = 12


def main(pairs: int, seeds: int = 24, hands: int = 30) -> None:
    """Measure everything and print a table; ``seeds`` games of at most ``hands`` hands."""
    games = [[Line(event) for event in real_game(seed, PLAYERS, hands)] for seed in range(seeds)]
    events = sum(map(len, games))
    states: list[stu.State] = []
    for line in games[0]:
        states.append(stu.begin(line.event) if not states else stu.apply(states[-1], line.event))
    logs = [write_lines(game) for game in games]

    def random_play() -> int:
        return sum(1 for seed in range(seeds) for _ in real_game(seed, PLAYERS, hands))

    def replay() -> int:
        for game in games:
            stu.replay(game)
        return events

    def read() -> int:
        return sum(len(log.read_lines(data)) for data in logs)

    def legal_acts() -> int:
        for state in states:
            stu.legal_acts(state)
        return len(states)

    heading("operations, Stù for 12")
    compare("random play, choosing included", random_play, poker_operations, pairs)
    compare("replay of events already decoded", replay, poker_operations, pairs)
    compare("decoding of log lines", read, None, pairs)
    compare("`legal_acts` of a state of the game", legal_acts, None, pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="how often each is run, in turn with pokerkit")
    main(parser.parse_args().pairs)
