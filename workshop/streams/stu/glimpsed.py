"""What the eyes report of a choreography of Lu Stù that nobody has filmed."""

from __future__ import annotations

from random import Random

import numpy as np

from companion.games.stu.sight.places import Places
from companion.games.stu.sight.traffic import Traffic
from companion.games.stu.sight.watcher import sightings
from companion.games.stu.sightings import Sighting
from workshop.choreography.timeline import Timeline
from workshop.streams.glimpses import Sight, views


def places_of(timeline: Timeline) -> Places:
    """The players' places of a choreography, before the first look."""
    return Places(np.array([seat.place for seat in timeline.plan.seats]) / 1000)


def glimpsed(timeline: Timeline, sight: Sight, rng: Random) -> tuple[Sighting, ...]:
    """What the eyes report of a choreography, in the order in which it becomes sure."""
    places = places_of(timeline)
    traffic = Traffic(places)
    return tuple(seen for view in views(timeline, sight, rng) for seen in sightings(places, traffic, view))
