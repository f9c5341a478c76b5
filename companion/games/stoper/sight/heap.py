"""The cards in the middle: each hand that comes and goes may put some there, face down, and nobody takes any back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.corridors import Origin, Weights, middle
from companion.eyes.following.visits import Visit
from companion.eyes.sighting import Motion, Point
from companion.games.stoper.sight.spots import Back, Settled, Spot
from companion.games.stoper.sightings import Cleared, CountOdds, Thrown

# How many cards went or came, from how many backs were found: cards lie on one another, and some of them are not seen.
#
# The shares are rounded from 163 throws and 60 packets of simulated eyes (`workshop.streams.glimpses`, easy): when three cards
# were thrown on others, hardly ever more than the one on top was found, so such a throw says nothing of their number. Of 27
# single cards in three filmed clips three were found as two: a card of the heap lies a little differently afterwards.


_CAME: tuple[CountOdds, ...] = (
    ((1, 0.8), (2, 0.17), (3, 0.03)), ((2, 0.6), (3, 0.34), (1, 0.06)), ((3, 0.9), (2, 0.07), (1, 0.03)),
)  # fmt: skip
_THROWN: tuple[CountOdds, ...] = ((), ((2, 0.46), (3, 0.42), (1, 0.12)), ((3, 0.9), (2, 0.08), (1, 0.02)))
_ALONE: CountOdds = ((1, 0.8), (2, 0.12), (3, 0.08))
_WITH_OTHERS: CountOdds = ((3, 0.55), (2, 0.38), (1, 0.07))
MIN_SEVERAL_BACKS = 1.2
"""Backs found in a look, on average, from which on more than one card lies there."""


def came(found: int) -> CountOdds:
    """The numbers of cards that were dealt to a place, with their probabilities. ``found``: backs that came, as far as could be
    seen; at least 1."""
    return _CAME[min(found, len(_CAME)) - 1]


def thrown(found: int, alone: float | None) -> CountOdds:
    """The numbers of cards that were thrown, with their probabilities. ``found``: new backs that lie on top, at least 1.
    ``alone``: how many backs a look finds there on average, where none lay before; None where others did."""
    if found == 1 and alone is not None:
        return _WITH_OTHERS if alone >= MIN_SEVERAL_BACKS else _ALONE
    return _THROWN[min(found, len(_THROWN)) - 1]

MIDDLE_LENGTHS = 1.7
"""Card lengths from the table's middle within which cards are in the middle."""
WEIGHTS: Weights = (0.4, 1.3, 1.6, 0.3, 0.65)
"""As of `companion.eyes.following.corridors.WEIGHTS`: hands come from the right of their owner, often between two places. Fitted
on 163 throws of simulated eyes (`workshop.streams.glimpses`): 87 % came from the likeliest place, all 31 of those for which it
was 0.95 likely, 92 % of the 98 for which it was 0.8 to 0.95."""
CLEARED_SECONDS = 1.5
"""Seconds without a card on the table after which it has been cleared."""


class Heap:
    """Follows the middle of a table with places at ``centres`` (N, 2), table coordinates. ``number``: gives each episode its
    number."""

    def __init__(self, centres: NDArray[np.float64], number: Callable[[], int]) -> None:
        self._at = self._middle = middle(centres)
        self._origin = Origin(centres, WEIGHTS)
        self._settled = Settled()
        self._number = number
        self._told: tuple[Visit, Thrown] | None = None
        self._unseen: Visit | None = None
        self._lain = False
        self._seen: float | None = None

    @property
    def lies(self) -> bool:
        """Whether cards have been put here, and have not been gathered."""
        return self._lain

    def holds(self, at: Point, length: float) -> bool:
        """Whether a card there is in the middle."""
        return math.dist(at, self._middle) <= MIDDLE_LENGTHS * length

    def spots(self, length: float) -> list[Spot]:
        """Where cards lie on top."""
        return self._settled.firm(length)

    def lost(self) -> None:
        """Nothing can be seen for a while: what lies here afterwards has been put down unseen, and is not reported."""
        self._settled.turn()
        self._unseen = self._settled.visit

    def step(
        self, t: float, found: Sequence[Back], anything: bool, motion: Motion | None, length: float
    ) -> tuple[Thrown | Cleared, ...]:
        """What became sure with a look at ``t`` seconds that ``found`` these backs in the middle. ``anything``: any card was
        found there or before a place."""
        self._origin.step(t, motion, self._at, length)
        if not self._settled.step(t, found, motion, self._at, length):
            return ()
        if self._is_bare(t, anything):
            return (Cleared(t - CLEARED_SECONDS),)
        visit = self._settled.visit
        return () if visit is None or visit is self._unseen else self._put(visit, length)

    def _put(self, visit: Visit, length: float) -> tuple[Thrown, ...]:
        """The cards that this visit has put down, where more is known of them than was reported."""
        if not (new := self._settled.new(length)):
            return ()
        counts = thrown(len(new), self._settled.alone(new[-1].back.at, length))
        if self._told is not None and self._told[0] is visit:
            told = self._told[1]
            if not counts or (told.counts and counts[0][0] <= told.counts[0][0]):
                return ()  # a hand that comes to rest hides some of them
            told = replace(told, counts=counts)
        else:
            self._lain = True
            places = self._origin.odds((visit.start + visit.end) / 2, new[-1].back.turn, self._at)
            self._at = middle(np.array([spot.back.at for spot in new]))
            told = Thrown((visit.start + visit.end) / 2, self._number(), places, counts)
        self._told = visit, told
        return (told,)

    def _is_bare(self, t: float, anything: bool) -> bool:
        """Whether the table has been cleared; then everything here starts again."""
        if anything or self._seen is None:
            self._seen = t
        if not self._lain or t - self._seen < CLEARED_SECONDS:
            return False
        self._lain, self._at, self._told = False, self._middle, None
        self._settled.clear()
        return True
