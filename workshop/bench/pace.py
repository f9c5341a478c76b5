"""Which pictures a machine of two cores has time for, and when it is done with each: on a clock that only its own work moves.

One core looks at pictures, the other one decodes them and works out rulings. The clock is processor time: other work on the
machine that measures makes a look dearer, by a half where much of it shares cores and caches, but not several times longer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion.eyes.source import Picture, opened_file, taken
from companion.line.defaults import LOOKS_PER_SECOND


class Core:
    """A core of that machine, which does one thing after another. ``clock``: seconds of work; ``free``: when it is done with all
    that it was given, ``spent``: how long it has worked, seconds."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._since = self._began = 0.0
        self.free, self.spent = -math.inf, 0.0

    def begin(self, t: float) -> None:
        """Begin with what is there at ``t`` seconds, or once the core is free."""
        self._since, self._began = max(t, self.free), self._clock()

    @property
    def worked(self) -> float:
        """Seconds for which it has worked on what it began last."""
        return self._clock() - self._began

    @property
    def now(self) -> float:
        """When this is, seconds, while it works."""
        return self._since + self.worked

    def end(self) -> None:
        """The work is done."""
        worked = self.worked
        self.spent += worked
        self.free = self._since + worked


class Pace:
    """Gives the pictures that there is time for. ``core``: looks at them; ``given``, ``left_out``: how many so far."""

    def __init__(self, core: Core | None = None) -> None:
        self.core = core or Core()
        self.given = self.left_out = 0

    def pictures(self, source: Iterable[Picture]) -> Iterator[Picture]:
        """The newest picture of ``source`` each time, as a camera gives it. What is done until the next one is taken is work."""
        newest: Picture | None = None
        for picture in source:
            if newest is not None and picture.t > self.core.free:
                yield from self._look(newest)
                newest = None
            self.left_out += newest is not None
            newest = picture
        if newest is not None:
            yield from self._look(newest)

    def _look(self, picture: Picture) -> Iterator[Picture]:
        self.given += 1
        self.core.begin(picture.t)
        yield picture
        self.core.end()


def decoded(clip: Path) -> Iterator[Picture]:
    """A clip's pictures as they are watched, each decoded when it is asked for: by no thread whose work would count."""
    capture = opened_file(clip)
    try:
        yield from taken(capture, LOOKS_PER_SECOND, 0.0)
    finally:
        capture.release()
