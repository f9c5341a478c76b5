"""How one thing moves over a table: poses, moves from one rest to the next, and the track that they make up.

Table coordinates: millimetres, origin in the table's middle, x right, y away from the viewer, z up; angles in degrees
counter-clockwise seen from above; time in seconds.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import Literal

Where = Literal["table", "deck", "held", "away"]
"""Where a thing is: in view on the table, in the deck, held off the table, or not at the table at all."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the middle of a card, or the tips of a hand's fingers, are.

    ``angle``: 0 has the card's printed top towards +y. ``turn``: degrees about the card's long axis, 0 face down, 180 face up.
    ``pitch``: degrees by which the end at the printed bottom is lifted, as by somebody who peeks. ``spin``: degrees by which a
    card so lifted is turned in its own plane, as in a fan.
    """

    x: float
    y: float
    angle: float = 0.0
    z: float = 0.0
    turn: float = 0.0
    pitch: float = 0.0
    spin: float = 0.0

    def shifted(self, dx: float, dy: float, dz: float = 0.0) -> Pose:
        """The pose moved by these millimetres."""
        return replace(self, x=self.x + dx, y=self.y + dy, z=self.z + dz)


def distance(a: Pose, b: Pose) -> float:
    """Millimetres over the table from one pose to another."""
    return math.hypot(b.x - a.x, b.y - a.y)


def minimum_jerk(u: float) -> float:
    """The smooth 0→1 profile of an arm's reach (Flash & Hogan 1985); its peak speed is 1.875 times the mean."""
    u = min(max(u, 0.0), 1.0)
    return u * u * u * (10 - 15 * u + 6 * u * u)


def turned(start: float, end: float, u: float) -> float:
    """The angle (degrees) a share ``u`` of the shorter way from ``start`` to ``end``."""
    return start + ((end - start + 180) % 360 - 180) * u


@dataclass(frozen=True, slots=True)
class Move:
    """One movement from rest to rest, from ``t0`` to ``t1``.

    ``bow``: how far (mm) the path swings out to the left of the straight line. ``lift``: its greatest height (mm) above that
    line. ``early``: below 1 most of the way is covered early, as by a card that is flicked and glides.
    """

    t0: float
    t1: float
    start: Pose
    end: Pose
    bow: float = 0.0
    lift: float = 0.0
    early: float = 1.0

    def at(self, t: float) -> Pose:
        """The pose at ``t``: the start before the movement, the end after it."""
        share = (t - self.t0) / (self.t1 - self.t0) if self.t1 > self.t0 else 1.0
        u = minimum_jerk(max(min(share, 1.0), 0.0) ** self.early)
        a, b = self.start, self.end
        dx, dy = b.x - a.x, b.y - a.y
        length = math.hypot(dx, dy)
        arc = 4 * u * (1 - u)
        nx, ny = (-dy / length, dx / length) if length > 1e-9 else (0.0, 0.0)
        turn = a.turn + (b.turn - a.turn) * u
        return Pose(
            x=a.x + dx * u + nx * self.bow * arc,
            y=a.y + dy * u + ny * self.bow * arc,
            angle=turned(a.angle, b.angle, u),
            z=a.z + (b.z - a.z) * u + self.lift * arc,
            turn=turn,
            pitch=a.pitch + (b.pitch - a.pitch) * u,
            spin=a.spin + (b.spin - a.spin) * u,
        )


@dataclass
class Track:
    """The whole evening of one card, hand or deck: its moves in order of time, with rests between them, and where it is when."""

    first: Pose
    moves: list[Move] = field(default_factory=list)
    stays: list[tuple[float, Where]] = field(default_factory=list)
    _starts: list[float] = field(default_factory=list)
    _stay_times: list[float] = field(default_factory=list)

    @property
    def pose(self) -> Pose:
        """Where the last move ends."""
        return self.moves[-1].end if self.moves else self.first

    @property
    def free(self) -> float:
        """When the last move ends; -inf before the first."""
        return self.moves[-1].t1 if self.moves else -math.inf

    @property
    def where(self) -> Where:
        """Where it is after the last `put`."""
        return self.stays[-1][1] if self.stays else "away"

    def add(self, move: Move) -> Move:
        """Append a move and return it.

        Raises:
            ValueError: it would begin before the last one ends, but nothing can be moved twice at once.
        """
        if move.t0 < self.free - 1e-9:
            raise ValueError(f"a move at {move.t0:.3f} s begins before the one that ends at {self.free:.3f} s")
        self.moves.append(move)
        self._starts.append(move.t0)
        return move

    def put(self, t: float, where: Where, pose: Pose | None = None) -> None:
        """From ``t`` on the thing is ``where``; with ``pose``, it is there without having moved in view.

        Raises:
            ValueError: ``t`` is before the last one.
        """
        if self.stays and t < self.stays[-1][0] - 1e-9:
            raise ValueError(f"a stay at {t:.3f} s is set after one at {self.stays[-1][0]:.3f} s")
        self.stays.append((t, where))
        self._stay_times.append(t)
        if pose is not None:
            self.add(Move(t, t, pose, pose))

    def at(self, t: float) -> Pose:
        """The pose at ``t`` seconds."""
        index = bisect_right(self._starts, t) - 1
        return self.moves[index].at(t) if index >= 0 else self.first

    def touched(self, t: float) -> float:
        """When the latest move before ``t`` began: what was touched last lies on top."""
        index = bisect_right(self._starts, t) - 1
        return self._starts[index] if index >= 0 else -math.inf

    def where_at(self, t: float) -> Where:
        """Where the thing is at ``t`` seconds."""
        index = bisect_right(self._stay_times, t) - 1
        return self.stays[index][1] if index >= 0 else "away"
