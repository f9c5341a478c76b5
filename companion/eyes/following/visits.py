"""When hands came to the pile and went, judged by what moves there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Motion, Point

PILE_LENGTHS = 1.0
"""Card lengths from the pile's middle within which motion is over the pile."""
MIN_MOVING_SHARE = 0.1
"""Least share of the cells over the pile that move while a hand is there."""
MIN_BRUSH_SHARE = 0.03
"""Least share of those cells that move while a hand reaches only the pile's edge: it may be on its way to other cards."""
PAUSE_SECONDS = 0.2
"""Seconds without motion up to which a hand counts as resting there."""
MAX_LOOKS_APART = 1.6
"""Looks further apart than this many intervals of the source's pictures do not follow one another."""
MAX_STEP_SECONDS = 0.25
"""Greatest number of seconds that count as motion where two looks differ."""
PASSING_SECONDS = 0.035
"""Least motion of a hand that may have put something down: the seconds for which the whole pile would have moved. Less is the
edge or the shadow of a hand. In two filmed clips each of 78 hands that put cards down reached 0.12, and nothing else more than
0.02."""
ELSEWHERE_LENGTHS = 2.5
"""Card lengths from the pile's middle beyond which motion is elsewhere on the table."""
SHAKEN_SHARE = 0.15
"""Share of the cells away from the pile that move, from which on the whole picture has changed: by a key frame of a compressed
video, the light, or the focus. In two filmed clips it was 0.17 to 0.39 at each key frame, for one look, and 0.02 to 0.13 while
hands were over the pile."""
MAX_VISITS = 20


@dataclass(slots=True)
class Visit:
    """Motion over the pile from ``start`` to ``end``, seconds. ``stirred``: the sum over time of the share of the pile that
    moved, in seconds, without motion of the whole picture; ``looks``: the number of looks; ``shaken``: of those, the looks in
    which the whole picture changed."""

    start: float
    end: float
    stirred: float = 0.0
    looks: int = 0
    shaken: int = 0

    @property
    def of_a_hand(self) -> bool:
        """Whether it was a hand that may have put something down, and not only the edge or the shadow of one, or a change of the
        whole picture."""
        if self.looks > self.shaken:
            return self.stirred >= PASSING_SECONDS
        return self.looks > 1 and self.stirred >= 2 * PASSING_SECONDS


class Visits:
    """Follows the visits of hands to one pile."""

    def __init__(self) -> None:
        self._visits: deque[Visit] = deque(maxlen=MAX_VISITS)
        self._brushes: deque[Visit] = deque(maxlen=MAX_VISITS)
        self._last: float | None = None

    def step(self, t: float, motion: Motion | None, middle: Point, length: float) -> bool:
        """Take one more look at ``t`` seconds. Returns whether something moves over the pile. ``middle``: of the pile,
        ``length``: a card's, both in table coordinates."""
        gap, self._last = (MAX_STEP_SECONDS if self._last is None else t - self._last), t
        if motion is None or length <= 0:
            return False
        away = np.hypot(*(motion.ground - np.array(middle)).T)
        share, elsewhere = _share(motion, away <= PILE_LENGTHS * length), _share(motion, away > ELSEWHERE_LENGTHS * length)
        shaken = elsewhere >= SHAKEN_SHARE
        if share >= MIN_BRUSH_SHARE and not shaken:
            _goes_on(self._brushes, t, gap)
        if share < MIN_MOVING_SHARE:
            return False
        visit = _goes_on(self._visits, t, gap)
        visit.stirred += max(share - shaken * elsewhere, 0.0) * min(gap, MAX_STEP_SECONDS)
        visit.looks += 1
        visit.shaken += shaken
        return True

    @property
    def latest(self) -> Visit | None:
        """The latest visit in which something can have been put down; None for none."""
        return next((visit for visit in reversed(self._visits) if visit.of_a_hand), None)

    def brush(self, since: float) -> Visit | None:
        """The latest visit in which a hand was at least at the pile's edge; None where that did not begin after ``since``
        (seconds)."""
        return self._brushes[-1] if self._brushes and self._brushes[-1].start > since else None


def _goes_on(visits: deque[Visit], t: float, gap: float) -> Visit:
    """The visit to which motion at ``t`` seconds belongs: the last one, or a new one."""
    if not visits or t - visits[-1].end > max(PAUSE_SECONDS, MAX_LOOKS_APART * min(gap, 1.0)):
        visits.append(Visit(t, t))
    visits[-1].end = t
    return visits[-1]


def _share(motion: Motion, cells: NDArray[np.bool_]) -> float:
    """The share of these cells in which something moves, 0 to 1; 0 where there are no cells."""
    return float(motion.moving[cells].mean()) if cells.any() else 0.0
