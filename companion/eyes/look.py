"""Detector and reader together: a picture in, cards seen out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.eyes.crops import Crop
from companion.eyes.detector import Detection, Detector
from companion.eyes.geometry import card_length
from companion.eyes.inputsize import VIDEO_WIDTH
from companion.eyes.reader import Prototypes, Reader, Reading, legible
from companion.eyes.sighting import CardSeen, Quad, Side

NAMED = 0.5
"""A face whose likeliest kind is less probable than this is reported as one that cannot be read."""

STRANGER = 0.5
"""A face that belongs to one of our decks with less than this probability is reported as a card of an unknown deck."""

READABLE = 40.0
"""Card length in pixels from which on a face that the reader does not know is a stranger's, and not one too small to read."""


class Eyes:
    """The trained detector and reader. Not for several threads at once: each thread loads its own."""

    def __init__(self, detector: Detector, reader: Reader) -> None:
        self.detector, self.reader = detector, reader

    @staticmethod
    def load(models: Path, threads: int = 1) -> Eyes:
        """From the folder ``models`` (detector.onnx, reader.onnx, prototypes.npz).

        Raises:
            companion.eyes.detector.BadModel: one of them is missing or damaged.
        """
        prototypes = Prototypes.load(models / "prototypes.npz")
        refiner = models / "refiner.onnx"
        detector = Detector(models / "detector.onnx", threads, refiner if refiner.exists() else None)
        return Eyes(detector, Reader(models / "reader.onnx", prototypes, threads))

    def look(
        self, image: NDArray[np.uint8], width: int = VIDEO_WIDTH, crops: Sequence[Crop] | None = None, still: Sequence[Quad] = ()
    ) -> tuple[CardSeen, ...]:
        """Cards in one picture of a running game ((H, W, 3) uint8 BGR), surest first.

        ``width``: of the detector's input for the whole picture, pixels. ``crops``: look only there, at the same scale.
        ``still``: quads of cards that are known to lie as before; they are neither looked at again nor returned.

        Faces are read from ``image`` itself, at its full resolution.
        """
        if crops is None:
            return self.name(image, self.detector.detect(image, width))
        return self.name(image, self.detector.detect_in(image, crops, width, still=still))

    def look_closely(self, image: NDArray[np.uint8]) -> tuple[CardSeen, ...]:
        """As `look`, at several input sizes: slower; for single pictures with near and far cards."""
        return self.name(image, self.detector.detect_still(image))

    def name(self, image: NDArray[np.uint8], found: Sequence[Detection]) -> tuple[CardSeen, ...]:
        """The cards that the detector ``found`` in ``image``, with their faces read, surest first."""
        faces = [one for one in found if one.name == "stu_face"]
        readings = iter(self.reader.read(image, [one.quad for one in faces]))
        threshold = self.detector.calibration.threshold
        seen = [sighting(one, next(readings) if one.name == "stu_face" else None, threshold) for one in found]
        return tuple(sorted((one for one in seen if one.score >= threshold), key=lambda one: -one.score))


def sighting(found: Detection, reading: Reading | None, threshold: float) -> CardSeen:
    """One detection and, for a face, its reading, as the rest of the program uses them.

    The ``score`` is the probability that the whole entry is right: there is a card, and it is the one that is named. A name that
    would bring the score below ``threshold`` is left out: a face that cannot be read is better than no card.
    """
    corners = tuple((float(x), float(y)) for x, y in found.quad)
    quad: Quad = (corners[0], corners[1], corners[2], corners[3])
    if reading is None:
        deck, side = _deck_and_side(found.name)
        return CardSeen(quad, deck, side, found.score)
    if reading.known < STRANGER and float(card_length(found.quad)) >= READABLE:
        return CardSeen(quad, "unknown", "face", found.score * (1 - reading.known), None, reading.supposed())
    named = found.score * reading.known * reading.probability
    if not legible(found.quad) or reading.known < STRANGER or reading.probability < NAMED or named < threshold:
        return CardSeen(quad, reading.deck, "face", found.score, None, reading.alternatives)
    return CardSeen(quad, reading.deck, "face", named, reading.card, reading.alternatives)


def _deck_and_side(name: str) -> tuple[str, Side]:
    if name == "stack":
        return "stu", "stack"
    deck, side = name.split("_")
    return deck, "back" if side == "back" else "face"
