"""What people who sit at the table look like: head with hair and face, trunk, hanging arms and a chair, as tapered capsules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workshop.stage.fingers import Bone
from workshop.stage.scene import SitterPose

Floats = NDArray[np.float64]
SKIN, CLOTH, HAIR, DARK, LIP, WOOD, TROUSERS, COLLAR, EYE = range(9)
"""Paints of bones."""


@dataclass(frozen=True, slots=True)
class Build:
    """Somebody's looks, drawn by their seed. ``size``: of all; ``girth``: of the trunk; ``hair``: short, long, bald, tied,
    cap."""

    size: float
    girth: float
    broad: float
    hair: str
    beard: bool
    glasses: bool
    collar: bool
    pattern: str
    second: tuple[int, int, int]


def build(seed: int) -> Build:
    """The looks of the person with this seed."""
    rng = np.random.default_rng([seed, 51])
    second = rng.integers(30, 225, 3)
    return Build(
        size=float(rng.uniform(0.9, 1.08)), girth=float(rng.uniform(0.82, 1.25)), broad=float(rng.uniform(0.9, 1.12)),
        hair=str(rng.choice(["short", "short", "short", "long", "bald", "tied", "cap"])), beard=bool(rng.random() < 0.3),
        glasses=bool(rng.random() < 0.3), collar=bool(rng.random() < 0.4),
        pattern=str(rng.choice(["plain", "plain", "plain", "stripes", "checks"])),
        second=(int(second[0]), int(second[1]), int(second[2])),
    )  # fmt: skip


class _Frame:
    """Points of a part of the body: ``origin`` and the directions right, forward and up of the person."""

    def __init__(self, origin: ArrayLike, angle: float, tip: float = 0.0, size: float = 1.0) -> None:
        a, t = np.radians([angle, tip])
        self.origin, self.size = np.asarray(origin, np.float64), size
        ahead = np.array([-np.sin(a), np.cos(a), 0.0])
        self.right = np.array([np.cos(a), np.sin(a), 0.0])
        self.forward = ahead * np.cos(t) - np.array([0, 0, np.sin(t)])
        self.up = ahead * np.sin(t) + np.array([0, 0, np.cos(t)])

    def at(self, right: float, forward: float, up: float) -> tuple[float, float, float]:
        """The point this far from the origin, mm of somebody of usual size."""
        x, y, z = self.origin + self.size * (right * self.right + forward * self.forward + up * self.up)
        return float(x), float(y), float(z)

    def bone(self, a: Sequence[float], b: Sequence[float], ra: float, rb: float, paint: int) -> Bone:
        """A bone between two such points."""
        return Bone(self.at(*a), self.at(*b), ra * self.size, rb * self.size, paint=paint)


def bones(sitter: SitterPose) -> list[Bone]:
    """All bones of somebody who sits, in table coordinates, mm."""
    made = build(sitter.seed)
    hips, chest = np.array(sitter.hips), np.array(sitter.chest)
    return [*_chair(sitter), *_trunk(sitter, made, hips, chest), *_head(sitter, made)]


def _chair(sitter: SitterPose) -> list[Bone]:
    seat = _Frame(sitter.hips, sitter.angle)
    back = [seat.bone((side * 190, -170, -150), (side * 200, -215, 330), 16, 14, WOOD) for side in (-1, 1)]
    return back + [seat.bone((-195, -195 - up / 25, up), (195, -195 - up / 25, up), 17, 17, WOOD) for up in (110, 215, 320)]


def _trunk(sitter: SitterPose, made: Build, hips: Floats, chest: Floats) -> list[Bone]:
    low, top = _Frame(hips, sitter.angle, size=made.size), _Frame(chest, sitter.angle, size=made.size)
    middle = _Frame(hips + 0.5 * (chest - hips), sitter.angle, size=made.size)
    broad, girth = made.broad, made.girth
    found = [low.bone((-90, 0, 0), (90, 0, 0), 125 * girth, 125 * girth, TROUSERS)]
    for side in (-1, 1):
        found.append(low.bone((side * 100, 20, -40), (side * 130, 380, -60), 85, 62, TROUSERS))
        hip, waist, rib = low.at(side * 68, 15, 30), middle.at(side * 66 * broad, 15, 0), top.at(side * 88 * broad, -8, -95)
        found.append(Bone(hip, waist, 118 * girth * made.size, 112 * girth * made.size, paint=CLOTH))
        found.append(Bone(waist, rib, 112 * girth * made.size, 98 * made.size, paint=CLOTH))
        joint = (side * 176 * broad, -5, -30)
        found.append(top.bone((side * 55, -20, 10), joint, 60, 62, CLOTH))
        found.append(top.bone((0, -22, 62), joint, 40, 54, CLOTH))
        if sitter.hangs[(side + 1) // 2]:
            elbow = middle.at(side * 232 * broad, -10, -10)
            found.append(Bone(top.at(*joint), elbow, 60 * made.size, 47 * made.size, paint=CLOTH))
            found.append(Bone(elbow, low.at(side * 125, 235, 75), 46 * made.size, 36 * made.size, paint=CLOTH))
    head = np.array(sitter.head)
    nape = np.array(top.at(0, 14, 52))
    found.append(Bone(tuple(nape), tuple(head - 0.35 * (head - nape)), 46 * made.size, 54 * made.size, paint=SKIN))
    found.append(Bone(middle.at(0, 22, -60), top.at(0, 4, -70), 118 * girth * made.size, 102 * made.size, paint=CLOTH))
    if made.collar:
        found.append(top.bone((-38, 2, 78), (38, 2, 78), 44, 44, COLLAR))
    return found


def _head(sitter: SitterPose, made: Build) -> list[Bone]:
    head = _Frame(sitter.head, sitter.gaze, sitter.nod, made.size)
    found = [
        head.bone((0, -18, 22), (0, 18, 24), 80, 74, SKIN),
        head.bone((0, 12, -8), (0, 40, -62), 62, 44, SKIN),
        head.bone((0, 92, 6), (0, 104, -14), 8, 13, SKIN),
        head.bone((-22, 72, -50), (22, 72, -50), 7, 7, LIP),
    ]
    for side in (-1, 1):
        found.append(head.bone((side * 76, -4, 8), (side * 74, -2, -22), 17, 12, SKIN))
        found.append(head.bone((side * 29, 74, 12), (side * 33, 73, 12), 13, 13, EYE))
        found.append(head.bone((side * 30, 82, 11), (side * 31, 82, 11), 8, 8, DARK))
        found.append(head.bone((side * 17, 82, 32), (side * 46, 74, 31), 6, 5, HAIR))
        if made.glasses:
            found.append(head.bone((side * 12, 92, 14), (side * 52, 84, 14), 5, 5, DARK))
            found.append(head.bone((side * 14, 91, -8), (side * 48, 84, -8), 4, 4, DARK))
            found.append(head.bone((side * 52, 82, 14), (side * 78, 0, 14), 4, 4, DARK))
    if made.beard:
        found.append(head.bone((-36, 34, -62), (36, 34, -62), 43, 43, HAIR))
        found.append(head.bone((-26, 82, -38), (26, 82, -38), 8, 8, HAIR))
    if made.hair == "cap":
        found += [head.bone((0, -24, 36), (0, 20, 44), 88, 80, COLLAR), head.bone((-34, 92, 44), (34, 92, 44), 28, 28, COLLAR)]
        found.append(head.bone((-46, -40, -18), (46, -40, -18), 44, 44, HAIR))
    elif made.hair != "bald":
        found += [head.bone((0, -30, 32), (0, 18, 44), 86, 72, HAIR), head.bone((0, -42, -8), (0, -46, 26), 70, 76, HAIR)]
        found += [head.bone((side * 62, -20, 0), (side * 56, 8, 48), 32, 36, HAIR) for side in (-1, 1)]
    else:
        found.append(head.bone((-60, -34, -12), (60, -34, -12), 42, 42, HAIR))
    if made.hair == "long":
        found += [head.bone((side * 50, -32, 20), (side * 62, -50, -165), 52, 34, HAIR) for side in (-1, 0, 1)]
    if made.hair == "tied":
        found += [head.bone((0, -100, 40), (0, -118, -60), 34, 22, HAIR)]
    return found
