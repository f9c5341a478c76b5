"""What lies where → the labels that training reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES
from workshop.evaluation.labels import CardLabel
from workshop.stage.scene import CardTruth

Floats = NDArray[np.float64]
SMALLEST = 0.25
"""Smallest share of a card in view with which it is labelled (docs/camera.md: a quarter)."""


def ordered(quad: Floats) -> Floats:
    """The corners (4 x 2 px, clockwise) beginning with one that does not depend on the print: a short edge comes first, and of
    the two corners at which one begins, the one with the smaller y, then with the smaller x."""
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    start = 0 if edges[0] + edges[2] <= edges[1] + edges[3] else 1
    return np.roll(quad, -min((start, start + 2), key=lambda n: (quad[n, 1], quad[n, 0])), 0)


def card_label(truth: CardTruth) -> CardLabel:
    """A card as in a line of ``truth.jsonl``."""
    quad = tuple((round(float(x), 2), round(float(y), 2)) for x, y in truth.quad)
    card = truth.key[1] if truth.side == "face" else None
    return CardLabel(quad, truth.key[0], truth.side, round(truth.visible, 3), card)  # type: ignore[arg-type]


def pose_line(truth: CardTruth, width: int, height: int) -> str | None:
    """A line in ultralytics' pose format: class, box (middle x, y, width, height) and the four corners as `ordered`, in shares of
    the picture; None for a card that is not labelled. Pixel (0, 0) covers 0..1 in that format, so half a pixel is added."""
    if truth.visible < SMALLEST:
        return None
    size = np.array([width, height], np.float64)
    quad = (ordered(truth.quad) + 0.5) / size
    low, high = np.clip(quad.min(0), 0, 1), np.clip(quad.max(0), 0, 1)
    if np.any(high - low <= 0):
        return None
    numbers = [*((low + high) / 2), *(high - low), *quad.ravel()]
    return " ".join([str(CLASSES.index(truth.side)), *(f"{number:.6f}" for number in numbers)])
