"""Where on the table Stoper is played: players sit clockwise, discards lie in the middle beside the chips, hands as fans."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

from workshop.choreography.barlife import Circle
from workshop.choreography.held import room
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Pose
from workshop.stage.scene import Shape

HEAP = 0.75
"""Distance of the discards from the table's middle, as a share of the money's, on the other side of it."""


def plan(names: tuple[str, ...], rng: Random, shape: Shape | None) -> Plan:
    """A table for these players, who sit clockwise. ``shape``: None draws one."""
    laid = room.plan(names[::-1], rng, shape)
    return replace(laid, seats=laid.seats[::-1])


def heap(money: tuple[float, float]) -> tuple[float, float]:
    """The middle of the discards, where the money lies at ``money``."""
    return -money[0] * HEAP, -money[1] * HEAP


def on_heap(plan: Plan, seat: int, middle: tuple[float, float], below: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` cards that this seat puts on the discards come to lie face down, on ``below`` others."""
    sloppy = plan.sloppiness
    x, y = (at + rng.gauss(0, 16) * sloppy for at in middle)
    angle = plan.seats[seat].facing + rng.gauss(0, 22) * sloppy
    return [
        Pose(x + rng.gauss(0, 12), y + rng.gauss(0, 12), angle + rng.gauss(0, 10), z=(below + n) * room.THICK)
        for n in range(count)
    ]


def open_hand(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
    """Where the cards of a hand lie face up before this seat: a fan in which each covers part of the one below."""
    place, sloppy = plan.seats[seat], plan.sloppiness
    x, y = place.local(rng.gauss(0, 6) * sloppy, 8 + rng.gauss(0, 6) * sloppy)
    step = rng.uniform(17, 34)
    return room.fan(x, y, place.facing + rng.gauss(0, 5) * sloppy, step, -rng.uniform(2, 12), 0, count, rng)


def kept(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
    """Where an opener's discards lie face down beside this place."""
    place = plan.seats[seat]
    x, y = place.local(place.token_side * 92, rng.uniform(-12, 5))
    return [Pose(x + n * 6, y + n * 4, place.facing + rng.gauss(0, 5), z=n * room.THICK) for n in range(count)]


def towers(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` stacks of chips stand before this seat: beside the way from the place to the middle."""
    place = plan.seats[seat]
    right, forward, way = rng.uniform(58, 74), rng.uniform(92, 108), rng.uniform(10, 40)
    poses = []
    for n in range(count):
        a = math.radians(way + 60 * (n - 1))
        around = (0.0, 0.0) if n == 0 else (44 * math.cos(a), 44 * math.sin(a))
        x, y = place.local(place.token_side * (right + around[0]), forward + around[1])
        poses.append(Pose(x, y, rng.uniform(0, 360)))
    return poses


def taken(plan: Plan) -> list[Circle]:
    """Circles over where stacks of chips stand."""
    return [(seat.local(seat.token_side * right, 115), 62.0) for seat in plan.seats for right in (60, 100)]
