"""How the whole line ruled on the bench of a game with betting, against its targets, and what went wrong where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.table.sure import SURE_FROM
from workshop.bench.betting.figures import LevelFigures, figures
from workshop.bench.betting.run import Betting, Result
from workshop.bench.figures import Rate
from workshop.bench.recipe import Bench
from workshop.bench.report import LEVELS, clip_in_words, level_in_words, sentence, shown

COMMON: Mapping[str, str] = {
    "right": "hands whose payments are exactly right, nobody asked but for amounts and words",
    "missing": "hands that no hand of the log overlaps in time",
    "sure": f"hands ruled as sure ({SURE_FROM:g} or more)",
    "sure_and_wrong": "wrong rulings shown as sure",
    "told": "lines told by phone that fitted what had been seen",
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
        lines += ["| figure | target | found |", "|---|---|---|"]
        place = LEVELS.index(level)
        lines += [f"| {words} | {game.targets.get(name, ('', '', ''))[place]} | {shown(_figure(found, name))} |"
                  for name, words in {**COMMON, **game.names}.items()]  # fmt: skip
        lines += [f"| rulings on hands that nobody played | 0 | {found.invented} |", ""] if found.invented else [""]
        if found.causes:
            lines += ["| what went wrong first | hands |", "|---|---|"]
            lines += [*(f"| {cause} | {count} |" for cause, count in found.causes.items()), ""]
    return "\n".join([*lines, *_failures(results)])


def _figure(found: LevelFigures, name: str) -> Rate:
    """The figure with this name, such as ``right`` or ``recall laid``."""
    attribute, _, kind = name.partition(" ")
    value = getattr(found, attribute)
    rate: Rate = value[kind] if kind else value
    return rate


def _failures(results: Sequence[Result]) -> list[str]:
    """Every hand that was ruled wrong, clip by clip, and how it differed."""
    lines: list[str] = []
    for result in results:
        wrong = [hand for hand in result.score.hands if not hand.right]
        if wrong:
            lines.append(f"- {clip_in_words(result.recipe)}: {len(wrong)} of {len(result.score.hands)} hands")
        for hand in wrong:
            sure = "" if hand.confidence is None else f", ruled with {hand.confidence:.2f}"
            lines.append(f"  - hand {hand.number} at {hand.start:.0f} s{sure}: {'; '.join(hand.differences[:4])}")
    return ["## Hands ruled wrong", "", *lines, ""] if lines else ["No hand was ruled wrong.", ""]
