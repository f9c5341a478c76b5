"""Faces in two parts, which are one card all the same: a picture over a caption or a box of text, two heads that are apart.

Eyes find two cards where only one lies, most of all where it is large in the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import cv2

from workshop.deck.strange.backs import letters
from workshop.deck.strange.canvas import FONTS, Canvas, Paint, Rng, box, ellipse
from workshop.deck.strange.courts import NUMERALS, STYLES, WORDS
from workshop.deck.strange.kit import Kit, framed
from workshop.deck.strange.patterns import PATTERNS, clouds, grain, pattern
from workshop.deck.strange.people import Pose, person
from workshop.deck.strange.signs import SHAPES, sign

FIGURES = ("standing", "enthroned", "woven", "painted", "cartoon", "woodcut", "heraldic", "engraved")


def _art(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> Canvas:
    """A whole picture for a window."""
    inner, kind = Canvas(c.wide / 100, k.inks.paper), rng.random()
    if kind < 0.5:
        STYLES[str(rng.choice(FIGURES))](inner, replace(k, margin=0.0, band=0.0, letters=0.0), rng, rank, suit)
    elif kind < 0.75:
        inner.image[:] = clouds(c.shape, rng, k.inks.some(rng, 3))
        person(inner, k.wear, rng, Pose(c.wide / 2, 98, float(rng.uniform(60, 90)), 1.2, bool(rng.random() < 0.5)))
        inner.image = grain(inner.image, rng, float(rng.uniform(1, 9)))
    else:
        inner.image[:] = pattern(str(rng.choice(list(PATTERNS))), c.shape, rng, k.inks.some(rng, 3))
        sign(inner, str(rng.choice(list(SHAPES))), c.wide / 2, 50, c.wide * 0.6, k.inks.some(rng, 1)[0], k.inks.ink)
    return inner


def _window(c: Canvas, art: Canvas, left: float, top: float, right: float, bottom: float) -> None:
    """Puts the picture into this box of the card."""
    y = round(top * c.shape[0] / 100), round(bottom * c.shape[0] / 100)
    x = round(left * c.width / c.wide), round(right * c.width / c.wide)
    part = art.image[: round(min(1.0, (y[1] - y[0]) / c.shape[0] * 1.2) * c.shape[0])]
    c.image[y[0] : y[1], x[0] : x[1]] = cv2.resize(part, (x[1] - x[0], y[1] - y[0]), interpolation=cv2.INTER_AREA)


def _print(c: Canvas, rng: Rng, left: float, top: float, right: float, bottom: float, ink: tuple[int, int, int]) -> None:
    """Lines of small type."""
    y, step, cap = top + 2.0, float(rng.uniform(3.2, 5.5)), float(rng.uniform(1.3, 2.2))
    while y < bottom - 1:
        words = " ".join(letters(rng, int(n)).lower() for n in rng.integers(2, 8, max(1, int((right - left) / cap / 6))))
        c.text(words, (left + right) / 2, y, cap, ink, FONTS[3], 0.3)
        y += step * (1.8 if rng.random() < 0.15 else 1)


def captioned(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A trump: a picture over a band with its name, perhaps a band with a numeral above, ruled off from each other."""
    i, m = k.inks, float(rng.uniform(0, 7))
    c.image[:] = i.paper if rng.random() < 0.6 else k.ground
    low, top = float(rng.uniform(80, 91)), m + float(rng.choice([0.0, rng.uniform(5, 11)]))
    _window(c, _art(c, k, rng, rank, suit), m, top, c.wide - m, low)
    plate: Paint = i.paper if rng.random() < 0.5 else i.some(rng, 1)[0]
    c.draw(box(m, low, c.wide - m, 100 - m), plate, i.ink, float(rng.uniform(0.3, 1.2)))
    words, tall = str(rng.choice(WORDS)) if rng.random() < 0.6 else letters(rng, int(rng.integers(3, 11))), 100 - m - low
    c.text(words, c.wide / 2, low + tall / 2, min(tall * 0.5, c.wide / len(words) * 0.8), i.ink, k.font, 0.5)
    if top > m + 1:
        c.draw(box(m, m, c.wide - m, top), plate, i.ink, 0.5)
        c.text(NUMERALS[(rank * 4 + suit) % 12], c.wide / 2, (m + top) / 2, (top - m) * 0.5, i.ink, k.font, 0.5)
    c.line(box(m, top, c.wide - m, low), i.ink, float(rng.uniform(0.3, 1.5)), closed=True)


