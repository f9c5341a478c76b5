"""Decides whether the eyes may learn a face that they misread: they must then read it rightly, and no face worse than before.
Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from companion.eyes.reader import Prototypes
from companion.eyes.reading import Reading

SURE_PROBABILITY: Final = 0.9
"""Probability from which on a reading is sure; one that was stays so."""
NAMED_PROBABILITY: Final = 0.5
"""Probability that a card is of its deck, and its kind's, from which on it is named at all, as in `companion.eyes.look`."""

Points = NDArray[np.float32]
Outcome = Literal["kept", "known", "not_learnt", "harms"]
"""``known``: the crop is read right without it; ``not_learnt``: it is not read right with it either; ``harms``: another crop
is read worse with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A crop that shows this ``card`` for certain: ``point`` (d,) float32 of length 1 is its embedding."""

    card: str
    point: Points


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of a correction. ``prototypes``: to read with from now on, the same as before unless the ``outcome`` is
    ``kept``."""

    outcome: Outcome
    prototypes: Prototypes


def learnt(
    prototypes: Prototypes, deck: str, corrected: Example, points: Points, evening: Sequence[Example]
) -> Verdict:
    """Try to add ``points`` (k, d), made from the crop that was ``corrected``, to ``prototypes`` as points of its card.

    ``deck``: the deck's name in the prototypes. ``evening``: crops of the deck whose cards are known for certain. None may be
    read worse than before.
    """
    if _right(prototypes, deck, [corrected])[0] >= NAMED_PROBABILITY:
        return Verdict("known", prototypes)
    further = taught(prototypes, deck, corrected.card, points)
    if _right(further, deck, [corrected])[0] < NAMED_PROBABILITY:
        return Verdict("not_learnt", prototypes)
    before, after = _right(prototypes, deck, evening), _right(further, deck, evening)
    if any((was >= SURE_PROBABILITY > now) or (was >= NAMED_PROBABILITY > now) for was, now in zip(before, after, strict=True)):
        return Verdict("harms", prototypes)
    return Verdict("kept", further)


def taught(prototypes: Prototypes, deck: str, card: str, points: Points) -> Prototypes:
    """``prototypes`` with further ``points`` (k, d) of a card. They get the sharpness of the card's own points or, where it has
    none, of its deck's."""
    own = np.array([name == f"{deck}/{card}" for name in prototypes.names], dtype=np.bool_)
    own = own if own.any() else prototypes.of(deck)
    sharpness, stranger = prototypes.calibration[own].mean(axis=0) if own.any() else (prototypes.sharpness, prototypes.stranger)
    return prototypes.taught([f"{deck}/{card}"] * len(points), points, float(sharpness), float(stranger))


def _right(prototypes: Prototypes, deck: str, crops: Sequence[Example]) -> list[float]:
    """The probability with which each of the ``crops`` is read as its card; 0 where another card is named."""
    if not crops:
        return []
    readings = prototypes.readings(np.stack([one.point for one in crops]))
    return [_surely(reading, deck, one.card) for reading, one in zip(readings, crops, strict=True)]


def _surely(reading: Reading, deck: str, card: str) -> float:
    if reading.deck != deck or reading.card != card:
        return 0.0
    return min(reading.known, reading.probability)
