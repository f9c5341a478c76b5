"""Where backs lie while nothing moves over them, and which of them a hand, or a card that came, has left there.

A back has no face, so it is known by its place and its turn alone. What is partly covered is found now here, now there; the cards
on top are found firmly.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.eyes.following.visits import Visit, Visits
from companion.eyes.geometry import between_turns
from companion.eyes.sighting import Motion, Point

SHIFT, TURN = 0.06, 6.0
"""Card lengths, and degrees, within which a back is found at a spot."""
SAME, STRAIGHT = 0.045, 4.0
"""Card lengths, and degrees, within which a firm spot is the card of an earlier one."""
MOVED, TURNED = 0.2, 15.0
"""Card lengths, and degrees, at most, by which a card that has been partly covered is found away from where it was."""
FIRM_LOOKS, FIRM_SECONDS, FIRM_SHARE = 3, 0.25, 0.55
"""Looks that have found a firm spot, the seconds between the first and the last of them, and their share of all looks (0 to 1),
each at least. Their root mean square distance from their mean is at most `FIRM` card lengths."""
FIRM = 0.025
MIN_BACKS = 0.2
"""Backs in a look, on average, below which there were none."""
MAX_VISITS = 6
"""Visits for which spots are remembered: a card among others is found only now and then, and is not a new one then."""
BESIDE_LENGTHS = 0.6
"""Card lengths around a card on top within which the cards lie that came with it."""


@dataclass(frozen=True, slots=True)
class Back:
    """A back in one look: its middle (table coordinates), and how its long side is turned (degrees, 0 to 180)."""

    at: Point
    turn: float

    def lies_as(self, other: Back, shift: float, turn: float) -> bool:
        """Whether the other one lies within ``shift`` (table coordinates) and ``turn`` degrees of this one."""
        return math.dist(self.at, other.at) <= shift and between_turns(self.turn, other.turn) <= turn


@dataclass(slots=True)
class Spot:
    """Where a back is found, ``looks`` times, from ``since`` to ``last`` (seconds)."""

    back: Back
    since: float
    last: float
    looks: int = 1
    points: deque[Point] = field(default_factory=lambda: deque(maxlen=12))

    @property
    def spread(self) -> float:
        """The root mean square distance of the looks from their mean, table coordinates."""
        points = np.array(self.points)
        return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))


@dataclass(slots=True)
class Spots:
    """The spots found in ``looks`` looks."""

    looks: int = 0
    spots: list[Spot] = field(default_factory=list)

    def add(self, t: float, found: Iterable[Back], length: float) -> None:
        """One more look, at ``t`` seconds; ``length``: a card's, table coordinates."""
        self.looks += 1
        taken: list[Spot] = []
        for back in found:
            near = [spot for spot in self.spots if spot not in taken and spot.back.lies_as(back, SHIFT * length, TURN)]
            if near:
                spot = min(near, key=lambda spot: math.dist(spot.back.at, back.at))
                spot.last, spot.looks = t, spot.looks + 1
            else:
                spot = Spot(back, t, t)
                self.spots.append(spot)
            spot.points.append(back.at)
            taken.append(spot)

    def firm(self, length: float) -> list[Spot]:
        """The spots at which a card on top lies."""
        return [
            spot for spot in self.spots
            if spot.looks >= max(FIRM_LOOKS, FIRM_SHARE * self.looks) and spot.last - spot.since >= FIRM_SECONDS
            and spot.spread <= FIRM * length
        ]  # fmt: skip

    def known(self) -> list[Spot]:
        """The spots at which a card may lie, on top or under others: those found in more than one look."""
        return [spot for spot in self.spots if spot.looks > 1]

    def crowd(self, at: Point, far: float) -> float:
        """The backs that a look finds within ``far`` (table coordinates) of a point, on average."""
        return sum(spot.looks for spot in self.spots if math.dist(spot.back.at, at) <= far) / max(self.looks, 1)


def new_among(now: Sequence[Spot], before: Sequence[Spot], length: float) -> list[Spot]:
    """The firm spots with a card that was not there ``before``. Where there are several, without cards that have been covered and
    are found a little off their place."""
    new = [spot for spot in now if not any(spot.back.lies_as(old.back, SAME * length, STRAIGHT) for old in before)]
    gone = [old for old in before if not any(spot.back.lies_as(old.back, SAME * length, STRAIGHT) for spot in now)]
    off = [spot for spot in new if any(spot.back.lies_as(old.back, MOVED * length, TURNED) for old in gone)]
    others = [spot for spot in new if spot not in off]
    return others or off[:1]


class Settled:
    """Follows the backs in one part of the table: what lies there between two hands over it."""

    def __init__(self) -> None:
        self._visits = Visits()
        self.visit: Visit | None = None
        self._now = Spots()
        self._before: deque[Spots] = deque(maxlen=MAX_VISITS)

    def step(self, t: float, found: Iterable[Back], motion: Motion | None, at: Point, length: float) -> bool:
        """One more look at ``t`` seconds that ``found`` these backs: whether nothing moves about ``at``. What moves there is a
        new ``visit`` once it is over."""
        if self._visits.step(t, motion, at, length):
            return False
        visit = self._visits.latest
        if visit is not None and visit is not self.visit:
            self.turn()
            self.visit = visit
        self._now.add(t, found, length)
        return True

    @property
    def latest(self) -> Visit | None:
        """The latest visit, over or not."""
        return self._visits.latest

    def turn(self) -> None:
        """What was found belongs to the time before."""
        if self._now.looks:
            self._before.append(self._now)
        self._now = Spots()

    def firm(self, length: float) -> list[Spot]:
        """Where cards lie on top."""
        return self._now.firm(length)

    def new(self, length: float) -> list[Spot]:
        """The cards on top that have come with the latest visit."""
        return new_among(self.firm(length), [spot for spots in self._before for spot in spots.known()], length)

    def alone(self, at: Point, length: float) -> float | None:
        """The backs that a look finds around ``at``, on average. None where others lay there before the latest visit or the one
        before: an arm may have been over them."""
        far = BESIDE_LENGTHS * length
        lay = any(spots.crowd(at, far) > MIN_BACKS for spots in self._before)
        return None if lay else self._now.crowd(at, far)

    def clear(self) -> None:
        """Nothing lies there any more."""
        self._before.clear()
        self._now = Spots()
