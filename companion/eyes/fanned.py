"""Finds cards of a fan that show only a strip, where the fan's other cards are of a deck that the networks were not trained on.

The first network proposes few of them. But the refiner recognises a card where it is pointed to one: beside each card that was
found, as far away as the cards of a fan lie from one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.detection import CLASSES, MAX_FAN_IOU, SAME_CARD_IOU, Detection
from companion.eyes.geometry import card_length, grown, long_side_upright, polygon_iou
from companion.eyes.refiner import NOTHING_PROBABILITY, Refiner
from companion.eyes.remembered import Remembered

NEIGHBOUR_WIDTHS: Final = (-0.4, -0.27, 0.27, 0.4)
"""Card widths, to either side, at which a neighbour in a fan is looked for. The refiner corrects the corners from there. On
rendered fans of French decks, looking further away found no more cards."""
MIN_PROBABILITY: Final = 0.9
"""Least probability, by the refiner, of a card at a tried place."""
MAX_LENGTH_LOG, MAX_WIDTH_LOG = 0.12, 0.35
"""Natural logarithms: greatest ratio of a neighbour's length, and of its width, to those of the card beside which it was looked
for. The width of a half-hidden card is less exact."""
MAX_CORNER_COSINE: Final = 0.12
"""Greatest cosine of a neighbour's corners: a false quad that the refiner draws across two cards is slanted."""
MAX_TURN_DEGREES: Final = 20.0
"""Greatest angle in degrees between a neighbour and that card."""
WIDTH_TO_LENGTH: Final = 0.66
"""Approximate width of a card as a share of its length."""
MAX_ROUNDS: Final = 2
"""Number of rounds in which neighbours of the cards just found are looked for, in turn."""
BORDER_SHARES: Final = (0.5, 0.05)
"""Border around a card, as shares of its width and length: as long as the picture looks the same within it, the neighbours that
were found are kept."""
MAX_CARDS: Final = 60
"""Number of cards whose neighbours are remembered."""

Floats = NDArray[np.float64]


class Fans:
    """Finds the cards of fans. What was found beside a card is kept as long as the picture looks the same there.

    ``refiner``: the second network.
    """

    def __init__(self, refiner: Refiner) -> None:
        self._refiner = refiner
        self._remembered: Remembered[Detection | None] = Remembered(MAX_CARDS)

    def neighbours(self, image: NDArray[np.uint8], quads: ArrayLike, others: ArrayLike = ()) -> list[Detection]:
        """New cards beside those at ``quads`` (n, 4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR).

        ``others`` (m, 4, 2): further known cards, which are not new."""
        fresh = list(np.asarray(quads, np.float64).reshape(-1, 4, 2))
        taken = [*fresh, *np.asarray(others, np.float64).reshape(-1, 4, 2)]
        found: list[Detection] = []
        for _ in range(MAX_ROUNDS):
            near = [one for quad in fresh for one in self._beside(image, quad, taken)]
            fresh = []
            for one in sorted(near, key=lambda one: -one.score):
                if not any(polygon_iou(one.quad, quad) > SAME_CARD_IOU for quad in taken):
                    fresh.append(one.quad)
                    taken.append(one.quad)
                    found.append(one)
        return found

    def _beside(self, image: NDArray[np.uint8], quad: Floats, taken: Sequence[Floats]) -> list[Detection]:
        around = grown(long_side_upright(quad[None])[0], *BORDER_SHARES)[None]
        told = self._remembered.told(image, around, lambda: (None, *beside(self._refiner, image, quad, taken)))
        return [one for one in told if one is not None]


def beside(refiner: Refiner, image: NDArray[np.uint8], quad: Floats, taken: Sequence[Floats]) -> list[Detection]:
    """What the refiner takes for a card beside the card at ``quad`` (4, 2). Mostly it comes back to that card, or to one of those
    ``taken``, which is then not returned."""
    upright = long_side_upright(quad[None])[0]
    across = (upright[1] - upright[0] + upright[2] - upright[3]) / 2
    led, shares = refiner.glance(image, [upright + share * across for share in NEIGHBOUR_WIDTHS])
    known = [one for one in taken if np.linalg.norm(one.mean(axis=0) - upright.mean(axis=0)) < 2 * card_length(upright)]
    elsewhere = [
        one for one, (*_, nothing) in zip(led, shares, strict=True)
        if nothing < NOTHING_PROBABILITY and not any(polygon_iou(one, other) > MAX_FAN_IOU for other in known)
    ]  # fmt: skip
    quads, shares = refiner.refine(image, elsewhere)
    found = []
    for one, probabilities in zip(quads, shares, strict=True):
        sure, kind = float(1 - probabilities[-1]), int(probabilities[:-1].argmax())
        if sure >= MIN_PROBABILITY and CLASSES[kind] != "stack" and like(one, upright):
            found.append(Detection(one, kind, sure, sure, sure, float(probabilities[kind] / sure)))
    return found


def like(quad: Floats, card: Floats) -> bool:
    """Whether the ``quad`` (4, 2) has the size and the shape of the ``card`` (4, 2) on the plane on which the card lies, and
    nearly its direction."""
    flat = np.array([[0, 0], [WIDTH_TO_LENGTH, 0], [WIDTH_TO_LENGTH, 1], [0, 1]], np.float32)
    homography = cv2.getPerspectiveTransform(long_side_upright(card[None])[0].astype(np.float32), flat)
    corners = cv2.perspectiveTransform(long_side_upright(quad[None]), homography)[0]
    ways = np.roll(corners, -1, axis=0) - corners
    long = np.linalg.norm(ways, axis=1) + 1e-9
    slant = np.abs((ways * np.roll(ways, -1, axis=0)).sum(axis=1) / (long * np.roll(long, -1))).max()
    turned = np.degrees(np.arctan2(abs(ways[1, 0] - ways[3, 0]), abs(ways[1, 1] - ways[3, 1])))
    wider, longer = np.log((long[0] + long[2]) / 2 / WIDTH_TO_LENGTH), np.log((long[1] + long[3]) / 2)
    return bool(abs(wider) <= MAX_WIDTH_LOG and abs(longer) <= MAX_LENGTH_LOG and slant <= MAX_CORNER_COSINE
                and turned <= MAX_TURN_DEGREES)
