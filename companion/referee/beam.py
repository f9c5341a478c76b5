"""A beam, the likely histories of one hand: how something that was seen extends each of them, which of them are the same from
then on, which are too unlikely to be kept, and what ruling they give. A face that is none of a player's cards is weighed here,
too.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.eyes.sighting import Odds
from companion.referee.sighting_model import SightingModel, Step
from companion.referee.values import DEFAULT_LIMITS, Beam, BeamLimits, Hypothesis

MAX_PROBABILITY = 0.999
"""No ruling from pictures is surer than this."""


class Explanation(NamedTuple):
    """What a ``history`` may have become with a step, where nothing that weighs less than ``least`` was looked for."""

    history: Hypothesis
    least: float
    became: Beam


class Merged(NamedTuple):
    """``one`` stands for several histories that lead to the same state; ``best`` is the likeliest among them."""

    best: Hypothesis
    one: Hypothesis


class Explained(NamedTuple):
    """How a step was explained: by the `id` of each history before it, and by that of the likeliest of those merged after it.
    These histories are kept alive here."""

    explanations: dict[int, Explanation]
    merged: dict[int, Merged]


def extend(beam: Beam, step: Step, model: SightingModel, known: Explained | None = None) -> tuple[Beam, Explained]:
    """The likely histories after one more step, and how they come about. ``known``: how the very same step was explained in an
    earlier beam, with some of these histories in it, perhaps: they are not decoded again, and become the very same ones.
    """
    found, best = list[Hypothesis](), -math.inf
    was, now = known or Explained({}, {}), Explained({}, {})
    for history in beam:
        least = best - model.BEAM_LIMITS.given_up
        one = was.explanations.get(id(history))
        if one is None or one.least != least:
            one = Explanation(history, least, tuple(model.explain(history, step, least)))
        now.explanations[id(history)] = one
        found += one.became
        best = max(best, max([became.weight for became in one.became], default=best))
    merged = [_merged(group, was.merged, now.merged) for group in _alike(found)]
    return _likeliest(merged, model.BEAM_LIMITS), now


def prune(histories: Iterable[Hypothesis], limits: BeamLimits = DEFAULT_LIMITS) -> Beam:
    """Merge histories that lead to the same state, keeping the likeliest telling; keep the best, most likely first."""
    return _likeliest([_merged(group, {}, {}) for group in _alike(histories)], limits)


def _alike(histories: Iterable[Hypothesis]) -> Iterable[list[Hypothesis]]:
    """The histories in groups that lead to the same state."""
    alike: dict[Hashable, list[Hypothesis]] = {}
    for history in histories:
        alike.setdefault(history.key, []).append(history)
    return alike.values()


def _merged(tellings: list[Hypothesis], known: Mapping[int, Merged], now: dict[int, Merged]) -> Hypothesis:
    """The likeliest of these, in whatever order they come, as likely as all together: the very same one as ``known``, where that
    is as likely. What is merged is added to ``now``."""
    if len(tellings) == 1:
        return tellings[0]
    best = max(tellings, key=lambda history: history.weight)
    weight = best.weight + math.log(sum(math.exp(one.weight - best.weight) for one in tellings))
    was = known.get(id(best))
    if was is None or was.one.weight != weight:
        was = Merged(best, replace(best, weight=weight))
    now[id(best)] = was
    return was.one


def _likeliest(merged: list[Hypothesis], limits: BeamLimits) -> Beam:
    """The histories that are worth keeping among these, which all differ; most likely first."""
    ranked = sorted(merged, key=lambda history: -history.weight)
    kept = ranked[: limits.width]
    lines_of_play = {history.line_of_play for history in kept} if ranked[limits.width :] else set()
    for history in ranked[limits.width :]:
        if len(lines_of_play) >= limits.lines_of_play or history.weight < ranked[0].weight - limits.prune_below:
            break
        if (line_of_play := history.line_of_play) not in lines_of_play:
            lines_of_play.add(line_of_play)
            kept.append(history)
    return tuple(history for history in kept if history.weight > ranked[0].weight - limits.prune_below)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a hand most probably came to.

    ``history``: the likeliest among those with the likeliest outcome. ``probability``: of exactly this outcome.
    ``odds``: each possible outcome with its probability, most likely first. ``line_confidence``: of each line of the history.
    """

    history: Hypothesis
    probability: float
    odds: tuple[tuple[Hashable, float], ...]
    line_confidence: tuple[float, ...]


def outcome(history: Hypothesis) -> Hashable:
    """What the hand comes to in this history, so far or in the end."""
    return history.rules.outcome(history.state)


def shares(beam: Beam) -> list[float]:
    """How probable each history of a beam (not empty) is, 0 to 1, summing to 1."""
    best = max(history.weight for history in beam)
    found = [math.exp(history.weight - best) for history in beam]
    total = sum(found)
    return [share / total for share in found]


def rule(beam: Beam) -> Ruling:
    """Weigh the histories of a beam (not empty) by their outcomes."""
    best = max(history.weight for history in beam)
    weights = [math.exp(history.weight - best) for history in beam]
    total = sum(weights)
    odds: dict[Hashable, float] = {}
    for history, weight in zip(beam, weights, strict=True):
        comes_to = outcome(history)
        odds[comes_to] = odds.get(comes_to, 0.0) + weight / total
    ranked = sorted(odds.items(), key=lambda pair: -pair[1])
    chosen = max((history for history in beam if outcome(history) == ranked[0][0]), key=lambda history: history.weight)
    told: dict[Hashable, float] = {}
    for history, weight in zip(beam, weights, strict=True):
        for event in {line.event for line in history.lines}:
            told[event] = told.get(event, 0.0) + weight
    confidence = tuple(
        min(MAX_PROBABILITY, told[line.event] / total) if not chosen.guesses(line) else 0.0 for line in chosen.lines
    )
    return Ruling(chosen, min(MAX_PROBABILITY, ranked[0][1]), tuple(ranked), confidence)


STRAY_SHARE: Final = 0.7
"""Share of the doubt about a face that goes to its being none of the player's cards."""
MIN_STRAY_PROBABILITY: Final = 1e-3
"""Least probability that a face is none of the player's cards, however sure it is."""


def left_out(odds: Odds) -> float:
    """Log-probability that a face laid open, with these kinds, is none of the player's cards: the eyes are seldom sure of what
    is none."""
    doubt = 1.0 - max((p for _, p in odds), default=0.0)
    return math.log(max(STRAY_SHARE * doubt, MIN_STRAY_PROBABILITY))
