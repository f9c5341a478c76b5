"""What the reports of all benches say in the same words: levels, clips, figures, shares with their confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from workshop.bench.recipe import Bench, ClipRecipe


class Rate(msgspec.Struct, frozen=True):
    """``hits`` out of ``of``, with the 95 % Wilson score interval of the share, ``low`` to ``high``."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """0..1; NaN out of none."""
        return self.hits / self.of if self.of else math.nan


def rate(hits: int, of: int) -> Rate:
    """A rate with its interval: Wilson (1927), z = 1.96."""
    if not of:
        return Rate(hits, of, 0.0, 1.0)
    z, p = 1.96, hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Rate(hits, of, max(0.0, middle - half), min(1.0, middle + half))

LEVELS = ("easy", "medium", "hard")


class Watched(Protocol):
    """A clip that was watched. ``seconds``: its length; ``cpu``: seconds of processor time that it took; ``looks``, ``left_out``:
    how many pictures were looked at, and how many there was no time for."""

    @property
    def seconds(self) -> float: ...
    @property
    def cpu(self) -> float: ...
    @property
    def looks(self) -> int: ...
    @property
    def left_out(self) -> int: ...


def level_in_words(bench: Bench, level: str, results: Sequence[Watched], hands: int) -> list[str]:
    """The heading of a level's figures, and what the level means."""
    meant = bench.levels[level]  # type: ignore[index]
    cpu = sum(result.cpu for result in results) / max(sum(result.seconds for result in results), 1e-9)
    words = (
        sentence(meant.about),
        f"{meant.players[0]} to {meant.players[1]} players, pictures {meant.width[0]} to {meant.width[1]} px wide,",
        f"cards from {meant.card[0]:g} px long, {meant.fps[0]:g} to {meant.fps[1]:g} frames/s,",
        f"tempo {meant.tempo[0]:g} to {meant.tempo[1]:g}.",
        f"Watching took {cpu:.2f} s of one processor core for a second of clip.",
        *_left_out(results),
    )
    return [f"## {level.capitalize()}: {len(results)} clips, {hands} hands", "", " ".join(words), ""]


def _left_out(results: Sequence[Watched]) -> list[str]:
    left_out, looks = sum(result.left_out for result in results), sum(result.looks for result in results)
    return [f"In real time {100 * left_out / (left_out + looks):.1f} % of the pictures were left out."] if left_out else []


def clip_in_words(recipe: ClipRecipe) -> str:
    """A clip's name, and how it was filmed."""
    deck = f", {recipe.scans}" if recipe.scans else ""
    return (
        f"`{recipe.name}` ({recipe.players} players, {recipe.size[0]}x{recipe.size[1]}, {recipe.fps:g} frames/s, "
        f"{recipe.look or 'drawn'} light, {recipe.surface}{deck})"
    )


def sentence(about: str) -> str:
    """What a recipe says of itself, as a sentence."""
    return f"{about[:1].upper()}{about[1:]}."


def shown(value: Rate | float | None, unit: str = "") -> str:
    """A figure as the report shows it: a rate in per cent with counts and interval, a number with two decimals and its
    ``unit``."""
    if value is None:
        return "none to measure"
    if isinstance(value, Rate):
        if not value.of:
            return "none to measure"
        return f"{100 * value.share:.1f} % ({value.hits} of {value.of}) [{100 * value.low:.1f}, {100 * value.high:.1f}]"
    return "none to measure" if math.isnan(value) else f"{value:.2f}{unit}"


class Wrong(Protocol):
    """A hand as it was scored: its ``number``, when it began (seconds), how sure its ruling was, how it differed."""

    @property
    def right(self) -> bool: ...
    @property
    def number(self) -> int: ...
    @property
    def start(self) -> float: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def differences(self) -> Sequence[str]: ...


def failures(
    clips: Iterable[tuple[ClipRecipe, Sequence[Wrong], Sequence[float]]], most: int | None = None
) -> list[str]:
    """Every hand that was ruled wrong, clip by clip, and how it differed: its first ``most`` differences. ``clips``: each with
    its
    hands, and how sure the rulings were on hands that nobody played."""
    lines: list[str] = []
    for recipe, hands, invented in clips:
        wrong = [hand for hand in hands if not hand.right]
        if wrong or invented:
            lines.append(f"- {clip_in_words(recipe)}: {len(wrong)} of {len(hands)} hands")
        for hand in wrong:
            sure = "" if hand.confidence is None else f", ruled with {hand.confidence:.2f}"
            lines.append(f"  - hand {hand.number} at {hand.start:.0f} s{sure}: {'; '.join(hand.differences[:most])}")
        lines += [f"  - a hand that nobody played, ruled with {confidence:.2f}" for confidence in invented]
    return ["## Hands ruled wrong", "", *lines, ""] if lines else ["No hand was ruled wrong.", ""]
