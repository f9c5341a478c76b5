"""Runs the bench of a game whose words and amounts a phone tells, and reports on it."""

from __future__ import annotations

from typing import Any

from workshop.bench.betting.report import by_level, markdown
from workshop.bench.betting.run import Betting, playable, run_without_pictures
from workshop.bench.betting.run import run as followed
from workshop.games import BenchRun


def measure(game: Betting[Any], run: BenchRun) -> tuple[str, Any]:
    """See `workshop.games.GameWorkshop.measure`."""
    (bench,), (some,) = run.benches.values(), run.chosen.values()
    there = some if run.without_pictures else playable(some, run.scans)
    without = (run_without_pictures(game, clip) for clip in there)
    results = []
    for result in without if run.without_pictures else followed(game, there, run.cache, run.models, run.scans, run.say):
        results.append(result)
        right = sum(hand.right for hand in result.score.hands)
        run.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right")
    return markdown(game, bench, results, run.command), by_level(results)
