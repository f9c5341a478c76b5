"""Where things lie at Stoper, where players sit clockwise, and what hands do there alone: discard, lay fans open, move chips.

Times as of `held.gestures`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from workshop.choreography.barlife import Circle
from workshop.choreography.ensemble import Coin, Ensemble
from workshop.choreography.held import gestures as money
from workshop.choreography.held import room
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Move, Pose
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


def beside(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
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

CHIPS = 1.0
"""Chips are all the money."""
TOWERS = (1, 3)
"""Fewest and most stacks that a player has before them."""


class StoperGestures(HeldGestures):
    """The gestures of an evening of Stoper. ``pile``: the discards, and the hands thrown in.

    ``towers``: seat → the stacks before it; ``spots``: prop id → where it stands while it is its owner's; ``put``: seat → what
    it has put in the middle in this hand.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        super().__init__(ensemble)
        seats = range(len(ensemble.plan.seats))
        self.heap = heap(self.middle)
        self.towers: dict[int, list[Coin]] = {seat: [] for seat in seats}
        self.spots: dict[str, Pose] = {}
        self.put: dict[int, list[Coin]] = {seat: [] for seat in seats}

    def thrown(self, seat: int, count: int) -> list[Pose]:
        """On the discards."""
        return on_heap(self.ensemble.plan, seat, self.heap, len(self.pile), count, self.rng)

    def discard(self, t: float, seat: int, cards: Sequence[str], kept: bool) -> float:
        """A player puts cards of the hand face down on the discards, or, where they are ``kept``, beside the place."""
        plan, count = self.ensemble.plan, len(cards)
        return self.put_in(t, seat, cards, beside(plan, seat, count, self.rng) if kept else self.thrown(seat, count))

    def show_open(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player lays the hand open before them, as a fan."""
        return self.show(t, seat, cards, open_hand(self.ensemble.plan, seat, len(cards), self.rng))

    def turn_up(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player turns up cards that lie face down beside them, side by side towards the middle."""
        e = self.ensemble
        for n, card in enumerate(cards):
            track = self.track(card)
            fingers = self.fingers_at(max(t, track.free), seat, card)
            x, y = e.seat(seat).local(0, 30.0 * n, (track.pose.x, track.pose.y))
            t = max(fingers.track.free, track.free)
            t = e.slide(card, t, replace(track.pose, x=x, y=y, turn=180.0), e.lasts(0.5), fingers, lift=25).t1
            e.leave(fingers)
        return t

    def stand(self, seat: int) -> None:
        """This player's stacks stand before them from the beginning."""
        for coin, spot in self._new_towers(seat):
            coin.track.first = spot
            coin.track.put(float("-inf"), "table")

    def buy(self, t: float, seat: int) -> float:
        """A player puts new stacks before them."""
        made = self._new_towers(seat)
        t, fingers = self.come(t, seat)
        here, first = fingers.track.pose, made[0][1]
        lasts = self.ensemble.travel(here, first)
        for coin, spot in made:
            coin.track.put(t, "table", replace(spot, x=here.x + spot.x - first.x, y=here.y + spot.y - first.y))
            coin.track.add(Move(t, t + lasts, coin.track.pose, spot))
        fingers.track.add(Move(t, t + lasts, here, replace(first, angle=here.angle, z=12)))
        self.ensemble.leave(fingers)
        return t + lasts

    def _new_towers(self, seat: int) -> list[tuple[Coin, Pose]]:
        spots = towers(self.ensemble.plan, seat, self.rng.randint(*TOWERS), self.rng)
        made = [(money.coin(self, seat, CHIPS), spot) for spot in spots]
        self.towers[seat] += [coin for coin, _ in made]
        self.spots |= {coin.prop.id: spot for coin, spot in made}
        return made

    def bet(self, t: float, seat: int, count: int) -> float:
        """A player takes ``count`` chips from their stacks and pushes them to the middle."""
        t, fingers = self.come(t, seat, self._at_towers(seat))
        made = [money.coin(self, seat, CHIPS) for _ in range(count)]
        self.put[seat] += made
        return money.to_middle(self, t, fingers, made)

    def all_in(self, t: float, seat: int) -> float:
        """A player pushes all their stacks to the middle."""
        if not (coins := self.towers[seat]):
            return self.bet(t, seat, 1)
        t, fingers = self.come(max(t, *(coin.track.free for coin in coins)), seat, self._at_towers(seat))
        self.towers[seat] = []
        self.put[seat] += coins
        return money.to_middle(self, t, fingers, coins)

    def _at_towers(self, seat: int) -> Pose | None:
        """Where a hand reaches this player's stacks; None where they have none."""
        if not self.towers[seat]:
            return None
        place = self.ensemble.seat(seat)
        spot = self.spots[self.towers[seat][0].prop.id]
        return Pose(*place.local(0, -15, (spot.x, spot.y)), place.facing, 12)

    def collect(self, t: float, seat: int, won: Sequence[Coin]) -> float:
        """A player draws these coins to themselves; stacks that were theirs stand where they stood."""
        own = [coin for coin in won if coin in self.put[seat] and coin.prop.id in self.spots]
        t = money.collect(self, t, seat, won, {coin.prop.id: self.spots[coin.prop.id] for coin in own})
        self.towers[seat] += own
        for coins in self.put.values():
            coins[:] = [coin for coin in coins if coin not in won]
        return t
