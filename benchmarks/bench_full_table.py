"""How long the referee of Lu Stù takes for a sighting at a full table, in milliseconds of the processor.

    python -m benchmarks.bench_full_table [PLAYERS] [GAMES]

Games of three hands are simulated, and what perfect eyes would report of them is spoilt, as by `companion evaluate streams`. A
sighting has had its time once the log is there. Wanted: 60 ms at most.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import numpy as np

from companion.games import GAMES
from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.games.stu.rules.log import HouseRules
from companion.referee import Evening, observe
from workshop.choreography.stu.director import direct
from workshop.streams.stu.evenings import timed
from workshop.streams.stu.noise import LEVELS
from workshop.streams.stu.referee import game_of, spoilt

HANDS = 3


def measured(players: int, seed: int) -> tuple[list[float], int]:
    """Milliseconds of each sighting of a game, and its hands."""
    rng = Random(f"big {seed}")
    settings = Settings(
        players=seated(players), edition=rng.choice(("booklet", "piazza-2010")), dealing="at-once", event_probabilities=PLAIN,
        house_rules=HouseRules(salta_on_dealer=rng.choice(("deck", "stop")), backward_run=rng.choice(("choice", "forced"))),
    )  # fmt: skip
    played = simulate(settings, hands=HANDS, seed=seed)
    true = timed(direct(played, seed=seed, tempo=rng.uniform(0.7, 1.6), level="medium"))
    evening, took = Evening.of(GAMES["stu"], game_of(true)), []
    for sighting in spoilt(true, LEVELS["medium"], f"big {seed}"):
        begun = time.process_time()
        evening = observe(evening, sighting)
        assert evening.log
        took.append(1000 * (time.process_time() - begun))
    return took, len(evening.chapters)


def main(players: int = 20, games: int = 2) -> None:
    """Measure and print."""
    found = [measured(players, seed) for seed in range(games)]
    took, hands = [one for times, _ in found for one in times], sum(count for _, count in found)
    mean, high, most = np.mean(took), np.percentile(took, 95), max(took)
    print(f"{players} players, {len(took)} sightings: mean {mean:.1f}, p95 {high:.1f}, most {most:.1f} ms")
    print(f"a hand {sum(took) / hands:.0f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="?", type=int, default=20, metavar="PLAYERS")
    parser.add_argument("games", nargs="?", type=int, default=2, metavar="GAMES")
    asked = parser.parse_args()
    main(asked.players, asked.games)
