"""Which detection is which true card, and figures that follow from that. Pure: arrays in, figures out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import bounding_boxes, box_iou, card_length, polygon_iou
from workshop.logistic import fitted

Floats = NDArray[np.float64]

ASKED = 0.5
"""Share of a card that must be in view for it to count: a card with less is neither missed nor a false alarm."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """One picture's detections against its truth.

    ``truth_of``: for each detection, the index of its true card, or -1. ``ignored``: for each detection, whether it lies on a
    card (of any class) that does not count. ``asked``: for each true card, whether it counts.
    """

    truth_of: NDArray[np.int64]
    ignored: NDArray[np.bool_]
    asked: NDArray[np.bool_]


def match(
    quads: Floats, kinds: NDArray[np.int64], scores: Floats,
    true_quads: Floats, true_kinds: NDArray[np.int64], visible: Floats, iou: float = 0.5,
    corners: NDArray[np.bool_] | None = None, size: tuple[int, int] | None = None, least: float = ASKED,
) -> Matches:  # fmt: skip
    """Greedy matching, best score first: each detection takes the free true card of its class with the largest polygon IoU.

    ``quads`` (n, 4, 2), ``kinds`` and ``scores`` (n,), ``true_quads`` (m, 4, 2), ``true_kinds`` and ``visible`` (m,); ``iou``:
    the least polygon IoU of a match. Where ``corners`` (m,) is false only the true card's upright box is known: it is compared
    with the box around the detection, clipped to a picture of ``size`` (width, height) as labelled boxes are. ``least``: the
    share of a card that must be in view for it to count.
    """
    overlaps = _overlaps(quads, true_quads)
    if corners is not None and not corners.all():
        overlaps[:, ~corners] = _box_overlaps(quads, true_quads[~corners], size)
    asked = visible >= least
    truth_of = np.full(len(quads), -1, dtype=np.int64)
    ignored = np.zeros(len(quads), dtype=np.bool_)
    free = np.ones(len(true_quads), dtype=np.bool_)
    for i in np.argsort(-scores, kind="stable"):
        fits = overlaps[i] * (free & (true_kinds == kinds[i]))
        best = int(np.argmax(fits)) if len(fits) else -1
        if best >= 0 and fits[best] >= iou:
            truth_of[i], free[best] = best, False
            ignored[i] = not asked[best]
        elif len(fits):
            ignored[i] = bool(np.any(overlaps[i][~asked] >= iou))
    return Matches(truth_of, ignored, asked)


def _overlaps(quads: Floats, others: Floats) -> Floats:
    table = np.zeros((len(quads), len(others)))
    if table.size:
        for i, j in np.argwhere(box_iou(bounding_boxes(quads), bounding_boxes(others)) > 0.1):
            table[i, j] = polygon_iou(quads[i], others[j])
    return table


def _box_overlaps(quads: Floats, others: Floats, size: tuple[int, int] | None) -> Floats:
    boxes = bounding_boxes(quads)
    if size is not None:
        boxes = np.clip(boxes, -0.5, np.tile(size, 2) - 0.5)
    return box_iou(boxes, bounding_boxes(others))


def corner_error(quad: Floats, truth: Floats) -> float:
    """Mean distance of the four corners from the true ones as a share of the true card's length, whichever corner comes first."""
    shifts = [np.linalg.norm(np.roll(quad, shift, axis=0) - truth, axis=1).mean() for shift in range(4)]
    return float(min(shifts) / max(float(card_length(truth)), 1e-9))


def rectangle_error(quad: Floats) -> float:
    """Corner error of the best rotated rectangle: the best that an oriented-box (OBB) head could do for this card."""
    box = cv2.boxPoints(cv2.minAreaRect(quad.astype(np.float32))).astype(np.float64)
    return min(corner_error(box, quad), corner_error(box[::-1], quad))


def average_precision(scores: Floats, right: NDArray[np.bool_], asked: int) -> float:
    """Area under the precision-recall curve with monotone precision, over all recalls (as COCO, but not in 101 steps)."""
    if asked == 0:
        return float("nan")
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    precision = hits / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(precision * right[order]) / asked)


def calibration_error(scores: Sequence[float] | Floats, right: Sequence[bool] | NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error, 0..1: mean gap between promised and observed frequency, over ``bins`` equally filled bins."""
    promised, kept = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if not len(promised):
        return float("nan")
    parts = np.array_split(np.argsort(promised, kind="stable"), min(bins, len(promised)))
    return float(sum(abs(promised[part].mean() - kept[part].mean()) * len(part) for part in parts) / len(promised))


def platt(features: Floats, right: NDArray[np.bool_]) -> tuple[float, ...]:
    """Platt scaling: logistic regression of ``right`` (n,) on ``features`` (n, k), log-odds each.

    Returns the k slopes and the offset. Raises `workshop.logistic.CannotFit`.
    """
    design = np.concatenate([features, np.ones((len(features), 1))], axis=1)
    # Platt's own targets are never quite 0 or 1, so that separable data have a solution.
    positive, negative = float(right.sum()), float(len(right) - right.sum())
    target = np.where(right, (positive + 1) / (positive + 2), 1 / (negative + 2))
    return tuple(float(weight) for weight in fitted(design, target))
