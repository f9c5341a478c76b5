"""The refiner: a closer look wherever the detector proposes a card. ONNX Runtime, no torch.

The detector gets a small picture and proposes many quads. The refiner cuts each of them out of the full picture with its
surroundings, says which side of a card shows, or that none is there, and corrects the corners: the second stage of a cascade
(Cascade R-CNN, Cai and Vasconcelos 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import MIRRORED, card_length, is_convex, long_side_upright, straighten
from companion.eyes.modelfile import metadata, open_session
from companion.table.errors import BadModel

CROP: Final = (64, 96)
"""Width and height of the refiner's input, pixels."""

MARGIN: Final = 0.3
"""Surroundings on each side of a proposed card, as a share of its width and length."""

KINDS: Final = 4
"""Number of classes of a crop: the detector's three, then nothing."""

NOTHING_PROBABILITY: Final = 0.9
"""Probability of "nothing" from which on a crop is not looked at a second time."""

SETTLED_SHARE: Final = 0.04
"""Share of a card's length: corners that move by less from one look to the next have been found."""

MAX_LOOKS: Final = 5

_AT_ONCE = 32
_CARD = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

Floats = NDArray[np.float64]


Counts = Callable[[Floats], NDArray[np.bool_]]
"""Which of the quads, (n,), may be cards, by the probabilities (n, 4) of their classes and of nothing."""


def all_count(shares: Floats) -> NDArray[np.bool_]:
    """True for each proposal, whatever its probabilities."""
    return np.ones(len(shares), np.bool_)


def frames(quads: ArrayLike) -> Floats:
    """The coordinate frame of each proposal (n, 4, 2): (n, 3, 2) origin, side across, side along, in pixels.

    It is the parallelogram nearest to the quad, with its longer side as the card's length. A point (u, v) of the frame lies at
    origin + u across + v along; the card itself is the unit square.
    """
    points = long_side_upright(quads)
    across = (points[:, 1] - points[:, 0] + points[:, 2] - points[:, 3]) / 2
    along = (points[:, 3] - points[:, 0] + points[:, 2] - points[:, 1]) / 2
    origin = points.mean(axis=1) - (across + along) / 2
    return np.stack([origin, across, along], axis=1)


def to_pixels(points: Floats, frame: Floats) -> Floats:
    """Points (n, k, 2) of frames (n, 3, 2) in pixels of the picture."""
    return np.asarray(frame[:, None, 0] + points[..., :1] * frame[:, None, 1] + points[..., 1:] * frame[:, None, 2])


def to_frame(points: Floats, frame: Floats) -> Floats:
    """Pixels (n, k, 2) in coordinates of frames (n, 3, 2)."""
    basis = np.stack([frame[:, 1], frame[:, 2]], axis=2)
    return np.asarray(np.linalg.solve(basis[:, None], (points - frame[:, None, 0])[..., None])[..., 0])


def cut_out(image: NDArray[np.uint8], frame: Floats) -> NDArray[np.uint8]:
    """The refiner's input for one frame (3, 2): (96, 64, 3) uint8, with the card in its middle."""
    wide = to_pixels((_CARD * (1 + 2 * MARGIN) - MARGIN)[None], frame[None])[0]
    return straighten(image, wide, *CROP)


def moved(before: Floats, after: Floats) -> Floats:
    """How far quads (n, 4, 2) have moved: the distance of the corner that moved most, as a share of the card's length, (n,).
    Either end of a card may come first."""
    ways = [np.linalg.norm(np.roll(after, turn, axis=1) - before, axis=2).max(axis=1) for turn in (0, 2)]
    return np.asarray(np.minimum(*ways) / np.maximum(card_length(after), 1e-9))


class Refiner:
    """The trained network."""

    def __init__(self, model: Path, threads: int = 1) -> None:
        """Raises `BadModel`."""
        self._session = open_session(model, threads)
        if self._session.get_outputs()[0].shape[1] != KINDS + 8:
            raise BadModel(f"{model}: an ONNX model, but not a refiner: expected one made by companion train refiner")
        self._input = self._session.get_inputs()[0].name
        self.notes = metadata(self._session)

    def refine(
        self, image: NDArray[np.uint8], quads: Sequence[Floats], closely: bool = False, counts: Counts = all_count
    ) -> tuple[Floats, Floats]:
        """Quads (n, 4, 2), clockwise, and probabilities (n, 4) of the classes and of nothing.

        ``image``: (H, W, 3) uint8 BGR; ``quads``: proposals in its pixels. What may be a card is looked at a second time, at the
        corners just found and upside down, and then again until its corners no longer move. Its corners are those of the last
        look, its probabilities the geometric mean of the first two; ``closely``: and of two more, in a mirror. ``counts``: tells
        by the probabilities which quads may be cards; the others keep the corners of the second look.
        """
        if not len(quads):
            return np.zeros((0, 4, 2)), np.zeros((0, KINDS))
        corners, shares = self._look(image, np.stack(quads))
        again = np.flatnonzero(shares[:, -1] < NOTHING_PROBABILITY)
        if len(again):
            looks = [shares[again]]
            before = np.roll(corners[again], 2, axis=1)
            corners[again], second = self._look(image, before)
            looks.append(second)
            if closely:
                looks += [self._look(image, way, mirror=True)[1] for way in (corners[again], before)]
            mean = np.exp(np.mean(np.log(np.maximum(looks, 1e-12)), axis=0))
            shares[again] = mean / mean.sum(axis=1, keepdims=True)
            self._settle(image, corners, again[(moved(before, corners[again]) > SETTLED_SHARE) & counts(shares)[again]])
        return corners, shares

    def glance(self, image: NDArray[np.uint8], quads: Sequence[Floats]) -> tuple[Floats, Floats]:
        """As `refine`, but with one look: enough to see to which card each of the ``quads`` leads."""
        return self._look(image, np.stack(quads)) if len(quads) else (np.zeros((0, 4, 2)), np.zeros((0, KINDS)))

    def _settle(self, image: NDArray[np.uint8], corners: Floats, those: NDArray[np.int64]) -> None:
        """Look at ``those`` of the quads again, changing them in place, until their corners no longer move: two looks are not
        enough for a proposal that was far off."""
        for _ in range(MAX_LOOKS - 2):
            if not len(those):
                return
            before = corners[those]
            corners[those], _ = self._look(image, before)
            those = those[moved(before, corners[those]) > SETTLED_SHARE]

    def _look(self, image: NDArray[np.uint8], quads: Floats, mirror: bool = False) -> tuple[Floats, Floats]:
        """One look at each quad, or at its mirror image. Where the refined quad has not the shape of a card, the given one is
        kept."""
        frame = frames(quads)
        if mirror:
            frame = np.stack([frame[:, 0] + frame[:, 1], -frame[:, 1], frame[:, 2]], axis=1)
        answers = [
            self._run([cut_out(image, one) for one in frame[start : start + _AT_ONCE]])
            for start in range(0, len(frame), _AT_ONCE)
        ]
        found = np.concatenate(answers).astype(np.float64)
        logits = found[:, :KINDS]
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        refined = to_pixels(_CARD + found[:, KINDS:].reshape(-1, 4, 2), frame)
        if mirror:
            refined = refined[:, MIRRORED]
        kept = np.where(is_convex(refined)[:, None, None], refined, long_side_upright(quads))
        return kept, shares / shares.sum(axis=1, keepdims=True)

    def _run(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        blob = np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(255)
        (answers,) = self._session.run(None, {self._input: blob})
        return np.asarray(answers, dtype=np.float32)
