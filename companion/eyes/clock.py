"""A clock that stands still while the table cannot be seen: a card that was not seen meanwhile has not been gone for any time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any

from companion.eyes.sighting import Sighting

TICK = 0.1
"""Seconds that pass from the last picture before the table was lost from sight to the first one after, at most."""


class SeeingClock:
    """Tells, for times of the source (seconds, not falling), how long the table has been seen until then, and back."""

    def __init__(self) -> None:
        self._seen = [float("-inf")]
        self._missing = [0.0]
        self._last: float | None = None

    def seen(self, t: float, resumed: bool = False) -> float:
        """The seeing time at ``t``. ``resumed``: nothing has been seen since the time that was asked for last."""
        if resumed and self._last is not None:
            tick = min(t - self._last, TICK)
            self._seen.append(self._last - self._missing[-1] + tick / 2)
            self._missing.append(self._missing[-1] + t - self._last - tick)
        self._last = t
        return t - self._missing[-1]

    def _real(self, seen: float) -> float:
        """The source's time at a seeing time."""
        return seen + self._missing[bisect_right(self._seen, seen) - 1]

    def told(self, sighting: Sighting) -> Sighting:
        """A sighting that was made by this clock, with the source's times."""
        found = {name: getattr(sighting, name, None) for name in ("t", "until", "not_before")}
        times: dict[str, Any] = {name: self._real(t) for name, t in found.items() if t is not None}
        return replace(sighting, **times)
