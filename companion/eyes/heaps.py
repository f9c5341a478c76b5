"""Works out how cards lie on one another: in which order, where exactly, and whether there is one more that was not found.

It tries orders and places, and takes those in which the pictures of a taught deck explain most of what is visible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.cardview import CardView, between
from companion.eyes.geometry import card_length, polygon_iou, shared_area, signed_area
from companion.eyes.plane import Plane
from companion.eyes.sheets import Sheet
from companion.eyes.templates import MIN_CARD_PIXELS, Floats

MIN_OVERLAP_SHARE: Final = 0.06
"""Least share of a card's area that another quad covers, for one of the two to lie on the other."""
MIN_SHOWING_SHARE: Final = 0.15
"""Least visible share of a card that is compared with pictures."""
UNCOVERED_SHARE: Final = 0.92
"""Visible share from which on a card is read as if nothing covered it."""
MAX_ALL_ORDERS: Final = 4
"""Number of cards up to which every order of a heap is tried. Of a larger heap one card after another is taken off the top: the
one that fits best as the uppermost."""
READING_WEIGHTS: Final = (0.5, 0.5)
"""What a sure reading of a fully visible card adds: to the worth of an order, and to the fit of the card itself."""
MIN_CORRELATION: Final = 0.5
"""Least correlation with a picture for which a reading adds that: the reader may be sure, and wrong, of a half-covered card."""
MAX_CORRELATION: Final = 0.95
"""Correlations above this count as this: where hardly anything shows, anything fits."""
REACH_PIXELS: Final = 12
"""Pixels of `templates.SIZE` by which a covered card may lie beside where it was found."""
TRIED_DEGREES: Final = (-8.0, -5.0, -2.5, 0.0, 2.5, 5.0, 8.0)
"""Degrees by which a covered card may be turned: every second one is tried first, then those beside the best."""
MAX_FURTHER_PICTURES: Final = 16
"""Number of pictures, the best at the first turn, that are tried at further turns."""
SHIFT_COSTS: Final = (0.002, 0.004)
"""Costs that are subtracted from a place's worth, for each squared pixel and each squared degree from where the card was
found."""
MAX_HEAP: Final = 5
"""Cards in a heap: in one as large as this, or larger, no card that was not found is looked for."""
MIN_NEW_SHARE, MIN_NEW_WORTH, MIN_NEW_GAIN = 0.2, 0.12, 0.25
"""A card that was not found is added to a heap if its visible share, its own worth, and the gain in the worth of the whole heap
are at least these."""
UNSURE_WEIGHT: Final = 0.05
"""Least weight (0..1) of a card when the plane is fitted, however unsure its reading."""
MIN_TOP_PROBABILITY: Final = 0.8
"""Least probability of the reading of the card on top: nothing covers it, so if it cannot be read no card lies there."""
SAME_PLACE_IOU: Final = 0.9
"""Polygon IoU from which on two quads are the same card: of two cards that lie so exactly on one another only one shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A card of a heap. ``number``: of its quad, None where the detector did not find it; ``sure``: how sure its reading is,
    0..1."""

    number: int | None
    view: CardView
    sure: float = 0.0


def heaps_of(quads: NDArray[np.float64]) -> Iterator[list[int]]:
    """Heap by heap the numbers of the ``quads`` (n, 4, 2), pixels, that lie on one another. Cards that are too small are left
    out."""
    large = [n for n in range(len(quads)) if float(card_length(quads[n])) >= MIN_CARD_PIXELS]
    areas = {n: abs(float(signed_area(quads[n]))) for n in large}
    left = set(large)
    while left:
        heap, edge = [], [left.pop()]
        while edge:
            one = edge.pop()
            heap.append(one)
            near = {n for n in left if shared_area(quads[one], quads[n]) > MIN_OVERLAP_SHARE * min(areas[one], areas[n])}
            left -= near
            edge += sorted(near)
        if len(heap) > 1:
            yield sorted(heap)


