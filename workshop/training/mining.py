"""Proposals that a refiner takes for cards in pictures without any: those teach most what no card is, so they come again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.eyes.refiner import Refiner
from workshop.evaluation.labels import LabelledPicture

TAKEN = 0.7
"""Probability of nothing below which a proposal is as good as taken for a card."""
AGAIN = 3
"""How many times such a proposal comes as often as others; what the refiner made of it comes as often."""


def mined(
    proposals: Mapping[str, NDArray[np.float32]], pictures: Sequence[LabelledPicture], refiner: Path, threads: int = 1
) -> dict[str, NDArray[np.float32]]:
    """The proposals (picture → quads, n x 4 x 2), with those that ``refiner`` takes for cards in pictures without any more
    often, and with the quads to which it moves them."""
    eye, found = Refiner(refiner, threads), dict(proposals)
    for picture in pictures:
        quads = found.get(str(picture.path))
        if quads is None or not len(quads) or np.any(picture.visible > 0):
            continue
        moved, shares = eye.refine(picture.read(), list(quads.astype(np.float64)))
        hard = shares[:, -1] < TAKEN
        more = np.concatenate([quads[hard], moved[hard].astype(np.float32)])
        found[str(picture.path)] = np.concatenate([quads, np.tile(more, (AGAIN, 1, 1))])
    return found
