"""What the season's pages cost with many evenings: the first look ever, the first after a restart, and every other one.

    python -m benchmarks.bench_season [--evenings 500] [--hands 40] [--players 8] [--runs 20] [--clock wall|process]

The evenings are played by the simulator's bots, eight of twenty-four people each time, and asked for as browsers do, on a ledger
on disk. Times are milliseconds of wall-clock time, medians where there are several; ``--clock process`` counts the processor's
alone, which a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.dashboard import create_app
from companion.games import log_format
from companion.games.stu.bots import Settings, seated, simulate
from companion.ledger import Ledger

WEEK_S = 7 * 86400.0
PEOPLE = 24


CLOCK: Callable[[], float] = time.perf_counter


def recorded(path: Path, evenings: int, hands: int, players: int) -> None:
    """That many evenings, a week apart, the last one now; everybody has pedine enough for their hands."""
    chance = random.Random(1)
    with Ledger.open(path, log_format) as ledger:
        for number in range(evenings):
            names = tuple(chance.sample(seated(PEOPLE), players))
            game = ledger.new_game(started=time.time() - (evenings - number) * WEEK_S)
            ledger.record(game, simulate(Settings(players=names, pedine=hands), hands=hands, seed=number))


def milliseconds(path: Path, addresses: tuple[str, ...], runs: int) -> dict[str, list[float]]:
    """How long the answers of a program take that has just been started: the first one, then each address in turn."""
    times: dict[str, list[float]] = {}
    with Ledger.open(path, log_format) as ledger:
        client = create_app(ledger).test_client()
        for name, address in [("first", addresses[0]), *((address, address) for _ in range(runs) for address in addresses)]:
            began = CLOCK()
            answer = client.get(address)
            times.setdefault(name, []).append((CLOCK() - began) * 1000)
            assert answer.status_code == 200, (address, answer.status_code)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=500)
    parser.add_argument("--hands", type=int, default=40)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--clock", choices=["wall", "process"], default="wall")
    given = parser.parse_args()
    global CLOCK
    CLOCK = time.process_time if given.clock == "process" else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "season.ledger"
        recorded(path, given.evenings, given.hands, given.players)
        print(f"{given.evenings} evenings of {given.hands} hands, {given.players} of {PEOPLE} people, milliseconds")
        season = ("/season?season=all",)
        print(f"  the first look ever      {milliseconds(path, season, 0)['first'][0]:8.0f}")
        print(f"  the first after a restart{milliseconds(path, season, 0)['first'][0]:8.0f}")
        pages = (*season, "/season", f"/season/evening/{given.evenings}", f"/season/evening/{given.evenings}.svg")
        for address, took in milliseconds(path, pages, given.runs).items():
            if address != "first":
                print(f"  {address:25}{statistics.median(took):8.0f}")


if __name__ == "__main__":
    main()
