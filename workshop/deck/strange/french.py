"""French-suited decks as other makers print them, in hands that nothing is trained on: pedine to measure the eyes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from workshop.deck.ramino import FACES, SUITS
from workshop.deck.strange import backs, courts, prints
from workshop.deck.strange.canvas import FONTS, TALL, Canvas, Colour, Image, Rng, box, ellipse, placed, smooth
from workshop.deck.strange.inks import Inks, hsv, inks
from workshop.deck.strange.kit import Kit
from workshop.deck.strange.pips import layout
from workshop.deck.strange.signs import SHAPES

Key = tuple[str, str]

SIZES: Final = ((57.0, 88.0), (58.0, 89.0), (63.0, 88.0), (62.0, 89.0), (56.0, 87.0))
"""Widths and lengths in mm of bridge and poker cards."""
COURTS: Final = ("mounted", "enamelled", "leaded")
"""Styles of court cards that are kept out of training."""
BACKS: Final = ("medallion", "guilloche", "souvenir", "tartan", "beaded")
"""Families of backs that are kept out of training."""
_SHAPES: Final[Mapping[str, str]] = {"c": "clover", "d": "diamond", "h": "heart", "s": "spade"}


@dataclass(frozen=True, slots=True)
class Print:
    """What the cards of a deck share. ``colours``: BGR of the suits' signs. ``index``: height of its letters, hundredths of the
    card's; ``corners``: in how many corners it stands. ``wide``: width of the pips, as a share of the usual one."""

    paper: Colour
    colours: Mapping[str, Colour]
    index: float
    corners: int
    font: int
    wide: float
    pip: float
    inset: float
    outline: bool
    courts: str
    back: str

    @staticmethod
    def random(rng: Rng, paper: Colour) -> Print:
        """Some maker's: two colours or four, small, usual or jumbo indices, in two corners or in four."""
        red = hsv(rng.uniform(-0.03, 0.03), rng.uniform(0.75, 1), rng.uniform(0.65, 0.95))
        black = hsv(0.6, 0.3, rng.uniform(0, 0.2))
        colours = {"c": black, "d": red, "h": red, "s": black}
        if rng.random() < 0.3:
            colours |= {"d": hsv(0.6, 0.85, 0.75), "c": hsv(0.38, 0.8, 0.5)}
        return Print(
            paper, colours, float(rng.choice([5.5, 8.0, 13.0]) * rng.uniform(0.9, 1.1)), int(rng.choice([2, 2, 4])),
            FONTS[int(rng.integers(4))], float(rng.uniform(0.75, 1.15)), float(rng.uniform(0.85, 1.15)),
            float(rng.uniform(2, 4)), bool(rng.random() < 0.2), str(rng.choice(COURTS)), str(rng.choice(BACKS)),
        )  # fmt: skip


class FrenchDeck(Mapping[Key, Image]):
    """The 54 cards and the back of an invented French-suited deck, each drawn when it is first asked for: BGRA, ``tall`` pixels
    high, under the keys of ramino. Equal seeds, equal decks. ``size``: width and length in mm."""

    def __init__(self, seed: int, tall: int = 400) -> None:
        self._seed, self._tall = seed, tall
        rng = self._rng(0)
        width, length = SIZES[int(rng.integers(len(SIZES)))]
        self.size = (float(width * rng.uniform(0.99, 1.01)), float(length * rng.uniform(0.99, 1.01)))
        whites = [(255, 255, 255), (238, 246, 250), (246, 250, 250), (214, 232, 240)]
        self._paper: Colour = whites[int(rng.integers(len(whites)))]
        self._inks: Inks = replace(inks(rng), paper=self._paper)
        self._print = Print.random(rng, self._paper)
        self._kit = replace(Kit.random(self._canvas(), rng, self._inks), margin=6.0, band=0.0, double=True, letters=0.0)
        self._keys = [("ramino", card) for card in (*FACES, "back")]

    def _rng(self, what: int) -> Rng:
        return np.random.default_rng([self._seed, 17, what])

    def _canvas(self) -> Canvas:
        return Canvas(self.size[0] / self.size[1], self._paper)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, key: Key) -> Image:
        if key not in self._keys:
            raise KeyError(key)
        c, card, rng = self._canvas(), key[1], self._rng(1 + self._keys.index(key))
        if card == "back":
            _back(c, self._print.back, self._inks, self._rng(99))
        elif card.startswith("joker"):
            courts.STYLES[self._print.courts](c, self._kit, rng, 0, 0)
            _named(c, self._print, "J", "s" if card == "joker2" else "h")
        elif card[:-1] in ("J", "Q", "K"):
            courts.STYLES[self._print.courts](c, self._kit, rng, "JQK".index(card[0]), SUITS.index(card[-1]))
            _named(c, self._print, card[:-1], card[-1])
        else:
            _numbered(c, self._print, card[:-1], card[-1])
        return self._cut(c)

    def _cut(self, c: Canvas) -> Image:
        """The card in its size, with round corners."""
        alpha, radius = np.zeros(c.shape, np.uint8), round(TALL * 3.2 / self.size[1])
        cv2.fillPoly(alpha, [np.round(_round(c, radius * 100 / TALL) * TALL / 100).astype(np.int32)], 255)
        size = round(self._tall * self.size[0] / self.size[1]), self._tall
        return np.asarray(cv2.resize(np.dstack([c.image, alpha]), size, interpolation=cv2.INTER_AREA), np.uint8)


