"""Cards side by side that were found as one: where each lies, by the table's plane, if the reader knows it there.

The networks take cards that lie edge to edge, or that overlap a little, for one wide card, and are sure of it. On the plane it is
too wide (`companion.eyes.plane`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.detection import CLASSES, OVERLAP, Detection
from companion.eyes.detector import SURE
from companion.eyes.geometry import polygon_iou
from companion.eyes.plane import Plane

WIDE: Final = 3.0
"""Misfit from which on what was found may be several cards side by side."""
KNOWN: Final = 0.8
"""A card that nobody found is there where its reading is so sure (0..1)."""


def apart(
    found: Sequence[Detection], size: tuple[int, int], read: Callable[[NDArray[np.float64]], Sequence[Lying]]
) -> list[Detection]:  # fmt: skip
    """What was ``found`` in a picture of ``size`` (width, height; pixels), where one that holds several cards gives way to them.

    ``read``: what lies at quads (n, 4, 2) of the picture, pixels, and exactly where.
    """
    wide = [one for one in found if one.name != "back" and one.misfit >= WIDE]
    sure = [one for one in found if one.score >= SURE and one.misfit < WIDE]
    plane = Plane.through([one.quad for one in sure], [one.score for one in sure], size) if wide else None
    if plane is None:
        return list(found)
    parts = [(one, quad) for one in wide for quad in plane.side_by_side(one.quad)]
    if not parts:
        return list(found)
    told = read(np.array([quad for _, quad in parts]))
    cards = list(_cards([(whole, lying) for (whole, _), lying in zip(parts, told, strict=True)], sure))
    gone = {id(whole) for whole, _ in cards}
    return [*(one for one in found if id(one) not in gone), *(card for _, card in cards)]


def _cards(parts: Sequence[tuple[Detection, Lying]], sure: Sequence[Detection]) -> Iterator[tuple[Detection, Detection]]:
    """The wide one and a card in it, for each card that is known, the surest first; none that was found besides."""
    taken = [one.quad for one in sure]
    for whole, lying in sorted(parts, key=lambda part: -part[1].reading.sure):
        if lying.reading.sure >= KNOWN and not any(polygon_iou(lying.quad, quad) > OVERLAP for quad in taken):
            taken.append(lying.quad)
            yield whole, Detection(lying.quad, CLASSES.index("face"), whole.score, whole.raw, whole.refined)
