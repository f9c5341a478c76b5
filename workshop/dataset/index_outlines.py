"""Outlines that may be those of cards whose corner indices are labelled: as the eyes propose them, as edges show them, and as two
indices of one card give them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import MIN_PROPOSAL_PROBABILITY, Detector
from companion.eyes.image import Image
from workshop.dataset import edges
from workshop.dataset.confirm import (
    Confirmed,
    Index,
    Proposal,
    faces,
)
from workshop.dataset.index_photos import IndexPhoto
from workshop.dataset.indices import table_of

Floats = NDArray[np.float64]

WIDTHS = (480, 640, 960)
"""Widths of the detector's input at which outlines are proposed, pixels."""

EDGED = 0.75
"""Share of an outline's sides that must lie on edges of the photo where no network judges it."""

FAR = 0.1
"""How far edges are looked for from an outline that two indices give, as a share of the card's mean side."""


def propose(detector: Detector, photo: IndexPhoto, image: Image) -> tuple[list[Proposal], list[Proposal]]:
    """Outlines of cards that may lie in ``image``: those that the eyes propose by themselves, and those that may be confirmed:
    the same with what the labelled indices suggest, or the outlines of a deck that the eyes overlook, as edges show them."""
    proposed = (detector.proposer.propose(image, width, MIN_PROPOSAL_PROBABILITY) for width in WIDTHS)
    own = _refined(detector, image, [one.quad for found in proposed for one in found])
    more = _edged(image, edges.patches(image)) if photo.deck.edges else list(own)
    known = faces(more, photo.indices, photo.deck.index, photo.deck.ratio)
    if photo.deck.edges:
        more += _edged(image, _pairs(photo, known), FAR)
    elif known:
        more += _refined(detector, image, _suggested(photo, known))
    return own, more


def _edged(image: Image, quads: Sequence[Floats], reach: float = 0.05) -> list[Proposal]:
    """The quads moved to the nearest edges, where nearly all of their sides lie on some."""
    snapped = [edges.snapped(image, quad, reach) for quad in quads]
    return [Proposal(quad, held) for quad, held in snapped if held >= EDGED]


def _refined(detector: Detector, image: Image, quads: Sequence[Floats]) -> list[Proposal]:
    """As the refiner corrects them, with the probability that something lies there, whatever it is called."""
    if detector.refiner is None or not quads:
        return []
    corners, shares = detector.refiner.refine(image, quads)
    return [Proposal(quad, float(1 - share[-1])) for quad, share in zip(corners, shares, strict=True)]


def _tables(photo: IndexPhoto, known: Sequence[Confirmed], at: Floats) -> Floats:
    """The table as the confirmed card nearest to ``at`` (2,) shows it: a homography (3, 3)."""
    best = [one for one in known if len(one.shown) == 2] or known
    if not best:
        return np.eye(3)  # as if seen from above
    nearest = min(best, key=lambda one: float(np.linalg.norm(one.quad.mean(axis=0) - at)))
    return table_of(nearest.quad, photo.deck.ratio)


def _pairs(photo: IndexPhoto, known: Sequence[Confirmed]) -> list[Floats]:
    """The cards with both indices labelled, as those give them, without the ``known``."""
    by_label: dict[str, list[Index]] = {}
    for index in photo.indices:
        if index.trusted:
            by_label.setdefault(index.label, []).append(index)
    had = {one.label for one in known}
    pairs = [np.stack([one.middle for one in both]) for label, both in by_label.items() if len(both) == 2 and label not in had]
    deck = photo.deck
    return [edges.from_both(pair, _tables(photo, known, pair.mean(axis=0)), deck.index, deck.ratio) for pair in pairs]


def _suggested(photo: IndexPhoto, known: Sequence[Confirmed]) -> list[Floats]:
    """Outlines for the refiner to judge at indices of no confirmed card: by both of a card, or by one in all turns."""
    out = _pairs(photo, known)
    had = {one.label for one in known}
    for index in photo.indices:
        if index.label not in had:
            table = _tables(photo, known, index.middle)
            out += edges.from_one(index.middle, table, photo.deck.index, photo.deck.ratio)
    return out
