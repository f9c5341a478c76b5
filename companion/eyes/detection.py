"""What the networks find: a quad, the side of a card that is visible there, and how probable it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes import geometry
from companion.eyes.geometry import bounding_boxes, card_length, polygon_iou, suppress_and_group, turned_like
from companion.eyes.plane import UNKNOWN_MISFIT
from companion.eyes.sighting import Side

CLASSES: Final[tuple[Side, ...]] = ("face", "back", "stack")
"""The detector's classes, the sides of a card, in the order of the network's outputs."""

SAME_CARD_IOU = 0.6
"""Polygon IoU above which two quads are one card: the cards of a fan share less."""

MAX_FAN_IOU = 0.7
"""Polygon IoU above which two quads are one card before faces are read: the cards of a tight fan share up to this, and show two
faces (`companion.eyes.look`)."""

INFERRED_PROBABILITY = 0.9
"""Probability that is reported for a card that the networks did not find, but that the table's plane or a heap implies."""

AVERAGED_IOU = 0.7
"""Polygon IoU with the surest quad of a card above which other quads are averaged with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One card: ``quad`` float64 (4, 2) pixels of the picture, clockwise; ``kind``: index into `CLASSES`; ``score`` 0..1.

    ``score`` is the calibrated probability that a card lies here, whichever side shows, made from ``raw`` and ``refined``, the
    probabilities of the first network and of the refiner, and from ``misfit``, how unlike a card on the table its quad is
    (`companion.eyes.plane`); ``sure``: the probability of its side, given that there is one. ``around``: of one that was just put
    down, as of `companion.eyes.sighting.CardSeen`. ``doubtful``: it is no card itself, but may hold several.
    """

    quad: NDArray[np.float64]
    kind: int
    score: float
    raw: float
    refined: float | None = None
    sure: float = 1.0
    misfit: float = UNKNOWN_MISFIT
    around: float | None = None
    doubtful: bool = False

    @property
    def name(self) -> Side:
        """The name of its class."""
        return CLASSES[self.kind]


@dataclass(frozen=True, slots=True)
class Calibration:
    """From the two networks' probabilities p and q to a calibrated score, and the shipped threshold.

    The score is 1 / (1 + exp(-(slope logit(p) + second logit(q) + shape (m - UNKNOWN_MISFIT) + offset))): Platt scaling with the
    refiner's probability as a second feature (``second`` is 0 without a refiner), and the quad's misfit m (`Plane.misfit`) as a
    third. Entries with a score below ``threshold`` are not reported.
    """

    slope: float = 1.0
    offset: float = 0.0
    threshold: float = 0.5
    second: float = 0.0
    shape: float = 0.0

    def __call__(
        self, raw: NDArray[np.float64], refined: NDArray[np.float64] | None = None, misfit: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Calibrated scores (n,) from raw probabilities (n,) and, with a refiner, its probabilities (n,), and misfits (n,)."""
        total = self.slope * logit(raw) + self.offset
        if refined is not None:
            total = total + self.second * logit(refined)
        if misfit is not None:
            total = total + self.shape * (misfit - UNKNOWN_MISFIT)
        return np.asarray(1 / (1 + np.exp(-total)))


def logit(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds, finite also for 0 and 1."""
    p = np.clip(probability, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(p / (1 - p)))


def elsewhere(found: Sequence[Detection], still: ArrayLike) -> list[Detection]:
    """The detections that lie at none of the quads ``still`` (n, 4, 2): at one means a polygon IoU above `SAME_CARD_IOU`."""
    quads = np.asarray(still, np.float64).reshape(-1, 4, 2)
    middles, reach = quads.mean(axis=1), card_length(quads) / 2
    left = []
    for one in found:
        near = np.flatnonzero(np.linalg.norm(middles - one.quad.mean(axis=0), axis=1) < reach)
        if not any(polygon_iou(one.quad, quads[i]) > SAME_CARD_IOU for i in near):
            left.append(one)
    return left


def settle(found: Sequence[Detection], overlap: float) -> list[Detection]:
    """One detection for each card, best first: the surest of all that share more than ``overlap`` (polygon IoU).

    Its quad is the mean of all that agree with it well, weighted by their scores: neighbouring anchors err independently.
    """
    if not found:
        return []
    quads, scores = np.stack([one.quad for one in found]), np.array([one.score for one in found])
    settled = []
    for best, agreeing in suppress_and_group(quads, scores, overlap, AVERAGED_IOU):
        if len(agreeing) == 1:
            settled.append(found[best])
            continue
        share = scores[agreeing] / scores[agreeing].sum()
        mean = np.einsum("i,ijk->jk", share, turned_like(quads[agreeing], quads[best]))
        settled.append(replace(found[best], quad=mean))
    return settled


def within(found: Sequence[Detection], box: tuple[float, float, float, float]) -> list[Detection]:
    """The detections with their middle in the upright ``box`` (x1, y1, x2, y2)."""
    return [one for one in found if box[0] <= one.quad[:, 0].mean() <= box[2] and box[1] <= one.quad[:, 1].mean() <= box[3]]


def moved(found: Sequence[Detection], offset: tuple[float, float]) -> list[Detection]:
    """The detections with ``offset`` (x, y pixels) added: from a part of a picture to the whole."""
    return [replace(one, quad=one.quad + np.asarray(offset)) for one in found]


def mirrored(found: Sequence[Detection], width: int) -> list[Detection]:
    """The detections in the mirror image of a picture, moved to the picture itself, which is ``width`` pixels wide."""
    return [replace(one, quad=geometry.mirrored(one.quad, width - 1)) for one in found]


def boxes_of(found: Sequence[Detection]) -> NDArray[np.float64]:
    """Upright boxes (n, 4) around the detections."""
    return bounding_boxes([one.quad for one in found]) if found else np.zeros((0, 4))
