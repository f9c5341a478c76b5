"""Runs benches of Lu Stù, each beside the others, and reports on them."""

from __future__ import annotations

from typing import Any

from workshop.bench.stu.report import GameReport, by_level, markdown
from workshop.bench.stu.run import run as followed
from workshop.bench.stu.run import run_without_pictures, track_clip
from workshop.games import BenchRun


def measure(run: BenchRun) -> tuple[str, Any]:
    """See `workshop.games.GameWorkshop.measure`."""
    reports = []
    for name, some in run.chosen.items():
        results, tracked = [], {}
        pictures = followed(some, run.cache, run.models, run.deck, run.say)
        for result in map(run_without_pictures, some) if run.without_pictures else pictures:
            results.append(result)
            if run.baseline:
                tracked[result.recipe.name] = track_clip(result.recipe, run.cache, run.models, run.deck)
            right = sum(hand.right for hand in result.score.hands)
            run.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right")
        reports.append(GameReport(run.benches[name], results, tracked, name))
    figures = {report.name: by_level(report.results) for report in reports}
    return markdown(reports, run.command), figures if len(figures) > 1 else by_level(reports[0].results)
