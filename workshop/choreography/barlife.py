"""Bar life: what stands on the table beside the game, what the people look like, how restless they and the camera are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from workshop.choreography.layout import Plan
from workshop.stage.scene import Prop, PropKind

Level = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class BarLife:
    """How much goes on around the game.

    ``resting_fingers``: share of gestures after which the hand stays on the table. ``take_up``: share of looks for which the
    card is taken off the table. ``hidden_pedine``: share of players who show none. ``things``: fewest and most props.
    ``fidgets``: share of pauses in which somebody's idle hand comes onto the table. ``hunts``: how many times a minute the
    camera's exposure or focus hunts.
    """

    resting_fingers: float
    take_up: float
    hidden_pedine: float
    things: tuple[int, int]
    fidgets: float
    hunts: float


LEVELS: Mapping[Level, BarLife] = MappingProxyType(
    {
        "easy": BarLife(0.05, 0.05, 0.0, (0, 2), 0.0, 0.0),
        "medium": BarLife(0.25, 0.15, 0.05, (2, 6), 0.07, 0.7),
        "hard": BarLife(0.55, 0.35, 0.25, (5, 12), 0.25, 3.0),
    }
)

_THINGS: Mapping[PropKind, float] = MappingProxyType(
    {
        "glass": 38, "wine": 36, "beer": 40, "cup": 45, "bottle": 36, "ashtray": 55, "coin": 13, "phone": 80,
        "coaster": 50, "beermat": 50, "receipt": 45, "napkin": 70, "pack": 45, "notepad": 70, "keys": 35, "lighter": 30,
    }
)  # fmt: skip
"""Kind of prop → radius in mm of the room that it needs on the table."""


Circle = tuple[tuple[float, float], float]
"""Middle and radius, mm."""


def props(plan: Plan, rng: Random, level: BarLife, taken: Sequence[Circle]) -> tuple[Prop, ...]:
    """Props that stand outside the circles ``taken``, where the game is played."""
    found: list[tuple[Prop, float]] = []
    wanted = rng.randint(*level.things)
    for _ in range(wanted * 60):
        if len(found) == wanted:
            break
        kind = rng.choice(list(_THINGS))
        radius = _THINGS[kind]
        x = rng.uniform(-plan.width / 2, plan.width / 2)
        y = rng.uniform(-plan.depth / 2, plan.depth / 2)
        if _inside(plan, x, y) < radius + 8:
            continue
        if any(math.dist((x, y), spot) < room + radius for spot, room in taken):
            continue
        if any(math.dist((x, y), (other.x, other.y)) < room + radius + 8 for other, room in found):
            continue
        prop = Prop(f"thing.{len(found)}", kind, x, y, rng.uniform(0, 360), rng.uniform(0.9, 1.1), rng.randrange(1000))
        found.append((prop, radius))
    return tuple(prop for prop, _ in found)


def _inside(plan: Plan, x: float, y: float) -> float:
    """mm from a point to the table's edge, negative outside."""
    if plan.shape == "round":
        return plan.width / 2 - math.hypot(x, y)
    return min(plan.width / 2 - abs(x), plan.depth / 2 - abs(y))


@dataclass(frozen=True, slots=True)
class Person:
    """How a player's hands look: BGR colours 0..255 of skin and sleeve, and the seed of everything else."""

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    seed: int


def people(plan: Plan, rng: Random) -> tuple[Person, ...]:
    """One person for each seat."""
    found = []
    for _ in plan.seats:
        light = rng.uniform(0.55, 1.05)
        skin = (int(128 * light), int(160 * light), int(min(214 * light, 255)))
        grey, tint = rng.uniform(25, 200), rng.uniform(0, 70)
        sleeve = (
            int(min(grey + rng.uniform(-tint, tint), 240)) if grey + tint < 240 else 220,
            int(min(grey + rng.uniform(-tint, tint), 240)) if grey + tint < 240 else 215,
            int(min(grey + rng.uniform(-tint, tint), 240)) if grey + tint < 240 else 210,
        )
        found.append(Person(skin, tuple(max(c, 5) for c in sleeve), rng.randrange(10_000)))  # type: ignore[arg-type]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Hunt:
    """The camera's automatic exposure or focus hunts from ``t`` on for ``lasts`` seconds.

    ``gain`` of the brightness and ``defocus`` (blur in px of a picture 1280 px wide) are those at the worst moment.
    """

    t: float
    lasts: float
    gain: float
    defocus: float

    def share(self, t: float) -> float:
        """How bad it is at ``t``, from 0 to 1 at the worst moment."""
        return math.sin(math.pi * (t - self.t) / self.lasts) if self.t <= t < self.t + self.lasts else 0.0


def hunting(rng: Random, duration: float, level: BarLife) -> tuple[Hunt, ...]:
    """When the camera hunts for exposure or focus in a clip of ``duration`` seconds."""
    hunts = []
    t = 0.0
    while level.hunts:
        t += rng.expovariate(level.hunts / 60)
        if t > duration - 4:
            break
        focus = rng.random() < 0.5
        gain, defocus = (1.0, rng.uniform(1, 3)) if focus else (rng.uniform(0.75, 1.3), 0.0)
        hunts.append(Hunt(t, rng.uniform(0.4, 1.5), gain, defocus))
        t += 2
    return tuple(hunts)
