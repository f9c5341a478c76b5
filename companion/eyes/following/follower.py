"""Follows a table through times in which nothing can be seen; what all watchers of games with cards held in hand share.

`SeeingClock` stops while the table cannot be seen, so that a card which nobody could see meanwhile is not taken to be gone.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any, Protocol

from companion.eyes.change import Mask
from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen, Sighting, TableView, Unseen
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality

# A clock that stops while the table cannot be seen: a card that was not seen meanwhile has not been gone for any time.


MAX_TICK_SECONDS = 0.1
"""Greatest number of seconds of seeing time between the last picture before the table was lost from view and the first one
after."""


class SeeingClock:
    """Converts between the source's time and seeing time, which counts only while the table is in view. Both in seconds."""

    def __init__(self) -> None:
        self._seen = [float("-inf")]
        self._missing = [0.0]
        self._last: float | None = None

    def seeing_time(self, t: float, resumed: bool = False) -> float:
        """The seeing time at ``t`` of the source, which must not decrease. ``resumed``: nothing could be seen since the last
        ``t``."""
        if resumed and self._last is not None:
            tick = min(t - self._last, MAX_TICK_SECONDS)
            self._seen.append(self._last - self._missing[-1] + tick / 2)
            self._missing.append(self._missing[-1] + t - self._last - tick)
        self._last = t
        return t - self._missing[-1]

    def _source_time(self, seen: float) -> float:
        """The source's time at a seeing time."""
        return seen + self._missing[bisect_right(self._seen, seen) - 1]

    def in_source_time(self, sighting: Sighting) -> Sighting:
        """A sighting with the source's times in place of seeing times."""
        found = {name: getattr(sighting, name, None) for name in ("t", "until", "not_before")}
        times: dict[str, Any] = {name: self._source_time(t) for name, t in found.items() if t is not None}
        return replace(sighting, **times)


SETTLED_SECONDS = 0.9
"""Seconds for which the table is looked at, after a time in which nothing could be seen, before how it lies is reported."""


class Eyesight(Protocol):
    """Makes a game's sightings from views of its table."""

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view of the table. ``hidden``: places that cannot be seen in it."""

    def lost(self) -> None:
        """Take in that nothing can be seen for a while."""

    def resumed(self, span: Unseen) -> Sighting:
        """Take in how the table lies after that time."""


class Follower:
    """Follows one table, picture after picture: `companion.eyes.seeing.Watcher`."""

    def __init__(self, eyes: Eyesight) -> None:
        self._clock = SeeingClock()
        self._eyes = eyes
        self._span: Unseen | None = None
        self._resumed: float | None = None

    def lost(self, unseen: Unseen) -> tuple[Sighting, ...]:
        """The sightings about a time in which nothing could be seen, before the first picture after it."""
        if self._span is None:
            self._eyes.lost()
        self._span, self._resumed = unseen, None
        return (unseen,)

    def step(
        self, t: float, cards: tuple[CardSeen, ...], frame_quality: FrameQuality, top: TableMap, moving: Mask | None = None
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table is where ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
        for sighting in frame_quality.sightings:
            if isinstance(sighting, Unseen) and sighting.places is None:
                self.lost(sighting)
        if frame_quality.blind is not None:
            return frame_quality.sightings
        view = view_of(cards, self._clock.seeing_time(t, frame_quality.resumed), top, moving)
        here = tuple(self._clock.in_source_time(found) for found in self._eyes.step(view, frame_quality.hidden))
        return (*frame_quality.sightings, *self._recovered(view.t), *here)

    def _recovered(self, t: float) -> tuple[Sighting, ...]:
        """Take in how the table lies after a time in which nothing could be seen, once it has been looked at for a while."""
        if self._span is None:
            return ()
        self._resumed = t if self._resumed is None else self._resumed
        if t - self._resumed < SETTLED_SECONDS:
            return ()
        span, self._span, self._resumed = self._span, None, None
        return (self._eyes.resumed(span),)
