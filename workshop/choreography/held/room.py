"""Where things lie in games with cards in the hand: money in the middle, the pack beside the dealer, cards before each place."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

from workshop.choreography.barlife import Circle
from workshop.choreography.layout import Plan, plan_table
from workshop.choreography.motion import Pose
from workshop.stage.scene import CARD_SIZES, Shape

CARDS = "italian"
WIDTH, LENGTH = CARD_SIZES[CARDS]
ROOM = (55.0, 90.0)
"""mm by which all sit further from the middle than where nothing lies there: cards and money lie there."""
THICK = 0.35
"""mm of a card that lies on others."""


def plan(names: tuple[str, ...], rng: Random, shape: Shape | None) -> Plan:
    """A table for these players, who sit anticlockwise. ``shape``: None draws one."""
    laid = plan_table(names, rng, shape, rng.uniform(*ROOM))
    return replace(laid, deck_in_middle=False, cards=CARDS)


def pack(plan: Plan, dealer: int, rng: Random) -> Pose:
    """Where the pack lies while this seat deals: beside their cards."""
    seat = plan.seats[dealer]
    x, y = seat.local(-seat.token_side * rng.uniform(95, 115), rng.uniform(10, 45))
    return Pose(x, y, seat.facing + rng.gauss(0, 10))


def money(plan: Plan, rng: Random) -> tuple[float, float]:
    """Where the money is put in the middle of the table: beside where the pile will lie."""
    way, far = rng.uniform(0, 2 * math.pi), rng.uniform(55, 95)
    return far * math.cos(way), far * math.sin(way)


def coin(middle: tuple[float, float], rng: Random) -> Pose:
    """Where a coin or chip comes to lie on the money."""
    return Pose(middle[0] + rng.gauss(0, 17), middle[1] + rng.gauss(0, 17), rng.uniform(0, 360))


def fan(x: float, y: float, angle: float, step: float, turn: float, below: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` cards lie face up as a fan about (x, y), on ``below`` others.

    ``angle``: of the middle one; from one to the next are ``step`` mm and ``turn`` degrees.
    """
    a = math.radians(angle)
    poses = []
    for n in range(count):
        off = n - (count - 1) / 2
        right, forward = off * step, -abs(off) * step * 0.2
        poses.append(
            Pose(
                x + right * math.cos(a) - forward * math.sin(a),
                y + right * math.sin(a) + forward * math.cos(a),
                angle + off * turn + rng.gauss(0, 2),
                z=(below + n) * THICK,
                turn=180,
            )
        )
    return poses


def packet(plan: Plan, seat: int, below: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` cards dealt together come to lie face down in this seat's place, on ``below`` others."""
    first = plan.seats[seat].card(rng, plan.sloppiness * 1.5)
    a, step = math.radians(first.angle), rng.uniform(3, 14)
    return [
        Pose(
            first.x + n * step * math.cos(a) + rng.gauss(0, 2),
            first.y + n * step * math.sin(a) + rng.gauss(0, 2),
            first.angle + rng.gauss(0, 3),
            z=(below + n) * THICK,
        )
        for n in range(count)
    ]


def thrown_in(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
    """Where the cards left in a hand are thrown face down, when it is over: between the place and the middle."""
    place = plan.seats[seat].place
    share = rng.uniform(0.5, 0.65)
    x, y = place[0] * share, place[1] * share
    angle = plan.seats[seat].facing + rng.gauss(0, 25)
    return [
        Pose(x + rng.gauss(0, 6), y + rng.gauss(0, 6), angle + rng.gauss(0, 8), z=n * THICK) for n in range(count)
    ]


def lean(plan: Plan, seat: int) -> float:
    """Degrees by which cards in this seat's hand can be lifted towards their owner without a camera seeing their faces.

    The camera stands on the viewer's side (negative y), up to 32 degrees aside and 38 to 72 above the table (`view.pick_camera`).
    """
    a = math.radians(plan.seats[seat].facing)
    forward = -math.sin(a), math.cos(a)
    least = math.inf
    for azimuth in (-32, 0, 32):
        for elevation in (38, 72):
            at, up = math.radians(azimuth), math.radians(elevation)
            towards = math.sin(at) * math.cos(up), -math.cos(at) * math.cos(up)
            across = forward[0] * towards[0] + forward[1] * towards[1]
            least = min(least, math.degrees(math.atan2(math.sin(up), -across)))
    return least - 12


def taken(plan: Plan) -> list[Circle]:
    """Circles over where cards and money lie, and over the ways between places and the middle."""
    circles: list[Circle] = [((0.0, 0.0), 165.0)]
    for seat in plan.seats:
        circles += [(seat.local(right, 10), 72.0) for right in (-75, 0, 75)]
        circles += [(seat.local(-seat.token_side * 105, 28), 72.0), (seat.local(0, -75), 70.0)]
        circles += [((seat.place[0] * share, seat.place[1] * share), 65.0) for share in (0.5, 0.75)]
    return circles
