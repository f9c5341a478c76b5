"""The life tokens beside each player: rummy cards laid down when the first is lost, and taken away one by one."""

from __future__ import annotations

import math

from companion.workshop.choreography.ensemble import Card
from companion.workshop.choreography.gestures import Gestures
from companion.workshop.choreography.motion import Track


def settle(stage: Gestures, t: float, seat: int, shown: int, texture: tuple[str, str] | None = None) -> float:
    """Lay pedine down or take them away until ``shown`` lie before this player."""
    e, rng = stage.all, stage.rng
    lying = stage.pedine[seat]
    while len(lying) > shown:
        card = lying.pop()
        track = stage.track(card)
        hand = e.hand_for(seat, track.pose.x, track.pose.y)
        t = max(e.reach(hand, t, e.on(seat, track.pose)), track.free)
        move = e.slide(card, t, e.seat(seat).home(hand.left), e.lasts(0.5), hand, lift=25)
        track.put(move.t1, "away")
        hand.track.put(move.t1, "away")
        t = move.t1
    while len(lying) < shown:
        card = new(stage, seat, texture)
        hand = e.hand_for(seat, *e.seat(seat).place)
        start = e.seat(seat).home(hand.left)
        t = max(t, e.reach(hand, t, start) if hand.track.where == "table" else hand.track.free)
        hand.track.put(t, "table", start.shifted(0, 0, 5))
        track = stage.track(card)
        track.put(t, "table", start)
        hand.grips.append((t, "hold"))
        move = e.slide(card, t, e.seat(seat).token(len(lying), shown, rng), e.lasts(0.45), hand, lift=25)
        lying.append(card)
        e.leave(hand, rest=None if len(lying) == shown else False)
        t = hand.track.free if len(lying) < shown else move.t1
    return t


def new(stage: Gestures, seat: int, texture: tuple[str, str] | None = None) -> str:
    """A pedina that is not on the table yet: its id. ``texture`` None takes any French-suited face."""
    suits, ranks = "hdcs", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    key = texture or ("ramino", stage.rng.choice(ranks) + stage.rng.choice(suits))
    card = f"pedina.{seat}.{stage.pedine_made}"
    stage.pedine_made += 1
    stage.all.cards[card] = Card(key, Track(stage.all.seat(seat).home(False)), owners=[(-math.inf, seat)])
    return card
