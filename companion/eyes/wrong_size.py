"""Mends cards that were found in the wrong size: two that were found as one, and cards that were found only as far as they are
visible. The plane tells how large a card is, and so where it lies.

The networks take cards that lie edge to edge, or that overlap a little, for one wide card, and are sure of it. On the plane it is
too wide (`companion.eyes.plane`). A card under the edge of another one they cut off there: it is too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.detection import CLASSES, INFERRED_PROBABILITY, SAME_CARD_IOU, Detection
from companion.eyes.detector import MIN_PLANE_SCORE, MIN_WIDE_MISFIT
from companion.eyes.geometry import polygon_iou, shared_area, signed_area
from companion.eyes.plane import Plane

MIN_PROBABILITY: Final = 0.8
"""Least probability of the reading at a place where the detector found no card, for one to be there."""
MIN_HIDDEN_SHARE: Final = 0.6
"""Least share of a card's missing part that another card covers."""
TWIN_IOU: Final = 0.2
"""Polygon IoU above which two quads that are read as the same kind are one card, one of them a little beside it."""


def plane_of_sure(found: Sequence[Detection], size: tuple[int, int]) -> Plane | None:
    """The plane of the cards that were surely ``found`` in a picture of ``size`` (width, height; pixels); None where they are too
    few, or where nothing that was found is too wide for a card, so that no plane is needed."""
    sure = [one for one in found if _sure(one)]
    return Plane.through([one.quad for one in sure], [one.score for one in sure], size) if any(map(_wide, found)) else None


def apart(
    found: Sequence[Detection], plane: Plane | None, read: Callable[[NDArray[np.float64]], Sequence[Lying]]
) -> list[Detection]:
    """What was ``found`` in a picture, where a quad that holds several cards of the ``plane`` is replaced by them; a doubtful
    quad that does not is left out.

    ``read``: reads the cards at quads (n, 4, 2) of the picture, pixels, and says where exactly each lies.
    """
    wide, sure = [one for one in found if _wide(one)], [one for one in found if _sure(one)]
    likely = [one for one in found if not one.doubtful]
    parts = [(one, quad) for one in wide for quad in plane.side_by_side(one.quad)] if plane is not None else []
    if not parts:
        return likely
    told = read(np.array([quad for _, quad in parts]))
    cards = list(_cards([(whole, lying) for (whole, _), lying in zip(parts, told, strict=True)], sure))
    gone = {id(whole) for whole, _ in cards}
    return [*(one for one in likely if id(one) not in gone), *(card for _, card in cards)]


def whole(quads: NDArray[np.float64], unsure: Sequence[int], plane: Plane) -> NDArray[np.float64]:
    """The ``quads`` (n, 4, 2), pixels, where each with a number in ``unsure`` that holds only the visible part of a card on the
    ``plane`` is extended to the whole card, under the card that hides the rest."""
    found = quads.copy()
    for n in unsure:
        others = [quad for m, quad in enumerate(quads) if m != n]
        ways = [(max((_share(more, quad) for quad in others), default=0.0), card) for card, more in plane.completed(quads[n])]
        hidden, card = max(ways, key=lambda way: way[0], default=(0.0, quads[n]))
        found[n] = card if hidden >= MIN_HIDDEN_SHARE else quads[n]
    return found


def _share(quad: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The share of a ``quad`` (4, 2) that lies in the ``other``, 0..1."""
    return shared_area(quad, other) / max(abs(float(signed_area(quad))), 1e-9)


def _wide(one: Detection) -> bool:
    return one.name != "back" and one.misfit >= MIN_WIDE_MISFIT


def _sure(one: Detection) -> bool:
    return one.score >= MIN_PLANE_SCORE and one.misfit < MIN_WIDE_MISFIT


def _cards(parts: Sequence[tuple[Detection, Lying]], sure: Sequence[Detection]) -> Iterator[tuple[Detection, Detection]]:
    """For each card that was read in a wide quad, the surest first, the wide quad and the card; without cards that were found
    anyway."""
    taken = [one.quad for one in sure]
    known: list[Lying] = []
    for whole, lying in sorted(parts, key=lambda part: -part[1].reading.sure):
        if lying.reading.sure < MIN_PROBABILITY or any(polygon_iou(lying.quad, quad) > SAME_CARD_IOU for quad in taken):
            continue
        if not any(lying.reading.card == one.reading.card and polygon_iou(lying.quad, one.quad) > TWIN_IOU for one in known):
            taken.append(lying.quad)
            known.append(lying)
            yield whole, Detection(lying.quad, CLASSES.index("face"), max(whole.score, INFERRED_PROBABILITY), whole.raw,
                                   whole.refined)
