"""Backs of strange decks, in families: the same upside down, as most backs are, unless they carry a picture or letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np

from workshop.deck.strange.canvas import FONTS, Canvas, Colour, Floats, Image, Rng, box, smooth, star
from workshop.deck.strange.inks import Inks
from workshop.deck.strange.patterns import clouds, grain, pattern
from workshop.deck.strange.signs import SHAPES, sign


def _pair(i: Inks, rng: Rng) -> list[Colour]:
    """Two or three inks for a back: mostly one colour and paper."""
    colour, other = i.some(rng, 2)
    one = i.ink if rng.random() < 0.2 else colour
    pair = [i.paper, one] if rng.random() < 0.5 else [one, i.paper]
    return [*pair, other] if rng.random() < 0.35 else pair


def _kind(c: Canvas, i: Inks, rng: Rng, *kinds: str) -> Image:
    fine = float(rng.uniform(0.015, 0.05) if rng.random() < 0.6 else rng.uniform(0.05, 0.14)) * c.shape[0]
    picture = pattern(str(rng.choice(kinds)), c.shape, rng, _pair(i, rng), fine)
    half = c.shape[0] // 2  # what is random all over becomes the same upside down, too
    picture[-half:] = picture[:half][::-1, ::-1]
    return picture


def _lattice(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "lattice", "lozenges", "lattice", "checks")


def _weave(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "weave", "waves", "bricks", "scales")


def _floral(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "flowers", "damask")


def _stripes(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "stripes", "rays", "rings")


def _dotted(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "dots", "halftone", "speckles", "engraving")


def _maze(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "mosaic")


def _guilloche(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = _kind(c, i, rng, "guilloche")


def _plain(c: Canvas, i: Inks, rng: Rng) -> None:
    c.image[:] = i.some(rng, 1)[0] if rng.random() < 0.8 else i.ink
    if rng.random() < 0.4:
        c.image = grain(c.image, rng, float(rng.uniform(2, 10)), float(rng.uniform(1, 5)))


def _brushed(c: Canvas, i: Inks, rng: Rng) -> None:
    """Soft patches of colour, as a photograph or a painting."""
    c.image[:] = grain(clouds(c.shape, rng, [*i.colours, i.ink]), rng, float(rng.uniform(0, 9)), 2.0)


def _logo(c: Canvas, i: Inks, rng: Rng) -> None:
    """One colour or a faint pattern with a printed sign or a name, once or many times."""
    ground, print_ = i.some(rng, 2)
    if rng.random() < 0.5:
        ground, print_ = (i.paper, print_) if rng.random() < 0.5 else (ground, i.paper)
    c.image[:] = ground
    name, words, font = str(rng.choice(list(SHAPES))), letters(rng, int(rng.integers(3, 9))), FONTS[int(rng.integers(len(FONTS)))]
    many = int(rng.choice([1, 1, 2, 4, 6]))
    for row in range(many):
        y = 100 * (row + 0.5) / many
        for column in range(max(1, round(many * c.wide / 150))):
            x = c.wide * (column + 0.5) / max(1, round(many * c.wide / 150))
            size = c.wide * rng.uniform(0.3, 0.6) / max(1, many / 2.5)
            if rng.random() < 0.7:
                sign(c, name, x, y - size * 0.3, size, print_, i.ink if rng.random() < 0.3 else None)
            c.text(words, x, y + size * 0.5, min(size * 0.35, c.wide / len(words) * 0.7), print_, font, size * 0.05)


def _medallion(c: Canvas, i: Inks, rng: Rng) -> None:
    """Rings, rosettes or a bottle-cap badge in the middle or at both ends of a patterned ground."""
    c.image[:] = _kind(c, i, rng, "lattice", "dots", "engraving", "weave", "damask")
    if rng.random() < 0.4:
        c.image[:] = i.some(rng, 1)[0]
    a, b = i.some(rng, 2)
    middles = [50.0] if rng.random() < 0.6 else [27.0, 73.0]
    for turn, y in enumerate(middles):
        size, points = c.wide * rng.uniform(0.25, 0.42), int(rng.integers(8, 30))
        for n, paint in enumerate((a, i.paper, b, i.gold, a)):
            r = size * (1 - 0.19 * n)
            c.draw(star(c.wide / 2, y, points, r, r * (0.9 if n % 2 else 0.97), 180 * turn), paint, i.ink, 0.3)
        if rng.random() < 0.6:
            sign(c, str(rng.choice(list(SHAPES))), c.wide / 2, y, size * 0.5, i.paper, i.ink, 180.0 * turn)
    for x, y in ((0.0, 0.0), (c.wide, 0.0), (0.0, 100.0), (c.wide, 100.0)):
        if len(middles) == 1:
            c.draw(smooth(star(x, y, 8, c.wide * 0.3, c.wide * 0.2), 3), b, i.ink, 0.4)


FAMILIES: Mapping[str, Callable[[Canvas, Inks, Rng], None]] = MappingProxyType(
    {
        "lattice": _lattice,
        "weave": _weave,
        "floral": _floral,
        "striped": _stripes,
        "dotted": _dotted,
        "maze": _maze,
        "plain": _plain,
        "brushed": _brushed,
        "logo": _logo,
        "medallion": _medallion,
        "guilloche": _guilloche,
    }
)
"""Family → draws a back to the card's edge."""


def back(c: Canvas, family: str, i: Inks, rng: Rng) -> None:
    """A back of the family: to the edge, with a paper border, or framed by lines and bands."""
    FAMILIES[family](c, i, rng)
    edge = rng.random()
    if edge < 0.3:
        return
    margin = float(rng.uniform(2, 9))
    inner = c.image.copy()
    c.image[:] = i.paper if rng.random() < 0.75 else i.some(rng, 1)[0]
    hole = box(margin, margin, c.wide - margin, 100 - margin)
    if rng.random() < 0.3:
        hole = smooth(hole, 1) if rng.random() < 0.3 else _round(margin, c.wide, float(rng.uniform(2, 10)))
    cv2.copyTo(inner, c.shape_of(hole), c.image)
    if rng.random() < 0.5:
        c.line(hole, i.ink if rng.random() < 0.5 else i.some(rng, 1)[0], float(rng.uniform(0.3, 1.2)), closed=True)
    if rng.random() < 0.25:
        c.line(
            box(margin + 2.5, margin + 2.5, c.wide - margin - 2.5, 97.5 - margin),
            i.paper,
            float(rng.uniform(0.4, 1.2)),
            closed=True,
        )


def _round(margin: float, wide: float, radius: float) -> Floats:
    t = np.linspace(0, np.pi / 2, 7)
    arcs = []
    for n, (x, y) in enumerate(
        (
            (wide - margin - radius, 100 - margin - radius),
            (margin + radius, 100 - margin - radius),
            (margin + radius, margin + radius),
            (wide - margin - radius, margin + radius),
        )
    ):
        arcs.append(np.column_stack([x + radius * np.cos(t + n * np.pi / 2), y + radius * np.sin(t + n * np.pi / 2)]))
    return np.concatenate(arcs)


def letters(rng: Rng, number: int) -> str:
    """A word that nobody knows, which can be spoken."""
    pairs = ["".join(rng.choice(list(part)) for part in ("BCDFGLMNPRSTVZ", "AEIOU")) for _ in range((number + 1) // 2)]
    return "".join(pairs)[:number]
