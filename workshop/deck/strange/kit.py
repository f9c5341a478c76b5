"""What the cards of a strange deck share, and what is around and behind its figures."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from workshop.deck.strange.canvas import FONTS, Canvas, Paint, Rng, box, star
from workshop.deck.strange.inks import Inks, inks
from workshop.deck.strange.patterns import PATTERNS, clouds, pattern
from workshop.deck.strange.people import Wardrobe
from workshop.deck.strange.signs import SHAPES, index, sign


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """What all court cards of a deck share. ``ground``: what is behind the figures; ``frame``: paint of the frame; ``margin``: of
    paper around the picture, units; 0 is printed to the edge. ``double``: as upside down, too. ``letters``: size of the indices,
    0 for none."""

    inks: Inks
    wear: Wardrobe
    ground: Paint
    frame: Paint
    margin: float
    band: float
    double: bool
    letters: float
    font: int
    suits: tuple[str, ...]
    slope: float
    ranks: str

    @staticmethod
    def random(c: Canvas, rng: Rng, i: Inks | None = None) -> Kit:
        """A deck's look."""
        i = i or inks(rng)
        return Kit(
            i,
            Wardrobe.random(c, i, rng, float(rng.uniform(0.3, 0.95))),
            _ground(c, i, rng),
            _ground(c, i, rng, patterned=0.7),
            float(rng.choice([0.0, rng.uniform(2, 6), rng.uniform(4, 10)])),
            float(rng.choice([0.0, 0.0, rng.uniform(2, 6)])),
            bool(rng.random() < 0.4),
            float(rng.choice([0.0, rng.uniform(5, 9), rng.uniform(8, 13)])),
            FONTS[int(rng.integers(len(FONTS)))],
            tuple(str(s) for s in rng.permutation(list(SHAPES))[:4]),
            float(rng.choice([0, 0, rng.uniform(-0.6, 0.6)])),
            str(rng.choice(["JQK", "FCR", "VDR", "BDK", "PQR"])),
        )


def _ground(c: Canvas, i: Inks, rng: Rng, patterned: float = 0.55) -> Paint:
    """Paper, one colour, a pattern or soft patches."""
    what = rng.random()
    if what < patterned:
        some = [*i.some(rng, 2), i.paper]
        return pattern(str(rng.choice(list(PATTERNS))), c.shape, rng, [some[int(n)] for n in rng.permutation(3)])
    if what < patterned + 0.15:
        return clouds(c.shape, rng, [i.paper, *i.some(rng, 1)])
    return i.paper if rng.random() < 0.5 else i.some(rng, 1)[0]


def land(c: Canvas, k: Kit, rng: Rng, horizon: float) -> None:
    """Ground under the feet: a floor, a meadow with plants, or hills."""
    i, ink = k.inks, k.wear.outline or k.inks.ink
    hills = [
        (0, horizon + rng.uniform(-4, 4)),
        (c.wide * 0.3, horizon + rng.uniform(-6, 4)),
        (c.wide * 0.7, horizon + rng.uniform(-6, 4)),
        (c.wide, horizon + rng.uniform(-4, 4)),
        (c.wide, 100),
        (0, 100),
    ]
    c.draw(hills, k.wear.cloth(rng) if rng.random() < 0.6 else i.some(rng, 1)[0], ink, k.wear.line)
    for x in rng.uniform(0, c.wide, int(rng.integers(0, 14))):
        foot, high = rng.uniform(horizon, 98), rng.uniform(2, 6)
        colour = i.some(rng, 1)[0]
        for lean in (-1.2, 0.0, 1.2):
            c.line([(x, foot), (x + lean, foot - high)], colour, 0.5)
        if rng.random() < 0.4:
            c.fill(star(x, foot - high, 5, 1.5, 0.7), i.some(rng, 1)[0])


def framed(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int, signs: bool = True) -> None:
    """The frame and the paper outside it, suit signs and indices: last, as it hides what stands out of the picture."""
    i, ink = k.inks, k.wear.outline or k.inks.ink
    m, b = k.margin, k.band
    if b:
        inner = c.image.copy()
        outer = box(m, m, c.wide - m, 100 - m)
        c.fill(outer, k.frame)
        cut = c.shape_of(box(m + b, m + b, c.wide - m - b, 100 - m - b))
        cv2.copyTo(inner, cut, c.image)
        c.line(box(m + b, m + b, c.wide - m - b, 100 - m - b), ink, k.wear.line, closed=True)
    if m:
        edge = np.full_like(c.image, i.paper)
        cut = c.shape_of(box(m, m, c.wide - m, 100 - m))
        cv2.copyTo(c.image, cut, edge)
        c.image = edge
        c.line(box(m, m, c.wide - m, 100 - m), ink, k.wear.line * 1.2, closed=True)
    name, colour = k.suits[suit], i.colours[suit % len(i.colours)]
    if signs:
        size, at = c.wide * 0.2, m + b + c.wide * 0.13
        sign(c, name, at + (k.letters or 0), at + 2, size, colour, ink)
        sign(c, name, c.wide - at - (k.letters or 0), 98 - at, size, colour, ink, 180)
    if k.letters:
        index(c, k.ranks[rank % 3], name, colour if sum(colour) < 450 else i.ink, k.letters, k.font, max(1.5, m * 0.5), i.paper)


def halved(c: Canvas, k: Kit) -> None:
    """The upper half of the card again below, turned, along a line that may slope."""
    middle, rise = 50.0, k.slope * c.wide / 2
    c.turned(c.shape_of([(0, middle + rise), (c.wide, middle - rise), (c.wide, 101), (0, 101)]))
    if k.wear.line:
        c.line([(0, middle + rise), (c.wide, middle - rise)], k.wear.outline or k.inks.ink, k.wear.line * 2)
