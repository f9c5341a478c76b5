"""What a look costs at real pace: the bundled clips as a machine of two cores would follow them, by stage, beside a rival."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.assets import asset
from companion.eyes.image import Image
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look, see
from companion.eyes.source import Picture
from companion.eyes.table import Table
from companion.games import GAMES
from companion.line.tablefile import read_table_file
from workshop.bench.pace import Core, Pace, decoded
from workshop.evaluation.stages import REST, STAGES, Stages

BLOCK: Final = 30
"""Looks of ours, then of the rival, in turn: two seconds of a clip."""

Rival = Callable[[Image], object]
"""Looks at a picture, as ours does."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What the looks at a clip cost. ``stages``: of each look, seconds of processor time by stage; ``left_out``: how many
    pictures there was no time for. ``times``: block by block, how many times our time a look the rival took for it."""

    stages: Sequence[dict[str, float]]
    left_out: int
    times: Sequence[float] = ()

    def figures(self) -> dict[str, float]:
        """Milliseconds of processor time a look, mean, 95th percentile and most, of all and of each stage; the share of pictures
        left out; times the rival's time."""
        given = len(self.stages)
        found: dict[str, float] = {"looks": given, "left_out": self.left_out / max(given + self.left_out, 1)}
        for name in ("look", *STAGES, REST):
            some = [sum(one.values()) if name == "look" else one.get(name, 0.0) for one in self.stages]
            found |= {f"{name}_{what}_ms": 1000 * value for what, value in spread(some).items()}
        if self.times:
            found |= {"ultralytics_times": statistics.median(self.times), "ultralytics_least_times": min(self.times),
                      "ultralytics_most_times": max(self.times)}  # fmt: skip
        return found


def spread(values: Sequence[float]) -> dict[str, float]:
    """Their ``mean``, 95th percentile and ``most``; NaN of none."""
    if not values:
        return dict.fromkeys(("mean", "p95", "most"), math.nan)
    return {"mean": statistics.fmean(values), "p95": float(np.quantile(values, 0.95)), "most": max(values)}


def demo_looks(game: str, rival: Rival | None = None) -> Looks:
    """What the shipped eyes' looks at this game's bundled clip cost, with the deck that it was filmed with."""
    demo = GAMES[game].spec.demo
    assert demo is not None, "who asks chooses among those with a clip"
    cards = GAMES[game].cards
    eyes = Eyes.load(asset("models"), threads=1, decks=demo.decks(cards), cards=cards)
    return looks_at(demo.path, read_table_file(demo.path.with_name("table.json")).table, IncrementalDetector(eyes).look, rival)


def looks_at(
    clip: Path, table: Table, look: Look, rival: Rival | None = None, clock: Callable[[], float] = time.process_time
) -> Looks:
    """What the looks at a ``clip`` cost. ``look``: finds the cards; ``clock``: seconds of processor time."""
    stages, core, costs, blocks = Stages(clock), Core(clock), list[dict[str, float]](), list[float]()
    pace = Pace(core)
    source = decoded(clip) if rival is None else _in_turn(decoded(clip), pace, rival, blocks, clock)
    with stages.watching():
        for _ in see(pace.pictures(source), table, look):
            spent = stages.take()
            costs.append({**spent, REST: max(core.worked - sum(spent.values()), 0.0)})
    return Looks(costs, pace.left_out, blocks)


def _in_turn(
    pictures: Iterable[Picture], pace: Pace, rival: Rival, blocks: list[float], clock: Callable[[], float]
) -> Iterator[Picture]:
    """The ``pictures``; after each block of looks at them the rival looks at as many. Its time is nobody's work."""
    block: list[Image] = []
    spent, given = pace.core.spent, pace.given
    for picture in pictures:
        yield picture
        block.append(picture.image)
        if pace.given - given >= BLOCK:
            ours = (pace.core.spent - spent) / (pace.given - given)
            began = clock()
            for image in block[-BLOCK:]:
                rival(image)
            blocks.append((clock() - began) / len(block[-BLOCK:]) / max(ours, 1e-9))
            block, spent, given = [], pace.core.spent, pace.given


def rulings(results: Iterable[Any]) -> dict[str, float]:
    """How late rulings come, seconds from what decides a hand, over the hands of these results that are ruled right; and which
    share of the pictures there was no time for. ``results``: as of `workshop.games.GameWorkshop.followed`."""
    late, right, hands, looks, left_out = list[float](), 0, 0, 0, 0
    for result in results:
        hands += len(result.score.hands)
        right += sum(hand.right for hand in result.score.hands)
        late += [hand.latency for hand in result.score.hands if hand.latency is not None]
        looks, left_out = looks + result.looks, left_out + result.left_out
    found = {"hands": hands, "right": right / max(hands, 1), "rulings": len(late),
             "left_out": left_out / max(looks + left_out, 1)}  # fmt: skip
    quantiles = {"late_p50_s": 0.5, "late_p95_s": 0.95, "late_most_s": 1.0}
    return found | {name: float(np.quantile(late, share)) if late else math.nan for name, share in quantiles.items()}
