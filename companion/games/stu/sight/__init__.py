"""The cards found in picture after picture → sightings, by places, traffic and pedine together. Needs no pictures itself."""

from __future__ import annotations

from companion.eyes.following.follower import Follower
from companion.eyes.sighting import TableView, Unseen
from companion.eyes.table import TableMap
from companion.games.stu.sight.pedine import Pedine
from companion.games.stu.sight.places import Places
from companion.games.stu.sight.recovery import Recovery
from companion.games.stu.sight.traffic import Traffic
from companion.games.stu.sightings import Cleared, Resumed, Shown, Sighting


class Watcher(Follower):
    """Follows one table. ``top``: the table in the first picture; ``before``: sightings of the hand that is already in
    progress."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        self._table = Eyesight(top, before)
        super().__init__(self._table)

    def lost(self, unseen: Unseen) -> tuple[Sighting, ...]:
        """The sightings about a time in which nothing could be seen, before the first picture after it. Faces are forgotten each
        time, how the table lay is kept of the first time."""
        found = super().lost(unseen)
        self._table.recovery.unseen()
        return found


class Eyesight:
    """Follows what lies in the places, what is exchanged, and pedine."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...]) -> None:
        shown = [sighting.episode for sighting in before if isinstance(sighting, Shown)]
        self._places = Places(top.places, episodes=max(shown, default=0), faces_shown=bool(shown))
        self._traffic = Traffic(self._places)
        self._pedine = Pedine(top.places)
        self.recovery = Recovery(self._places, before)

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view of the table. ``hidden``: places out of sight in it."""
        found = sightings(self._places, self._traffic, view, hidden)
        own = [place.rest for place in self._places.places]
        counted = self._pedine.step(view, hidden, self._places.card_length, own, self._places.deck)
        self.recovery.step(view.t)
        return (*found, *counted)

    def lost(self) -> None:
        """Nothing can be seen for a while."""
        self.recovery.lost()

    def resumed(self, span: Unseen) -> Resumed:
        """How the table lies after that time."""
        return self.recovery.resumed(span)


def sightings(
    places: Places, traffic: Traffic, view: TableView, hidden: frozenset[int] = frozenset()
) -> tuple[Sighting, ...]:
    """The sightings that became sure with one more view of the table, in that order. ``hidden``: places out of sight in it."""
    found = places.step(view, hidden)
    if any(isinstance(sighting, Cleared) for sighting in found):
        traffic.forget()
    return (*found, *traffic.step(view.t, view.motion))
