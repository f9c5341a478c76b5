"""models/GAME.md: how the whole line ruled on benches of Lu Stù, against the targets, and what went wrong where."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import msgspec

from companion.table.sure import SURE_FROM
from workshop.bench.recipe import Bench
from workshop.bench.report import LEVELS, Rate, failures, level_in_words, rate, sentence, shown
from workshop.bench.scoring import causes_in_order
from workshop.bench.stu.run import Result, run_without_pictures, track_clip
from workshop.bench.stu.run import run as followed
from workshop.bench.stu.scoring import ClipScore, HandScore
from workshop.bench.stu.shellexam import Marks, ShellGame, Sitting
from workshop.games import BenchRun
from workshop.report import counted, table


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of one difficulty. ``questions``: per hand. ``latency``: median seconds from the last face shown to the ruling,
    NaN where no hand was right.

    ``sure_and_wrong`` counts invented hands too. ``causes``: for each cause, how many wrong hands went wrong by it first.
    """

    clips: int
    right: Rate
    right_asked: Rate | None
    questions: float | None
    missing: Rate
    sure_and_wrong: Rate
    taken_back: Rate
    sure: Rate
    exchanges_recall: Rate
    exchanges_precision: Rate
    draws_recall: Rate
    draws_precision: Rate
    latency: float
    invented: int
    causes: dict[str, int]


def figures(clips: Sequence[ClipScore], asked: Sequence[ClipScore] = (), questions: int | None = None) -> LevelFigures:
    """Count over all hands of the clips; ``asked``: the scores of the same clips with this many ``questions`` answered."""
    hands = [hand for clip in clips for hand in clip.hands]
    invented = [confidence for clip in clips for confidence in clip.invented]

    def share(holds: Callable[[HandScore], bool]) -> Rate:
        return rate(sum(map(holds, hands)), len(hands))

    def ratio(found: str, of: str) -> Rate:
        return rate(sum(getattr(hand, found) for hand in hands), sum(getattr(hand, of) for hand in hands))

    waits = [hand.latency for hand in hands if hand.latency is not None]
    wrong = sum(hand.wrong_as_sure for hand in hands) + sum(confidence >= SURE_FROM for confidence in invented)
    return LevelFigures(
        clips=len(clips),
        right=share(lambda hand: hand.right),
        right_asked=rate(sum(hand.right for clip in asked for hand in clip.hands), len(hands)) if asked else None,
        questions=None if questions is None else questions / max(len(hands), 1),
        missing=share(lambda hand: not hand.found),
        sure_and_wrong=rate(wrong, max(len(hands), wrong)),
        taken_back=share(lambda hand: hand.taken_back),
        sure=share(lambda hand: (hand.confidence or 0.0) >= SURE_FROM),
        exchanges_recall=ratio("exchanges_found", "exchanges"),
        exchanges_precision=ratio("exchanges_found", "exchanges_seen"),
        draws_recall=ratio("draws_found", "draws"),
        draws_precision=ratio("draws_found", "draws_seen"),
        latency=median(waits) if waits else math.nan,
        invented=len(invented),
        causes=causes_in_order(hands),
    )

TARGETS: Mapping[str, tuple[str, str, str]] = {
    "right": ("99 %", "96 %", "90 %"),
    "right_asked": ("100 %", "99.5 %", "98 %"),
    "questions": ("< 0.05", "< 0.3", "< 0.8"),
    "sure_and_wrong": ("0", "< 0.1 %", "< 0.5 %"),
    "taken_back": ("0", "0", "0"),
    "exchanges_recall": ("99 %", "95 %", "85 %"),
    "exchanges_precision": ("99 %", "95 %", "90 %"),
    "latency": ("< 0.5 s", "< 0.5 s", "< 1 s"),
}
"""The targets: easy, medium, hard."""

