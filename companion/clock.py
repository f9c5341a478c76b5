"""How long ago something was, however the machine's clock is put right meanwhile.

A machine without a battery for its clock wakes up in 1970, or when it was last shut down, and is put right once it has a network:
in the middle of an evening, by two days or by fifty years. The time of day says *when*; it must not say how long somebody has
been paired, or that an evening has lasted for years.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable

NIGHT_ENDS_HOURS = 10
"""Hours after midnight until which what happens belongs to the night that began the day before."""


def night_of(at: float) -> datetime.date:
    """The day on which the night of play began that a moment (Unix seconds) belongs to, in this machine's time zone."""
    return (datetime.datetime.fromtimestamp(at) - datetime.timedelta(hours=NIGHT_ENDS_HOURS)).date()


def since_boot() -> float:
    """Seconds since the machine was started, time asleep included. Nobody can set this clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Clock:
    """Measures ages by the machine's clock, allowing for how it was set since this object was made.

    ``wall``: Unix seconds, which may be set. ``steady``: seconds of a clock that nobody sets.
    """

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = since_boot) -> None:
        self._wall, self._steady = wall, steady
        self._offset = wall() - steady()

    def age(self, then: float) -> float:
        """Seconds since ``then`` (Unix seconds), at least: the smaller age of two, by the clock as it is set now and as it was
        set at first. Negative where by both ``then`` is still to come."""
        return min(self._wall(), self._offset + self._steady()) - then


CLOCK = Clock()
"""That of this program, from its start."""
