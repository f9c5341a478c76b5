"""Which is which: the likeliest way in which three cards changed places so and so often, from what moved between the places.

Five exchanges are known to have happened, each between two of the three places, and none at the same time as another. Each takes
a stretch of looks in which hands move in the corridor of its two places more than elsewhere, and in which the cards of those two
are not seen at rest while the third may be. The best stretches are found by dynamic programming (semi-Markov decoding).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.eyes.corridors import Corridors
from companion.eyes.places import Places
from companion.eyes.sighting import TableView

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Habits:
    """How people exchange cards: chosen on 59 clips of another seed than the exam's (990000) among 70 random settings.

    ``stir`` and ``seconds``: an exchange's motion in its corridor (seconds for which all of it moves) and how long it takes;
    ``stir_spread``, ``seconds_spread``: standard deviations of their logarithms. ``beside``: what as much motion in another
    corridor speaks against it, nats; ``idle``: what a second of motion that belongs to no exchange does. ``rest``: how far looks
    at the cards at rest are independent, 0 to 1. ``lapse``, ``covered``: of the looks that usually find a card at rest, the
    shares that do while it is exchanged, and while two others are.
    """

    stir: float = 0.46
    stir_spread: float = 0.88
    seconds: float = 1.45
    seconds_spread: float = 0.47
    beside: float = 1.2
    idle: float = 5.7
    rest: float = 0.26
    lapse: float = 0.27
    covered: float = 0.8


LEAST_SECONDS, MOST_SECONDS, PAUSE_LOOKS = 0.35, 3.0, 2
"""How long an exchange may take, and how many looks lie between two at least."""
LEAST_STIR = 0.05
"""Without so much motion in its corridor nothing is an exchange."""

Swap = tuple[float, float, tuple[int, int]]
"""From when to when (seconds), and the two places, the smaller number first."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What was seen, look after look: ``t`` (n,) seconds; ``stirs`` (n, pairs) seconds of motion in each pair's corridor;
    ``rests`` (n, places) whether the place's card was seen at rest. ``pairs``: the places of each column of ``stirs``."""

    t: Floats
    stirs: Floats
    rests: NDArray[np.bool_]
    pairs: tuple[tuple[int, int], ...]


def moments(views: Iterable[TableView], centres: Floats) -> Moments:
    """What these looks at a table with places ``centres`` (N, 2) tell."""
    places, corridors = Places(centres), Corridors(centres)
    pairs = tuple(combinations(range(len(centres)), 2))
    times, stirs, rests = [], [], []
    for view in views:
        places.step(view)
        corridors.step(view.t, view.stirred, places.deck, places.card_length)
        times.append(view.t)
        stirs.append([corridors.stir(pair, view.t, view.t) for pair in pairs])
        rests.append([place.seen_at_rest(view.t) for place in places.places])
    return Moments(np.array(times), np.array(stirs), np.array(rests, bool), pairs)


def decode(seen: Moments, swaps: int, habits: Habits = Habits()) -> tuple[Swap, ...]:
    """The likeliest ``swaps`` exchanges, in order of time; fewer where there were not enough looks for so many."""
    looks = len(seen.t)
    if not looks:
        return ()
    idle = -habits.idle * np.concatenate([[0.0], seen.stirs.max(axis=1, initial=0.0).cumsum()])
    best = np.full((swaps + 1, looks + 1), -np.inf)
    best[0] = idle
    came: dict[tuple[int, int], tuple[int, int, int]] = {}
    starts, ends, scores, which = _stretches(seen, habits)
    for count in range(1, swaps + 1):
        free = best[count - 1][np.maximum(starts - PAUSE_LOOKS, 0)] + idle[starts] - idle[np.maximum(starts - PAUSE_LOOKS, 0)]
        total = free + scores
        for end in range(1, looks + 1):
            best[count][end] = best[count][end - 1] + idle[end] - idle[end - 1]
            came[count, end] = came.get((count, end - 1), (0, 0, 0))
            here = np.flatnonzero(ends == end)
            if len(here) and total[here].max() > best[count][end]:
                chosen = here[total[here].argmax()]
                best[count][end] = total[chosen]
                came[count, end] = int(starts[chosen]), end, int(which[chosen])
    found: list[Swap] = []
    count, end = int(np.flatnonzero(np.isfinite(best[:, looks])).max()), looks
    while count:
        start, until, pair = came[count, end]
        found.append((float(seen.t[start]), float(seen.t[until - 1]), seen.pairs[pair]))
        count, end = count - 1, max(start - PAUSE_LOOKS, 0)
    return tuple(found[::-1])


def _stretches(
    seen: Moments, habits: Habits
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, NDArray[np.int64]]:
    """All stretches that may be an exchange: first look, look after the last, log-likelihood, number of the pair."""
    t, pairs = seen.t, seen.pairs
    moved = np.vstack([np.zeros(len(pairs)), seen.stirs.cumsum(axis=0)])
    inside, outside = (_surprise(seen.rests, share) for share in (habits.lapse, habits.covered))
    first, last = np.triu_indices(len(t), 1)
    lasts = t[last] - t[first]
    fits = (lasts >= LEAST_SECONDS) & (lasts <= MOST_SECONDS)
    first, after, lasts = first[fits], last[fits] + 1, lasts[fits]
    motion = moved[after] - moved[first]
    long = -0.5 * (np.log(lasts / habits.seconds) / habits.seconds_spread) ** 2
    starts, ends, scores, which = [], [], [], []
    for number, pair in enumerate(pairs):
        own = motion[:, number]
        beside = np.delete(motion, number, axis=1).max(axis=1, initial=0.0)
        some = own >= LEAST_STIR
        rest = sum((inside if place in pair else outside)[after, place] - (inside if place in pair else outside)[first, place]
                   for place in range(seen.rests.shape[1]))  # fmt: skip
        much = -0.5 * (np.log(np.maximum(own, LEAST_STIR) / habits.stir) / habits.stir_spread) ** 2
        score = much + long - habits.beside * beside / np.maximum(own, LEAST_STIR) + habits.rest * rest
        starts.append(first[some])
        ends.append(after[some])
        scores.append(score[some])
        which.append(np.full(int(some.sum()), number))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(scores), np.concatenate(which)


def _surprise(rests: NDArray[np.bool_], share: float) -> Floats:
    """Sums (n + 1, places) of the log-odds that looks find the cards at rest only ``share`` as often as they usually do."""
    usual = np.clip(rests.mean(axis=0), 0.05, 0.97)
    odds = np.where(rests, np.log(share), np.log((1 - share * usual) / (1 - usual)))
    return np.vstack([np.zeros(rests.shape[1]), odds.cumsum(axis=0)])


def lies_where(swaps: Sequence[Swap], places: int) -> tuple[int, ...]:
    """For each place, in which place its last card lay in the beginning."""
    lies = list(range(places))
    for _, _, (a, b) in swaps:
        lies[a], lies[b] = lies[b], lies[a]
    return tuple(lies)
