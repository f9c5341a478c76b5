"""How somebody sits whose hands are where they are: hips, chest and head, and the arms from the shoulders to the wrists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workshop.choreography.layout import Seat
from workshop.stage.physique import build
from workshop.stage.scene import FingersPose, Point

Vector = NDArray[np.float64]
UPPER, FORE, HAND = 300.0, 262.0, 152.0
"""Lengths in mm of the upper arm, of the forearm, and of the hand from the wrist to the middle finger's tip."""
HIPS, TRUNK, SHOULDER = (-262.0, -255.0), 500.0, 176.0
"""Where the hips are from the table's edge (forward, up), how long the trunk is, and how far each shoulder is from its middle:
mm."""
UPRIGHT, FURTHEST = 6.0, 42.0
"""Degrees by which somebody leans forward who does nothing, and who reaches as far as they can."""
QUANTA = (3.0, 0.6, 3.0)
"""Least steps aside (mm), of the lean and of the turn (degrees): somebody who moves by less is not drawn again."""


@dataclass(frozen=True, slots=True)
class Posture:
    """Points in mm: between the ``hips``, between the shoulders (``chest``), the ``head``'s middle. ``gaze``, ``nod``: where they
    look, as of `SitterPose`. ``broad``: from the chest to a shoulder, mm."""

    seat: Seat
    hips: Point
    chest: Point
    head: Point
    gaze: float
    nod: float
    broad: float

    def shoulder(self, left: bool) -> Vector:
        """Where the arm begins."""
        x, y = self.seat.local(-self.broad if left else self.broad, 0, self.chest[:2])
        return np.array([x, y, self.chest[2] - 25])


def posture(seat: Seat, seed: int, lean: float, aside: float, turn: float, wrists: Sequence[Vector | None]) -> Posture:
    """How the person with this ``seed`` sits, ``lean`` degrees forward, ``aside`` mm to the right, the head ``turn`` degrees to
    the left; as far forward as they must, to reach their left and right wrist."""
    made = build(seed)
    broad = made.broad * SHOULDER
    both = zip((True, False), wrists, strict=True)
    reached = [_lean_for(seat, wrist, left, broad) for left, wrist in both if wrist is not None]
    aside, lean, turn = (_whole(value, least) for value, least in zip((aside, max([lean, *reached]), turn), QUANTA, strict=True))
    forward, up = math.sin(math.radians(lean)), math.cos(math.radians(lean))
    hips = (*seat.local(0.4 * aside, HIPS[0], seat.edge), HIPS[1])
    chest_xy = seat.local(aside, HIPS[0] + TRUNK * made.size * forward, seat.edge)
    chest = (*chest_xy, HIPS[1] + TRUNK * made.size * up)
    neck, bent = 195 * made.size, math.radians(0.6 * lean + 6)
    head = (*seat.local(1.3 * aside - 0.2 * turn, neck * math.sin(bent), chest_xy), chest[2] + neck * math.cos(bent))
    return Posture(seat, hips, chest, head, seat.facing + turn, 26 - 0.25 * abs(turn), broad)


def _whole(value: float, quantum: float) -> float:
    return round(value / quantum) * quantum


def _lean_for(seat: Seat, wrist: Vector, left: bool, broad: float) -> float:
    """Degrees of lean with which the arm reaches this wrist: the least that do, at most `FURTHEST`."""
    for lean in np.arange(UPRIGHT, FURTHEST, 1.0):
        way = math.radians(float(lean))
        x, y = seat.local(-broad if left else broad, HIPS[0] + TRUNK * math.sin(way), seat.edge)
        gap = float(np.linalg.norm(wrist - [x, y, HIPS[1] + TRUNK * math.cos(way) - 25])) - 0.97 * (UPPER + FORE)
        if gap <= 0:
            return float(lean)
    return FURTHEST


def wrist_of(hand: FingersPose) -> Vector:
    """Where this hand's wrist is, mm."""
    a = math.radians(hand.angle)
    return np.array([hand.x + HAND * math.sin(a), hand.y - HAND * math.cos(a), hand.z + 34.0])


def limb_of(sitting: Posture, wrist: Vector, left: bool) -> tuple[Point, Point]:
    """Elbow and shoulder of the arm that leads to this wrist: the elbow hangs and points outwards, above the table top."""
    shoulder = sitting.shoulder(left)
    way = wrist - shoulder
    far = float(np.linalg.norm(way))
    way /= max(far, 1e-6)
    share = float(np.clip((UPPER**2 - FORE**2 + far**2) / (2 * max(far, 1e-6)), 0, far)) if far < UPPER + FORE else far * 0.53
    bend = math.sqrt(max(UPPER**2 - share**2, 0.0)) if far < UPPER + FORE else 0.0
    out = math.radians(sitting.seat.facing)
    side = -1 if left else 1
    pole = np.array([side * math.cos(out), side * math.sin(out), -1.0])
    pole -= way * (pole @ way)
    elbow = shoulder + way * share + pole / max(float(np.linalg.norm(pole)), 1e-6) * bend
    elbow[2] = max(float(elbow[2]), 42.0)
    return (float(elbow[0]), float(elbow[1]), float(elbow[2])), (float(shoulder[0]), float(shoulder[1]), float(shoulder[2]))
