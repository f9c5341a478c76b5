"""Suit signs of many countries and of none, drawn in a few manners, and a court card's index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from workshop.deck.strange.canvas import (
    FONTS,
    Canvas,
    Colour,
    Floats,
    Paint,
    Rng,
    box,
    ellipse,
    placed,
    smooth,
    star,
)
from workshop.deck.strange.inks import Inks


def _heart() -> list[Floats]:
    t = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    x, y = 16 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return [np.column_stack([x, y]) / 32]


def _spade() -> list[Floats]:
    return [np.array([[0, 0.1], [0.16, 0.5], [-0.16, 0.5]]), _heart()[0] * [1, -0.8] + (0, -0.06)]


def _leaf() -> list[Floats]:
    return [box(-0.03, 0.1, 0.03, 0.5), smooth([(0, -0.5), (0.34, -0.1), (0.2, 0.2), (0, 0.3), (-0.2, 0.2), (-0.34, -0.1)])]


def _acorn() -> list[Floats]:
    cup = np.array([[-0.3, 0.0], [0.3, 0.0], [0.22, 0.26], [-0.22, 0.26]])
    return [box(-0.04, 0.2, 0.04, 0.5), smooth([(0, -0.5), (0.22, -0.2), (0.2, 0.05), (-0.2, 0.05), (-0.22, -0.2)]), cup]


def _bell() -> list[Floats]:
    return [
        ellipse(0, 0.38, 0.1),
        smooth([(0, -0.45), (0.2, -0.25), (0.24, 0.1), (0.4, 0.32), (0, 0.36), (-0.4, 0.32), (-0.24, 0.1), (-0.2, -0.25)]),
    ]


def _moon() -> list[Floats]:
    t = np.linspace(0.5, 2 * np.pi - 0.5, 24)
    outer = np.column_stack([np.cos(t), np.sin(t)]) * 0.45
    inner = outer[::-1] * 0.8 + (0.17, 0)
    return [np.concatenate([outer, inner])]


SHAPES: Mapping[str, list[Floats]] = MappingProxyType(
    {
        "heart": _heart(),
        "spade": _spade(),
        "diamond": [np.array([[0, -0.5], [0.36, 0], [0, 0.5], [-0.36, 0]])],
        "clover": [
            np.array([[0, 0], [0.15, 0.5], [-0.15, 0.5]]),
            *(ellipse(x, y, 0.21) for x, y in ((0, -0.27), (-0.24, 0.06), (0.24, 0.06))),
        ],
        "leaf": _leaf(),
        "acorn": _acorn(),
        "bell": _bell(),
        "moon": _moon(),
        "star": [star(0, 0, 5, 0.5, 0.2)],
        "sun": [star(0, 0, 12, 0.5, 0.33)],
        "disc": [ellipse(0, 0, 0.42)],
        "shield": [smooth([(-0.38, -0.42), (0, -0.36), (0.38, -0.42), (0.34, 0.1), (0, 0.5), (-0.34, 0.1)])],
        "flower": [smooth(star(0, 0, 6, 0.5, 0.2), 4)],
        "drop": [smooth([(0, -0.5), (0.28, 0.1), (0.2, 0.42), (-0.2, 0.42), (-0.28, 0.1)])],
        "cross": [box(-0.14, -0.48, 0.14, 0.48), box(-0.45, -0.14, 0.45, 0.14)],
        "square": [box(-0.36, -0.36, 0.36, 0.36)],
        "triangle": [np.array([[0, -0.45], [0.45, 0.38], [-0.45, 0.38]])],
    }
)
"""Name → closed shapes in the unit square about the origin, the lowest first."""


def sign(c: Canvas, name: str, x: float, y: float, size: float, paint: Paint, ink: Colour | None = None, turn: float = 0) -> None:
    """A flat suit sign ``size`` units high."""
    for part in SHAPES[name]:
        c.draw(placed(part, x, y, size, turn), paint, ink, size * 0.05)


def coin(c: Canvas, x: float, y: float, size: float, i: Inks, rng: Rng, line: float) -> None:
    """A coin of several rings with a face, a star or a flower in it."""
    rim, inside, core = i.gold, *i.some(rng, 2)
    c.draw(ellipse(x, y, size / 2), rim, i.ink, line)
    rays = int(rng.integers(8, 20))
    c.draw(star(x, y, rays, size * 0.44, size * 0.3), inside, i.ink, line * 0.6)
    c.draw(ellipse(x, y, size * 0.28), i.paper if rng.random() < 0.5 else rim, i.ink, line * 0.8)
    c.draw(star(x, y, int(rng.integers(4, 8)), size * 0.24, size * 0.1), core, i.ink, line * 0.5)
    c.draw(ellipse(x, y, size * 0.07), i.paper, i.ink, line * 0.5)


def cup(c: Canvas, x: float, y: float, size: float, i: Inks, rng: Rng, line: float) -> None:
    """A cup with a foot, a belly and a lid or a brim."""
    body, band = i.some(rng, 2)
    waist, brim = rng.uniform(0.06, 0.12), rng.uniform(0.24, 0.36)
    foot = np.array(
        [[-0.26, 0.5], [0.26, 0.5], [0.2, 0.42], [waist, 0.34], [waist, 0.14], [-waist, 0.14], [-waist, 0.34], [-0.2, 0.42]]
    )
    bowl = smooth([(-brim, -0.3), (brim, -0.3), (brim * 0.9, 0.0), (0.1, 0.18), (-0.1, 0.18), (-brim * 0.9, 0.0)], 4)
    c.draw(placed(foot, x, y, size), i.gold, i.ink, line)
    c.draw(placed(ellipse(0, 0.24, 0.13, 0.06), x, y, size), band, i.ink, line * 0.7)
    c.draw(placed(bowl, x, y, size), body, i.ink, line)
    c.draw(placed(box(-brim * 0.95, -0.14, brim * 0.95, -0.04), x, y, size), band, i.ink, line * 0.7)
    c.draw(placed(ellipse(0, -0.31, brim, 0.09), x, y, size), i.gold, i.ink, line)
    if rng.random() < 0.5:
        c.draw(placed(ellipse(0, -0.4, 0.1, 0.1), x, y, size), band, i.ink, line * 0.7)


def club(
    c: Canvas, x: float, y: float, size: float, i: Inks, rng: Rng, line: float, turn: float = 0.0, wide: float = 0.24
) -> None:
    """A knotty club, thick end up."""
    wood, cut = i.some(rng, 2)
    knots = [
        (0.07, 0.5),
        (-0.07, 0.5),
        (-0.09, 0.2),
        (-0.16, 0.1),
        (-0.11, -0.05),
        (-0.2, -0.2),
        (-0.18, -0.45),
        (0, -0.5),
        (0.18, -0.45),
        (0.2, -0.25),
        (0.12, -0.1),
        (0.17, 0.05),
        (0.09, 0.2),
    ]
    c.draw(placed(smooth(np.array(knots) * [wide / 0.24, 1], 3), x, y, size, turn, bool(rng.random() < 0.5)), wood, i.ink, line)
    for spot in (-0.32, -0.02, 0.28):
        c.draw(placed(ellipse(0.02, spot, 0.05 * wide / 0.24, 0.07), x, y, size, turn), cut, i.ink, line * 0.6)


def sword(
    c: Canvas, x: float, y: float, size: float, i: Inks, rng: Rng, line: float, turn: float = 0.0, bent: float = 0.0
) -> None:
    """A sword, point up, its blade straight or ``bent`` (sagitta as a share of its length)."""
    blade, hilt = (i.paper if rng.random() < 0.4 else i.some(rng, 1)[0]), i.some(rng, 1)[0]
    t = np.linspace(-1, 1, 9)
    along = np.column_stack([bent * (1 - t**2), t * 0.5])
    half = np.where(t < -0.8, 0.0, 0.045)[:, None] * [1, 0]
    c.draw(placed(np.concatenate([along[:7] - half[:7], (along + half)[6::-1]]), x, y, size, turn), blade, i.ink, line)
    guard = along[6]
    c.draw(placed(box(-0.15, -0.025, 0.15, 0.025) + guard, x, y, size, turn), i.gold, i.ink, line * 0.8)
    c.draw(placed(box(-0.035, 0.02, 0.035, 0.17) + guard, x, y, size, turn), hilt, i.ink, line * 0.8)
    c.draw(placed(ellipse(0, 0.2, 0.055) + guard, x, y, size, turn), i.gold, i.ink, line * 0.8)


Thing = Callable[[Canvas, float, float, float, Inks, Rng, float], None]
THINGS: Mapping[str, Thing] = MappingProxyType({"coin": coin, "cup": cup, "club": club, "sword": sword})
"""The Italian suits."""


def index(
    c: Canvas,
    letter: str,
    suit: str,
    colour: Colour,
    size: float,
    font: int = FONTS[0],
    inset: float = 4.0,
    plate: Paint | None = None,
) -> None:
    """Letter and suit sign in the top left corner and, turned, in the bottom right one; on a ``plate`` where the card is printed
    there."""
    if plate is not None:
        c.fill(box(inset - size * 0.25, inset - size * 0.1, inset + size * 1.15, inset + size * 2.3), plate)
    c.text(letter, inset + size * 0.45, inset + size * 0.6, size, colour, font, size * 0.11)
    sign(c, suit, inset + size * 0.45, inset + size * 1.75, size * 0.9, colour)
    height, across = (round(c.shape[0] * (inset + size * part) / 100) for part in (2.4, 1.2))
    c.image[-height:, -across:] = c.image[:height, :across][::-1, ::-1]