def plane_of(image: NDArray[np.uint8], quads: NDArray[np.float64], sure: Sequence[float]) -> Plane:
    """The plane on which the cards of one heap lie, at ``quads`` (n, 4, 2), pixels of ``image``. ``sure`` (n,): how sure the
    reading of each is, 0..1, as a quad between two cards is no card at all."""
    weights = [max(one, UNSURE_WEIGHT) for one in sure]
    plane = Plane.through(quads, weights, (image.shape[1], image.shape[0]), least=1)
    assert plane is not None  # a heap has a card
    return plane


def ordered(heap: Sequence[Layer], seen: Explained) -> list[Layer]:
    """The cards of a ``heap`` from top to bottom."""
    if len(heap) <= MAX_ALL_ORDERS:
        best: tuple[Layer, ...] = max(permutations(heap), key=seen.of_all)
        return list(best)
    left, taken = list(heap), list[Layer]()
    while left:
        fits: dict[Layer, float] = {}
        for one in left:
            glance = seen.glance(one.view, [layer.view for layer in taken])
            fits[one] = (glance.fit if glance.share >= MIN_SHOWING_SHARE else -2.0) + READING_WEIGHTS[1] * one.sure
        top = max(left, key=lambda one: fits[one])
        left.remove(top)
        taken.append(top)
    return taken


def aligned(view: CardView, covers: Sequence[CardView], sheet: Sheet, turns: Sequence[float] = TRIED_DEGREES) -> CardView:
    """The ``view`` of a card that lies under ``covers``, moved to where one of the sheet's pictures explains most of its visible
    part; unchanged where hardly anything is visible. ``turns``: degrees to try, ascending, with 0 in the middle."""
    middle = len(turns) // 2
    worth, found, likely = _placed(view, turns[middle], covers, sheet)
    tried = {middle: (worth, found)}

    def try_those(numbers: Iterable[int]) -> None:
        tried.update({at: _placed(view, turns[at], covers, likely)[:2] for at in numbers if at not in tried})

    try_those(range(middle % 2, len(turns), 2))
    best = max(tried, key=lambda at: tried[at][0])
    try_those(at for at in (best - 1, best + 1) if 0 <= at < len(turns))
    worth, found = max(tried.values(), key=lambda one: one[0])
    return found if worth > -math.inf else view


def _placed(view: CardView, degrees: float, covers: Sequence[CardView], sheet: Sheet) -> tuple[float, CardView, Sheet]:
    """The ``view`` turned by ``degrees`` and moved to where most is explained. Returns how much that is (minus infinity where
    hardly anything is visible), the view there, and the sheet of the pictures that explain most."""
    turned = view.moved(0, 0, math.radians(degrees), REACH_PIXELS)
    shows = turned.shows(covers)
    if turned.share(shows) < MIN_SHOWING_SHARE / 2:
        return -math.inf, view, sheet
    fits, shares = sheet.maps(turned.picture, shows)
    rows, columns = ((np.arange(n) - (n - 1) / 2) * sheet.part for n in shares.shape)
    aside = SHIFT_COSTS[0] * (rows[:, None] ** 2 + columns[None, :] ** 2) + SHIFT_COSTS[1] * degrees**2
    explained = _explained(fits.max(axis=2), shares) - aside
    row, column = np.unravel_index(int(explained.argmax()), explained.shape)
    worths = (_explained(fits, shares[..., None]) - aside[..., None]).max(axis=(0, 1))
    likely = sheet.of_those(np.argsort(-worths)[:MAX_FURTHER_PICTURES])
    return float(explained[row, column]), turned.moved(float(columns[column]), float(rows[row]), 0.0), likely


def completed(heap: Sequence[Layer], seen: Explained) -> list[Layer]:
    """The cards of a ``heap``, from top to bottom, with those that the detector did not find. As fans are regular, a card is
    looked for half way between two neighbours, and beyond the top and the bottom card, as far from it as its neighbour is."""
    layers = list(heap)
    explained = seen.of_all(layers)
    while 2 <= len(layers) < MAX_HEAP:
        shown = _shown(layers)
        tried: list[tuple[float, list[Layer]]] = []
        for at in range(len(layers) + 1):
            layer = _missing(layers, at, seen)
            if layer is None:
                continue
            more = _settled([*layers[:at], layer, *layers[at:]], at, seen.sheet)
            if shown <= _shown(more):
                worth = seen.of_all(more)
                tried.append((worth, more))
        worth, more = max(tried, key=lambda one: one[0], default=(-math.inf, layers))
        if worth < explained + MIN_NEW_GAIN:
            break
        explained, layers = worth, more
    return layers


