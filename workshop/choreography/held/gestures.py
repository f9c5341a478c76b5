"""What hands do with cards that are held, and with money: deal packets, hold fans, carry, gather; bet and collect coins.

Each gesture begins at or after ``t`` and returns the time, in seconds, at which it has had its effect; hands may still be on
their way back then. The right hand does things, the left one holds the cards.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from workshop.choreography.ensemble import Coin, Ensemble, Fingers
from workshop.choreography.gestures import AFTER, FLAT, Gestures
from workshop.choreography.held import room
from workshop.choreography.motion import Move, Pose, Track
from workshop.stage.scene import Prop

_MOST_SPIN = 55.0
"""Degrees by which the outermost card of a fan is turned, at most."""


class HeldGestures(Gestures, ABC):
    """The gestures of an evening with cards in the hand.

    ``in_hand``, ``on_table``: seat → ids of the cards held, and of those that lie before the place. ``fans``: seats that hold
    theirs up in view. ``pile``: ids of the cards in the middle, bottom to top. ``money``: coins in the middle.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        super().__init__(ensemble)
        seats = range(len(ensemble.plan.seats))
        self.in_hand: dict[int, list[str]] = {seat: [] for seat in seats}
        self.on_table: dict[int, list[str]] = {seat: [] for seat in seats}
        self.fans: set[int] = set()
        self.pile: list[str] = []
        self.money: list[Coin] = []
        self.middle = room.money(ensemble.plan, self.rng)

    def hand_for(self, seat: int, x: float, y: float) -> Fingers:
        """The right hand: the left one holds the cards."""
        return self.ensemble.fingers[seat, False]

    def own(self, t: float, cards: Sequence[str], seat: int | None) -> None:
        """From ``t`` on these cards are this seat's; None: nobody's."""
        for card in cards:
            self.ensemble.cards[card].owners.append((t, seat))

    def deal(self, t: float, dealer: int, seat: int, cards: Sequence[str]) -> tuple[float, float]:
        """The dealer slides the pack's top cards to a place together. Returns when they lie there and when the hand is free."""
        t, fingers = self.off_deck(t, dealer, cards)
        poses = room.packet(self.ensemble.plan, seat, len(self.on_table[seat]), len(cards), self.rng)
        there = self.dealt(t, dealer, fingers, dict(zip(cards, poses, strict=True)))
        self.own(there, cards, seat)
        self.on_table[seat] += cards
        return there, fingers.track.free

    def come(self, t: float, seat: int, reached: Pose | None = None) -> tuple[float, Fingers]:
        """The player's hand is at their own side of the table, or at ``reached``. Returns when, and the hand."""
        e, fingers = self.ensemble, self.ensemble.fingers[seat, False]
        home = e.seat(seat).home(False)
        if fingers.track.where == "table" or reached is not None:
            return e.reach(fingers, t, reached or home, "pinch"), fingers
        t = max(t, fingers.track.free)
        fingers.track.put(t, "table", home.shifted(0, 0, 5))
        fingers.grips.append((t, "hold"))
        return t, fingers

    def take_up(self, t: float, seat: int) -> float:
        """A player takes all cards before them off the table, into the hand."""
        e, cards = self.ensemble, self.on_table[seat]
        if not cards:
            return t
        lying = [self.track(card) for card in cards]
        x, y = (sum(getattr(track.pose, axis) for track in lying) / len(lying) for axis in "xy")
        t = max(t, *(track.free for track in lying))
        t, fingers = self.come(t, seat, Pose(*e.seat(seat).local(0, -25, (x, y)), e.seat(seat).facing, 8))
        x, y = e.seat(seat).local(70, -80, e.seat(seat).edge)
        lap = Pose(x, y, e.seat(seat).facing, z=45)
        lasts = e.travel(lying[0].pose, lap)
        for n, (card, track) in enumerate(zip(cards, lying, strict=True)):
            to = replace(lap, z=45 + n, turn=track.pose.turn)
            move = e.slide(card, t + n * AFTER, to, lasts, fingers if n == 0 else None)
            track.put(move.t1, "held")
        e.leave(fingers, rest=False)
        self.in_hand[seat] += cards
        self.on_table[seat] = []
        return t + lasts

    def raise_fan(self, t: float, seat: int) -> float:
        """A player holds the cards up over the table's edge as a fan; the others see the backs."""
        e, cards = self.ensemble, self.in_hand[seat]
        place, left = e.seat(seat), e.fingers[seat, True]
        if not cards or left.track.where == "table":
            return t
        t = max(t, left.track.free, *(self.track(card).free for card in cards))
        pitch = min(room.lean(e.plan, seat), self.rng.uniform(70, 84))
        x, y = place.local(self.rng.uniform(-60, -20), self.rng.uniform(-5, 25), place.edge)
        pivot = Pose(x, y, place.facing, z=self.rng.uniform(35, 60))
        start = place.home(True)
        lasts = e.lasts(0.6)
        step = min(9.0, 2 * _MOST_SPIN / max(len(cards), 2))
        for n, card in enumerate(cards):
            to = self._in_fan(pivot, pitch, (n - (len(cards) - 1) / 2) * step)
            track = self.track(card)
            away = to.shifted(start.x - pivot.x, start.y - pivot.y)
            track.put(t, "table", away)
            track.add(Move(t + n * AFTER / 4, t + n * AFTER / 4 + lasts, away, to))
        left.track.put(t, "table", start)
        left.grips.append((t, "pinch"))
        left.track.add(Move(t, t + lasts, start, pivot.shifted(0, 0, -12)))
        self.fans.add(seat)
        return t + lasts

    def _in_fan(self, pivot: Pose, pitch: float, spin: float) -> Pose:
        """The pose of a card that is held at ``pivot`` by its lower end, lifted by ``pitch`` and turned by ``spin`` degrees."""
        a, up, facing = math.radians(spin), math.radians(pitch), math.radians(pivot.angle)
        radius = room.LENGTH * 0.42
        right, rise = -radius * math.sin(a), radius * math.cos(a)
        # A card whose near end is lifted rises towards its owner.
        back = rise * math.cos(up)
        x = pivot.x + right * math.cos(facing) + back * math.sin(facing)
        y = pivot.y + right * math.sin(facing) - back * math.cos(facing)
        half = (room.WIDTH / 2 * abs(math.sin(a)) + room.LENGTH / 2 * abs(math.cos(a))) * math.sin(up)
        return Pose(x, y, pivot.angle, z=max(pivot.z + rise * math.sin(up) - half, 1.0), pitch=pitch, spin=spin)

    def lower_fan(self, t: float, seat: int) -> float:
        """A player takes the fan out of view."""
        if seat not in self.fans:
            return t
        e = self.ensemble
        self.fans.discard(seat)
        left, home = e.fingers[seat, True], e.seat(seat).home(True)
        held = [self.track(card) for card in self.in_hand[seat] if self.track(card).where == "table"]
        t = max([t, left.track.free, *(track.free for track in held)])
        lasts = e.lasts(0.5)
        here = left.track.pose
        for n, track in enumerate(held):
            begin = t + n * AFTER / 4
            to = track.pose.shifted(home.x - here.x, home.y - here.y)
            track.put(track.add(Move(begin, begin + lasts, track.pose, to)).t1, "held")
        left.track.put(left.track.add(Move(t, t + lasts, here, home)).t1, "away")
        return t + lasts

    def carry(self, t: float, seat: int, cards: Sequence[str], poses: Sequence[Pose]) -> float:
        """Cards of the hand are carried together to these poses. Returns when they lie there."""
        e = self.ensemble
        tracks = [self.track(card) for card in cards]
        t = max(t, *(track.free for track in tracks))
        lowered = [self._out_of_fan(t, track) for track in tracks if track.where == "table"]
        if lowered:
            here = tracks[0].pose
            t = max(t, *lowered)
            t, fingers = self.come(t - e.lasts(0.3), seat, here.shifted(0, 0, 10))
            t = max(t, *lowered)
        else:
            t, fingers = self.come(t, seat)
        start = fingers.track.pose
        lasts = e.lasts(0.35 + math.dist((start.x, start.y), (poses[0].x, poses[0].y)) / 1000, 0.15)
        flips = self.rng.random() < 0.4
        for n, (card, track, to) in enumerate(zip(cards, tracks, poses, strict=True)):
            if track.where != "table":
                turn = to.turn if not flips else 0.0
                begin = replace(to, x=start.x + to.x - poses[0].x, y=start.y + to.y - poses[0].y, z=start.z + n, turn=turn)
                track.put(t, "table", begin)
            e.slide(card, t + n * AFTER, to, lasts, fingers if n == 0 else None, lift=30)
            e.layer(card, t, FLAT)
        for card in cards:
            self.in_hand[seat].remove(card)
        e.leave(fingers, rest=None if self.rng.random() < 0.3 else False)
        return t + lasts + (len(cards) - 1) * AFTER

    def _out_of_fan(self, t: float, track: Track) -> float:
        """A card of the fan is drawn out and lowered."""
        flat = replace(track.pose, pitch=0.0, spin=0.0)
        return track.add(Move(t, t + self.ensemble.lasts(0.25), track.pose, flat)).t1

    def show(self, t: float, seat: int, cards: Sequence[str], poses: Sequence[Pose]) -> float:
        """A player lays cards of the hand open before them, at these poses."""
        there = self.carry(t, seat, cards, poses)
        self.on_table[seat] += cards
        return there

    @abstractmethod
    def show_open(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player lays cards of the hand open before them, as this game does."""

    def put_in(self, t: float, seat: int, cards: Sequence[str], poses: Sequence[Pose]) -> float:
        """A player puts cards of the hand in the middle, at these poses."""
        there = self.carry(t, seat, cards, poses)
        self.pile += cards
        return there

    def throw_in(self, t: float, seat: int) -> float:
        """A player throws the cards that are left in hand face down towards the middle."""
        e = self.ensemble
        there = t
        if held := list(self.in_hand[seat]):
            there = self.put_in(t, seat, held, self.thrown(seat, len(held)))
        self.fans.discard(seat)
        left = e.fingers[seat, True]
        if left.track.where == "table":
            e.leave(left, there, rest=False)
        return there

    def thrown(self, seat: int, count: int) -> list[Pose]:
        """Where ``count`` cards that this player throws in come to lie."""
        return room.thrown_in(self.ensemble.plan, seat, count, self.rng)

    def gather(self, t: float, collector: int, deck: Pose) -> float:
        """All cards on the table are swept together, turned face down and put to the deck at ``deck``. Returns when they are."""
        e, rng = self.ensemble, self.rng
        cards = [*self.pile, *(card for seat in self.on_table.values() for card in seat)]
        cards.sort(key=lambda card: self.track(card).touched(math.inf))
        t = max([t, *(self.track(card).free for card in cards)])
        both = [e.fingers[collector, left] for left in (False, True)]
        facing = e.seat(collector).facing
        for fingers in both:
            x, y = e.seat(collector).local(-60 if fingers.left else 60, 0, (0, 0))
            t = max(t, e.reach(fingers, t - 0.2, Pose(x, y, facing, 10), "slide"))
        middle = Pose(rng.gauss(0, 15), rng.gauss(0, 15), facing + rng.gauss(0, 8))
        together = t + e.lasts(0.7)
        over = together + e.lasts(0.6 + math.dist((deck.x, deck.y), (middle.x, middle.y)) / 900)
        for n, card in enumerate(cards):
            track = self.track(card)
            heap = replace(middle.shifted(rng.gauss(0, 5), rng.gauss(0, 5), n * 0.32), turn=track.pose.turn)
            track.add(Move(t, together, track.pose, heap))
            track.add(Move(together + n * 1e-4, over, heap, replace(deck, z=n * 0.32, turn=0.0), lift=40))
            track.put(over, "deck")
        self.own(t, cards, None)
        for fingers in both:
            side = -28 if fingers.left else 28
            for begin, end, at in ((t, together, middle), (together, over, deck)):
                x, y = e.seat(collector).local(side, 0, (at.x, at.y))
                fingers.track.add(Move(begin, end, fingers.track.pose, Pose(x, y, facing, 16)))
            e.leave(fingers)
        self.pile.clear()
        for seat in self.on_table:
            self.on_table[seat] = []
        return over


_NOWHERE: Mapping[str, Pose] = MappingProxyType({})


def coin(gestures: HeldGestures, seat: int, chips: float) -> Coin:
    """A new coin of this player's, not yet in view; ``chips``: the share of all that are chips."""
    e, rng = gestures.ensemble, gestures.rng
    kind, size = ("chip", rng.uniform(0.75, 0.95)) if rng.random() >= 1 - chips else ("coin", rng.uniform(0.9, 1.15))
    prop = Prop(f"money.{len(e.coins)}", kind, 0, 0, 0, size, rng.randrange(1000))  # type: ignore[arg-type]
    made = Coin(prop, Track(e.seat(seat).home(False)))
    e.coins.append(made)
    return made


def bet(gestures: HeldGestures, t: float, seat: int, count: int, chips: float) -> float:
    """A player pushes ``count`` coins to the middle, about the share ``chips`` of them chips. Returns when they lie there."""
    t, fingers = gestures.come(t, seat)
    return to_middle(gestures, t, fingers, [coin(gestures, seat, chips) for _ in range(count)])


def to_middle(gestures: HeldGestures, t: float, fingers: Fingers, coins: Sequence[Coin]) -> float:
    """This hand pushes coins, out of itself or from where they lie, to the money in the middle. Returns when they lie there."""
    e, rng = gestures.ensemble, gestures.rng
    start, end = fingers.track.pose, room.coin(gestures.middle, rng)
    lasts = e.lasts(0.35 + math.dist((start.x, start.y), gestures.middle) / 1000, 0.15)
    for one in coins:
        to = room.coin(gestures.middle, rng)
        if one.track.where != "table":
            one.track.put(t, "table", replace(to, x=start.x + to.x - end.x, y=start.y + to.y - end.y))
        one.track.add(Move(t, t + lasts, one.track.pose, to))
    fingers.track.add(Move(t, t + lasts, start, replace(end, angle=start.angle, z=10), lift=15))
    fingers.grips.append((t, "slide"))
    e.leave(fingers)
    gestures.money += coins
    return t + lasts


def collect(
    gestures: HeldGestures, t: float, seat: int, won: Sequence[Coin], places: Mapping[str, Pose] = _NOWHERE
) -> float:  # fmt: skip
    """A player draws coins of those in the middle to themselves. Returns when they have them.

    ``places``: where those whose props have these ids are put; all others leave the table.
    """
    if not won:
        return t
    e = gestures.ensemble
    gestures.money = [one for one in gestures.money if one not in won]
    there = Pose(*gestures.middle, e.seat(seat).facing, 8)
    t, fingers = gestures.come(max(t, *(one.track.free for one in won)), seat, there)
    home, here = e.seat(seat).home(False), fingers.track.pose
    lasts = e.lasts(0.4 + math.dist((here.x, here.y), (home.x, home.y)) / 1000, 0.15)
    for one in won:
        at = one.track.pose
        to = places.get(one.prop.id)
        move = one.track.add(Move(t, t + lasts, at, to or at.shifted(home.x - here.x, home.y - here.y)))
        if to is None:
            one.track.put(move.t1, "away")
    fingers.grips.append((t, "slide"))
    fingers.track.put(fingers.track.add(Move(t, t + lasts, here, home)).t1, "away")
    return t + lasts
