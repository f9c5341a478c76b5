"""The cards found in picture after picture → sightings of Stoper. Needs no pictures itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.follower import Follower
from companion.eyes.following.italian import CardLength, is_italian
from companion.eyes.following.lying import Look, OpenFaces
from companion.eyes.following.visits import Visit
from companion.eyes.sighting import CardSeen, Motion, Point, TableView, Unseen
from companion.eyes.table import TableMap
from companion.games.stoper.sight import heap
from companion.games.stoper.sight.heap import Heap
from companion.games.stoper.sight.spots import Back, Settled, Spot, Spots, new_among
from companion.games.stoper.sightings import Cleared, Dealt, Resumed, Shown, Sighting, Thrown

# Backs that come to lie before a place, one at a time or two at once, and are taken up again.


LOOKS, SECONDS = 3, 0.18
"""Looks in which a first back is found in one spot, and the seconds between them, each at least, before it lies there. Both are
small: it is taken up in a moment, and something moves around it all the while."""
BARE_SECONDS = 0.7
"""Seconds without a back before a place after which it is bare."""


class DealtBacks:
    """Watches the place number ``place`` at ``at``, table coordinates. ``number``: gives each episode its number."""

    def __init__(self, place: int, at: Point, number: Callable[[], int]) -> None:
        self._place, self._at, self._number = place, at, number
        self._settled = Settled()
        self._first = Spots()
        self._came: list[tuple[Visit | None, int]] = []
        """The cards that lie there, as (the motion with which they came, how many)."""
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
        counts = heap.came(sum(count for _, count in self._came))
        if self._told is not None and self._told.counts == counts:
            return ()
        since = min(spot.since for spot in new)
        start, episode = (self._told.t, self._told.episode) if self._told is not None else (since, self._number())
        self._told = Dealt(start, episode, self._place, counts, since)
        return (self._told,)

BEFORE_PLACE = 1.6
"""Card lengths from a place within which a face lies before it: a fan of three, and discards beside it."""
IN_PLACE = 0.75
"""Card lengths from a place within which backs are dealt to it: the pack and the cards held in hand lie further away."""


class Watcher(Follower):
    """Follows one table. ``top``: the table in the first picture; ``before``: sightings of the hand that is already in
    progress."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        episodes = max((seen.episode for seen in before if isinstance(seen, Dealt | Shown | Thrown)), default=0)
        super().__init__(Eyesight(top.places, episodes))


class Eyesight:
    """Follows the middle, and what lies before the places with the ``centres`` (N, 2), table coordinates. ``episodes``: how many
    were reported before."""

    def __init__(self, centres: NDArray[np.float64], episodes: int = 0) -> None:
        self._centres = centres
        number = count(episodes + 1).__next__
        self.heap = Heap(centres, number)
        self.backs = [DealtBacks(place, (float(x), float(y)), number) for place, (x, y) in enumerate(centres)]
        self._open = OpenFaces(len(centres), number)
        self._length = CardLength(centres)
        self._lay: tuple[list[Spot], tuple[int, ...], tuple[int, ...]] = ([], (), ())
        """How the table lay when it was lost from view: spots in the middle, places with backs, places with faces."""

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view of the table. ``hidden``: places out of sight in it."""
        ours = [at for at, card in enumerate(view.cards) if is_italian(card) and self._lies_loose(card, view.centres[at])]
        length = self._length.step(view.lengths[at] for at in ours)
        thrown: list[Back] = []
        faces: list[list[Look]] = [[] for _ in self._centres]
        backs: list[list[Back]] = [[] for _ in self._centres]
        # a back that others cover by half is often taken for one of another deck: it is not counted, but the table is not bare
        anything = any(card.side == "back" and self.heap.holds(view.centres[at], length) for at, card in enumerate(view.cards))
        for at in ours:
            card, where = view.cards[at], view.centres[at]
            far = np.linalg.norm(self._centres - np.array(where), axis=1)
            place = int(far.argmin())
            face = card.side == "face" and bool(card.alternatives)
            whole = self._length.is_whole(view.lengths[at])
            if self.heap.holds(where, length):
                anything = True
                if not face and whole:
                    thrown.append(Back(where, view.turns[at]))
            elif face and far[place] <= BEFORE_PLACE * length:
                anything = True
                if whole:
                    faces[place].append(Look(view.t, card, where, view.turns[at]))
            elif not face and far[place] <= IN_PLACE * length:
                anything = True
                if whole:
                    backs[place].append(Back(where, view.turns[at]))
        found: list[Sighting] = list(self.heap.step(view.t, thrown, anything, view.motion, length))
        for place in range(len(self._centres)):
            found += self.backs[place].step(backs[place], view.t, view.motion, length, hidden=place in hidden)
            found += self._open.step(place, faces[place], view.t, length, hidden=place in hidden)
        if any(isinstance(one, Cleared) for one in found):
            self._open.clear()
        return tuple(found)

    def _lies_loose(self, card: CardSeen, at: Point) -> bool:
        """Whether the card is not part of the pack. The pack is never in the middle: what looks raised there is a card that lies
        on others."""
        return card.side != "stack" or self.heap.holds(at, self._length.now)

    def lost(self) -> None:
        """Nothing can be seen for a while."""
        self._lay = self.heap.spots(self._length.now), self._with_backs, self._open.places
        self.heap.lost()

    def resumed(self, span: Unseen) -> Resumed:
        """How the table lies after that time."""
        spots, backs, faces = self._lay
        now, length = self.heap.spots(self._length.now), self._length.now
        moved = new_among(now, spots, length) or new_among(spots, now, length)
        same = not moved and (backs, faces) == (self._with_backs, self._open.places)
        return Resumed(span.t, span.until, same, self.heap.lies or bool(now), self._with_backs, self._open.places)

    @property
    def _with_backs(self) -> tuple[int, ...]:
        """The places before which backs lie."""
        return tuple(place for place, backs in enumerate(self.backs) if backs.lie)
