"""From what was seen of one hand to its likely histories: a beam of engine states, each extended by every step. Faces that are
none of a player's cards are weighed here, too.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from companion.eyes.sighting import Odds
from companion.referee.sighting_model import SightingModel, Step
from companion.referee.values import DEFAULT_LIMITS, Beam, BeamLimits, Hypothesis

MAX_PROBABILITY = 0.999
"""No ruling from pictures is surer than this."""


def extend(beam: Beam, step: Step, model: SightingModel) -> Beam:
    """The likely histories after one more step."""
    found, best = list[Hypothesis](), -math.inf
    for history in beam:
        for one in model.explain(history, step, best - model.BEAM_LIMITS.given_up):
            found.append(one)
            best = max(best, one.weight)
    return prune(found, model.BEAM_LIMITS)


def prune(histories: Iterable[Hypothesis], limits: BeamLimits = DEFAULT_LIMITS) -> Beam:
    """Merge histories that lead to the same state, keeping the likeliest telling; keep the best, most likely first."""
    alike: dict[Hashable, list[Hypothesis]] = {}
    for history in histories:
        alike.setdefault(history.key, []).append(history)
    merged = [_merged(group) for group in alike.values()]
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


def _merged(tellings: list[Hypothesis]) -> Hypothesis:
    """The likeliest of these, in whatever order they come, as likely as all together."""
    best = max(tellings, key=lambda history: history.weight)
    if len(tellings) == 1:
        return best
    return replace(best, weight=best.weight + math.log(sum(math.exp(one.weight - best.weight) for one in tellings)))


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
