"""Between two hands of Lu Stù: the cards go back to the deck, and pedine are put down or taken away."""

from __future__ import annotations

import math
from dataclasses import replace

from workshop.choreography.ensemble import ARM, Card
from workshop.choreography.gestures import square_up
from workshop.choreography.motion import Move, Track
from workshop.choreography.stu.gestures import StuGestures


def clear(gestures: StuGestures, t: float, collector: int) -> float:
    """All cards on the table are gathered to the deck, face down. Returns when the last one is in it, seconds.

    Either everybody pushes their own card towards the deck, or the collector takes those within reach.
    """
    e, rng = gestures.ensemble, gestures.rng
    for seat in [seat for seat in gestures.in_place if gestures.is_held(seat)]:
        gestures.put_back(t, seat)
    seats = list(gestures.in_place)
    rng.shuffle(seats)
    gathers = rng.random() < 0.4
    deck = e.deck.pose
    edge = e.seat(collector).edge
    busy = start = t
    heap: list[tuple[float, str]] = []
    for seat in seats:
        card = gestures.in_place[seat]
        track = gestures.track(card)
        far = math.dist((track.pose.x, track.pose.y), (deck.x, deck.y))
        aside = min(rng.uniform(55, 95) / max(far, 1), 0.9)
        spot = replace(track.pose, x=deck.x + (track.pose.x - deck.x) * aside, y=deck.y + (track.pose.y - deck.y) * aside,
                       angle=track.pose.angle + rng.gauss(0, 20))
        in_reach = math.dist((track.pose.x, track.pose.y), edge) < ARM
        owner = collector if gathers and in_reach else seat
        begin = busy if owner == collector else start
        fingers = e.fingers_for(owner, track.pose.x, track.pose.y)
        begin = max(e.reach(fingers, begin, e.on(owner, track.pose)), track.free)
        time = e.lasts(0.35 + far / 1100, 0.15)
        if math.dist((spot.x, spot.y), e.seat(owner).edge) < ARM:
            e.slide(card, begin, spot, time, fingers)
        else:
            e.slide(card, begin, spot, time, early=0.75)
            here = fingers.track.pose
            e.with_fingers(fingers, Move(begin, begin + time * 0.5, here, replace(
                here, x=here.x + (spot.x - track.moves[-1].start.x) * 0.4, y=here.y + (spot.y - track.moves[-1].start.y) * 0.4)))
        if owner != collector:
            e.leave(fingers)
            start += rng.choice((0.0, e.lasts(0.2), e.lasts(0.45)))
        else:
            busy = begin + time
        gestures.give(begin, card, None)
        heap.append((begin + time, card))
    gestures.in_place.clear()
    return square_up(gestures, sorted(heap), collector)


def settle(gestures: StuGestures, t: float, seat: int, shown: int, texture: tuple[str, str] | None = None) -> float:
    """Pedine are put down or taken away until ``shown`` lie before this player. Returns when that is done, seconds."""
    e, rng = gestures.ensemble, gestures.rng
    lying = gestures.pedine[seat]
    while len(lying) > shown:
        card = lying.pop()
        track = gestures.track(card)
        fingers = e.fingers_for(seat, track.pose.x, track.pose.y)
        t = max(e.reach(fingers, t, e.on(seat, track.pose)), track.free)
        move = e.slide(card, t, e.seat(seat).home(fingers.left), e.lasts(0.5), fingers, lift=25)
        track.put(move.t1, "away")
        fingers.track.put(move.t1, "away")
        t = move.t1
    while len(lying) < shown:
        card = new(gestures, seat, texture)
        fingers = e.fingers_for(seat, *e.seat(seat).place)
        start = e.seat(seat).home(fingers.left)
        t = max(t, e.reach(fingers, t, start) if fingers.track.where == "table" else fingers.track.free)
        fingers.track.put(t, "table", start.shifted(0, 0, 5))
        track = gestures.track(card)
        track.put(t, "table", start)
        fingers.grips.append((t, "hold"))
        move = e.slide(card, t, e.seat(seat).token(len(lying), shown, rng), e.lasts(0.45), fingers, lift=25)
        lying.append(card)
        e.leave(fingers, rest=None if len(lying) == shown else False)
        t = fingers.track.free if len(lying) < shown else move.t1
    return t


def new(gestures: StuGestures, seat: int, texture: tuple[str, str] | None = None) -> str:
    """The id of a new pedina, which is not on the table yet. ``texture``: None draws a French-suited face."""
    suits, ranks = "hdcs", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    key = texture or ("ramino", gestures.rng.choice(ranks) + gestures.rng.choice(suits))
    card = f"pedina.{seat}.{gestures.pedine_made}"
    gestures.pedine_made += 1
    track = Track(gestures.ensemble.seat(seat).home(False))
    gestures.ensemble.cards[card] = Card(key, track, owners=[(-math.inf, seat)], token=True)
    return card
