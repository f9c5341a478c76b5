"""From which place a card came to the pile: the corridor in which something moved, cards seen on the way, how the card is turned.

Whoever lays a card reaches out from their own place, and lays it more or less straight before them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.eyes.corridors import Corridors, beside_way
from companion.eyes.sighting import Motion, Point
from companion.games.stoppa.sightings import PlaceOdds

BEFORE_SECONDS, AFTER_SECONDS = 1.2, 0.4
"""A hand comes this long before a card lies there, and is still there for so long."""
ON_ITS_WAY = (0.2, 0.85)
"""Shares of the way from a place to the pile within which a card is on its way."""
ASIDE = 0.7
"""Card lengths beside that way."""
STIR_WEIGHT, SEEN_WEIGHT, TURN_WEIGHT = 9.0, 1.2, 1.5
"""How much more likely (natural logarithm) a place is whose corridor held all the motion, for each look at a card on its way, and
for a card that is turned straight towards it."""
MOST_SEEN = 3
"""More looks than this say no more."""
LEAST = 0.002
"""Of no place it is surer than this that the card did not come from there."""


class Origin:
    """Follows what moves between the ``centres`` (N, 2) of the places, table coordinates, and the pile."""

    def __init__(self, centres: NDArray[np.float64]) -> None:
        self._centres = centres
        self._corridors = Corridors(centres)
        self._on_way: deque[tuple[float, int]] = deque(maxlen=400)

    def step(self, t: float, motion: Motion | None, pile: Point, cards: Iterable[Point], length: float) -> None:
        """One more look at ``t`` seconds; ``cards``: the middles of those that lie neither on the pile nor in a place."""
        self._corridors.step(t, motion, pile, length)
        ends = np.tile(np.array(pile), (len(self._centres), 1))
        for card in cards:
            along, aside = beside_way(np.array(card), self._centres, ends)
            near = (along >= ON_ITS_WAY[0]) & (along <= ON_ITS_WAY[1]) & (aside <= ASIDE * length)
            if near.any():
                self._on_way.append((t, int(np.where(near, aside, np.inf).argmin())))

    def odds(self, t: float, turn: float, pile: Point) -> PlaceOdds:
        """How probable each place is for a card that came to lie on the pile at ``t`` seconds, turned by ``turn`` degrees."""
        count = len(self._centres)
        start, end = t - BEFORE_SECONDS, t + AFTER_SECONDS
        stirs = np.array([self._corridors.stir((place, count), start, end) for place in range(count)])
        total = float(stirs.sum())
        seen = np.zeros(count)
        for at, place in self._on_way:
            if start <= at <= end:
                seen[place] += 1
        ways = np.array(pile) - self._centres
        off = np.radians(turn) - np.arctan2(ways[:, 1], ways[:, 0])
        scores = SEEN_WEIGHT * np.minimum(seen, MOST_SEEN) + TURN_WEIGHT * np.cos(2 * off)
        if total > 1e-6:
            scores = scores + STIR_WEIGHT * stirs / total
        odds = np.exp(scores - scores.max())
        odds = np.maximum(odds / odds.sum(), LEAST)
        odds /= odds.sum()
        ranked = sorted(((place, round(float(p), 4)) for place, p in enumerate(odds)), key=lambda pair: -pair[1])
        return tuple(ranked)


def middle(points: NDArray[np.float64]) -> Point:
    """The middle of these points (n, 2)."""
    x, y = points.mean(axis=0)
    return float(x), float(y)