NAMES: Mapping[str, str] = {
    "right": "hands whose payments are exactly right, nobody asked",
    "right_asked": "the same when questions are answered truthfully",
    "questions": "questions per hand",
    "missing": "hands that no hand of the log overlaps in time",
    "sure": f"hands ruled as sure ({SURE_FROM:g} or more)",
    "sure_and_wrong": "wrong rulings shown as sure",
    "taken_back": "hands ruled otherwise for a while, and shown as sure",
    "exchanges_recall": "exchanges found, recall",
    "exchanges_precision": "exchanges found, precision",
    "draws_recall": "draws from the deck found, recall",
    "draws_precision": "draws from the deck found, precision",
    "latency": "last face shown → ruling, median",
}
COMPARED = ("right", "missing", "exchanges_recall", "exchanges_precision", "draws_recall", "draws_precision")
"""Figures that mean something without the rules."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """What goes into the report: the bench and its ``name``, the results, and ByteTrack's scores by clip where they were
    measured."""

    bench: Bench
    results: Sequence[Result]
    tracked: Mapping[str, ClipScore] = field(default_factory=dict)
    name: str = "bench"

    def level(self, name: str) -> tuple[Result, ...]:
        """The results of one level."""
        return tuple(result for result in self.results if result.recipe.level == name)


def by_level(results: Sequence[Result]) -> dict[str, LevelFigures]:
    """The figures of each level that has results."""
    found = {}
    for level in LEVELS:
        chosen = [result for result in results if result.recipe.level == level]
        if chosen:
            scores, asked = [result.score for result in chosen], [result.asked for result in chosen]
            found[level] = figures(scores, asked, sum(result.questions for result in chosen))
    return found


def markdown(reports: Sequence[GameReport], command: str) -> str:
    """The text on one bench, or on several: then their figures stand side by side first. ``command``: what makes it again."""
    lines = ["# What the whole line rules", "", f"Written by `{command}`."]
    lines += [
        "Figures that fall short are reported as they are; the 95 % interval (Wilson) is in brackets.",
        "*Without rules*: the same sightings, each believed as it came. *ByteTrack, without rules*: the same detections, with",
        "exchanges from the identities of ultralytics' tracker.",
        "",
    ]
    lines += _side_by_side(reports) if len(reports) > 1 else []
    for report in reports:
        counted = by_level(report.results)
        total = sum(len(result.score.hands) for result in report.results)
        clips, of = len(report.results), len(report.bench.clips)
        lines += [f"# Bench `{report.name}`", ""] if len(reports) > 1 else []
        lines += [f"{clips} of the bench's {of} clips, {total} hands. {sentence(report.bench.about)}", ""]
        for number, level in enumerate(LEVELS):
            if level in counted:
                lines += _level(report, level, counted[level], number)
        lines += failures([(one.recipe, one.score.hands, one.score.invented) for one in report.results])
    return "\n".join(lines)


def _side_by_side(reports: Sequence[GameReport]) -> list[str]:
    """The figures that have targets, a row for each difficulty, a column for each bench."""
    counted = [by_level(report.results) for report in reports]
    rows = []
    for name, targets in TARGETS.items():
        unit = "" if name == "questions" else " s"
        for level, target in zip(LEVELS, targets, strict=True):
            found = [shown(getattr(one[level], name), unit) if level in one else "" for one in counted]
            if any(found):
                rows.append((NAMES[name], level, target, *found))
    return [*table(("figure", "clips", "target", *(f"`{report.name}`" for report in reports)), rows), ""]


def _level(report: GameReport, level: str, found: LevelFigures, number: int) -> list[str]:
    results = report.level(level)
    base = {"without rules": figures([result.without_rules for result in results])}
    if all(result.recipe.name in report.tracked for result in results):
        base["ByteTrack, without rules"] = figures([report.tracked[result.recipe.name] for result in results])
    rows: list[tuple[str, ...]] = []
    for name, words in NAMES.items():
        target = TARGETS.get(name, ("", "", ""))[number]
        unit = "" if name == "questions" else " s"
        compared = [shown(getattr(other, name), unit) if name in COMPARED else "" for other in base.values()]
        rows.append((words, target, shown(getattr(found, name), unit), *compared))
    if found.invented:
        others = [str(other.invented) for other in base.values()]
        rows.append(("rulings on hands that nobody played", "0", str(found.invented), *others))
    return [
        *level_in_words(report.bench, level, results, sum(len(result.score.hands) for result in results)),
        *table(("figure", "target", "found", *base), rows), "",
        *counted(("what went wrong first", "hands"), found.causes),
    ]  # fmt: skip


def shell_markdown(exam: ShellGame, sittings: Sequence[Sitting], marks: Marks, command: str) -> str:
    """The shell game's report; ``command``: what makes it again."""
    rows: list[tuple[object, ...]] = [
        ("all three cards named", "98 %", shown(marks.whole)),
        ("single cards named", "", shown(marks.cards)),
        ("exchanges found, recall", "", shown(marks.recall)),
        ("exchanges found that never happened", "", marks.invented),
        ("all three by guessing", "", "16.7 %"),
    ]
    if marks.tracked is not None:
        rows.append(("all three by ByteTrack's identities", "", shown(marks.tracked)))
    lines = [
        "# The shell game",
        "",
        f"Written by `{command}`: {len(sittings)} of the exam's {exam.clips} clips. {sentence(exam.about)}",
        f"Pictures {exam.size[0]}x{exam.size[1]}, {exam.fps:g} frames/s. Answered before any face shows.",
        "The 95 % interval (Wilson) is in brackets.",
        "",
        *table(("figure", "target", "found"), rows),
    ]
    wrong = [one for one in sittings if not one.right]
    if wrong:
        lines += ["", "Wrong:", ""]
    for one in wrong:
        true = ", ".join(f"{a}-{b} {t:.1f} s" for t, (a, b) in one.swaps)
        seen = ", ".join(f"{a}-{b} {t:.1f} s" for t, (a, b) in one.seen)
        lines.append(f"- clip {one.number}: exchanged {true}; found {seen or 'nothing'}")
    return "\n".join(lines)


def measure(run: BenchRun) -> tuple[str, Any]:
    """See `workshop.games.GameWorkshop.measure`."""
    reports = []
    for name, some in run.chosen.items():
        results, tracked = [], {}
        pictures = followed(some, run.cache, run.models, run.deck, run.say, run.real_time)
        for result in map(run_without_pictures, some) if run.without_pictures else pictures:
            results.append(result)
            if run.baseline:
                tracked[result.recipe.name] = track_clip(result.recipe, run.cache, run.models, run.deck)
            right = sum(hand.right for hand in result.score.hands)
            run.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right")
        reports.append(GameReport(run.benches[name], results, tracked, name))
    found = {report.name: by_level(report.results) for report in reports}
    return markdown(reports, run.command), found if len(found) > 1 else by_level(reports[0].results)
