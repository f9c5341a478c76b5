"""What hands do at any card table: deal, push, knock, gather the cards, pass the deck and shuffle it.

Each gesture begins at or after ``t`` and returns the time, in seconds, at which it has had its effect (the card lies there, the
face is in view); hands may still be on their way back then.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from workshop.choreography.ensemble import ARM, Ensemble, Fingers
from workshop.choreography.motion import Move, Pose, Track, distance

FACE_UP = 180.0
OVER_DECK, UNDER_DECK, FLAT = 1, -1, 0
"""Layers (`CardPose.layer`)."""
AFTER = 0.02
"""Seconds by which a card that is moved together with others begins after the one that it lies on."""


class Gestures:
    """The gestures of one evening, on the ensemble's tracks."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble
        self.rng: Random = ensemble.rng

    def track(self, card: str) -> Track:
        """The track of a card."""
        return self.ensemble.cards[card].track

    def rest_of(self, seat: int, turn: float) -> Pose:
        """Where a card that is put down in this seat's place comes to lie, with this ``turn``."""
        return replace(self.ensemble.seat(seat).card(self.rng, self.ensemble.plan.sloppiness), turn=turn)

    def off_deck(self, t: float, dealer: int, cards: Sequence[str]) -> tuple[float, Fingers]:
        """The dealer's hand takes these cards off the deck, the first one lowest. Returns when it has them, and the hand."""
        e = self.ensemble
        top = e.deck_top()
        fingers = e.nearer_fingers(dealer, top.x, top.y)
        t = e.reach(fingers, t, e.on(dealer, top, 8))
        for card in cards:
            self.track(card).put(t, "table", top)
            e.layer(card, t, OVER_DECK)
        return t, fingers

    def dealt(self, t: float, dealer: int, fingers: Fingers, cards: Mapping[str, Pose]) -> float:
        """Cards that lie under this hand of the dealer slide to their poses. Returns when they lie there.

        The arm goes along as far as it reaches, from there on they glide.
        """
        e = self.ensemble
        (first, to), *others = cards.items()
        top = self.track(first).pose
        far = distance(top, to)
        duration = e.lasts(0.32 + far / 1300, 0.12)
        edge = e.seat(dealer).edge
        if math.hypot(to.x - edge[0], to.y - edge[1]) < ARM:
            move = e.slide(first, t, to, duration, fingers)
        else:
            move = e.slide(first, t, to, duration, early=0.72)
            start = fingers.track.pose
            share = min(ARM * 0.55 / far, 0.5)
            e.with_fingers(fingers, replace(move, t1=t + duration * 0.55, end=Pose(
                top.x + (to.x - top.x) * share, top.y + (to.y - top.y) * share, start.angle, to.z), early=0.8))
        for number, (card, there) in enumerate(others, start=1):
            e.slide(card, t + number * AFTER, there, duration, early=move.early)
        for card in cards:
            e.layer(card, t + duration, FLAT)
        return t + duration + len(others) * AFTER

    def fingers_at(self, t: float, seat: int, card: str) -> Fingers:
        """A hand of this player on the card: one that lies there already, or one that comes."""
        e, here = self.ensemble, self.track(card).pose
        for left in (False, True):
            fingers = e.fingers[seat, left]
            if fingers.track.where == "table" and distance(fingers.track.pose, here) < 30:
                return fingers
        fingers = e.fingers_for(seat, here.x, here.y)
        e.reach(fingers, max(t, self.track(card).free - 0.2), e.on(seat, here))
        return fingers

    def push(self, card: str, fingers: Fingers, t: float, to: Pose, lasts: float, bow: float, lift: float, seat: int) -> None:
        """Slide a card to another place: the arm follows as far as it reaches, and the card glides on."""
        e = self.ensemble
        here = self.track(card).pose
        edge = e.seat(seat).edge
        if math.hypot(to.x - edge[0], to.y - edge[1]) < ARM:
            e.slide(card, t, to, lasts, fingers, bow=bow, lift=lift)
            return
        move = e.slide(card, t, to, lasts, bow=bow, lift=lift, early=0.75)
        share = 0.45
        e.with_fingers(fingers, replace(move, t1=t + lasts * 0.55, bow=bow * 0.4, early=0.8, end=replace(
            here, x=here.x + (to.x - here.x) * share, y=here.y + (to.y - here.y) * share)))

    def hand_for(self, seat: int, x: float, y: float) -> Fingers:
        """The hand with which this player taps at the point."""
        return self.ensemble.fingers_for(seat, x, y)

    def tap_at(self, t: float, seat: int, here: Pose) -> float:
        """A tap on the table near a card that lies, or would lie, at ``here``."""
        e = self.ensemble
        fingers = self.hand_for(seat, here.x, here.y)
        x, y = e.seat(seat).local(self.rng.uniform(-50, 50), -self.rng.uniform(20, 60), (here.x, here.y))
        t = e.reach(fingers, t, Pose(x, y, here.angle, 20), "point")
        move = replace(fingers.track.moves[-1], t0=t, t1=t + e.lasts(0.15), start=fingers.track.pose)
        fingers.track.add(replace(move, end=move.start.shifted(0, 0, -18), lift=0))
        e.leave(fingers)
        return move.t1

    def fidget(self, t: float, seat: int) -> None:
        """An idle hand comes onto the table for a moment, over its owner's card or beside it."""
        e, rng = self.ensemble, self.rng
        fingers = e.fingers[seat, rng.random() < 0.5]
        if fingers.track.where == "table" or fingers.track.free > t:
            return
        side = -1 if fingers.left else 1
        x, y = e.seat(seat).local(side * rng.uniform(0, 150), rng.uniform(40, 170), e.seat(seat).edge)
        there = e.reach(fingers, t, Pose(x, y, e.seat(seat).facing, 5), rng.choice(("rest", "point", "rest")))
        e.leave(fingers, there + e.lasts(1.1, 0.5))


