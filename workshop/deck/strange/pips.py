"""Italian-looking number cards: coins, cups, clubs and swords laid out one to ten, in invented drawings of several manners; and
number cards with flat signs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np

from workshop.deck.strange.canvas import FONTS, Canvas, Colour, Rng, box, smooth, star
from workshop.deck.strange.inks import Inks, darker
from workshop.deck.strange.kit import Kit
from workshop.deck.strange.patterns import clouds, grain
from workshop.deck.strange.signs import THINGS, club, index, sign, sword

Places = list[tuple[float, float]]
SUITS = ("coin", "cup", "club", "sword")


def layout(number: int, rng: Rng) -> Places:
    """Where the signs of a number card stand, -1 to 1 each way."""
    near, far = rng.uniform(0.45, 0.6), rng.uniform(0.66, 0.74)
    corners = [(-near, -far), (near, -far), (-near, far), (near, far)]
    return {
        1: [(0.0, 0.0)],
        2: [(0.0, -far * 0.75), (0.0, far * 0.75)],
        3: [(0.0, -far), (0.0, 0.0), (0.0, far)],
        4: corners,
        5: [*corners, (0.0, 0.0)],
        6: [*corners, (-near, 0.0), (near, 0.0)],
        7: [*corners, (-near, 0.0), (near, 0.0), (0.0, -far / 2)],
        8: [*corners, (-near, 0.0), (near, 0.0), (0.0, -far / 2), (0.0, far / 2)],
        9: [*((side * near, row * far) for side in (-1, 1) for row in (-1, -0.33, 0.33, 1)), (0.0, 0.0)],
        10: [
            *((side * near, row * far) for side in (-1, 1) for row in (-1, -0.33, 0.33, 1)),
            (0.0, -far * 0.6),
            (0.0, far * 0.6),
        ],
    }[number]


def _laid(c: Canvas, i: Inks, rng: Rng, suit: str, number: int, line: float, room: float) -> None:
    """Every sign in its place."""
    size = {1: 0.75, 2: 0.42, 3: 0.33}.get(number, 0.3 if number < 7 else 0.25)
    tall = 100 * size * room * (1.0 if suit in ("club", "sword") else 0.72)
    tall = min(tall, c.wide * (0.8 if number == 1 else 0.42) * (1.6 if suit in ("club", "sword") else 1))
    look = int(rng.integers(1 << 30))
    for n, (x, y) in enumerate(layout(number, rng)):
        at = c.wide / 2 + x * c.wide / 2 * 0.95 * room, 50 + y * 50 * 0.95 * room
        same = np.random.default_rng(look)
        if suit == "club":
            club(c, *at, tall, i, same, line, 180.0 * (y > 0.1))
        elif suit == "sword":
            sword(c, *at, tall, i, same, line, 180.0 * (y > 0.1))
        else:
            THINGS[suit](c, *at, tall, i, np.random.default_rng(look + (n if number == 1 else 0)), line)


def _crossed(c: Canvas, i: Inks, rng: Rng, suit: str, number: int, line: float, room: float) -> None:
    """Long clubs or bent swords that cross in the middle, the odd one upright between them."""
    tall, pairs = 84 * room, number // 2
    look = int(rng.integers(1 << 30))
    for n in range(pairs):
        off = (n + 1) / max(1, pairs)
        for side in (-1, 1):
            same = np.random.default_rng(look)
            if suit == "sword":
                x = c.wide / 2 + side * c.wide * 0.07 * (n + 0.5)
                sword(c, x, 50, tall, i, same, line, 0.0, side * c.wide * 0.32 * room * (0.5 + 0.5 * off) / tall)
            else:
                lean = np.degrees(np.arctan2(c.wide * 0.7, 84))
                club(c, c.wide / 2 + side * (n - (pairs - 1) / 2) * 9, 50, tall, i, same, line, side * lean, 0.1)
    if number % 2:
        (sword if suit == "sword" else club)(
            c, c.wide / 2, 50, tall * (0.9 if number == 1 else 0.8), i, np.random.default_rng(look), line
        )
    for y in (20.0, 50.0, 80.0):
        if pairs > 1 and rng.random() < 0.4:
            c.draw(smooth(star(c.wide / 2, y, 6, 5, 2.5), 3), i.some(rng, 1)[0], i.ink, line)


def _sprigs(c: Canvas, i: Inks, rng: Rng) -> None:
    """Flowers and leaves in the gaps."""
    for _ in range(int(rng.integers(2, 9))):
        x, y, size = rng.uniform(0.1, 0.9) * c.wide, rng.uniform(6, 94), rng.uniform(3, 8)
        for lean in (-1, 0, 1):
            c.line([(x, y), (x + lean * size * 0.6, y - size)], i.some(rng, 1)[0], 0.7)
        c.fill(smooth(star(x, y - size, 5, size * 0.4, size * 0.2), 3), i.some(rng, 1)[0])


def flat(c: Canvas, k: Kit, rng: Rng, number: int, suit: int) -> None:
    """Thick outlines and plain inks, in a thin frame."""
    _laid(c, k.inks, rng, SUITS[suit], number, max(0.5, k.wear.line), 0.92)
    if k.margin:
        c.line(box(3, 3, c.wide - 3, 97), k.inks.ink, 0.5, closed=True)


def old(c: Canvas, k: Kit, rng: Rng, number: int, suit: int) -> None:
    """Worn paper, crossed clubs and swords, sprigs between, tints that miss their outlines."""
    c.image = grain(clouds(c.shape, rng, [k.inks.paper, darker(k.inks.paper, 0.9)]), rng, 5, 2.0)
    _sprigs(c, k.inks, rng)
    (_crossed if SUITS[suit] in ("club", "sword") else _laid)(c, k.inks, rng, SUITS[suit], number, 0.4, 0.9)
    shift = int(rng.integers(-6, 7)), int(rng.integers(-6, 7))
    missed = cv2.addWeighted(np.roll(c.image, shift, (0, 1)), 0.6, c.image, 0.4, 0)
    c.image = np.asarray(cv2.min(missed, np.full_like(c.image, 250)), np.uint8)


def cut(c: Canvas, k: Kit, rng: Rng, number: int, suit: int) -> None:
    """Fine black lines only, hatched, as an engraver would."""
    paper, ink = k.inks.paper, k.inks.ink
    few = Inks(paper, ink, (paper, paper, darker(paper, 0.8)), paper, paper, ink)
    _laid(c, few, rng, SUITS[suit], number, 0.4, 0.9)
    y, x = np.mgrid[: c.shape[0], : c.shape[1]]
    grey = cv2.cvtColor(np.concatenate([c.image, np.full((1, *c.image.shape[1:]), paper, np.uint8)]), cv2.COLOR_BGR2GRAY)
    inside = grey[:-1] < grey[-1, 0] - 8
    c.image[inside & ((x + y) % 7 < 3)] = k.inks.ink
    c.line(box(4, 4, c.wide - 4, 96), k.inks.ink, 0.4, closed=True)
    c.line(box(5.5, 5.5, c.wide - 5.5, 94.5), k.inks.ink, 0.3, closed=True)


def bright(c: Canvas, k: Kit, rng: Rng, number: int, suit: int) -> None:
    """On a coloured or patterned ground, to the edge, framed and with indices."""
    c.image[:] = k.ground
    if k.band:
        c.draw(box(k.band, k.band, c.wide - k.band, 100 - k.band), k.inks.paper, k.inks.ink, 0.5)
    room = 0.8 if k.letters else 0.9
    (_crossed if k.double and SUITS[suit] in ("club", "sword") else _laid)(c, k.inks, rng, SUITS[suit], number, k.wear.line, room)
    if k.letters:
        index(c, str(number), k.suits[suit], k.inks.ink, k.letters, k.font, 2.0, k.inks.paper)


def signs(c: Canvas, k: Kit, rng: Rng, number: int, suit: int) -> None:
    """Flat signs of any country's suits, the lower ones upside down."""
    name, colour = k.suits[suit], k.inks.colours[suit % len(k.inks.colours)]
    edge: Colour | None = k.inks.ink if k.double else None
    size = {1: 0.7, 2: 0.45, 3: 0.4}.get(number, 0.3) * c.wide * (0.9 if k.letters else 1.05)
    for x, y in layout(number, rng):
        sign(c, name, c.wide / 2 + x * c.wide * 0.42, 50 + y * 46, size, colour, edge, 180.0 * (y > 0.1))
    if k.letters:
        index(
            c,
            "A" if number == 1 else str(number),
            name,
            colour if sum(colour) < 450 else k.inks.ink,
            k.letters * 0.8,
            FONTS[2],
            2.0,
        )


MANNERS: Mapping[str, Callable[[Canvas, Kit, Rng, int, int], None]] = MappingProxyType(
    {"flat": flat, "old": old, "cut": cut, "bright": bright, "signs": signs}
)
"""Manner → draws the card of a number 1..10 and a suit 0..3 on paper."""
