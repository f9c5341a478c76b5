"""One player's place on the table: what recent looks found in it, and the face that lies there."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from companion.eyes.following.lying import FaceEpisode
from companion.eyes.sighting import Point

SHIFT_SECONDS = 1.5
"""Seconds before and after some traffic whose looks are compared to see whether a card lies differently."""


@dataclass(slots=True)
class Place:
    """The state of one place. ``seen``, ``disturbed``, ``bare``: times (seconds) of recent looks that found a card there, that
    found it moved or not alone, and that found none. ``lying``: a card lies here; ``rest``: where; ``dealt``: one has in this
    hand."""

    seen: deque[float] = field(default_factory=lambda: deque(maxlen=8))
    lying: bool = False
    dealt: bool = False
    rest: Point | None = None
    moved_looks: int = 0
    disturbed: deque[float] = field(default_factory=lambda: deque(maxlen=200))
    bare: deque[float] = field(default_factory=lambda: deque(maxlen=200))
    face: FaceEpisode | None = None
    face_at: float | None = None
    """The last look that found a face here."""
    backs: int = 0
    back_at: float | None = None
    """The last look that found a card of this hand face down here, and no face."""
    away_since: float | None = None
    """The first of the latest looks in a row that found no card where there had been one; None while one lies there."""
    gone: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=20))
    """Spans (seconds) in which no card was seen here though one was seen before and after."""
    dealt_at: float | None = None
    """When the first card of this hand came to lie here."""
    trail: deque[tuple[float, Point, float]] = field(default_factory=lambda: deque(maxlen=120))
    """Time, middle and turn (degrees) of the card in each look that found just one here."""

    def seen_at_rest(self, t: float) -> bool:
        """Whether the look at ``t`` seconds found the card lying where it lay."""
        return self.lying and bool(self.seen) and self.seen[-1] == t and self.moved_looks == 0

    def bare_between(self, start: float, end: float) -> bool:
        return any(start <= t <= end for t in self.bare)

    def bare_span(self, start: float, end: float) -> tuple[float, float]:
        """The first and the last look from ``start`` to ``end`` that found no card; ``start`` twice where all found one."""
        bare = [t for t in self.bare if start <= t <= end]
        return (bare[0], bare[-1]) if bare else (start, start)

    def shifted(self, before: float, after: float) -> tuple[float, float] | None:
        """The distance (table coordinates) from the card before ``before`` to the one after ``after`` (seconds), and the degrees
        (0 to 90) by which the one is turned against the other; None where that is not known."""
        old = [look for look in self.trail if before - SHIFT_SECONDS <= look[0] <= before]
        new = [look for look in self.trail if after <= look[0] <= after + SHIFT_SECONDS]
        if len(old) < 3 or len(new) < 3:
            return None
        shift = math.dist(*(np.median([middle for _, middle, _ in looks], axis=0) for looks in (old, new)))
        turn = abs(middle_turn([turn for _, _, turn in old]) - middle_turn([turn for _, _, turn in new]))
        return shift, min(turn, 180 - turn)

    def gone_seconds(self, start: float, end: float) -> float:
        """Seconds of the longest time for which the card was gone, among times at least partly between ``start`` and ``end``."""
        away = [*self.gone, *([(self.away_since, end)] if self.away_since is not None else [])]
        return max((last - first for first, last in away if first <= end and last >= start), default=0.0)

    def back_from(self, t: float) -> float:
        """When the card that was gone at ``t`` seconds lay here again; ``t`` where none was gone."""
        return max((last for first, last in self.gone if first <= t <= last), default=t)

    def forget_card(self) -> None:
        """None lies here any more."""
        self.lying, self.rest = False, None
        self.seen.clear()

    def cannot_be_seen(self, t: float) -> None:
        """Something is in the way at ``t`` seconds: what was seen last counts as seen until now."""
        if self.seen:
            self.seen[-1] = t
        if self.face:
            self.face.last = t

    def showed_between(self, start: float, end: float) -> bool:
        """Whether a face lay here then. For a face that has been taken away only the last look is known."""
        shown = self.face_at is not None and self.face_at >= start
        return shown and (self.face is None or self.face.since <= end)

    def disturbed_between(self, start: float, end: float) -> bool:
        return self.bare_between(start, end) or any(start <= t <= end for t in self.disturbed)


def middle_turn(turns: ArrayLike) -> float:
    """A median of the turns (degrees, 0 to 180): a few of them may be quite wrong."""
    doubled = np.radians(2 * np.asarray(turns))
    return math.degrees(math.atan2(np.median(np.sin(doubled)), np.median(np.cos(doubled)))) / 2 % 180
