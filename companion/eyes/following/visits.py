"""Hands over the pile: when one came and went, by what moves there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Motion, Point

NEAR = 1.0
"""Card lengths from the pile's middle within which motion is over the pile."""
STIR = 0.1
"""Share of what is over the pile that moves while a hand is there."""
BRUSH = 0.03
"""The same of a hand that only reaches the pile's edge: it may be another one's, on its way to their cards."""
PAUSE_SECONDS = 0.2
"""A hand that rests for less than this is still there."""
LOOKS_APART = 1.6
"""Looks further apart than this many of the source's are not one after the other."""
LONGEST_STEP = 0.25
"""Most seconds between two looks for which what differs is taken to have moved all the time."""
PASSING = 0.035
"""Seconds for which all over the pile would have moved: less was a hand's edge or its shadow, and put nothing down. In two filmed
clips each of 78 hands that put cards down stirred 0.12 or more, and nothing else that went on at the pile more than 0.02."""
FAR = 2.5
"""Card lengths from the pile's middle beyond which motion is elsewhere on the table."""
SHAKEN = 0.15
"""Where so much moves elsewhere it is the picture that has changed: a key frame of a compressed video, the light, the focus. In
two filmed clips with a key frame every two to four seconds 0.17 to 0.39 did in these, and half of what is over the pile or more,
for one look each; while hands were over it 0.02 to 0.13 did."""
KEPT = 20


@dataclass(slots=True)
class Visit:
    """Something moved over the pile from ``start`` to ``end`` seconds; ``stirred``: for how long all of it would have, besides
    what moved in all the picture. ``looks``: in so many; ``shaken``: in so many of these the whole picture had changed."""

    start: float
    end: float
    stirred: float = 0.0
    looks: int = 0
    shaken: int = 0

    @property
    def of_a_hand(self) -> bool:
        """Whether it was a hand that may have put something down: no mere edge or shadow of one, and no change of the picture."""
        if self.looks > self.shaken:
            return self.stirred >= PASSING
        return self.looks > 1 and self.stirred >= 2 * PASSING


class Visits:
    """Follows the hands over one pile."""

    def __init__(self) -> None:
        self._visits: deque[Visit] = deque(maxlen=KEPT)
        self._brushes: deque[Visit] = deque(maxlen=KEPT)
        self._last: float | None = None

    def step(self, t: float, motion: Motion | None, middle: Point, length: float) -> bool:
        """One more look at ``t`` seconds: whether something moves. ``middle``: of the pile; ``length``: a card's (both table
        coordinates)."""
        gap, self._last = (LONGEST_STEP if self._last is None else t - self._last), t
        if motion is None or length <= 0:
            return False
        away = np.hypot(*(motion.ground - np.array(middle)).T)
        share, elsewhere = _share(motion, away <= NEAR * length), _share(motion, away > FAR * length)
        shaken = elsewhere >= SHAKEN
        if share >= BRUSH and not shaken:
            _goes_on(self._brushes, t, gap)
        if share < STIR:
            return False
        visit = _goes_on(self._visits, t, gap)
        visit.stirred += max(share - shaken * elsewhere, 0.0) * min(gap, LONGEST_STEP)
        visit.looks += 1
        visit.shaken += shaken
        return True

    @property
    def latest(self) -> Visit | None:
        """The latest visit in which something can have been put down."""
        return next((visit for visit in reversed(self._visits) if visit.of_a_hand), None)

    def brush(self, since: float) -> Visit | None:
        """The latest time for which a hand was at least at the pile's edge, if it came after ``since`` seconds."""
        return self._brushes[-1] if self._brushes and self._brushes[-1].start > since else None


def _goes_on(visits: deque[Visit], t: float, gap: float) -> Visit:
    """The visit that is there at ``t`` seconds: the last one, or a new one."""
    if not visits or t - visits[-1].end > max(PAUSE_SECONDS, LOOKS_APART * min(gap, 1.0)):
        visits.append(Visit(t, t))
    visits[-1].end = t
    return visits[-1]


def _share(motion: Motion, cells: NDArray[np.bool_]) -> float:
    """The share of these cells in which something moves; 0 where there are none."""
    return float(motion.moving[cells].mean()) if cells.any() else 0.0