def square_up(gestures: Gestures, heap: list[tuple[float, str]], collector: int) -> float:
    """Cards that lie about the deck are put on it face down, one by one.

    ``heap``: when each came to lie there (seconds) and its id, in order of time. Returns when the last one is in the deck.
    """
    e = gestures.ensemble
    if not heap:
        return e.deck.free
    done = heap[-1][0]
    fingers = e.fingers_for(collector, e.deck.pose.x, e.deck.pose.y)
    done = max(done, e.reach(fingers, done - 0.2, e.on(collector, e.deck.pose, 0), "hold"))
    for _, card in heap:
        done += e.lasts(0.12)
        track = gestures.track(card)
        e.layer(card, done, 1)
        top = replace(e.deck_top(), turn=0)
        move = e.slide(card, max(done, track.free), top, e.lasts(0.4), lift=45)
        track.put(move.t1, "deck")
    end = max(gestures.track(card).free for _, card in heap)
    e.leave(fingers, end)
    return end


def pass_deck(gestures: Gestures, t: float, dealer: int, to: Pose) -> float:
    """The deck is passed to the next dealer, where it is to lie at ``to``, and who may shuffle it. Returns when it lies ready."""
    e, rng = gestures.ensemble, gestures.rng
    if not e.plan.deck_in_middle or math.dist((to.x, to.y), (e.deck.pose.x, e.deck.pose.y)) > 60:
        mover = dealer
        if math.dist((e.deck.pose.x, e.deck.pose.y), e.seat(dealer).edge) > ARM:
            mover = min(range(len(e.plan.seats)), key=lambda s: math.dist((e.deck.pose.x, e.deck.pose.y), e.seat(s).edge))
        fingers = e.fingers_for(mover, e.deck.pose.x, e.deck.pose.y)
        t = max(e.reach(fingers, t, e.on(mover, e.deck.pose, 5)), e.deck.free)
        far = math.dist((e.deck.pose.x, e.deck.pose.y), (to.x, to.y))
        move = e.deck.add(Move(t, t + e.lasts(0.4 + far / 900, 0.15), e.deck.pose, to, early=1 if mover == dealer else 0.8))
        if math.dist((to.x, to.y), e.seat(mover).edge) < ARM:
            e.with_fingers(fingers, move)
        e.leave(fingers, rest=False)
        t = move.t1
    if rng.random() < 0.7:
        t = shuffle(gestures, t, dealer)
    return t


def shuffle(gestures: Gestures, t: float, dealer: int) -> float:
    """The dealer shuffles the deck with both hands, where it is within reach. Returns when it lies still."""
    e, rng = gestures.ensemble, gestures.rng
    both = [e.fingers[dealer, left] for left in (False, True)]
    if math.dist((e.deck.pose.x, e.deck.pose.y), e.seat(dealer).edge) > ARM:
        return t
    for fingers in both:
        x, y = e.seat(dealer).local(-28 if fingers.left else 28, rng.uniform(-10, 15), (e.deck.pose.x, e.deck.pose.y))
        t = max(t, e.reach(fingers, t - 0.2, Pose(x, y, e.seat(dealer).facing, 14), "hold"))
    rest = e.deck.pose
    for _ in range(rng.randint(3, 6)):
        to = replace(rest, x=rest.x + rng.gauss(0, 5), y=rest.y + rng.gauss(0, 5), angle=rest.angle + rng.gauss(0, 5))
        move = e.deck.add(Move(t, t + e.lasts(0.25), e.deck.pose, to))
        for fingers in both:
            e.with_fingers(fingers, replace(move, end=move.end.shifted(rng.gauss(0, 8), rng.gauss(0, 8), rng.uniform(0, 12))))
        t = move.t1
    for fingers in both:
        e.leave(fingers)
    return t
