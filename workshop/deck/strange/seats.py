"""What the great sit on: horses and thrones."""

from __future__ import annotations

import numpy as np

from workshop.deck.strange.canvas import Canvas, Floats, Rng, box, ellipse, placed, smooth
from workshop.deck.strange.people import Wardrobe


def horse(c: Canvas, w: Wardrobe, rng: Rng, x: float, y: float, long: float, flip: bool) -> None:
    """A horse that walks or rears, ``long`` units from chest to tail, its hooves at ``y``, with a saddle cloth."""
    i, ink = w.inks, w.outline or w.inks.ink
    coat = [i.paper, i.hair, *i.some(rng, 1)][int(rng.integers(3))]
    rear = float(rng.choice([0, 0, -18, -30]))

    def at(points: object) -> Floats:
        return placed(placed(np.asarray(points, np.float64), 0, -0.55, turn=rear), x, y, long, flip=flip)

    c.draw(at(smooth([(-0.42, -0.1), (-0.6, 0.0), (-0.62, 0.3), (-0.54, 0.4), (-0.5, 0.15)], 4)), i.hair, ink, w.line)
    for root, swing in ((-0.34, -0.05), (-0.22, 0.08), (0.2, 0.02), (0.32, 0.14)):
        foot = root + swing + rng.uniform(-0.06, 0.06)
        raised = 0.15 if root > 0 and rng.random() < 0.5 else 0.0
        c.draw(
            at(
                [
                    (root - 0.07, 0.1),
                    (root + 0.07, 0.1),
                    (foot + 0.05 + raised, 0.34),
                    (foot + 0.045, 0.52 - raised),
                    (foot - 0.03, 0.52 - raised),
                    (foot - 0.02 + raised, 0.34),
                ]
            ),
            coat,
            ink,
            w.line,
        )
    body = [
        (-0.45, -0.12),
        (-0.1, -0.16),
        (0.25, -0.14),
        (0.42, -0.45),
        (0.5, -0.66),
        (0.6, -0.62),
        (0.78, -0.36),
        (0.7, -0.28),
        (0.56, -0.34),
        (0.46, 0.05),
        (0.3, 0.16),
        (-0.1, 0.2),
        (-0.4, 0.16),
    ]
    c.draw(at(smooth(body, 4)), coat, ink, w.line)
    c.draw(at(smooth([(0.46, -0.68), (0.5, -0.55), (0.36, -0.1), (0.24, -0.14), (0.34, -0.5)], 4)), i.hair, ink, w.line * 0.8)
    c.draw(at(smooth([(-0.22, -0.18), (0.16, -0.18), (0.2, 0.1), (0.0, 0.3), (-0.26, 0.1)], 3)), w.cloth(rng), ink, w.line)
    c.line(at([(0.62, -0.4), (0.3, -0.1), (0.5, 0.0)]), i.some(rng, 1)[0], 0.7)
    c.fill(at(ellipse(0.58, -0.5, 0.025, sides=8)), ink)


def throne(c: Canvas, w: Wardrobe, rng: Rng, x: float, y: float, wide: float, tall: float) -> None:
    """A high seat behind somebody: its back, arms and step."""
    ink = w.outline or w.inks.ink
    c.draw(box(x - wide * 0.42, y - tall, x + wide * 0.42, y), w.cloth(rng), ink, w.line)
    c.draw(box(x - wide * 0.34, y - tall * 0.95, x + wide * 0.34, y), w.cloth(rng), ink, w.line)
    for side in (-1, 1):
        post = x + side * wide * 0.45
        c.draw(box(post - wide * 0.05, y - tall * 1.08, post + wide * 0.05, y), w.inks.gold, ink, w.line)
        c.draw(ellipse(x + side * wide * 0.45, y - tall * 1.1, wide * 0.08), w.inks.gold, ink, w.line)
    c.draw(box(x - wide * 0.6, y - 3, x + wide * 0.6, y + 3), w.cloth(rng), ink, w.line)
