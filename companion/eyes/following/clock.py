"""A clock that stops while the table cannot be seen: a card that was not seen meanwhile has not been gone for any time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any

from companion.eyes.sighting import Sighting

MAX_TICK_SECONDS = 0.1
"""Greatest number of seconds of seeing time between the last picture before the table was lost from view and the first one
after."""


class SeeingClock:
    """Converts between times of the source and seeing time: for how long the table has been in view until then. Both in
    seconds."""

    def __init__(self) -> None:
        self._seen = [float("-inf")]
        self._missing = [0.0]
        self._last: float | None = None

    def seeing_time(self, t: float, resumed: bool = False) -> float:
        """The seeing time at ``t``, which must not decrease. ``resumed``: nothing has been seen since the ``t`` before."""
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
        """A sighting with seeing times, with the source's times in their place."""
        found = {name: getattr(sighting, name, None) for name in ("t", "until", "not_before")}
        times: dict[str, Any] = {name: self._source_time(t) for name, t in found.items() if t is not None}
        return replace(sighting, **times)
