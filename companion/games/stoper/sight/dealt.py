"""Backs that come to lie before a place, one at a time or two at once, and are taken up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.eyes.following.visits import Visit
from companion.eyes.sighting import Motion, Point
from companion.games.stoper.sight import counting
from companion.games.stoper.sight.spots import Back, Settled, Spots
from companion.games.stoper.sightings import Dealt

LOOKS, SECONDS = 3, 0.18
"""A first back lies there once so many looks have found it in one spot, over so much time: it is taken up in a moment, and
something moves about it all the while."""
BARE_SECONDS = 0.7
"""A place before which no backs were seen for so long is bare."""


class DealtBacks:
    """Watches the place number ``place`` at ``at``, table coordinates. ``number``: gives each episode its number."""

    def __init__(self, place: int, at: Point, number: Callable[[], int]) -> None:
        self._place, self._at, self._number = place, at, number
        self._settled = Settled()
        self._first = Spots()
        self._came: list[tuple[Visit | None, int]] = []
        """With which motion how many cards came, of those that lie there."""
        self._last: float | None = None
        self._told: Dealt | None = None

    @property
    def lie(self) -> bool:
        """Whether backs lie there."""
        return self._told is not None

    def step(
        self, found: Sequence[Back], t: float, motion: Motion | None, length: float, *, hidden: bool
    ) -> tuple[Dealt, ...]:  # fmt: skip
        """What became sure with a look at ``t`` seconds that ``found`` these backs before the place. ``hidden``: it is out of
        sight in it."""
        still = self._settled.step(t, found, motion, self._at, length)
        if found:
            self._last = t
            self._first.add(t, found, length)
        elif self._last is not None and t - self._last > BARE_SECONDS and not hidden:
            self._settled.clear()
            self._first, self._came, self._last, self._told = Spots(), [], None, None
        new = self._settled.new(length) if still else []
        if not new and self._told is None:
            new = [spot for spot in self._first.spots if spot.looks >= LOOKS and spot.last - spot.since >= SECONDS][:1]
        if not new:
            return ()
        visit = self._settled.latest
        if not self._came or self._came[-1][0] is not visit:
            self._came.append((visit, 0))
        self._came[-1] = visit, max(self._came[-1][1], len(new))
        counts = counting.came(sum(count for _, count in self._came))
        if self._told is not None and self._told.counts == counts:
            return ()
        since = min(spot.since for spot in new)
        start, episode = (self._told.t, self._told.episode) if self._told is not None else (since, self._number())
        self._told = Dealt(start, episode, self._place, counts, since)
        return (self._told,)
