"""Reads cards that lie on one another, each by its visible part.

The reader recognises whole cards; of one that lies under another it says little, or something wrong. `companion.eyes.heaps` works
out how the cards lie; here the visible part of each is compared with the pictures of a taught deck.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.cardview import CardView
from companion.eyes.geometry import polygon_iou
from companion.eyes.heaps import (
    MIN_SHOWING_SHARE,
    MIN_TOP_PROBABILITY,
    SAME_PLACE_IOU,
    UNCOVERED_SHARE,
    Explained,
    Layer,
    aligned,
    completed,
    heaps_of,
    ordered,
    plane_of,
)
from companion.eyes.hesitation import likelier, odds_of
from companion.eyes.plane import Plane
from companion.eyes.reading import Reading, expected, ranked, supposed
from companion.eyes.remembered import Remembered
from companion.eyes.sheets import Sheets

READER_WEIGHT, PICTURE_WEIGHT, SHARE_POWER, SLIP_PROBABILITY = 0.32, 10.0, 0.65, 0.01
"""A kind's log-odds are `READER_WEIGHT` times the reader's, plus `PICTURE_WEIGHT` share^`SHARE_POWER` times
-log(-log(correlation)). `SLIP_PROBABILITY`: the share of comparisons that went wrong and say nothing.

Fitted on fans of enrolled drawn decks. For `PICTURE_WEIGHT` 12 fits best; it is a little lower, as too sure is worse than not
sure."""
MAX_RULED_OUT: Final = 8.0
"""Natural logarithm: the reader's probability of a kind that it rules out counts as exp(-8)."""
MIN_PROBABILITY, MIN_CORRELATION = 0.8, 0.65
"""Least probability of the likeliest kind, or correlation with its picture, for which a covered card is believed: a false quad
between two cards reaches neither."""
NEW_DECK_PROBABILITY, MIN_NEW_PROBABILITY = 0.9, 0.6
"""Of a card that the detector did not find: the probability, before it is compared, that it is of the deck; and the least
probability of its kind. It must reach `MIN_CORRELATION`, too."""
MIN_DECK_PROBABILITY: Final = 0.02
"""Least probability that a card which lies under one of a deck is of that deck, whatever the reader says."""
OTHER_DECK_PROBABILITY: Final = 0.5
"""Probability from which on a card of another deck is left as it was read."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The visible ``share`` of a card, 0..1, and for each of the ``kinds`` the correlation of its pictures with that part.
    ``kinds`` is empty where too little of the card is visible, or where the detector found the card and all of it is visible."""

    share: float
    kinds: Mapping[str, float]

    @property
    def resembles(self) -> float:
        """The greatest of the correlations, 0 where there are none."""
        return max(self.kinds.values(), default=0.0)

    def reading(self, before: Reading, deck: str) -> Reading:
        """The reading of a card of ``deck`` that lies under others and was first read as ``before``. A card that is hardly
        visible may be any: what was read there is another card."""
        known = expected(max(before.known if before.deck == deck else 0.0, MIN_DECK_PROBABILITY))
        if self.share < MIN_SHOWING_SHARE:
            kinds = ranked(dict.fromkeys((kind for kind, _ in before.supposed), 1.0))
            return replace(before, deck=deck, known=known, alternatives=kinds, supposed=kinds)
        network = dict(before.alternatives if before.deck == deck else before.supposed)
        logs = {
            kind: READER_WEIGHT * math.log(max(network.get(kind, 0.0), math.exp(-MAX_RULED_OUT)))
            - PICTURE_WEIGHT * self.share**SHARE_POWER * math.log(-math.log(min(max(found, 0.01), 0.99)))
            for kind, found in self.kinds.items()
        }
        kinds = ranked({kind: (1 - SLIP_PROBABILITY) * odd + SLIP_PROBABILITY / len(logs) for kind, odd in odds_of(logs).items()})
        known = likelier(known, self.kinds[kinds[0][0]])
        return replace(before, deck=deck, known=known, alternatives=kinds, supposed=supposed(kinds, known))

    def new(self, deck: str) -> Reading | None:
        """The reading of a card of ``deck`` that the detector did not find; None where it is not clear that there is one, or
        which."""
        if not self.kinds:
            return None
        none = tuple((kind, 1 / len(self.kinds)) for kind in self.kinds)
        read = self.reading(Reading(deck, NEW_DECK_PROBABILITY, none, supposed=none), deck)
        return read if read.probability >= MIN_NEW_PROBABILITY and self.resembles >= MIN_CORRELATION else None


@dataclass(frozen=True, slots=True, eq=False)
class Shows:
    """The place of a card of a heap, ``quad`` (4, 2) pixels, and its visible part."""

    quad: NDArray[np.float64]
    glimpse: Glimpse


