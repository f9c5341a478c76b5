"""What hands do with cards at Lu Stù (docs/camera.md): deal, look, exchange, show, draw, leave the hand.

Each gesture begins at or after ``t`` and returns the time, in seconds, at which it has had its effect (the card lies there, the
face is in view); hands may still be on their way back then.
"""

from __future__ import annotations

import math
from dataclasses import replace

from workshop.choreography.barlife import Circle
from workshop.choreography.ensemble import ARM, Ensemble
from workshop.choreography.gestures import FACE_UP, FLAT, OVER_DECK, UNDER_DECK, Gestures
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Pose, distance


class StuGestures(Gestures):
    """The gestures of an evening of Lu Stù. ``in_place``: seat → id of the card in its place."""

    def __init__(self, ensemble: Ensemble) -> None:
        super().__init__(ensemble)
        self.in_place: dict[int, str] = {}
        self.pedine: dict[int, list[str]] = {seat: [] for seat in range(len(ensemble.plan.seats))}
        self.pedine_made = 0

    def give(self, t: float, card: str, seat: int | None) -> None:
        """From ``t`` on the card is this seat's; None: nobody's."""
        self.ensemble.cards[card].owners.append((t, seat))
        if seat is not None:
            self.in_place[seat] = card

    def deal(self, t: float, dealer: int, seat: int, card: str) -> tuple[float, float]:
        """The dealer slides the deck's top card to a place. Returns when it lies there and when the dealer's hand is free."""
        t, fingers = self.off_deck(t, dealer, (card,))
        there = self.dealt(t, dealer, fingers, {card: self.rest_of(seat, 0)})
        self.give(there, card, seat)
        return there, fingers.track.free

    def peek(self, t: float, seat: int) -> float:
        """A player lifts a corner of their card and looks."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        fingers = e.fingers_for(seat, track.pose.x, track.pose.y)
        here = track.pose
        t = max(e.reach(fingers, max(t, track.free), e.on(seat, here, -40), "pinch"), track.free)
        up = e.lasts(0.3)
        raised = replace(here, pitch=self.rng.uniform(18, 38))
        hold = e.lasts(0.8)
        for start, end, pose, height in ((t, t + up, raised, 22.0), (t + up + hold, t + 2 * up + hold, here, -22.0)):
            move = e.slide(card, start, pose, end - start)
            e.with_fingers(fingers, replace(move, end=move.start.shifted(0, 0, height)))
        e.leave(fingers)
        return t + 2 * up + hold

    def lift(self, t: float, seat: int) -> float:
        """A player lifts their whole card to look at it, and lays it down again, hardly ever just as it lay.

        It is turned up by its near end where it lies, or drawn to the table's edge and held up there; so low that nobody else
        sees its face.
        """
        e, rng, card = self.ensemble, self.rng, self.in_place[seat]
        track = self.track(card)
        here = track.pose
        fingers = e.fingers_for(seat, here.x, here.y)
        t = max(e.reach(fingers, max(t, track.free), e.on(seat, here, -40), "pinch"), track.free)
        far = rng.random() < 0.5
        back, height = (rng.uniform(45, 90), rng.uniform(50, 110)) if far else (rng.uniform(0, 25), rng.uniform(15, 40))
        x, y = e.seat(seat).local(rng.gauss(0, 15), -back, (here.x, here.y))
        raised = replace(here, x=x, y=y, z=height, angle=here.angle + rng.gauss(0, 8), pitch=rng.uniform(25, 42))
        up = e.slide(card, t, raised, e.lasts(0.35), fingers).t1
        down = e.slide(card, up + e.lasts(0.7, 0.4), self.rest_of(seat, here.turn), e.lasts(0.35), fingers).t1
        e.leave(fingers)
        return down

    def take_up(self, t: float, seat: int) -> float:
        """A player takes their card off the table, until `put_back`."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        fingers = e.fingers_for(seat, track.pose.x, track.pose.y)
        t = max(e.reach(fingers, max(t, track.free), e.on(seat, track.pose, -30), "pinch"), track.free)
        x, y = e.seat(seat).local(60 * (-1 if fingers.left else 1), -75, e.seat(seat).edge)
        lap = replace(track.pose, x=x, y=y, z=45)
        move = e.slide(card, t, lap, e.travel(track.pose, lap), fingers)
        track.put(move.t1, "held")
        e.leave(fingers, rest=False)
        return move.t1

    def put_back(self, t: float, seat: int, turn: float | None = None) -> float:
        """A card that is held comes back to its place, with another side up where ``turn`` says so."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        t = max(t, track.free, track.stays[-1][0])
        fingers = e.fingers_for(seat, track.pose.x, track.pose.y)
        t = max(e.reach(fingers, t, e.on(seat, track.pose, -30), "pinch"), t)
        turn = track.pose.turn if turn is None else turn
        track.put(t, "table", replace(track.pose, turn=turn))
        to = self.rest_of(seat, turn)
        move = e.slide(card, t, to, e.travel(track.pose, to), fingers)
        e.leave(fingers)
        return move.t1

    def is_held(self, seat: int) -> bool:
        """Whether this player holds their card off the table."""
        return seat in self.in_place and self.track(self.in_place[seat]).where == "held"

    def lies_open(self, seat: int) -> bool:
        """Whether this player's card lies face up in its place."""
        return self.track(self.in_place[seat]).pose.turn == FACE_UP

    def tap(self, t: float, seat: int) -> float:
        """A tap on the table, or on the card: sto."""
        card = self.in_place.get(seat)
        here = self.track(card).pose if card and not self.is_held(seat) else self.rest_of(seat, 0)
        return self.tap_at(t, seat, here)

    def nudge(self, t: float, seat: int, towards: int) -> float:
        """The asker pushes their card a little towards the next player, and waits with a hand on it."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        here, there = track.pose, e.seat(towards).place
        share = self.rng.uniform(25, 60) / max(math.dist((here.x, here.y), there), 1)
        fingers = e.fingers_for(seat, here.x, here.y)
        t = max(e.reach(fingers, max(t, track.free), e.on(seat, here)), track.free)
        to = here.shifted((there[0] - here.x) * share, (there[1] - here.y) * share)
        return e.slide(card, t, to, e.lasts(0.35), fingers).t1

    def take_home(self, t: float, seat: int) -> float:
        """A nudged card goes back into its place."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        if math.dist((track.pose.x, track.pose.y), e.seat(seat).place) < 22:
            for left in (False, True):
                if e.fingers[seat, left].track.where == "table":
                    e.leave(e.fingers[seat, left], t)
            return t
        fingers = self.fingers_at(t, seat, card)
        move = e.slide(card, max(t, fingers.track.free, track.free), self.rest_of(seat, track.pose.turn), e.lasts(0.4), fingers)
        e.leave(fingers)
        return move.t1

    def exchange(self, t: float, asker: int, asked: int) -> float:
        """The two slide their cards to each other, at the same time or one after the other."""
        e, rng = self.ensemble, self.rng
        one, two = self.in_place[asker], self.in_place[asked]
        first, second = self.fingers_at(t, asker, one), self.fingers_at(t, asked, two)
        a, b = self.track(one), self.track(two)
        to_b, to_a = self.rest_of(asked, a.pose.turn), self.rest_of(asker, b.pose.turn)
        bows = self._bows(asker, asked, distance(a.pose, b.pose))
        start_a = max(t, first.track.free, a.free)
        start_b = max(t, second.track.free, b.free)
        manner = rng.random()
        if manner < 0.5:
            start_a = start_b = max(start_a, start_b)
            start_b += abs(rng.gauss(0, 0.12)) * e.pace
        time_a, time_b = (e.lasts(0.5 + distance(p.pose, q) / 900, 0.15) for p, q in ((a, to_b), (b, to_a)))
        if manner >= 0.85:
            start_a = max(start_a, start_b + time_b * rng.uniform(0.6, 1.1))
        elif manner >= 0.5:
            start_b = max(start_b, start_a + time_a * rng.uniform(0.6, 1.1))
        lifts = [rng.uniform(0, 12) if rng.random() < 0.4 else 0.0 for _ in range(2)]
        self.push(one, first, start_a, to_b, time_a, bows[0], lifts[0], asker)
        self.push(two, second, start_b, to_a, time_b, bows[1], lifts[1], asked)
        done = max(start_a + time_a, start_b + time_b)
        self.give(done, two, asker)
        self.give(done, one, asked)
        e.leave(first)
        e.leave(second)
        for seat in (asker, asked):
            if rng.random() < 0.35:
                self._tidy(done, seat)
        return done

    def _bows(self, asker: int, asked: int, far: float) -> tuple[float, float]:
        """How far (mm) the two paths swing out: past each other, now and then one over the other, and around a place between."""
        rng, n = self.rng, len(self.ensemble.plan.seats)
        inwards = 1 if (asked - asker) % n <= n / 2 else -1
        between = min((asked - asker) % n, (asker - asked) % n) > 1
        if between:
            inner, outer = sorted((rng.uniform(95, 130), rng.uniform(150, 190)))
            return inwards * inner, -inwards * outer
        if rng.random() < 0.2:
            return rng.uniform(-12, 12), rng.uniform(-12, 12)
        wide = min(70.0, far * 0.25)
        side = rng.choice((1, -1))
        return side * rng.uniform(wide * 0.4, wide), side * rng.uniform(wide * 0.4, wide)

    def _tidy(self, t: float, seat: int) -> None:
        card = self.in_place[seat]
        fingers = self.fingers_at(t, seat, card)
        track = self.track(card)
        begin, to = max(t, fingers.track.free, track.free), self.rest_of(seat, track.pose.turn)
        move = self.ensemble.slide(card, begin, to, self.ensemble.lasts(0.3), fingers)
        self.ensemble.leave(fingers, move.t1)

    def show(self, t: float, seat: int) -> float:
        """The card in this place is turned face up where it lies; one that lies face up already is pointed at."""
        e, card = self.ensemble, self.in_place[seat]
        track = self.track(card)
        if self.is_held(seat):
            return self.put_back(t, seat, FACE_UP)
        if track.pose.turn == FACE_UP:
            return self.tap(t, seat)
        side = self.rng.choice((-1, 1))
        here = track.pose
        fingers = e.fingers_for(seat, here.x, here.y)
        x, y = e.seat(seat).local(side * 20, -20, (here.x, here.y))
        t = max(e.reach(fingers, max(t, track.free), Pose(x, y, here.angle, 8), "pinch"), track.free)
        x, y = e.seat(seat).local(-side * self.rng.uniform(0, 14), self.rng.uniform(-8, 8), (here.x, here.y))
        to = replace(here, x=x, y=y, angle=here.angle + self.rng.gauss(0, 4), turn=FACE_UP)
        move = e.slide(card, t, to, e.lasts(0.5, 0.2), lift=8)
        aside = e.seat(seat).local(-side * 10, -70, (here.x, here.y))
        e.with_fingers(fingers, replace(move, end=replace(here, x=aside[0], y=aside[1]), lift=50))
        e.leave(fingers)
        return move.t1

    def under_deck(self, t: float, seat: int, dealer: int) -> float:
        """The card of this place goes face down under the deck; from far away it is pushed to the dealer, who puts it there."""
        e = self.ensemble
        if self.is_held(seat):
            t = self.put_back(t, seat)
        card = self.in_place.pop(seat)
        track, deck = self.track(card), e.deck.pose
        fingers = self.fingers_at(t, seat, card)
        t = max(t, fingers.track.free, track.free)
        edge = e.seat(seat).edge
        if seat != dealer and math.hypot(deck.x - edge[0], deck.y - edge[1]) > ARM:
            far = max(distance(track.pose, deck), 1)
            share = 1 - 115 / far if far > 115 else 0.1
            near = replace(deck, x=track.pose.x + (deck.x - track.pose.x) * share, z=0,
                           y=track.pose.y + (deck.y - track.pose.y) * share)
            time = e.lasts(0.4 + far / 900, 0.15)
            self.push(card, fingers, t, near, time, 0, 0, seat)
            e.leave(fingers)
            fingers = e.fingers_for(dealer, near.x, near.y)
            t = max(e.reach(fingers, t + time * 0.6, e.on(dealer, near)), t + time)
        e.layer(card, t, UNDER_DECK)
        self.give(t, card, None)
        to = Pose(deck.x, deck.y, deck.angle)
        move = e.slide(card, t, to, e.travel(track.pose, to, 0.9), fingers)
        track.put(move.t1, "deck")
        e.leave(fingers)
        return move.t1

    def draw(self, t: float, seat: int, dealer: int, new: str) -> float:
        """The card of this place goes under the deck, then the deck's top card comes to the place."""
        t = self.under_deck(t, seat, dealer)
        e = self.ensemble
        track, top = self.track(new), e.deck_top()
        edge = e.seat(seat).edge
        giver = seat if math.hypot(top.x - edge[0], top.y - edge[1]) <= ARM else dealer
        fingers = e.fingers_for(giver, top.x, top.y)
        t = e.reach(fingers, t + e.lasts(0.15), e.on(giver, top, 5))
        track.put(t, "table", top)
        e.layer(new, t, OVER_DECK)
        to = self.rest_of(seat, 0)
        time = e.travel(top, to, 0.9)
        if giver == seat:
            e.slide(new, t, to, time, fingers)
        else:
            self.push(new, fingers, t, to, time, 0, 0, giver)
        e.layer(new, t + time, FLAT)
        e.leave(fingers)
        self.give(t + time, new, seat)
        return t + time


def taken(plan: Plan) -> list[Circle]:
    """Circles over where cards lie and over the paths between neighbours."""
    circles = []
    for seat, after in zip(plan.seats, (*plan.seats[1:], plan.seats[0]), strict=True):
        circles += [(seat.place, 72.0), (seat.local(-seat.token_side * 25, 125), 66.0)]
        circles += [(seat.local(seat.token_side * right, -14), 50.0) for right in (70, 130, 190)]
        circles += [(seat.local(0, -75), 55.0)]
        steps = max(int(math.dist(seat.place, after.place) / 60), 1)
        circles += [
            ((seat.place[0] + (after.place[0] - seat.place[0]) * k / steps,
              seat.place[1] + (after.place[1] - seat.place[1]) * k / steps), 45.0)
            for k in range(1, steps)
        ]  # fmt: skip
    if plan.deck_in_middle:
        circles.append(((0.0, 0.0), 90.0))
    return circles
