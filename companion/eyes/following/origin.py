"""From which place a card came to the middle: in whose corridor something moved just before, and how the card is turned.

A player who lays a card there reaches out from their own place, and lays it more or less straight before them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.corridors import Corridors
from companion.eyes.sighting import Motion, PlaceOdds, Point

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
    """Follows what moves between the ``centres`` (N, 2) of the places, table coordinates, and the middle. ``weights``: as of
    `WEIGHTS`."""

    def __init__(self, centres: NDArray[np.float64], weights: Weights = WEIGHTS) -> None:
        self._centres = centres
        self._weights = np.array(weights)
        self._corridors = Corridors(centres)

    def step(self, t: float, motion: Motion | None, pile: Point, length: float) -> None:
        """One more look at ``t`` seconds; ``length``: a card's, table coordinates."""
        self._corridors.step(t, motion, pile, length)

    def signs(self, t: float, turn: float | None, pile: Point) -> NDArray[np.float64]:
        """What speaks for each place (N, 5), in the order of `WEIGHTS`; see `odds`."""
        count = len(self._centres)
        parts = np.array([self._corridors.parts((place, count), t - BEFORE_SECONDS, t) for place in range(count)])
        least = parts.min(axis=1)
        ways = np.array(pile) - self._centres
        straight = np.zeros(count) if turn is None else np.cos(2 * (np.radians(turn) - np.arctan2(ways[:, 1], ways[:, 0])))
        return np.column_stack([parts / (parts.sum(axis=0) + NO_MOTION_SECONDS), least / (least.sum() + NO_MOTION_SECONDS),
                                straight])

    def odds(self, t: float, turn: float | None, pile: Point) -> PlaceOdds:
        """How probable each place is for a card that came to lie in the middle at ``t`` seconds, its long side turned by ``turn``
        degrees; None: that is not known."""
        scores = self.signs(t, turn, pile) @ self._weights
        odds = np.exp(scores - scores.max())
        odds = np.maximum(odds / odds.sum(), MIN_PROBABILITY)
        odds /= odds.sum()
        return tuple(sorted(((place, round(float(p), 4)) for place, p in enumerate(odds)), key=lambda pair: -pair[1]))


def middle(points: NDArray[np.float64]) -> Point:
    """The middle of these points (n, 2)."""
    x, y = points.mean(axis=0)
    return float(x), float(y)