def _shown(layers: Sequence[Layer]) -> set[int]:
    """The numbers of the visible cards among ``layers``, from top to bottom. A card that is added may hide none of them."""
    views = [layer.view for layer in layers]
    shares = (view.share(view.shows(views[:at])) for at, view in enumerate(views))
    return {layer.number for layer, share in zip(layers, shares, strict=True) if layer.number is not None
            and share >= MIN_SHOWING_SHARE}


def _missing(layers: Sequence[Layer], at: int, seen: Explained) -> Layer | None:
    """A card that may lie under the first ``at`` of the ``layers``; None where none does. What looks like the layer just below is
    not another card: that layer's own card lies a little beside where it was found."""
    views = [layer.view for layer in layers]
    covers, last = views[:at], len(views)
    guess = (between(views[1], views[0], 2.0) if at == 0 else between(views[-2], views[-1], 2.0) if at == last
             else between(views[at - 1], views[at], 0.5))  # fmt: skip
    near = aligned(guess, covers, seen.sheet, (0.0,))  # a quick look, before all turns are tried
    if seen.glance(near, covers).worth < MIN_NEW_WORTH:
        return None
    view = aligned(guess, covers, seen.sheet)
    glance = seen.glance(view, covers)
    if glance.share < MIN_NEW_SHARE or any(polygon_iou(view.quad, other.quad) > SAME_PLACE_IOU for other in views):
        return None
    return Layer(None, view) if at == last or glance.kind != seen.glance(views[at], covers).kind else None


def _settled(layers: Sequence[Layer], at: int, sheet: Sheet) -> list[Layer]:
    """The ``layers``, with the one below the added layer ``at`` aligned again: before, it may have been laid over both cards."""
    below = at + 1
    if below == len(layers):
        return list(layers)
    one = layers[below]
    view = aligned(one.view, [layer.view for layer in layers[:below]], sheet)
    return [*layers[:below], Layer(one.number, view, one.sure), *layers[below + 1 :]]


@dataclass(frozen=True, slots=True)
class Glance:
    """The visible part of a card: its ``share``, 0..1, the greatest correlation ``fit`` of a picture with it, and that picture's
    ``kind``; 0 and None where too little is visible."""

    share: float
    fit: float = 0.0
    kind: str | None = None

    @property
    def worth(self) -> float:
        """How much that picture explains, as `_explained`."""
        return float(_explained(np.float32(self.fit), np.float32(self.share)))


class Explained:
    """Compares the cards of a heap with a ``sheet``'s pictures; each card only once under the same others."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._known: dict[tuple[CardView, frozenset[CardView]], Glance] = {}

    def glance(self, view: CardView, covers: Sequence[CardView]) -> Glance:
        """The visible part of a card under the ``covers``."""
        key = view, frozenset(covers)
        if key not in self._known:
            shows = view.shows(covers)
            share = view.share(shows)
            self._known[key] = Glance(share)
            if share >= MIN_SHOWING_SHARE:
                fits = self.sheet.maps(view.picture, shows)[0].max(axis=(0, 1))
                self._known[key] = Glance(share, float(fits.max()), self.sheet.kinds[int(fits.argmax())])
        return self._known[key]

    def of_all(self, layers: Sequence[Layer]) -> float:
        """How much is explained of all these cards, which lie in this order from top to bottom."""
        total = 0.0
        for depth, layer in enumerate(layers):
            glance = self.glance(layer.view, [above.view for above in layers[:depth]])
            sure = glance.share >= UNCOVERED_SHARE and glance.fit >= MIN_CORRELATION
            total += glance.worth + (READING_WEIGHTS[0] * layer.sure if sure else 0.0)
        return total


def _explained(fits: Floats | np.float32, shares: Floats | np.float32) -> Floats:
    """How much pictures with correlations ``fits`` on visible ``shares`` explain: the gain of the log-likelihood over noise."""
    return np.asarray(-shares * np.log1p(-np.square(np.clip(fits, 0.0, MAX_CORRELATION))), np.float32)
