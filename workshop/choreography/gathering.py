"""Between two hands: cards are put back on the deck, and the deck goes to the next dealer, who shuffles it."""

from __future__ import annotations

import math
from dataclasses import replace

from workshop.choreography.ensemble import ARM
from workshop.choreography.gestures import Gestures
from workshop.choreography.motion import Move, Pose


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