def windowed(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A game's card: a frame, a bar with a name, a picture in a window, a box of text below, figures in the corners."""
    i, edge = k.inks, float(rng.uniform(2, 8))
    c.image[:] = k.frame if rng.random() < 0.6 else i.some(rng, 1)[0]
    if rng.random() < 0.5:
        rim = i.ink if rng.random() < 0.6 else i.paper
        for one in (box(0, 0, c.wide, edge), box(0, 100 - edge, c.wide, 101)):
            c.fill(one, rim)
        for one in (box(0, 0, edge, 100), box(c.wide - edge, 0, c.wide + 1, 101)):
            c.fill(one, rim)
    bar, middle = edge + float(rng.uniform(6, 11)), float(rng.uniform(42, 72))
    _window(c, _art(c, k, rng, rank, suit), edge + 2, bar, c.wide - edge - 2, middle)
    line = i.ink if rng.random() < 0.7 else i.gold
    c.line(box(edge + 2, bar, c.wide - edge - 2, middle), line, float(rng.uniform(0.3, 1.6)), closed=True)
    plate: Paint = i.paper if rng.random() < 0.7 else i.some(rng, 1)[0]
    low = middle + float(rng.choice([1.0, rng.uniform(3, 9)]))
    c.draw(box(edge + 2, low, c.wide - edge - 2, 98 - edge), plate, i.ink, 0.5)
    _print(c, rng, edge + 4, low + 1, c.wide - edge - 4, 97 - edge, i.ink)
    c.draw(box(edge + 1, edge + 1, c.wide - edge - 1, bar - 0.5), plate, i.ink, 0.4)
    name, cap = letters(rng, int(rng.integers(3, 9))), min(4.0, (bar - edge) * 0.5)
    c.text(name, c.wide * 0.45, (edge + bar) / 2, cap, i.ink, k.font, 0.5)
    if rng.random() < 0.6:
        c.draw(ellipse(c.wide - edge - 4, float(rng.choice([edge + 4, 96 - edge])), 4.5), i.gold, i.ink, 0.5)


def split(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """Two heads, as Italian courts are printed for two players: each in a half of its own, with a bar or a space between."""
    i, m = k.inks, float(rng.choice([0.0, rng.uniform(2, 8)]))
    c.image[:] = k.ground if rng.random() < 0.5 else i.paper
    half = float(rng.uniform(42, 49.5))
    tall = (half - m) * float(rng.uniform(1.5, 2.1))
    x, broad = c.wide * float(rng.uniform(0.42, 0.58)), float(rng.uniform(1.2, 2.0))
    person(c, k.wear, rng, Pose(x, m + tall, tall, broad, bool(rng.random() < 0.5)))
    sign(c, k.suits[suit], c.wide * 0.2, m + 9, c.wide * 0.2, i.some(rng, 1)[0], i.ink)
    gap: Paint = i.paper if rng.random() < 0.5 else i.some(rng, 1)[0]
    c.fill(box(0, half, c.wide, 51), gap)
    if rng.random() < 0.8:
        c.line(box(m, m, c.wide - m, half), i.ink, float(rng.uniform(0.4, 1.6)), closed=True)
    c.turned(c.shape_of(box(0, 50, c.wide, 101)))
    if rng.random() < 0.4:
        word = letters(rng, int(rng.integers(3, 9)))
        c.text(word, c.wide / 2, 50, min(3.5, (51 - half) * 1.2 + 0.8), i.ink, k.font, 0.4)


def plated(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """An oracle's card: an oval picture on a ground, a scroll with a word across it, verses below; or two pictures in a frame."""
    i = k.inks
    c.image[:] = k.frame
    if rng.random() < 0.5:
        art, oval = _art(c, k, rng, rank, suit), c.shape_of(ellipse(c.wide / 2, 36, c.wide * 0.38, 28))
        cv2.copyTo(art.image, oval, c.image)
        c.line(ellipse(c.wide / 2, 36, c.wide * 0.38, 28), i.gold, 1.5, closed=True)
        c.draw(box(c.wide * 0.08, 66, c.wide * 0.92, 74), i.paper, i.ink, 0.6)
        c.text(letters(rng, 6), c.wide / 2, 70, 4.0, i.ink, k.font, 0.5)
        _print(c, rng, 5, 77, c.wide - 5, 96, i.ink)
    else:
        middle = float(rng.uniform(38, 62))
        for top, bottom in ((5.0, middle - 2), (middle + 2, 95.0)):
            _window(c, _art(c, k, rng, rank, suit), 5, top, c.wide - 5, bottom)
            c.line(box(5, top, c.wide - 5, bottom), i.ink, 0.9, closed=True)
    framed(c, replace(k, band=0.0, letters=0.0), rng, rank, suit, signs=False)


LARGE: Mapping[str, Callable[[Canvas, Kit, Rng, int, int], None]] = MappingProxyType(
    {"captioned": captioned, "windowed": windowed, "split": split, "plated": plated}
)
"""Family → draws the face of a rank 0..2 and a suit 0..3."""
HELD_OUT_LARGE = frozenset({"plated"})
"""Those of them that nothing is trained on."""
