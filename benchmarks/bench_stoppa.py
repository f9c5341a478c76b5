"""How fast the rules of Stoppa are, beside pokerkit.

    python -m benchmarks.bench_stoppa [--pairs 9]

An operation is an event applied (Stoppa, 5 players), or an entry of the state's operations (pokerkit, hold'em for 6). Wanted:
replay at least 5 times pokerkit's.
"""

from __future__ import annotations

import argparse

from benchmarks.peer import compare, heading, poker_operations
from companion.games import stoppa
from companion.games.stoppa.bots import Settings, seated, simulate
from companion.games.stoppa.rules import log
from companion.table.log import write_lines

PLAYERS = 5


def main(pairs: int, seeds: int = 24, hands: int = 10) -> None:
    """Measure everything and print a table; ``seeds`` games of at most ``hands`` hands."""
    settings = Settings(players=seated(PLAYERS))
    games = [simulate(settings, hands=hands, seed=seed) for seed in range(seeds)]
    events = sum(map(len, games))
    states: list[stoppa.State] = []
    for line in games[0]:
        states.append(stoppa.begin(line.event) if not states else stoppa.apply(states[-1], line.event))
    logs = [write_lines(game) for game in games]

    def play() -> int:
        return sum(len(simulate(settings, hands=hands, seed=seed)) for seed in range(seeds))

    def replay() -> int:
        for game in games:
            stoppa.replay(game)
        return events

    def read() -> int:
        return sum(len(log.read_lines(data)) for data in logs)

    def legal_acts() -> int:
        for state in states:
            stoppa.legal_acts(state)
        return len(states)

    heading("operations, Stoppa for 5")
    compare("bots' play, choosing included", play, poker_operations, pairs)
    compare("replay of events already decoded", replay, poker_operations, pairs)
    compare("decoding of log lines", read, None, pairs)
    compare("`legal_acts` of a state of the game", legal_acts, None, pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="how often each is run, in turn with pokerkit")
    main(parser.parse_args().pairs)
