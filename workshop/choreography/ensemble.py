"""Everything that moves, and the few things that hands can do to it: reach, carry, let go.

`gestures` is written in these terms. Each returns when it is over, in seconds. An arm always comes from its owner's side of the
table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random

from workshop.choreography.layout import Plan, Seat
from workshop.choreography.motion import Move, Pose, Track, distance
from workshop.stage.scene import Grip, Prop

ARM = 620.0
"""How far (mm) from the edge in front of them people can slide things without leaning over the table."""


@dataclass
class Card:
    """A card or pedina: its texture (``key``) and track, and from which time on it is in which layer (`CardPose.layer`) and
    whose. ``token``: a pedina; the side that ``key`` names always shows."""

    key: tuple[str, str]
    track: Track
    layers: list[tuple[float, int]] = field(default_factory=lambda: [(-math.inf, 0)])
    owners: list[tuple[float, int | None]] = field(default_factory=lambda: [(-math.inf, None)])
    token: bool = False

    def owner_at(self, t: float) -> int | None:
        """The seat whose card it is at ``t``; None while it is nobody's."""
        return next(seat for since, seat in reversed(self.owners) if since <= t)

    def layer_at(self, t: float) -> int:
        """The drawing layer at ``t``."""
        return next(layer for since, layer in reversed(self.layers) if since <= t)


@dataclass
class Fingers:
    """The fingers of one hand of a player: where their tips are, and how they are held from which time on."""

    seat: int
    left: bool
    track: Track
    grips: list[tuple[float, Grip]] = field(default_factory=lambda: [(-math.inf, "rest")])

    def grip_at(self, t: float) -> Grip:
        """The grip at ``t``."""
        return next(grip for since, grip in reversed(self.grips) if since <= t)


@dataclass
class Coin:
    """A coin or chip that goes from hand to hand: what it looks like, and its track."""

    prop: Prop
    track: Track


class Ensemble:
    """All tracks of a clip while it is being directed. ``pace`` multiplies every duration; ``rest_share``: how often a hand with
    nothing to do stays on the table, 0 to 1."""

    def __init__(self, plan: Plan, rng: Random, pace: float, rest_share: float) -> None:
        self.plan = plan
        self.rng = rng
        self.pace = pace
        self.rest_share = rest_share
        self.cards: dict[str, Card] = {}
        self.coins: list[Coin] = []
        self.deck = Track(Pose(0, 0))
        self.deck.put(-math.inf, "table")
        self.fingers = {
            (seat, left): Fingers(seat, left, Track(plan.seats[seat].home(left)))
            for seat in range(len(plan.seats))
            for left in (False, True)
        }

    def seat(self, seat: int) -> Seat:
        """The part of the table of the player with this index."""
        return self.plan.seats[seat]

    def lasts(self, mean: float, spread: float = 0.25) -> float:
        """A random duration around ``mean`` seconds at normal tempo, never less than half of it."""
        return mean * max(self.rng.lognormvariate(0, spread), 0.5) * self.pace

    def travel(self, a: Pose, b: Pose, quick: float = 1.0) -> float:
        """Seconds that a hand takes from one pose to another."""
        return self.lasts((0.30 + distance(a, b) / 1100) / quick, 0.15)

    def nearer_fingers(self, seat: int, x: float, y: float) -> Fingers:
        """The player's hand on whose side the point lies."""
        place = self.seat(seat)
        a = math.radians(place.facing)
        right = (x - place.edge[0]) * math.cos(a) + (y - place.edge[1]) * math.sin(a)
        return self.fingers[seat, right < 0]

    def fingers_for(self, seat: int, x: float, y: float) -> Fingers:
        """The hand with which this player does something at the point: mostly the nearer one, else the right one."""
        nearer = self.nearer_fingers(seat, x, y)
        return nearer if self.rng.random() < 0.6 else self.fingers[seat, False]

    def reach(self, fingers: Fingers, t: float, to: Pose, grip: Grip = "slide") -> float:
        """The hand moves to ``to`` from wherever it is, at ``t`` or as soon as it is free. Returns when it arrives."""
        t = max(t, fingers.track.free)
        if fingers.track.where != "table":
            fingers.track.put(t, "table", self.seat(fingers.seat).home(fingers.left))
        start = fingers.track.pose
        end = t + self.travel(start, to, 1.2)
        fingers.track.add(Move(t, end, start, to, lift=min(distance(start, to) * 0.12, 35)))
        fingers.grips.append((t + (end - t) * 0.5, grip))
        return end

    def on(self, seat: int, card: Pose, forward: float | None = None) -> Pose:
        """Where fingertips coming from this player's side rest on a card: ``forward`` mm beyond its middle."""
        forward = self.rng.uniform(-12, 12) if forward is None else forward
        x, y = self.seat(seat).local(self.rng.uniform(-9, 9), forward, (card.x, card.y))
        return Pose(x, y, self.seat(seat).facing, card.z + 5)

    def with_fingers(self, fingers: Fingers, move: Move) -> None:
        """The hand, which is at a card already, goes along with the card's move."""
        start = fingers.track.pose
        end = start.shifted(move.end.x - move.start.x, move.end.y - move.start.y, move.end.z - move.start.z)
        fingers.track.add(replace(move, start=start, end=end))

    def slide(
        self, card: str, t: float, to: Pose, duration: float, fingers: Fingers | None = None, *,
        bow: float = 0.0, lift: float = 0.0, early: float = 1.0,
    ) -> Move:  # fmt: skip
        """The card moves to ``to``, under the hand if one is given. ``bow``, ``lift``, ``early``: as of `Move`."""
        track = self.cards[card].track
        move = track.add(Move(t, t + duration, track.pose, to, bow, lift, early))
        if fingers is not None:
            self.with_fingers(fingers, move)
        return move

    def leave(self, fingers: Fingers, t: float | None = None, rest: bool | None = None) -> float:
        """The hand goes back to its owner's side, off the table or to rest on it. Returns when it arrives.

        ``rest``: whether it stays on the table; None draws it.
        """
        t = max(fingers.track.free, t if t is not None else -math.inf)
        if fingers.track.where != "table":
            return t
        seat = self.seat(fingers.seat)
        stays = self.rng.random() < self.rest_share if rest is None else rest
        to = seat.home(fingers.left)
        if stays:
            x, y = seat.local((-1 if fingers.left else 1) * self.rng.uniform(95, 150), self.rng.uniform(25, 70), seat.edge)
            to = Pose(x, y, seat.facing, 4)
        start = fingers.track.pose
        end = t + self.travel(start, to)
        fingers.track.add(Move(t, end, start, to, lift=20))
        fingers.grips.append((t + (end - t) * 0.3, "rest"))
        if not stays:
            fingers.track.put(end, "away")
        return end

    def layer(self, card: str, t: float, layer: int) -> None:
        """From ``t`` on the card is drawn in this layer."""
        self.cards[card].layers.append((t, layer))

    def in_deck(self, t: float = math.inf) -> int:
        """How many cards the deck holds at ``t``; by default after all moves."""
        return count_in_deck(self.cards.values(), t)

    def deck_top(self) -> Pose:
        """Where the deck's top card is."""
        return replace(self.deck.pose, z=self.in_deck() * 0.32)


def count_in_deck(cards: Iterable[Card], t: float) -> int:
    """How many of these cards are in the deck at ``t``."""
    return sum(card.track.where_at(t) == "deck" for card in cards)
