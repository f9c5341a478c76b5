"""models/GAME.md of a game with betting: how the whole line ruled on its bench, against targets, and what went wrong where."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import msgspec

from companion.table.sure import SURE_FROM
from workshop.bench.betting.run import Betting, Result, playable, run_without_pictures
from workshop.bench.betting.run import run as followed
from workshop.bench.betting.scoring import ClipScore, HandScore
from workshop.bench.recipe import Bench
from workshop.bench.report import LEVELS, Rate, failures, level_in_words, rate, sentence, shown
from workshop.bench.scoring import causes_in_order
from workshop.games import BenchRun
from workshop.report import counted, table


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of one difficulty.

    ``sure_and_wrong`` counts invented hands too. ``recall``, ``precision``: of each kind of things, how many of the true ones
    were found, and how many of the log's are true. ``told``: of the lines that only a phone can tell, those that fitted what had
    been seen. ``latency``: median seconds from what decides a hand to its ruling, NaN where no hand was right. ``causes``: for
    each cause, how many wrong hands went wrong by it first.
    """

    clips: int
    right: Rate
    missing: Rate
    sure: Rate
    sure_and_wrong: Rate
    taken_back: Rate
    recall: dict[str, Rate]
    precision: dict[str, Rate]
    told: Rate
    latency: float
    invented: int
    causes: dict[str, int]


def figures(clips: Sequence[ClipScore], fitted: Sequence[tuple[int, int]] = ()) -> LevelFigures:
    """Count over all hands of the clips; ``fitted``: of each clip, how many lines that were told fitted, and of how many."""
    hands = [hand for clip in clips for hand in clip.hands]
    invented = [confidence for clip in clips for confidence in clip.invented]

    def share(holds: Callable[[HandScore], bool]) -> Rate:
        return rate(sum(map(holds, hands)), len(hands))

    def counted(kind: str) -> tuple[int, int, int]:
        some = [hand.counted[kind] for hand in hands]
        return sum(one.found for one in some), sum(one.were for one in some), sum(one.told for one in some)

    kinds = {kind: counted(kind) for kind in (hands[0].counted if hands else ())}
    waits = [hand.latency for hand in hands if hand.latency is not None]
    wrong = sum(hand.wrong_as_sure for hand in hands) + sum(confidence >= SURE_FROM for confidence in invented)
    return LevelFigures(
        clips=len(clips),
        right=share(lambda hand: hand.right),
        missing=share(lambda hand: not hand.found),
        sure=share(lambda hand: (hand.confidence or 0.0) >= SURE_FROM),
        sure_and_wrong=rate(wrong, max(len(hands), wrong)),
        taken_back=share(lambda hand: hand.taken_back),
        recall={kind: rate(found, were) for kind, (found, were, _) in kinds.items()},
        precision={kind: rate(found, told) for kind, (found, _, told) in kinds.items()},
        told=rate(sum(good for good, _ in fitted), sum(of for _, of in fitted)),
        latency=median(waits) if waits else math.nan,
        invented=len(invented),
        causes=causes_in_order(hands),
    )

COMMON: Mapping[str, str] = {
    "right": "hands whose payments are exactly right, nobody asked but for amounts and words",
    "missing": "hands that no hand of the log overlaps in time",
    "sure": f"hands ruled as sure ({SURE_FROM:g} or more)",
    "sure_and_wrong": "wrong rulings shown as sure",
    "taken_back": "hands ruled otherwise for a while, and shown as sure",
    "told": "lines told by phone that fitted what had been seen",
    "latency": "last word told or card shown that decides a hand → ruling, median",
}
"""The figures that every such game has."""


def by_level(results: Sequence[Result]) -> dict[str, LevelFigures]:
    """The figures of each level that has results."""
    chosen = {level: [result for result in results if result.recipe.level == level] for level in LEVELS}
    return {
        level: figures([one.score for one in some], [(one.told, one.lines) for one in some])
        for level, some in chosen.items()
        if some
    }


def markdown(game: Betting[Any], bench: Bench, results: Sequence[Result], command: str) -> str:
    """The report's text. ``command``: what makes it again."""
    hands = sum(len(result.score.hands) for result in results)
    scanned, left_out = sum(bool(clip.scans) for clip in bench.clips), len(bench.clips) - len(results)
    lines = [
        f"# What the whole line rules in {game.id.title()}", "", f"Written by `{command}`.",
        "Figures that fall short are reported as they are; the 95 % interval (Wilson) is in brackets. Amounts and words are told",
        "from the truth, as by a phone, a moment after they were said, and no card is told. Where a word fits only once the next",
        "punto has begun, or others are served, the person with the phone says that first, three seconds later.", "",
        f"{len(results)} of the bench's {len(bench.clips)} clips, {hands} hands. {sentence(bench.about)}",
        f"{scanned} of the bench's clips are played with scans, the others with drawn ones; all are taught, from a photo a card."
        + (f" {left_out} clips were left out." if left_out else ""), "",
    ]  # fmt: skip
    for level, found in by_level(results).items():
        some = [result for result in results if result.recipe.level == level]
        lines += level_in_words(bench, level, some, sum(len(one.score.hands) for one in some))
        place = LEVELS.index(level)
        rows: list[tuple[object, ...]] = [
            (words, game.targets.get(name, ("", "", ""))[place], shown(_figure(found, name), " s"))
            for name, words in {**COMMON, **game.names}.items()
        ]
        rows += [("rulings on hands that nobody played", 0, found.invented)] if found.invented else []
        lines += [*table(("figure", "target", "found"), rows), "", *counted(("what went wrong first", "hands"), found.causes)]
    return "\n".join([*lines, *failures([(one.recipe, one.score.hands, ()) for one in results], most=4)])


def _figure(found: LevelFigures, name: str) -> Rate | float:
    """The figure with this name, such as ``right`` or ``recall laid``."""
    attribute, _, kind = name.partition(" ")
    value = getattr(found, attribute)
    figure: Rate | float = value[kind] if kind else value
    return figure


def measure(game: Betting[Any], run: BenchRun) -> tuple[str, Any]:
    """See `workshop.games.GameWorkshop.measure`."""
    (bench,), (some,) = run.benches.values(), run.chosen.values()
    there = some if run.without_pictures else playable(some, run.scans)
    without = (run_without_pictures(game, clip) for clip in there)
    pictures = followed(game, there, run.cache, run.models, run.scans, run.say, run.real_time)
    results = []
    for result in without if run.without_pictures else pictures:
        results.append(result)
        right = sum(hand.right for hand in result.score.hands)
        run.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right")
    return markdown(game, bench, results, run.command), by_level(results)
