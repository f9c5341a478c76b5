"""The pedine beside each player: rummy cards, put out when the first is lost and taken away one by one."""

from __future__ import annotations

import math

from workshop.choreography.ensemble import Card
from workshop.choreography.motion import Track
from workshop.choreography.stu.gestures import StuGestures


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
