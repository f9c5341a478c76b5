"""What was seen of one hand, sorted: cards dealt, cards thrown, faces laid open, times in which nothing could be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from companion.eyes.sighting import Unseen
from companion.games.betting.referee import holes
from companion.games.stoper.sightings import Dealt, Shown, Sighting, Thrown

HAND_PLACES = 2
"""Places, at least, before which backs lie when a hand is dealt: before one alone they may be cards that somebody puts down."""

PAUSE_SECONDS = 6.0
"""Seconds between the first cards and those dealt for cards changed, at least: people look at their cards."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Sightings of each kind by time. ``holes``: times (from, to; seconds) in which nothing could be seen, except those after
    which all cards lay as before."""

    dealt: tuple[Dealt, ...] = ()
    thrown: tuple[Thrown, ...] = ()
    faces: tuple[Shown, ...] = ()
    holes: tuple[tuple[float, float], ...] = ()

    def hidden(self, since: float, until: float) -> bool:
        """Whether a part of this time could not be seen."""
        return any(t < until and since < over for t, over in self.holes)

    @property
    def dealt_until(self) -> float:
        """When the last of the first cards was dealt, before anybody threw any, seconds; minus infinity where none were seen."""
        last = -math.inf
        thrown = min((one.t for one in self.thrown if self.dealt and one.t > self.dealt[0].t), default=math.inf)
        for one in self.dealt:
            if one.t > thrown or (last != -math.inf and one.t - last > PAUSE_SECONDS):
                break
            last = max(last, one.until)
        return last


NOTHING_SEEN = Seen()


def seen_of(sightings: Iterable[Sighting]) -> Seen:
    """The sightings of one hand, sorted by their kinds."""
    sightings = tuple(sightings)
    return Seen(
        tuple(one for one in sightings if isinstance(one, Dealt)),
        tuple(one for one in sightings if isinstance(one, Thrown)),
        tuple(one for one in sightings if isinstance(one, Shown)),
        tuple(holes(sightings)),
    )


def of_a_hand(sightings: Iterable[Sighting]) -> bool:
    """Whether backs were dealt to two places among these."""
    return len({one.place for one in sightings if isinstance(one, Dealt)}) >= HAND_PLACES


def replaces(new: Sighting, old: Sighting) -> bool:
    """Whether ``new`` tells more of what ``old`` told."""
    if isinstance(new, Unseen) and isinstance(old, Unseen):
        return new.t == old.t and new.places == old.places
    for kind in (Dealt, Thrown, Shown):
        if isinstance(new, kind) and isinstance(old, kind):
            return bool(new.episode == old.episode)
    return False
