"""What hands do at Stoper alone: put discards on the heap, lay hands open as fans, and move chips from stack to stack.

Times as of `held.gestures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workshop.choreography.ensemble import Coin, Ensemble
from workshop.choreography.held import money
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.motion import Move, Pose
from workshop.choreography.stoper import room

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
        self.heap = room.heap(self.middle)
        self.towers: dict[int, list[Coin]] = {seat: [] for seat in seats}
        self.spots: dict[str, Pose] = {}
        self.put: dict[int, list[Coin]] = {seat: [] for seat in seats}

    def thrown(self, seat: int, count: int) -> list[Pose]:
        """On the discards."""
        return room.on_heap(self.ensemble.plan, seat, self.heap, len(self.pile), count, self.rng)

    def discard(self, t: float, seat: int, cards: Sequence[str], kept: bool) -> float:
        """A player puts cards of the hand face down on the discards, or, where they are ``kept``, beside the place."""
        plan, count = self.ensemble.plan, len(cards)
        return self.put_in(t, seat, cards, room.kept(plan, seat, count, self.rng) if kept else self.thrown(seat, count))

    def show_open(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player lays the hand open before them, as a fan."""
        return self.show(t, seat, cards, room.open_hand(self.ensemble.plan, seat, len(cards), self.rng))

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
        spots = room.towers(self.ensemble.plan, seat, self.rng.randint(*TOWERS), self.rng)
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
