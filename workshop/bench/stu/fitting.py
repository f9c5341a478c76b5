"""``python -m workshop.bench.stu.fitting HANDS CACHE``: fits the weights of the evidence for exchanges and draws.

Uses HANDS simulated hands of each kind of bar life, the clips of `datasets/fitting.yaml`, and clips of the shell game with a seed
that is not the exam's. Prints the weights to put into `companion.games.stu.sight.traffic`. Filming and watching the clips takes
about an hour of one processor core the first time; they are kept in the folder CACHE.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.assets import asset
from companion.eyes.table import Table, TableMap
from companion.games.stu.sight.places import Places
from companion.games.stu.sightings import Exchanged, Sighting
from companion.line.tablefile import read_table_file
from workshop.bench import watching
from workshop.bench.filming import film_clip
from workshop.bench.recipe import read_bench
from workshop.bench.stu import shellexam
from workshop.bench.stu.shellexam import read_shell_game
from workshop.streams.stu.traffic import Case, cases, fit, glimpsed_cases, loss
from workshop.streams.stu.truth import EXCHANGE_SECONDS, ideal

SHELL_SEED, SHELL_CLIPS = 990_000, 60
FILMED = 3
"""How often each case of a filmed game counts: pictures are few, and say more than simulated eyes."""


def filmed_cases(footage: watching.Footage, table: Table, truth: tuple[Sighting, ...]) -> list[Case]:
    """All traffic in what the eyes found in a clip, each with whether it was an exchange."""
    return cases(watching.views(footage, table), Places(TableMap(table, footage.size).places), truth)


def clips(cache: Path, models: Path) -> Iterator[tuple[str, list[Case]]]:
    """The cases of each filmed clip, and its name."""
    for recipe in read_bench(asset("datasets/fitting.yaml")).clips:
        filmed = film_clip(recipe, cache)
        table = read_table_file(filmed.table).table
        yield recipe.name, filmed_cases(watching.footage_of(filmed, models), table, ideal(filmed.log()))
    exam = msgspec.structs.replace(read_shell_game(asset("datasets/shell-game.yaml")), seed=SHELL_SEED)
    for number in range(SHELL_CLIPS):
        played, footage, table = shellexam.watched(exam, number, cache, models)
        truth = tuple(Exchanged(end - EXCHANGE_SECONDS, end, pair, 1.0) for end, pair in played.swaps)
        yield f"shell game {number}", filmed_cases(footage, table, truth)


def main(hands: int, cache: Path) -> None:
    """Fit, and print the weights and the loss on each kind of data."""
    found = {"simulated": glimpsed_cases(hands, seed=3), "clips": [], "shell game": []}
    for name, seen in clips(cache, asset("models").resolve()):
        found["shell game" if name.startswith("shell") else "clips"] += seen
    everything = found["simulated"] + FILMED * found["clips"] + found["shell game"]
    for name, deck in (("PAIR_WEIGHTS", False), ("DECK_WEIGHTS", True)):
        weights = fit(everything, deck)
        print(f"{name} = ({', '.join(f'{weight:.2f}' for weight in weights)})")
        for kind, some in found.items():
            true = sum(case.true for case in some if case.deck == deck)
            print(f"  {kind}: {sum(case.deck == deck for case in some)} pieces of traffic, {true} true, "
                  f"mean loss {loss(some, deck, weights):.4f} nats")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
