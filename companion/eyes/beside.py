"""Moves cards that were found a little beside their true place to where a picture of a taught deck fits, and reads them again.

On a pile the edges of other cards are near, and the detector's corners slip to them. The reader recognises a card that was cut
out whole and straight; one that was cut out askew it takes for a stranger's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.cardview import CardView
from companion.eyes.geometry import card_length
from companion.eyes.heaps import MIN_TOP_PROBABILITY, aligned, heaps_of, plane_of
from companion.eyes.plane import Plane
from companion.eyes.reading import Reading
from companion.eyes.remembered import Remembered
from companion.eyes.sheets import Sheets
from companion.eyes.templates import MIN_CARD_PIXELS

TRIED_DEGREES: Final = (-5.0, 0.0, 5.0)
"""Degrees, from the direction in which a card was found, at which a picture is tried on it."""
MIN_MOVED_PROBABILITY: Final = 0.5
"""Least probability of the reading at the new place: if it is also surer than before, the card is moved there."""

Quads = NDArray[np.float64]
"""(n, 4, 2) float64, pixels."""
Read = Callable[[Quads], Sequence[Reading]]
"""Reads the cards at these quads of the same picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A card that is visible at least in part: its ``quad`` (4, 2), pixels, and its ``reading``."""

    quad: NDArray[np.float64]
    reading: Reading


def moved(
    image: NDArray[np.uint8], quads: Quads, readings: Sequence[Reading], sheets: Mapping[str, Sheets], read: Read,
    remembered: Remembered[NDArray[np.float64]], plane: Plane | None = None,
) -> list[Lying]:  # fmt: skip
    """The faces at ``quads``, pixels of ``image`` ((H, W, 3) uint8 BGR), with their ``readings``. Those that were read unsurely
    are moved to where a picture of their deck fits, if the reading there is surer. ``sheets``: of pictures, by deck.
    ``remembered``: where the cards of the last pictures were moved to. ``plane``: the table's; None: each heap's own."""
    told = [Lying(quad, reading) for quad, reading in zip(quads, readings, strict=True)]
    unsure = [n for n, one in enumerate(readings) if one.sure < MIN_TOP_PROBABILITY and _deck(one, sheets) is not None]
    if not unsure:
        return told
    numbers: list[int] = []
    places: list[NDArray[np.float64]] = []
    for heap in _groups(quads, unsure):
        own = [n for n in heap if n in unsure]
        numbers += own
        places += remembered.told(image, quads[own], partial(_fitting, image, quads, heap, own, readings, sheets, plane))
    again = read(np.array(places)) if places else ()
    for n, quad, reading in zip(numbers, places, again, strict=True):
        if reading.sure >= max(MIN_MOVED_PROBABILITY, readings[n].sure):
            told[n] = Lying(quad, reading)
    return told


def _groups(quads: Quads, unsure: Sequence[int]) -> Iterator[list[int]]:
    """The heaps (numbers of ``quads``) that hold one of the ``unsure`` cards, and each unsure card that lies alone."""
    heaps = list(heaps_of(quads))
    yield from (heap for heap in heaps if not set(heap).isdisjoint(unsure))
    heaped = {n for heap in heaps for n in heap}
    yield from ([n] for n in unsure if n not in heaped and float(card_length(quads[n])) >= MIN_CARD_PIXELS)


def _fitting(
    image: NDArray[np.uint8], quads: Quads, heap: Sequence[int], own: Sequence[int], readings: Sequence[Reading],
    sheets: Mapping[str, Sheets], plane: Plane | None,
) -> list[NDArray[np.float64]]:  # fmt: skip
    """The places (4, 2), pixels, at which pictures fit the cards ``own`` of a ``heap``."""
    plane = plane or plane_of(image, quads[list(heap)], [readings[n].sure for n in heap])
    pictures = [sheets[deck].coarse for n in own if (deck := _deck(readings[n], sheets)) is not None]
    views = [(CardView.of(image, plane, quads[n]), its) for n, its in zip(own, pictures, strict=True)]
    return [aligned(view, (), its, TRIED_DEGREES).quad for view, its in views]


def _deck(reading: Reading, sheets: Mapping[str, Sheets]) -> str | None:
    """The deck whose pictures a card is compared with: its own or, where that has none, the only one that has."""
    if reading.deck in sheets:
        return reading.deck
    return next(iter(sheets)) if len(sheets) == 1 else None