def _round(c: Canvas, radius: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    t = np.linspace(0, np.pi / 2, 8)
    middles = ((c.wide - radius, 100 - radius), (radius, 100 - radius), (radius, radius), (c.wide - radius, radius))
    turns = (np.column_stack([x + radius * np.cos(t + n * np.pi / 2), y + radius * np.sin(t + n * np.pi / 2)])
             for n, (x, y) in enumerate(middles))  # fmt: skip
    return np.concatenate(list(turns))


def _pip(c: Canvas, p: Print, suit: str, x: float, y: float, size: float, turn: float = 0.0) -> None:
    for part in SHAPES[_SHAPES[suit]]:
        points = placed(np.asarray(part) * (p.wide, 1.0), x, y, size, turn)
        if p.outline:
            c.draw(points, p.paper, p.colours[suit], size * 0.09)
        else:
            c.fill(points, p.colours[suit])


def _named(c: Canvas, p: Print, letter: str, suit: str) -> None:
    """The indices, each with its suit's sign below, on the paper's white; those of the lower corners upside down."""
    cap, half = p.index * (0.8 if letter == "10" else 1.0), p.index * 0.6
    low = p.inset + p.index * 2.2
    columns = (p.inset + half, c.wide - p.inset - half)[: p.corners // 2]
    for x in columns:
        c.fill(box(x - half, p.inset, x + half, low), p.paper)
        c.text(letter, x, p.inset + p.index * 0.55, cap, p.colours[suit], p.font, p.index * 0.12)
        _pip(c, p, suit, x, p.inset + p.index * 1.65, p.index * 0.85)
    for x in columns:
        c.turned(c.shape_of(box(c.wide - x - half, 100 - low, c.wide - x + half, 100 - p.inset)))


def _numbered(c: Canvas, p: Print, value: str, suit: str) -> None:
    number = 1 if value == "A" else int(value)
    size = {1: 34.0, 2: 20.0, 3: 18.0}.get(number, 15.0) * p.pip * (0.8 if p.index > 10 else 1.0)
    room = (0.3, 0.42) if p.corners == 4 or p.index > 10 else (0.36, 0.46)
    for x, y in layout(number, np.random.default_rng(3)):
        _pip(c, p, suit, c.wide / 2 + x * c.wide * room[0], 50 + y * 100 * room[1], size, 180.0 * (y > 0.1))
    if number == 1 and suit == "s":
        c.line(ellipse(c.wide / 2, 50, size * 0.75, size * 0.8), p.colours[suit], 0.8, closed=True)
    _named(c, p, value, suit)


def _back(c: Canvas, family: str, i: Inks, rng: Rng) -> None:
    if family in backs.FAMILIES:
        backs.back(c, family, i, rng)
        return
    margin = float(rng.uniform(3, 6))
    hole = box(margin, margin, c.wide - margin, 100 - margin)
    if family == "souvenir":
        prints.PRINTS["collected"](c, Kit.random(c, rng, i), rng)
    elif family == "tartan":
        c.fill(hole, i.some(rng, 1)[0])
        for n in range(int(rng.integers(5, 9))):
            at, colour, wide = rng.uniform(0, 100), i.some(rng, 1)[0] if n % 2 else i.paper, float(rng.uniform(0.8, 4))
            for x in (at, 100 - at):
                c.line([(x * c.wide / 100, margin), (x * c.wide / 100, 100 - margin)], colour, wide)
                c.line([(margin, x), (c.wide - margin, x)], colour, wide)
    else:
        ground, bead = i.some(rng, 2)
        c.fill(hole, ground)
        step = float(rng.uniform(4, 8))
        for n, y in enumerate(np.arange(margin + step / 2, 100 - margin, step)):
            for x in np.arange(margin + step / 2 + step / 2 * (n % 2), c.wide - margin, step):
                c.fill(smooth(ellipse(float(x), float(y), step * 0.28, step * 0.4, sides=8), 2), i.paper if n % 3 else bead)
    if family != "souvenir":
        edge = np.full_like(c.image, i.paper)
        cv2.copyTo(c.image, c.shape_of(hole), edge)
        c.image = edge
