"""Cards that belong to no game: abstract patterns, photographs, badges, text, collectors' pictures, blanks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np

from workshop.deck.strange.backs import letters
from workshop.deck.strange.canvas import FONTS, Canvas, Rng, box, ellipse, smooth, star
from workshop.deck.strange.kit import Kit
from workshop.deck.strange.patterns import PATTERNS, clouds, grain, pattern
from workshop.deck.strange.people import Pose, person
from workshop.deck.strange.signs import SHAPES, sign


def abstract(c: Canvas, k: Kit, rng: Rng) -> None:
    """Patches, arcs and lines of colours and patterns."""
    i = k.inks
    c.image[:] = i.some(rng, 1)[0]
    edge = i.ink if k.double else None
    for _ in range(int(rng.integers(4, 22))):
        x, y, r = rng.uniform(0, c.wide), rng.uniform(0, 100), rng.uniform(3, 35)
        paint = k.wear.cloth(rng)
        what = rng.random()
        if what < 0.3:
            c.draw(ellipse(x, y, r, r * rng.uniform(0.3, 1), rng.uniform(0, 180)), paint, edge, k.wear.line)
        elif what < 0.6:
            c.draw(ellipse(x, y, r, sides=int(rng.integers(3, 7)), turn=rng.uniform(0, 90)), paint, edge, k.wear.line)
        elif what < 0.8:
            blob = np.column_stack([x + rng.normal(0, r, 6), y + rng.normal(0, r, 6)])
            c.draw(smooth(blob, 5), paint, edge, k.wear.line)
        else:
            scrawl = np.column_stack([x + rng.normal(0, r, 4), y + rng.normal(0, r, 4)])
            c.line(scrawl, i.some(rng, 1)[0], rng.uniform(0.5, 6))
    _bordered(c, k)


def photo(c: Canvas, k: Kit, rng: Rng) -> None:
    """What a photograph shows: sky, land, something near, out of focus and grainy."""
    i = k.inks
    horizon = rng.uniform(25, 80)
    c.image[:] = clouds(c.shape, rng, [i.paper, *i.some(rng, 2)], int(rng.integers(2, 6)))
    land = clouds(c.shape, rng, [i.ink, i.hair, *i.some(rng, 2)], int(rng.integers(3, 12)))
    c.fill(
        [
            (0, horizon),
            *((x * c.wide, horizon + rng.normal(0, 6)) for x in (0.25, 0.5, 0.75)),
            (c.wide, horizon),
            (c.wide, 100),
            (0, 100),
        ],
        land,
    )
    for _ in range(int(rng.integers(2, 12))):
        x, y, r = rng.uniform(0, c.wide), rng.uniform(20, 100), rng.uniform(2, 22)
        c.fill(
            smooth(np.column_stack([x + rng.normal(0, r / 2, 7), y + rng.normal(0, r, 7)]), 5),
            clouds(c.shape, rng, [*i.some(rng, 2), i.skin], 5),
        )
    if rng.random() < 0.4:
        person(c, k.wear, rng, Pose(c.wide / 2, 100, float(rng.uniform(60, 100))))
    soft = np.asarray(cv2.GaussianBlur(c.image, (0, 0), float(rng.uniform(1, 7))), np.uint8)
    c.image = grain(soft, rng, float(rng.uniform(2, 14)), float(rng.uniform(1, 3)))
    if rng.random() < 0.2:
        c.image[:] = cv2.cvtColor(c.image, cv2.COLOR_BGR2GRAY)[..., None]
    _bordered(c, k)


def badge(c: Canvas, k: Kit, rng: Rng) -> None:
    """A business or a loyalty card: a ground, a sign, a name, a few lines."""
    i = k.inks
    if rng.random() < 0.5:
        c.image[:] = k.ground
    name, words = str(rng.choice(list(SHAPES))), letters(rng, int(rng.integers(4, 9)))
    if rng.random() < 0.5:
        edge = rng.uniform(20, 80)
        c.fill([(0, edge), (c.wide, edge + rng.uniform(-20, 20)), (c.wide, 100), (0, 100)], i.some(rng, 1)[0])
    x, y, size = c.wide * rng.uniform(0.35, 0.65), rng.uniform(25, 65), c.wide * rng.uniform(0.3, 0.75)
    if rng.random() < 0.6:
        c.draw(ellipse(x, y, size * 0.62), i.some(rng, 1)[0], i.ink if k.double else None, 1.0)
    sign(c, name, x, y, size, i.some(rng, 1)[0], i.ink if k.double else None)
    cap = min(size * 0.3, c.wide / len(words))
    c.text(words, c.wide / 2, min(92.0, y + size * 0.8), cap, i.ink if rng.random() < 0.6 else i.paper, k.font, cap * 0.15)
    for n in range(int(rng.integers(0, 4))):
        c.line([(c.wide * 0.2, 88 + n * 3), (c.wide * rng.uniform(0.4, 0.8), 88 + n * 3)], i.ink, 0.7)


def text(c: Canvas, k: Kit, rng: Rng) -> None:
    """Rules, scores, a quiz: a heading and lines of small type."""
    i = k.inks
    y = rng.uniform(6, 20)
    if rng.random() < 0.7:
        heading = letters(rng, int(rng.integers(3, 9)))
        if rng.random() < 0.5:
            c.fill(box(0, 0, c.wide, y + 6), i.some(rng, 1)[0])
        cap = min(9.0, c.wide / len(heading) * 0.9)
        c.text(heading, c.wide / 2, y, cap, i.ink, k.font, cap * 0.14)
    y += 12
    step, cap = rng.uniform(4, 9), rng.uniform(1.6, 3.2)
    last = rng.uniform(50, 97)
    while y < last:
        words = " ".join(letters(rng, int(n)).lower() for n in rng.integers(2, 9, max(1, int(c.wide / cap / 5))))
        c.text(words, c.wide / 2, y, cap, i.ink, FONTS[3], 0.35)
        y += step * (2.2 if rng.random() < 0.12 else 1)
    if last < 75:
        sign(c, str(rng.choice(list(SHAPES))), c.wide / 2, 85, 16, i.some(rng, 1)[0])


def blank(c: Canvas, k: Kit, rng: Rng) -> None:
    """White or one colour, perhaps with a rim, a scribble or a small mark."""
    if rng.random() < 0.35:
        c.image[:] = k.inks.some(rng, 1)[0]
    if rng.random() < 0.3:
        c.line(box(5, 5, c.wide - 5, 95), k.inks.ink, float(rng.uniform(0.4, 2)), closed=True)
    if rng.random() < 0.3:
        points = np.column_stack([c.wide / 2 + np.cumsum(rng.normal(0, 4, 9)), 50 + np.cumsum(rng.normal(0, 5, 9))])
        c.line(smooth(points, 5)[:-10], k.inks.ink, 0.8)
    if rng.random() < 0.2:
        c.text(letters(rng, 2), c.wide * 0.15, 8, 5, k.inks.ink, k.font)


def collected(c: Canvas, k: Kit, rng: Rng) -> None:
    """A trading card: a name, a picture in a window, figures and lines of text below, in a loud frame."""
    i = k.inks
    c.image[:] = k.frame
    window = box(c.wide * 0.1, 12, c.wide * 0.9, 56)
    inner = Canvas(c.wide / 100, i.paper)
    inner.image[:] = (
        pattern(str(rng.choice(list(PATTERNS))), c.shape, rng, i.some(rng, 3))
        if rng.random() < 0.5
        else clouds(c.shape, rng, i.some(rng, 3))
    )
    if rng.random() < 0.7:
        person(inner, k.wear, rng, Pose(c.wide / 2, 60, 46, 1.3, bool(rng.random() < 0.5)))
    else:
        inner.draw(star(c.wide / 2, 34, int(rng.integers(4, 12)), 20, rng.uniform(6, 16)), k.wear.cloth(rng), i.ink, 0.7)
        inner.draw(smooth(star(c.wide / 2, 34, 5, 12, 7), 4), i.some(rng, 1)[0], i.ink, 0.7)
    cv2.copyTo(inner.image, c.shape_of(window), c.image)
    c.line(window, i.gold, 1.2, closed=True)
    c.draw(box(c.wide * 0.1, 60, c.wide * 0.9, 93), i.paper, i.ink, 0.5)
    c.draw(box(c.wide * 0.08, 3.5, c.wide * 0.92, 10.5), i.paper, i.ink, 0.5)
    c.text(letters(rng, 6), c.wide * 0.45, 7, 3.6, i.ink, k.font, 0.5)
    for y in np.arange(65, 90, rng.uniform(4, 6)):
        c.text(
            " ".join(letters(rng, int(n)).lower() for n in rng.integers(2, 8, 4)), c.wide / 2, float(y), 1.8, i.ink, FONTS[3], 0.3
        )
    c.draw(ellipse(c.wide * 0.86, 92, 5), i.gold, i.ink, 0.5)


def _bordered(c: Canvas, k: Kit) -> None:
    if k.margin:
        for edge in (
            box(0, 0, c.wide, k.margin),
            box(0, 100 - k.margin, c.wide, 101),
            box(0, 0, k.margin, 100),
            box(c.wide - k.margin, 0, c.wide + 1, 101),
        ):
            c.fill(edge, k.inks.paper)


PRINTS: Mapping[str, Callable[[Canvas, Kit, Rng], None]] = MappingProxyType(
    {"abstract": abstract, "photo": photo, "badge": badge, "text": text, "blank": blank, "collected": collected}
)
"""Family → draws one card on paper."""
