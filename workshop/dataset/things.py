"""What lies about on a table besides cards, and the hands over it, at random."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from workshop.stage.fingers import SKINS
from workshop.stage.props import CLUTTER, TALL, USUAL
from workshop.stage.scene import CardPose, FingersPose, Grip, Prop

Floats = NDArray[np.float64]
Rng = np.random.Generator


def fingers_over(rng: Rng, number: int, at: tuple[float, float]) -> FingersPose:
    """Somebody's hand over a point, coming from the table's rim or now and then from anywhere."""
    from_rim = np.degrees(np.arctan2(-at[0], at[1])) + 180 + rng.normal(0, 35)
    if rng.random() < 0.25:
        from_rim = rng.uniform(0, 360)
    grips: tuple[Grip, ...] = get_args(Grip)
    grip = grips[int(rng.choice(5, p=[0.25, 0.35, 0.2, 0.1, 0.1]))]
    skin = skin_of(rng)
    sleeve = rng.uniform(15, 235) * rng.uniform(0.5, 1.3, 3)
    return FingersPose(
        f"h{number}", *at, float(from_rim), float(rng.uniform(2, 14) if rng.random() < 0.7 else rng.uniform(10, 120)), grip,
        bool(rng.random() < 0.5), skin, colour(sleeve), float(rng.normal(0, 18)), float(rng.uniform(500, 900)),
        seed=int(rng.integers(1 << 30)),
    )  # fmt: skip


def colour(values: Floats) -> tuple[int, int, int]:
    """BGR of a skin or a cloth, neither black nor white."""
    blue, green, red = (int(v) for v in np.clip(values, 5, 250))
    return blue, green, red


def skin_of(rng: Rng) -> tuple[int, int, int]:
    """Somebody's skin, BGR."""
    return colour(np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.88, 1.08, 3))


def props(rng: Rng, number: int, places: Floats) -> list[Prop]:
    """The usual things of a bar, at the first ``number`` of the places (N x 2 mm)."""
    weights = np.array([0.6 if kind in TALL else 1.3 for kind in USUAL])
    weights /= weights.sum()
    return [
        Prop(f"p{n}", USUAL[int(rng.choice(len(USUAL), p=weights))], float(x), float(y), float(rng.uniform(0, 360)),
             float(rng.uniform(0.85, 1.2)), int(rng.integers(1 << 30)))
        for n, (x, y) in enumerate(places[:number])
    ]  # fmt: skip


def clutter(rng: Rng, places: Floats, cards: list[CardPose]) -> list[Prop]:
    """Things that look like cards, at N x 2 mm and now and then half on a card; chips come in twos and threes of one colour."""
    weights = np.array([6.0 if kind == "chip" else 1.0 for kind in CLUTTER])
    weights /= weights.sum()
    found: list[Prop] = []
    for x, y in places[: int(rng.integers(1, 9))].tolist():
        kind, seed = CLUTTER[int(rng.choice(len(CLUTTER), p=weights))], int(rng.integers(1 << 30))
        for _ in range(int(rng.integers(1, 5)) if kind == "chip" else 1):
            at = (x, y) + rng.normal(0, 45, 2) if kind == "chip" else (x, y)
            angle, size = float(rng.uniform(0, 360)), float(rng.uniform(0.9, 1.1))
            found.append(Prop(f"q{len(found)}", kind, float(at[0]), float(at[1]), angle, size, seed))
    small = [prop for prop in found if prop.kind in ("chip", "cap", "domino", "matchbox", "ticket", "label")]
    for prop in small[:2]:
        if cards and rng.random() < 0.35:
            card = cards[int(rng.integers(len(cards)))]
            off = rng.uniform(-0.7, 0.7, 2) * card.mm
            moved = replace(prop, id=f"q{len(found)}", x=card.x + float(off[0]), y=card.y + float(off[1]), layer=1)
            found.append(moved)
    return found
