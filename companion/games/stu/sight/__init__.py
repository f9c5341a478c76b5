"""The cards found in picture after picture → sightings, by places, traffic and pedine together. Needs no pictures itself."""

from __future__ import annotations

from companion.eyes.change import Mask
from companion.eyes.following.follower import SeeingClock
from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen, TableView, Unseen
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality
from companion.games.stu.sight.pedine import Pedine
from companion.games.stu.sight.places import Places
from companion.games.stu.sight.recovery import Recovery
from companion.games.stu.sight.traffic import Traffic
from companion.games.stu.sightings import Cleared, PedineSeen, Shown, Sighting


class Watcher:
    """Follows one table. ``top``: the table in the first picture; ``before``: sightings of the hand that is already in
    progress."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        shown = [sighting.episode for sighting in before if isinstance(sighting, Shown)]
        self._clock = SeeingClock()
        self._places = Places(top.places, episodes=max(shown, default=0), faces_shown=bool(shown))
        self._traffic = Traffic(self._places)
        self._pedine = Pedine(top.places)
        self._recovery = Recovery(self._places, before)

    def lost(self, unseen: Unseen) -> tuple[Sighting, ...]:
        """What is to be reported about a time in which nothing could be seen, before the first picture after it."""
        self._recovery.lost(unseen)
        return (unseen,)

    def step(
        self, t: float, cards: tuple[CardSeen, ...], frame_quality: FrameQuality, top: TableMap, moving: Mask | None = None
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table is where ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
        for sighting in frame_quality.sightings:
            if isinstance(sighting, Unseen) and sighting.places is None:
                self._recovery.lost(sighting)
        if frame_quality.blind is not None:
            return frame_quality.sightings
        view = view_of(cards, self._clock.seeing_time(t, frame_quality.resumed), top, moving)
        found = (*sightings(self._places, self._traffic, view, frame_quality.hidden), *self._counted(view, frame_quality.hidden))
        here = (self._clock.in_source_time(sighting) for sighting in found)
        return (*frame_quality.sightings, *self._recovery.step(view.t), *here)

    def _counted(self, view: TableView, hidden: frozenset[int]) -> tuple[PedineSeen, ...]:
        own = [place.rest for place in self._places.places]
        return self._pedine.step(view, hidden, self._places.card_length, own, self._places.deck)


def sightings(
    places: Places, traffic: Traffic, view: TableView, hidden: frozenset[int] = frozenset()
) -> tuple[Sighting, ...]:
    """The sightings that became sure with one more view of the table, in that order. ``hidden``: places out of sight in it."""
    found = places.step(view, hidden)
    if any(isinstance(sighting, Cleared) for sighting in found):
        traffic.forget()
    return (*found, *traffic.step(view.t, view.motion))
