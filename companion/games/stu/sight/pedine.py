"""Counts the pedine before each player, the rummy cards beside a place, by a vote over several seconds.

They lie side by side or fanned, often nearer to the neighbour's place than to the player's own. So those that touch are taken
together as a row, and the whole row belongs to the place that is nearest to one of its ends.
"""

from __future__ import annotations

import math
from collections import Counter, deque

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Point, TableView
from companion.games.stu.sightings import PedineSeen

VOTE_SECONDS = 6.0
"""Seconds of looks that vote: hands and glare hide pedine for moments, so the count is the one that most of the looks agree
on."""
VOTE_LOOKS = 8
"""Least number of looks for a vote."""
AGREED = 0.6
"""Share of the looks that must agree on a count."""
TOUCHING = 0.8
"""Centres nearer to each other than this many card lengths belong to one row: side by side they are two thirds of a length
apart."""
REACH = 1.7
"""Card lengths from its place within which a row begins."""


class Pedine:
    """Counts the pedine of one table. ``centres``: (N, 2) table coordinates of the places.

    `step` takes the views in order of time and returns the counts that have just become sure or have changed.
    """

    def __init__(self, centres: NDArray[np.float64]) -> None:
        self._centres = centres
        self._votes: list[deque[tuple[float, int]]] = [deque() for _ in centres]
        self._reported: list[int | None] = [None] * len(centres)

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[PedineSeen, ...]:
        """The counts that became sure with this view. ``hidden``: places that could not be seen in it, which do not vote."""
        counts = self.counted(view)
        found = []
        for place, votes in enumerate(self._votes):
            if place in hidden:
                continue
            votes.append((view.t, counts[place]))
            while votes[0][0] < view.t - VOTE_SECONDS:
                votes.popleft()
            elected = self._elected(place)
            if elected is not None:
                found.append(elected)
        return tuple(found)

    def counted(self, view: TableView) -> list[int]:
        """How many pedine lie before each place in this one view."""
        cards = [i for i, card in enumerate(view.cards) if card.deck == "ramino" and card.side != "stack"]
        counts = [0] * len(self._centres)
        if not cards:
            return counts
        length = float(np.median([view.lengths[i] for i in cards]))
        for row in rows([view.centres[i] for i in cards], TOUCHING * length):
            distances = np.linalg.norm(self._centres[:, None] - np.array(row)[None], axis=2).min(axis=1)
            nearest = int(distances.argmin())
            if distances[nearest] <= REACH * length:
                counts[nearest] += len(row)
        return counts

    def _elected(self, place: int) -> PedineSeen | None:
        votes = self._votes[place]
        if len(votes) < VOTE_LOOKS or votes[-1][0] - votes[0][0] < VOTE_SECONDS / 2:
            return None
        ((count, agreed),) = Counter(count for _, count in votes).most_common(1)
        if agreed < AGREED * len(votes) or count == self._reported[place]:
            return None
        self._reported[place] = count
        since = next(t for t, voted in votes if voted == count)
        return PedineSeen(since, place, count, round((agreed + 1) / (len(votes) + 2), 2))


def rows(points: list[Point], gap: float) -> list[list[Point]]:
    """The points in groups, in each of which every point is nearer than ``gap`` to another one."""
    left, found = list(points), []
    while left:
        row = [left.pop()]
        for point in row:  # the row grows during the loop
            near = [other for other in left if math.dist(point, other) < gap]
            row += near
            left = [other for other in left if other not in near]
        found.append(row)
    return found