def read_covered(
    image: NDArray[np.uint8],
    quads: NDArray[np.float64],
    readings: Sequence[Reading],
    sheets: Mapping[str, Sheets],
    remembered: Remembered[Shows | None] | None = None,
    plane: Plane | None = None,
) -> list[Lying]:
    """The faces at ``quads`` (n, 4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR), with their ``readings``. Those that lie under
    others are read by their visible part, and moved to their true place. After them come visible cards that the detector did not
    find. ``sheets``: of pictures, by deck; a heap is taken to be of the deck that its surest reading names. ``remembered``: the
    heaps of the same source's last pictures; one that lies as before is not compared again. ``plane``: the table's; None: each
    heap's own."""
    told = [Lying(quad, reading) for quad, reading in zip(quads, readings, strict=True)]
    sure = [one.sure for one in readings]
    for heap in heaps_of(quads) if sheets else ():
        surest = max(heap, key=lambda n: sure[n])
        deck = readings[surest].deck
        if deck not in sheets or sure[surest] < MIN_TOP_PROBABILITY:  # none can be the one on top: nothing to compare
            continue
        tell = partial(_of_heap, image, quads, heap, sure, deck, sheets[deck], plane)
        found = remembered.told(image, quads[heap], tell) if remembered is not None else tell()
        for n, shows in zip(heap, found, strict=False):
            told[n] = _known(told[n], shows, deck) if shows is not None else told[n]
        new = [(shows.quad, shows.glimpse.new(deck)) for shows in found[len(heap) :] if shows is not None]
        told += [Lying(quad, reading) for quad, reading in new if reading is not None]
    return told


def _of_heap(
    image: NDArray[np.uint8], quads: NDArray[np.float64], heap: Sequence[int], sure: Sequence[float], deck: str, sheets: Sheets,
    plane: Plane | None,
) -> list[Shows | None]:  # fmt: skip
    """The visible part of each card of a ``heap``, and then of those that were not found; None for each where the top card was
    not read surely."""
    plane = plane or plane_of(image, quads[list(heap)], [sure[n] for n in heap])
    layers = layered(image, quads, heap, sure, sheets, plane)
    if next(layer.sure for layer in layers if layer.number is not None) < MIN_TOP_PROBABILITY:
        return [None] * len(heap)
    seen = list(glimpses(layers, sheets))
    plain = [layer for layer, glimpse in seen if layer.number is not None or glimpse.new(deck) is not None]
    if len(plain) < len(layers):  # what is no card hides none, and moves none
        found = {n: Layer(n, CardView.of(image, plane, quads[n]), sure[n]) for n in heap}
        seen = list(glimpses([layer if layer.number is None else found[layer.number] for layer in plain], sheets))
    told = [(layer.number, Shows(layer.view.quad, glimpse)) for layer, glimpse in seen]
    known = dict(told)
    return [*(known[n] for n in heap), *(shows for number, shows in told if number is None)]


def layered(
    image: NDArray[np.uint8], quads: NDArray[np.float64], heap: Sequence[int], sure: Sequence[float], sheets: Sheets,
    plane: Plane | None = None,
) -> list[Layer]:  # fmt: skip
    """The cards of one ``heap`` (numbers of the ``quads`` (n, 4, 2)) from top to bottom, with those that were not found.
    ``sure``: how sure the reading of each quad is, 0..1, as a quad between two cards is no card at all. ``plane``: the table's;
    None: the heap's own."""
    plane = plane or plane_of(image, quads[list(heap)], [sure[n] for n in heap])
    layers = [Layer(n, CardView.of(image, plane, quads[n]), sure[n]) for n in heap]
    twice = {n for n in heap if any(sure[n] < sure[o] and polygon_iou(quads[n], quads[o]) > SAME_PLACE_IOU for o in heap)}
    seen = Explained(sheets.coarse)
    once = completed(ordered([one for one in layers if one.number not in twice], seen), seen)
    return [*once, *(one for one in layers if one.number in twice)]


def glimpses(layers: Sequence[Layer], sheets: Sheets) -> Iterator[tuple[Layer, Glimpse]]:
    """Each card of a heap, from top to bottom, moved to its true place, with its visible part."""
    covers: list[CardView] = []
    for layer in layers:
        view = layer.view
        shows = view.shows(covers)
        # A card that was looked for lies as it fits best already.
        if layer.number is not None and covers and MIN_SHOWING_SHARE <= view.share(shows) < UNCOVERED_SHARE:
            view = aligned(view, covers, sheets.coarse)
            shows = view.shows(covers)
        compared = view.share(shows) >= MIN_SHOWING_SHARE and (layer.number is None or view.share(shows) < UNCOVERED_SHARE)
        kinds = sheets.fine.correlations(view.picture, shows) if compared else {}
        covers.append(view)
        yield Layer(layer.number, view, layer.sure), Glimpse(view.share(shows), kinds)


def _known(before: Lying, shows: Shows, deck: str) -> Lying:
    """The card that was found ``before``, read again and moved by its visible part where that says more."""
    glimpse = shows.glimpse
    strange = before.reading.deck != deck and before.reading.known >= OTHER_DECK_PROBABILITY
    if strange or glimpse.share >= UNCOVERED_SHARE or (not glimpse.kinds and glimpse.share >= MIN_SHOWING_SHARE):
        return before
    read = glimpse.reading(before.reading, deck)
    if glimpse.share < MIN_SHOWING_SHARE:
        return Lying(before.quad, read)
    believed = read.probability >= MIN_PROBABILITY or glimpse.resembles >= MIN_CORRELATION
    return Lying(shows.quad, read) if believed else before
