"""Between which places something moves. Two players who exchange cards reach out to each other, and nobody else reaches between
the two.

A way leads from one place to another, or to the deck. Its corridor is the middle part between the two ends, as wide as a hand.
Motion all over the table is noise, not a hand.

`Origin` tells from which place a card came to the middle, by the motion just before and by how the card is turned: a player who
lays a card there reaches out from their own place, and lays it more or less straight before them.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Motion, PlaceOdds, Point

END_SHARE = 0.25
"""Share of the way, at each end, that does not belong to its corridor: motion there may concern that end alone."""
HALF_WIDTH_LENGTHS = 0.6
"""Card lengths: half a corridor's width."""
DECK_STILL_LENGTHS = 0.3
"""Card lengths: a deck nearer than this to where it was has not been moved."""
KEPT_SECONDS = 15.0
"""Seconds for which motion is remembered."""
MIN_CELLS = 3
"""Least number of cells of a corridor, or of a part of one, that says anything."""
PARTS = 3
"""Number of parts of a corridor, one behind the other: a hand that reaches from end to end is seen in each of them."""

MAX_STEP_SECONDS = 0.4
"""Greatest number of seconds that count as motion in a cell that differs between two looks."""
KNOWN_SHARE = 0.7
"""Least share of a time span for which motion was observed, to say that nothing moved in it."""

Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Which cells of ``ground`` belong to which corridor, for one position of the ``deck`` and one card ``length``. ``weights``
    (cells, (1 + PARTS) * ways): columns that sum to 1, first for whole corridors, then for the first part of each, and so on."""

    ground: NDArray[np.float64]
    deck: Point | None
    length: float
    weights: NDArray[np.float32]

    def holds(self, ground: NDArray[np.float64], deck: Point | None, length: float) -> bool:
        """Whether these corridors are still valid for this deck and card length, which jitter a little as the quads do."""
        if ground is not self.ground or (deck is None) != (self.deck is None) or abs(self.length / length - 1) > 0.2:
            return False
        return deck is None or self.deck is None or math.dist(deck, self.deck) < DECK_STILL_LENGTHS * length


def beside_way(points: Shares, first: Shares, second: Shares) -> tuple[Shares, Shares]:
    """Where ``points`` (..., 2) lie relative to the ways from ``first`` to ``second`` (n, 2): how far along, from 0 to 1
    between the ends, and how far aside, in the points' unit; both (..., n)."""
    way = second - first
    span = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    offset = points - first
    along = (offset * way).sum(axis=-1) / span**2
    return along, np.abs(way[:, 0] * offset[..., 1] - way[:, 1] * offset[..., 0]) / span


class Corridors:
    """The corridors between the ends ``centres`` (N, 2), table coordinates, and the deck, number N."""

    def __init__(self, centres: NDArray[np.float64]) -> None:
        self._centres = centres
        self._pairs = np.triu_indices(len(centres) + 1, 1)
        self._column = {(int(a), int(b)): i for i, (a, b) in enumerate(zip(*self._pairs, strict=True))}
        self._laid: _Laid | None = None
        self._seen: deque[tuple[float, float, Shares]] = deque()
        """Time of each look, the seconds that count since the look before, and for how many of these each way's corridor moved,
        and each part of it (1 + PARTS, ways)."""

    def step(self, t: float, motion: Motion | None, deck: Point | None, card_length: float) -> None:
        """One more look at ``t`` seconds."""
        while self._seen and t - self._seen[0][0] > KEPT_SECONDS:
            self._seen.popleft()
        if motion is None or card_length <= 0:
            return
        laid = self._laid
        if laid is None or not laid.holds(motion.ground, deck, card_length):
            laid = self._laid = self._lay(motion.ground, deck, card_length)
        shares = np.asarray(motion.moving.astype(np.float32) @ laid.weights, np.float64).reshape(1 + PARTS, -1)
        everywhere = shares[0][laid.weights[:, : shares.shape[1]].any(axis=0)].min(initial=1.0)
        step = min(t - self._seen[-1][0], MAX_STEP_SECONDS) if self._seen else 0.0
        self._seen.append((t, step * (1 - everywhere), step * np.maximum(shares - everywhere, 0.0)))

    def known(self, way: tuple[int, int], start: float, end: float) -> bool:
        """Whether motion in this way's corridor could be noticed most of the time from ``start`` to ``end``, seconds."""
        laid = self._laid
        if laid is None or not laid.weights[:, self._column[way]].any():
            return False
        seconds = sum(counts for t, counts, _ in self._seen if start <= t <= end)
        return bool(seconds >= KNOWN_SHARE * (end - start))

    def stir(self, way: tuple[int, int], start: float, end: float) -> float:
        """The motion in a way's corridor from ``start`` to ``end``, seconds: the sum over time of the share of the corridor that
        moved, in seconds."""
        return float(self._stirs(start, end)[0, self._column[way]])

    def parts(self, way: tuple[int, int], start: float, end: float) -> NDArray[np.float64]:
        """As `stir`, for each part of the corridor (`PARTS`,), beginning with the part next to the way's first end."""
        found: NDArray[np.float64] = self._stirs(start, end)[1:, self._column[way]]
        return found

    def through(self, way: tuple[int, int], start: float, end: float) -> float:
        """As `stir`, for the part of the corridor with the least motion: a hand that stays at one end does not reach the part
        next to the other."""
        return float(self._stirs(start, end)[1:, self._column[way]].min())

    def rival(self, way: tuple[int, int], start: float, end: float) -> float:
        """As `stir`, for the corridor with the most motion among the other ones that share an end with this way."""
        stirs, (first, second) = self._stirs(start, end)[0], self._pairs
        shared = (np.isin(first, way) | np.isin(second, way)) & (np.arange(len(first)) != self._column[way])
        return float(stirs[shared].max(initial=0.0))

    def busiest(self, start: float, end: float, least: float) -> list[tuple[int, int]]:
        """The ways whose motion is at least ``least``, and larger than that of every other way that shares an end with them."""
        stirs, (first, second) = self._stirs(start, end)[0], self._pairs
        most = np.zeros(len(self._centres) + 1)
        np.maximum.at(most, first, stirs)
        np.maximum.at(most, second, stirs)
        best = (stirs >= least) & (stirs >= most[first]) & (stirs >= most[second])
        return [(int(first[i]), int(second[i])) for i in np.flatnonzero(best)]

    def _stirs(self, start: float, end: float) -> Shares:
        total = np.zeros((1 + PARTS, len(self._pairs[0])))
        for t, _, shares in reversed(self._seen):
            if t < start:
                break
            if t <= end:
                total += shares
        return total

    def _lay(self, ground: NDArray[np.float64], deck: Point | None, length: float) -> _Laid:
        ends = np.vstack([self._centres, np.full(2, np.nan) if deck is None else deck])
        first, second = ends[self._pairs[0]], ends[self._pairs[1]]
        along, aside = beside_way(ground[:, None], first, second)
        inside = (along >= END_SHARE) & (along <= 1 - END_SHARE) & (aside <= HALF_WIDTH_LENGTHS * length)
        whole = _mean_of(inside)
        edges = np.linspace(END_SHARE, 1 - END_SHARE, PARTS + 1)
        parts = [_mean_of(inside & (along >= low) & (along <= high)) for low, high in pairwise(edges)]
        parts = [np.where(part.any(axis=0), part, whole) for part in parts]
        return _Laid(ground, deck, length, np.hstack([whole, *parts]).astype(np.float32))


