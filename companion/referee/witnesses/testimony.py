"""What one view of the table tells, look by look, and what each of several could see meanwhile.

Places are numbered by seat, the same in all views: no camera needs to know where the others stand.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from statistics import median

from companion.eyes.sighting import Sighting, Why

GONE_SECONDS = 2.0
"""Seconds without a look after which a view counts as one that sees nothing."""
LOOK_SECONDS = 1.5
"""Seconds between two looks beyond which what lies between them was not seen."""
AWAY_SECONDS = 0.3
"""Seconds without a card in a place after which it is away, and was not just overlooked."""
APART_SECONDS = 0.4
"""Greatest seconds by which a view's times of the same things may differ from the first view's: where they differ by more, its
clock is another, or its film begins at another moment."""
APART_SPREAD_SECONDS = 0.2
"""Greatest seconds from their median for half of those differences: more, and it is people who hide one thing or another."""
APART_TOLD = 5
"""Number of things that both have told of, from which on the difference is known."""
MAX_SPANS = 2000
"""Number of spans that are remembered of a view: some minutes of people who lean in and out, hours of a quiet table."""

Span = tuple[float, float]
"""From when to when, seconds."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """What the ``view`` with this number (from 0) tells with its look at ``t`` seconds of the common clock: the ``sightings``
    that became sure, the places that are ``hidden`` from it, and why nothing at all can be concluded from it (``blind``).
    ``bare``: the places where it finds no card, as one is away, or hidden behind somebody who has sat there all along."""

    view: int
    t: float
    sightings: tuple[Sighting, ...] = ()
    hidden: frozenset[int] = frozenset()
    blind: Why | None = None
    bare: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Seeing:
    """From ``since`` to ``until`` seconds a view saw all places but the ``hidden`` ones."""

    since: float
    until: float
    hidden: frozenset[int]


class Sight:
    """What one view could see. ``t``: its last look, seconds. ``blind``: nothing could be concluded from that. ``over``: none
    will follow. ``places``: those in which it has told of a card in this hand, ``before``: in the one before; from behind a
    player's back none is ever seen there, though nothing is in the way that was not there from the beginning."""

    def __init__(self) -> None:
        self.t = -math.inf
        self.blind = False
        self.over = False
        self.places: set[int] = set()
        self.before: set[int] = set()
        self._bare: dict[int, float] = {}
        self._spans: deque[_Seeing] = deque(maxlen=MAX_SPANS)

    def look(self, testimony: Testimony) -> None:
        """One more look."""
        before, self.t, self.blind = self.t, testimony.t, testimony.blind is not None
        if self.blind:
            return
        self._bare = {place: self._bare.get(place, testimony.t) for place in testimony.bare}
        last = self._spans[-1] if self._spans else None
        joined = last is not None and last.until == before and testimony.t - before <= LOOK_SECONDS
        if last is not None and joined:
            last.until = testimony.t
        if last is None or not joined or last.hidden != testimony.hidden:
            self._spans.append(_Seeing(testimony.t, testimony.t, testimony.hidden))

    def cleared(self) -> None:
        """The hand is over."""
        self.before, self.places = self.places or self.before, set()

    def saw(self, place: int, since: float, until: float) -> bool:
        """Whether this view knows the hand's card in the place, and could see the place the whole time."""
        return place in self.places and not self.missed(place, ((since, until),))

    def away(self, place: int) -> bool:
        """Whether this view finds no card in the place by now, whatever the reason."""
        return self.t - self._bare.get(place, self.t) >= AWAY_SECONDS

    def missed(self, place: int, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """What is left of these spans where it did not see the place."""
        if place not in self.places | self.before:
            return spans
        for seen in self._spans:
            if place not in seen.hidden:
                spans = without(spans, seen.since, seen.until)
        return spans


class Sights:
    """What each of a number of ``views`` could see. ``t``: the latest look of any, seconds."""

    def __init__(self, views: int) -> None:
        self.views = [Sight() for _ in range(views)]
        self.t = -math.inf
        self._later = [deque[float](maxlen=15) for _ in range(views)]

    def look(self, testimony: Testimony) -> None:
        """One more look of a view."""
        self.t = max(self.t, testimony.t)
        self.views[testimony.view].look(testimony)

    def told_both(self, view: int, later: float) -> None:
        """This view has told of the same thing as the first one, with a time that is ``later`` by these seconds."""
        self._later[view].append(later)

    def later(self, view: int) -> float | None:
        """See `Witnesses.later`."""
        told = self._later[view]
        if len(told) < APART_TOLD:
            return None
        middle = median(told)
        spread = median(abs(seconds - middle) for seconds in told)
        return middle if abs(middle) > APART_SECONDS and spread <= APART_SPREAD_SECONDS else None

    def others(self, view: int) -> tuple[int, ...]:
        """The other views that see something now."""
        return tuple(
            number for number, sight in enumerate(self.views)
            if number != view and not sight.over and not sight.blind and self.t - sight.t <= GONE_SECONDS
        )  # fmt: skip

    def saw(self, view: int, places: tuple[int, ...], since: float, until: float) -> bool:
        """Whether this view knows this hand's cards in all these places, and saw them for the whole time; until its last look,
        where that is earlier."""
        sight = self.views[view]
        return all(sight.saw(place, since, min(until, sight.t)) for place in places)

    def away(self, view: int, places: tuple[int, ...]) -> bool:
        """Whether this view still finds no card in one of these places."""
        return any(self.views[view].away(place) for place in places)


def without(spans: tuple[Span, ...], since: float, until: float) -> tuple[Span, ...]:
    """What is left of the spans outside of this one."""
    left = []
    for first, last in spans:
        if until <= first or since >= last:
            left.append((first, last))
            continue
        if first < since:
            left.append((first, since))
        if until < last:
            left.append((until, last))
    return tuple(left)
