"""The cards found in picture after picture → sightings of Stoppa. Needs no pictures itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.follower import Follower
from companion.eyes.following.italian import CardLength, is_italian
from companion.eyes.following.lying import Look, OpenFaces
from companion.eyes.sighting import TableView, Unseen
from companion.eyes.table import TableMap
from companion.games.stoppa.sight.pile import Pile
from companion.games.stoppa.sight.spots import Spot
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Resumed, Shown, Sighting

# Packets of backs that come to lie before the places, and are taken up again.


LYING_SECONDS, LOOKS = 0.25, 3
"""Seconds, and looks, at least, for which backs are seen before they are taken to lie there."""
BARE_SECONDS = 0.7
"""Seconds without backs at a place after which it is bare."""


@dataclass(slots=True)
class _Place:
    """``seen``: times (seconds) of the looks since the place was last bare; ``lying``: it has been reported."""

    seen: list[float] = field(default_factory=list)
    lying: bool = False


class Backs:
    """Watches the backs before ``places`` places."""

    def __init__(self, places: int) -> None:
        self._places = [_Place() for _ in range(places)]

    def step(self, t: float, found: Collection[int], hidden: Collection[int] = ()) -> tuple[Dealt, ...]:
        """The packets that became sure with this look. ``found``: places before which backs lie in it; ``hidden``: those out of
        sight."""
        dealt = []
        for number, place in enumerate(self._places):
            if number in found:
                place.seen.append(t)
                if not place.lying and len(place.seen) >= LOOKS and t - place.seen[0] >= LYING_SECONDS:
                    place.lying = True
                    dealt.append(Dealt(place.seen[0], number))
            elif place.seen and t - place.seen[-1] > BARE_SECONDS and number not in hidden:
                place.seen, place.lying = [], False
        return tuple(dealt)

    @property
    def lying(self) -> tuple[int, ...]:
        """The places before which backs lie."""
        return tuple(number for number, place in enumerate(self._places) if place.lying)

BEFORE_PLACE = 2.2
"""Card lengths from a place within which a face lies before it: a whole hand laid open is two rows."""
IN_PLACE = 0.75
"""Card lengths from a place within which backs are dealt to it: the pack and the cards held in hand lie further away."""


class Watcher(Follower):
    """Follows one table. ``top``: the table in the first picture; ``before``: sightings of the hand that is already in
    progress."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        episodes = max((seen.episode for seen in before if isinstance(seen, Laid | Shown)), default=0)
        motions = max((seen.motion for seen in before if isinstance(seen, Laid)), default=0)
        super().__init__(Eyesight(top.places, episodes, motions))


class Eyesight:
    """Follows the pile, and what lies before the places with the ``centres`` (N, 2), table coordinates."""

    def __init__(self, centres: NDArray[np.float64], episodes: int = 0, motions: int = 0) -> None:
        self._centres = centres
        self.pile = Pile(centres, episodes, motions)
        self.backs = Backs(len(centres))
        self._open = OpenFaces(len(centres), count(episodes + 1).__next__)
        self._length = CardLength(centres)
        self._top: Spot | None = None

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view of the table. ``hidden``: places out of sight in it."""
        ours = [at for at, card in enumerate(view.cards) if is_italian(card)]
        length = self._length.step(view.lengths[at] for at in ours)
        piled: list[Look] = []
        before: list[list[Look]] = [[] for _ in self._centres]
        dealt: set[int] = set()
        anything = False
        for at in ours:
            card, where = view.cards[at], view.centres[at]
            far = np.linalg.norm(self._centres - np.array(where), axis=1)
            nearest = int(far.argmin())
            face = card.side == "face" and bool(card.alternatives)
            known = card.deck != "unknown"  # half of two cards, as they are gathered, looks like a stranger's
            if self.pile.holds(where, length):
                anything = True
                if face:
                    piled.append(Look(view.t, card, where, view.turns[at]))
            elif face and known and far[nearest] <= BEFORE_PLACE * length and self._length.is_whole(view.lengths[at]):
                before[nearest].append(Look(view.t, card, where, view.turns[at]))
            elif not face and far[nearest] <= IN_PLACE * length:
                dealt.add(nearest)
        self.pile.origin.step(view.t, view.motion, self.pile.at, length)
        found: list[Sighting] = list(self.pile.step(view.t, piled, anything, view.motion, length))
        packets = self.backs.step(view.t, dealt, hidden)
        if not self.pile.lies:
            found += packets
        for place, looks in enumerate(before):
            found += self._open.step(place, looks, view.t, length, hidden=place in hidden)
        if any(isinstance(one, Cleared) for one in found):
            self._open.clear()
        return tuple(found)

    def lost(self) -> None:
        """Nothing can be seen for a while."""
        self._top = self.pile.top
        self.pile.lost()

    def resumed(self, span: Unseen) -> Resumed:
        """How the table lies after that time."""
        pile, top, length = self.pile, self._top, self._length.now
        known = top is not None and top is pile.top and pile.shows(top, length)
        other = () if known else pile.covered(length)
        same = True if known else False if other else None
        return Resumed(span.t, span.until, pile.lies, same, other, self.backs.lying, self._open.places)
