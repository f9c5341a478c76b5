"""Money that hands move: coins and chips go to the middle of the table, and from there to the winner."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from workshop.choreography.ensemble import Coin, Fingers
from workshop.choreography.held import room
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.motion import Move, Pose, Track
from workshop.stage.scene import Prop

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
