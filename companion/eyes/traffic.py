"""Cards on the move between places: which two neighbours exchanged theirs, who drew from the deck.

Backs look alike and cross under hands, so no card is followed from place to place. Instead a card seen well between two places
counts for that pair, whichever it is; the pair has exchanged when both its places were disturbed about that time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from companion.eyes.places import Places
from companion.eyes.sighting import DeckExchanged, Exchanged, Point, Sighting

QUIET_SECONDS = 0.8
"""Traffic between two places is over when nothing was seen there for this long."""
AROUND_SECONDS = 1.5
"""Disturbances of the places this long before and after the traffic belong to it."""
PATIENCE_SECONDS = 6.0
"""A place that stays bare this long after the traffic is not waited for."""
DECK = -1
"""Stands for the deck among the ends of a way."""

PROBABILITY = {
    # (ends disturbed, looks with a card between them, at most 3) -> probability: round guesses, not fitted yet
    (2, 3): 0.98,
    (2, 2): 0.95,
    (2, 1): 0.75,
    (1, 3): 0.60,
    (1, 2): 0.35,
    (1, 1): 0.10,
}
HIDDEN = 0.5
"""Probability of an exchange when two neighbours' cards were away together, and none was seen on the way under the hands."""
HIDDEN_SECONDS = (0.2, 2.5)
"""An exchange under hands lasts so long; cards taken up to be looked at are away for longer."""


@dataclass(slots=True)
class Way:
    """Traffic between two ends (a place's number, or DECK): from ``start`` to ``last`` seconds; in so many ``looks`` a card
    was seen on the way, in the others both ends were bare."""

    ends: tuple[int, int]
    start: float
    last: float
    looks: int


class Traffic:
    """Watches the wanderers of ``places``; `step` after each of its steps answers with the exchanges that are over."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._ways: dict[tuple[int, int], Way] = {}

    def step(self, t: float) -> tuple[Sighting, ...]:
        for wanderer in self._places.wanderers:
            ends = self._between(wanderer)
            if ends is not None and all(end == DECK or self._lay(end, t) for end in ends):
                self._note(ends, t, 1)
        count = len(self._places.places)
        for a in range(count):
            b = (a + 1) % count
            if a != b and self._is_bare(a, t) and self._is_bare(b, t):
                self._note((min(a, b), max(a, b)), t, 0)
        return tuple(sighting for way in list(self._ways.values()) for sighting in self._finish(way, t))

    def _note(self, ends: tuple[int, int], t: float, looks: int) -> None:
        way = self._ways.setdefault(ends, Way(ends, t, t, 0))
        way.last = t
        way.looks += looks

    def _is_bare(self, number: int, t: float) -> bool:
        """Whether the place's card, which lay there, is away in this look."""
        bare = self._places.places[number].bare
        return bool(bare) and bare[-1] == t

    def forget(self) -> None:
        """The cards have been gathered: what still moves belongs to no exchange."""
        self._ways.clear()

    def _lay(self, number: int, t: float) -> bool:
        """Whether a card lay in the place until now, so that it can be the one on the move."""
        place = self._places.places[number]
        return place.lying or place.disturbed_between(t - AROUND_SECONDS, t)

    def _between(self, wanderer: Point) -> tuple[int, int] | None:
        """The two ends that the card lies most nearly between, if it lies in the middle part of their way."""
        length = self._places.card_length
        ends = dict(enumerate(self._places.centres))
        if self._places.deck is not None:
            ends[DECK] = np.array(self._places.deck)
        best: tuple[float, tuple[int, int]] | None = None
        for a, b in combinations(sorted(ends), 2):
            way = ends[b] - ends[a]
            span = float(np.hypot(*way))
            offset = np.array(wanderer) - ends[a]
            along = float(offset @ way) / span**2
            aside = abs(float(way[0] * offset[1] - way[1] * offset[0])) / span
            middle = (0.15 <= along <= 0.85) if a == DECK else (0.25 <= along <= 0.75)
            if middle and aside <= 0.6 * length and (best is None or aside + 0.3 * span < best[0]):
                best = (aside + 0.3 * span, (a, b))
        return best[1] if best else None

    def _finish(self, way: Way, t: float) -> list[Sighting]:
        if t - way.last < QUIET_SECONDS:
            return []
        players = [end for end in way.ends if end != DECK]
        back = all(self._places.places[end].lying for end in players)
        if not back and t - way.last < PATIENCE_SECONDS:
            return []
        del self._ways[way.ends]
        start, end = way.start - AROUND_SECONDS, way.last + AROUND_SECONDS
        touched = [self._places.places[player] for player in players]
        if DECK in way.ends:  # cards dealt to others pass near the place, too: its own must have been away
            disturbed = 2 * touched[0].bare_between(start, end)
        else:
            disturbed = sum(place.disturbed_between(start, end) for place in touched)
        probability = PROBABILITY.get((disturbed, min(way.looks, 3)), 0.0)
        if not way.looks and HIDDEN_SECONDS[0] <= way.last - way.start <= HIDDEN_SECONDS[1]:
            probability = HIDDEN
        if not back or probability < 0.05:
            return []
        if DECK in way.ends:
            return [DeckExchanged(way.start, way.last, players[0], probability)]
        return [Exchanged(way.start, way.last, way.ends, probability)]
