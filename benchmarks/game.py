"""How fast the rules of a game are, beside pokerkit: rows that `bench_stu`, `bench_stoppa` and `bench_stoper` print."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.peer import Play, compare, heading, poker_operations
from companion.table.game import Rules
from companion.table.log import Line, write_lines

SEEDS = 24
Games = Sequence[Sequence[Line]]


def measure(what: str, rules: Rules, games: Games, play: Play, play_title: str, pairs: int) -> None:
    """Print a table of operations a second: play, replay of decoded events, decoding, `legal_acts`.

    ``games``: whole logs of the game; ``play``: makes such logs, and returns their number of events.
    """
    events = sum(map(len, games))
    states: list[Any] = []
    for line in games[0]:
        states.append(rules.apply(states[-1], line.event) if states else rules.begin(line.event))
    logs = [write_lines(game) for game in games]

    def replay() -> int:
        for game in games:
            state = rules.begin(game[0].event)
            for line in game[1:]:
                state = rules.apply(state, line.event)
        return events

    def read() -> int:
        return sum(len(rules.LOG.read_lines(data)) for data in logs)

    def legal_acts() -> int:
        for state in states:
            rules.legal_acts(state)
        return len(states)

    heading(f"operations, {what}")
    compare(play_title, play, poker_operations, pairs)
    compare("replay of events already decoded", replay, poker_operations, pairs)
    compare("decoding of log lines", read, None, pairs)
    compare("`legal_acts` of a state of the game", legal_acts, None, pairs)


def measure_bots(what: str, rules: Rules, simulate: Callable[[int], Sequence[Line]], pairs: int, seeds: int) -> None:
    """The same of a game that bots play; ``simulate``: a seed → a log."""

    def play() -> int:
        return sum(len(simulate(seed)) for seed in range(seeds))

    measure(what, rules, [simulate(seed) for seed in range(seeds)], play, "bots' play, choosing included", pairs)


def pairs_asked(doc: str | None) -> int:
    """What the command line says: how often each row is run."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="how often each is run, in turn with pokerkit")
    pairs: int = parser.parse_args().pairs
    return pairs
