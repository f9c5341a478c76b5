"""Which card is which: the likeliest sequence of a known number of exchanges of three cards, from what moved between the places.

Five exchanges are known to have happened, each between two of the three places, no two of them at the same time. Each takes a
stretch of looks in which hands move in the corridor of its two places more than elsewhere, and in which the cards of those two
are not seen at rest while the third may be. Afterwards the two lie differently, for nobody puts a card down exactly as another
one lay. The best stretches are found by dynamic programming (semi-Markov decoding).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.corridors import Corridors
from companion.eyes.sighting import TableView
from companion.games.stu.sight.place import Place, middle_turn
from companion.games.stu.sight.places import Places
from companion.games.stu.sight.traffic import RELAID_SHIFT, RELAID_TURN

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Habits:
    """How people exchange cards: chosen on 59 clips of another seed (990000) than the exam's.

    ``stir`` and ``seconds``: an exchange's motion in its corridor (in seconds for which all of it moves) and how long it takes;
    ``stir_spread``, ``seconds_spread``: standard deviations of their logarithms. ``beside``: nats that the same amount of
    motion in another corridor counts against it; ``idle``: nats that a second of motion outside any exchange costs. ``rest``:
    how far looks at the cards at rest are independent, 0 to 1. ``lapse``, ``covered``: of the looks that usually find a card at
    rest, the shares that still do while it is being exchanged, and while the two others are. ``lying``: pairs of how far a card
    lies off the one before, at most (1: farther than a card at rest ever seems to move), and the log-odds that its place was
    then one of the two.
    """

    stir: float = 0.46
    stir_spread: float = 0.88
    seconds: float = 1.45
    seconds_spread: float = 0.4
    beside: float = 0.9
    idle: float = 8.0
    rest: float = 0.26
    lapse: float = 0.2
    covered: float = 0.8
    lying: tuple[tuple[float, float], ...] = ((0.25, -5.0), (0.5, -2.0), (1.0, 0.5), (2.0, 2.0), (math.inf, 2.4))


LEAST_SECONDS, MOST_SECONDS, PAUSE_LOOKS = 0.35, 3.0, 2
"""How long an exchange takes, at least and at most, and how many looks lie between two, at least."""
POSE_SECONDS, POSE_LOOKS = 1.2, 2
"""How a card lies is measured by the looks at it at rest within this many seconds before or after, if there are this many."""
LEAST_STIR = 0.05
"""With less motion in its corridor nothing is an exchange."""

Swap = tuple[float, float, tuple[int, int]]
"""Start and end in seconds, and the two places, the smaller number first."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What was seen, look after look: ``t`` (n,) seconds; ``stirs`` (n, pairs) seconds of motion in each pair's corridor;
    ``rests`` (n, places) whether the place's card was seen at rest; ``lies`` (n, places, 3) how it lay then: its middle in card
    lengths and its turn in degrees, 0 to 180, NaN where it was not. ``pairs``: the places of each column of ``stirs``."""

    t: Floats
    stirs: Floats
    rests: NDArray[np.bool_]
    lies: Floats
    pairs: tuple[tuple[int, int], ...]


def moments(views: Iterable[TableView], centres: Floats) -> Moments:
    """What these looks show of a table with places ``centres`` (N, 2)."""
    places, corridors = Places(centres), Corridors(centres)
    pairs = tuple(combinations(range(len(centres)), 2))
    times, stirs, rests, lies = [], [], [], []
    for view in views:
        places.step(view)
        corridors.step(view.t, view.motion, places.deck, places.card_length)
        times.append(view.t)
        stirs.append([corridors.stir(pair, view.t, view.t) for pair in pairs])
        rests.append([place.seen_at_rest(view.t) for place in places.places])
        lies.append([_lie(place, view.t) for place in places.places])
    scale = np.array([places.card_length or 1.0] * 2 + [1.0])
    lain = np.array(lies).reshape(-1, len(centres), 3) / scale
    return Moments(np.array(times), np.array(stirs), np.array(rests, bool), lain, pairs)


def _lie(place: Place, t: float) -> tuple[float, float, float]:
    """Middle (table coordinates) and turn (degrees) of the card that the look at ``t`` seconds found at rest; NaN for none."""
    if not place.seen_at_rest(t) or not place.trail or place.trail[-1][0] != t:
        return math.nan, math.nan, math.nan
    _, (x, y), turn = place.trail[-1]
    return x, y, turn


def decode(seen: Moments, swaps: int, habits: Habits = Habits()) -> tuple[Swap, ...]:
    """The likeliest sequence of ``swaps`` exchanges, in order of time; a shorter one where there are not enough looks."""
    looks = len(seen.t)
    if not looks:
        return ()
    idle = -habits.idle * np.concatenate([[0.0], seen.stirs.max(axis=1, initial=0.0).cumsum()])
    best = np.full((swaps + 1, looks + 1), -np.inf)
    best[0] = idle
    came: dict[tuple[int, int], tuple[int, int, int]] = {}
    starts, ends, scores, which = _stretches(seen, habits)
    ending = [np.flatnonzero(ends == end) for end in range(looks + 1)]
    free = np.maximum(starts - PAUSE_LOOKS, 0)
    for count in range(1, swaps + 1):
        total = best[count - 1][free] + idle[starts] - idle[free] + scores
        for end in range(1, looks + 1):
            best[count][end] = best[count][end - 1] + idle[end] - idle[end - 1]
            came[count, end] = came.get((count, end - 1), (0, 0, 0))
            here = ending[end]
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
    """Every stretch that may be an exchange: first look, look after the last, log-likelihood, index of the pair."""
    t, pairs = seen.t, seen.pairs
    moved = np.vstack([np.zeros(len(pairs)), seen.stirs.cumsum(axis=0)])
    inside, outside = (_surprise(seen.rests, share) for share in (habits.lapse, habits.covered))
    before, after_it = _poses(seen, before=True), _poses(seen, before=False)
    first, last = np.triu_indices(len(t), 1)
    lasts = t[last] - t[first]
    fits = (lasts >= LEAST_SECONDS) & (lasts <= MOST_SECONDS)
    first, after, lasts = first[fits], last[fits] + 1, lasts[fits]
    motion = moved[after] - moved[first]
    off = _off(before[first], after_it[after - 1])
    long = -0.5 * (np.log(lasts / habits.seconds) / habits.seconds_spread) ** 2
    starts, ends, scores, which = [], [], [], []
    for number, pair in enumerate(pairs):
        own = motion[:, number]
        beside = np.delete(motion, number, axis=1).max(axis=1, initial=0.0)
        some = own >= LEAST_STIR
        rest = sum((inside if place in pair else outside)[after, place] - (inside if place in pair else outside)[first, place]
                   for place in range(seen.rests.shape[1]))  # fmt: skip
        lie = sum(_odds_of_lying(off[:, place], habits) for place in pair)
        much = -0.5 * (np.log(np.maximum(own, LEAST_STIR) / habits.stir) / habits.stir_spread) ** 2
        score = much + long - habits.beside * beside / np.maximum(own, LEAST_STIR) + habits.rest * rest + lie
        starts.append(first[some])
        ends.append(after[some])
        scores.append(score[some])
        which.append(np.full(int(some.sum()), number))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(scores), np.concatenate(which)


def _surprise(rests: NDArray[np.bool_], share: float) -> Floats:
    """Running sums (n + 1, places) of the log-odds that looks find the cards at rest only ``share`` times as often as usual."""
    usual = np.clip(rests.mean(axis=0), 0.05, 0.97)
    odds = np.where(rests, np.log(share), np.log((1 - share * usual) / (1 - usual)))
    return np.vstack([np.zeros(rests.shape[1]), odds.cumsum(axis=0)])


def _poses(seen: Moments, *, before: bool) -> Floats:
    """How the cards lay (n, places, 3) just before each look, or just after it; NaN where that was not seen."""
    found = np.full(seen.lies.shape, np.nan)
    for number, t in enumerate(seen.t):
        near = (seen.t >= t - POSE_SECONDS) & (seen.t <= t) if before else (seen.t >= t) & (seen.t <= t + POSE_SECONDS)
        for place in range(seen.lies.shape[1]):
            looks = seen.lies[near, place]
            looks = looks[~np.isnan(looks[:, 0])]
            if len(looks) >= POSE_LOOKS:
                found[number, place] = *np.median(looks[:, :2], axis=0), middle_turn(looks[:, 2])
    return found


def _off(old: Floats, new: Floats) -> Floats:
    """How far (k, places) cards lie off those before; 1: farther than a card at rest ever seems to move; NaN: not known."""
    shift = np.hypot(old[..., 0] - new[..., 0], old[..., 1] - new[..., 1])
    turn = np.abs(old[..., 2] - new[..., 2]) % 180
    return np.asarray(np.maximum(shift / RELAID_SHIFT, np.minimum(turn, 180 - turn) / RELAID_TURN))


def _odds_of_lying(off: Floats, habits: Habits) -> Floats:
    """Log-odds (k,) of an exchange, from how far a card lies off the one before; 0 where that is not known."""
    up_to, odds = (np.array(column) for column in zip(*habits.lying, strict=True))
    known = np.nan_to_num(off, nan=0.0)
    return np.where(np.isnan(off), 0.0, odds[np.searchsorted(up_to, known)])


def lies_where(swaps: Sequence[Swap], places: int) -> tuple[int, ...]:
    """For each place, where its last card lay in the beginning."""
    lies = list(range(places))
    for _, _, (a, b) in swaps:
        lies[a], lies[b] = lies[b], lies[a]
    return tuple(lies)