def _mean_of(inside: NDArray[np.bool_]) -> Shares:
    """Weights (cells, ways) that give the mean over the cells ``inside`` each corridor; zeros where these are too few."""
    count = inside.sum(axis=0)
    return np.asarray(inside / np.where(count >= MIN_CELLS, count, np.inf))


BEFORE_SECONDS = 0.5
"""Seconds before a card came to lie in which the hand that brought it moved: earlier motion may be another hand's."""
Weights = tuple[float, float, float, float, float]
WEIGHTS: Weights = (4.45, 0.52, 0.9, 1.32, 1.31)
"""Natural logarithms of how much likelier a place becomes if all the motion was in its corridor (for each of the three parts, the
one next to the place first, then for the part with least motion), and if the card points straight at it. Fitted on 831 cards of
simulated eyes (`glimpsed` in the workshop's streams): the likeliest place was right for 98.2 % of them, and for 99.9 % of those
that had a place with a probability of 0.99 or more."""
MIN_PROBABILITY = 0.002
"""Least probability of any place."""
NO_MOTION_SECONDS = 1e-6
"""Seconds of motion in all corridors together, below which motion says nothing about the place."""


class Origin:
    """Follows the motion between the places, with ``centres`` (N, 2) in table coordinates, and the table's middle. ``weights``:
    as `WEIGHTS`."""

    def __init__(self, centres: NDArray[np.float64], weights: Weights = WEIGHTS) -> None:
        self._centres = centres
        self._weights = np.array(weights)
        self._corridors = Corridors(centres)

    def step(self, t: float, motion: Motion | None, pile: Point, length: float) -> None:
        """One more look at ``t`` seconds; ``length``: a card's, table coordinates."""
        self._corridors.step(t, motion, pile, length)

    def signs(self, t: float, turn: float | None, pile: Point) -> NDArray[np.float64]:
        """The evidence for each place (N, 5), in the order of `WEIGHTS`; see `odds`."""
        count = len(self._centres)
        parts = np.array([self._corridors.parts((place, count), t - BEFORE_SECONDS, t) for place in range(count)])
        least = parts.min(axis=1)
        ways = np.array(pile) - self._centres
        straight = np.zeros(count) if turn is None else np.cos(2 * (np.radians(turn) - np.arctan2(ways[:, 1], ways[:, 0])))
        return np.column_stack([parts / (parts.sum(axis=0) + NO_MOTION_SECONDS), least / (least.sum() + NO_MOTION_SECONDS),
                                straight])

    def odds(self, t: float, turn: float | None, pile: Point) -> PlaceOdds:
        """The probability (N,) of each place to be the one from which a card came that was laid in the middle at ``t`` seconds.
        ``turn``: of its long side, degrees, None: not known."""
        scores = self.signs(t, turn, pile) @ self._weights
        odds = np.exp(scores - scores.max())
        odds = np.maximum(odds / odds.sum(), MIN_PROBABILITY)
        odds /= odds.sum()
        return tuple(sorted(((place, round(float(p), 4)) for place, p in enumerate(odds)), key=lambda pair: -pair[1]))


def middle(points: NDArray[np.float64]) -> Point:
    """The middle of these points (n, 2)."""
    x, y = points.mean(axis=0)
    return float(x), float(y)
