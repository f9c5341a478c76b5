"""The detector: where cards lie in a picture, and which side of them shows. ONNX Runtime, no torch.

It knows no deck: a card is a card, whoever printed it. Which deck it is of, the reader says (`companion.eyes.reader`).

For each of its anchors the network gives the probabilities of the sides, and the corners named in two ways (see
`companion.eyes.geometry.compass_order`). Its input may have any size in multiples of 32; larger ones cost more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.crops import SLACK, Crop
from companion.eyes.geometry import (
    bounding_boxes,
    card_length,
    is_convex,
    pick_compass,
    polygon_iou,
    suppress_and_group,
    turned_like,
)
from companion.eyes.inputsize import CLOSER, STILL_WIDTHS, VIDEO_WIDTH, answers, comfortable_width
from companion.eyes.modelfile import metadata, open_session
from companion.eyes.plane import UNKNOWN, Plane
from companion.eyes.refiner import Refiner
from companion.eyes.sighting import Side
from companion.table.errors import BadModel

CLASSES: Final[tuple[Side, ...]] = ("face", "back", "stack")
"""The detector's classes, the sides of a card, in the order of the network's outputs."""

LENGTHS = (11.0, 260.0)
"""Range of card lengths, in pixels of the input, that the network was trained on; detections beyond it are dropped."""

OVERLAP = 0.6
"""Two quads with more than this polygon IoU are one card: the cards of a fan have less."""

CLOSEST = 0.7
"""The same before faces are read: cards of a tight fan share up to this much, and show two faces (`companion.eyes.look`)."""

PROPOSED = 0.03
"""Raw probability from which on the first network's proposals are refined."""

AGREEMENT = 0.7
"""Quads with more than this polygon IoU with the surest one of a card are averaged with it."""

SURE = 0.7
"""A proposal with this score says where the plane of the cards lies."""

_PAD = 114
_STRIDE = 32


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One card: ``quad`` float64 (4, 2) pixels of the picture, clockwise; ``kind``: index into `CLASSES`; ``score`` 0..1.

    ``score`` is the calibrated probability that a card lies here, whichever side shows, made from ``raw`` and ``refined``, the
    probabilities of the first network and of the refiner, and from ``misfit``, how unlike a card on the table its quad is
    (`companion.eyes.plane`); ``sure``: the probability of its side, given that there is one.
    """

    quad: NDArray[np.float64]
    kind: int
    score: float
    raw: float
    refined: float | None = None
    sure: float = 1.0
    misfit: float = UNKNOWN

    @property
    def name(self) -> Side:
        """The name of its class."""
        return CLASSES[self.kind]


@dataclass(frozen=True, slots=True)
class Calibration:
    """From the two networks' probabilities p and q to a calibrated score, and the shipped threshold.

    The score is 1 / (1 + exp(-(slope logit(p) + second logit(q) + shape (m - UNKNOWN) + offset))): Platt scaling with the
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
            total = total + self.shape * (misfit - UNKNOWN)
        return np.asarray(1 / (1 + np.exp(-total)))


def logit(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds, finite also for 0 and 1."""
    p = np.clip(probability, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(p / (1 - p)))


class Proposer:
    """The first network alone: quads where a card may lie, with their raw probabilities as scores."""

    def __init__(self, model: Path, threads: int = 1) -> None:
        """Raises `BadModel`: the file cannot be loaded or is not a detector."""
        self._session = open_session(model, threads)
        if self._session.get_outputs()[0].shape[1] != len(CLASSES) + 16:
            raise BadModel(f"{model}: an ONNX model, but not a card detector: expected one made by companion train detector")
        self._input = self._session.get_inputs()[0].name
        self.notes = metadata(self._session)

    def propose(self, image: NDArray[np.uint8], width: int, least: float) -> list[Detection]:
        """Possible cards in ``image`` ((H, W, 3) uint8 BGR) with a raw probability of ``least`` or more, best first.

        ``width``: the input's longer side in pixels; the picture is scaled to it, up or down.
        """
        blob, scale = fit(image, width)
        (output,) = self._session.run(None, {self._input: blob})
        return settle(decode(np.asarray(output[0]), scale, least), CLOSEST)


class Detector:
    """The trained networks and their calibration: the first one proposes cards, the refiner takes a closer look."""

    def __init__(
        self, model: Path, threads: int = 1, refiner: Path | None = None, calibration: Calibration | None = None
    ) -> None:
        """Loads ``model`` and ``refiner``; ``calibration`` is used in place of the file's own (for measuring).

        Raises:
            BadModel: a file cannot be loaded, or is not a model of companion.
        """
        self.proposer = Proposer(model, threads)
        self.refiner = Refiner(refiner, threads) if refiner else None
        notes = self.refiner.notes if self.refiner else self.proposer.notes
        self.calibration = calibration or Calibration(**notes.get("calibration", {}))

    def detect(self, image: NDArray[np.uint8], width: int = VIDEO_WIDTH, threshold: float | None = None) -> list[Detection]:
        """Cards in ``image`` ((H, W, 3) uint8 BGR), best first.

        ``width``: the input's longer side in pixels; the picture is scaled to it, up or down. ``threshold``: the least calibrated
        score, by default the shipped one.
        """
        return self._chosen(image, self.proposer.propose(image, width, PROPOSED), threshold)

    def detect_still(
        self, image: NDArray[np.uint8], widths: Sequence[int] = STILL_WIDTHS, threshold: float | None = None
    ) -> list[Detection]:
        """As `detect`, at several input sizes, for near and far cards in one picture.

        Of the ``widths``, those much larger than the picture itself are left out; a larger one is added where the cards are so
        small that they need a closer look.
        """
        largest = max(image.shape[:2])
        wanted = [width for i, width in enumerate(widths) if i == 0 or width <= 1.5 * largest]
        proposed = [self.proposer.propose(image, width, PROPOSED) for width in wanted]
        closest = [float(card_length(one.quad)) for one in self._chosen(image, proposed[-1], None)]
        if closest and (asked := comfortable_width(closest, largest)) >= CLOSER * wanted[-1]:
            wanted.append(asked)
            proposed.append(self.proposer.propose(image, asked, PROPOSED))
        found = [
            one
            for width, there in zip(wanted, proposed, strict=True)
            for one in there
            if answers(float(card_length(one.quad)) * width / largest, width, wanted)
        ]
        return self._chosen(image, settle(found, CLOSEST), threshold)

    def detect_comfortably(self, image: NDArray[np.uint8], threshold: float | None = None) -> list[Detection]:
        """As `detect`, in the way in which a running game is looked at: first at the picture's own width, then at the width that
        suits the cards found (`comfortable_width`)."""
        available = max(image.shape[:2])
        width = comfortable_width((), available)
        found = self.detect(image, width)
        asked = comfortable_width([float(card_length(one.quad)) for one in found], available)
        return found if asked == width and threshold is None else self.detect(image, asked, threshold)

    def detect_in(
        self, image: NDArray[np.uint8], crops: Sequence[Crop], width: int = VIDEO_WIDTH, threshold: float | None = None,
        still: ArrayLike = (),
    ) -> list[Detection]:  # fmt: skip
        """As `detect`, but only the cards that the ``crops`` of ``image`` own, at the scale that the whole picture would have.

        ``still``: quads (n, 4, 2) of cards that are known to lie there: proposals at them are dropped.
        """
        found: list[Detection] = []
        for crop in crops:
            x1, y1, x2, y2 = crop.box
            part = image[y1:y2, x1:x2]
            breadth = max(1, round(width * max(part.shape[:2]) / max(image.shape[:2])))
            here = moved(self.proposer.propose(part, breadth, PROPOSED), (x1, y1))
            found += [one for one in here if crop.owns([one.quad], SLACK)[0]]
        fresh = elsewhere(settle(found, CLOSEST) if len(crops) > 1 else found, still)
        return self._chosen(image, fresh, threshold, still)

    def _chosen(
        self, image: NDArray[np.uint8], proposals: Sequence[Detection], threshold: float | None, known: ArrayLike = ()
    ) -> list[Detection]:
        """The proposals that are cards: those with a score of at least ``threshold``, by default the shipped one.

        ``known``: quads (n, 4, 2) of cards that lie there besides."""
        floor = self.calibration.threshold if threshold is None else threshold
        judged = self._on_plane(image, self._judged(image, proposals), np.asarray(known, np.float64).reshape(-1, 4, 2))
        return settle([one for one in judged if one.score >= floor], CLOSEST)

    def _on_plane(self, image: NDArray[np.uint8], judged: list[Detection], known: NDArray[np.float64]) -> list[Detection]:
        """``judged``, by how well each lies on the plane of those that are sure, and of the ``known`` quads (n, 4, 2)."""
        sure = settle([one for one in judged if one.score >= SURE], CLOSEST)
        quads = np.concatenate([known, np.array([one.quad for one in sure]).reshape(-1, 4, 2)])
        weights = [1.0] * len(known) + [one.score for one in sure]
        plane = Plane.through(quads, weights, (image.shape[1], image.shape[0])) if judged else None
        if plane is None:
            return judged
        misfit = plane.misfit([one.quad for one in judged])
        raw, refined = (np.array([getattr(one, name) for one in judged], np.float64) for name in ("raw", "refined"))
        scores = self.calibration(raw, refined if self.refiner is not None else None, misfit)
        return [
            replace(one, score=float(score), misfit=float(off)) for one, score, off in zip(judged, scores, misfit, strict=True)
        ]

    def _judged(self, image: NDArray[np.uint8], proposals: Sequence[Detection]) -> list[Detection]:
        raw = np.array([one.raw for one in proposals], dtype=np.float64)
        if self.refiner is None:
            scores = self.calibration(raw)
            return [replace(one, score=float(score)) for one, score in zip(proposals, scores, strict=True)]
        quads, shares = self.refiner.refine(image, [one.quad for one in proposals])
        refined = 1 - shares[:, -1]
        scores = self.calibration(raw, refined)
        return [
            Detection(quad, int(sides.argmax()), float(score), one.raw, float(card), float(sides.max() / max(card, 1e-9)))
            for quad, sides, score, one, card in zip(quads, shares[:, :-1], scores, proposals, refined, strict=True)
        ]


def elsewhere(found: Sequence[Detection], still: ArrayLike) -> list[Detection]:
    """Those that lie at none of the quads ``still`` (n, 4, 2) (polygon IoU above `OVERLAP`)."""
    quads = np.asarray(still, np.float64).reshape(-1, 4, 2)
    middles, reach = quads.mean(axis=1), card_length(quads) / 2
    left = []
    for one in found:
        near = np.flatnonzero(np.linalg.norm(middles - one.quad.mean(axis=0), axis=1) < reach)
        if not any(polygon_iou(one.quad, quads[i]) > OVERLAP for i in near):
            left.append(one)
    return left


def settle(found: Sequence[Detection], overlap: float) -> list[Detection]:
    """One detection for each card, best first: the surest of those that share more than ``overlap`` (polygon IoU).

    Its quad is the mean of all that agree with it well, weighted by their scores: neighbouring anchors err independently.
    """
    if not found:
        return []
    quads, scores = np.stack([one.quad for one in found]), np.array([one.score for one in found])
    settled = []
    for best, agreeing in suppress_and_group(quads, scores, overlap, AGREEMENT):
        if len(agreeing) == 1:
            settled.append(found[best])
            continue
        share = scores[agreeing] / scores[agreeing].sum()
        mean = np.einsum("i,ijk->jk", share, turned_like(quads[agreeing], quads[best]))
        settled.append(replace(found[best], quad=mean))
    return settled


def fit(image: NDArray[np.uint8], width: int) -> tuple[NDArray[np.float32], float]:
    """The network's input (1, 3, h, w) float32 BGR 0..1, with h and w multiples of 32, and the scale from picture to input.

    The picture is in the input's top left corner; grey fills the rest.
    """
    scale = width / max(image.shape[:2])
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = image if scale == 1 else cv2.resize(image, size, interpolation=interpolation)
    height, breadth = (-(-resized.shape[i] // _STRIDE) * _STRIDE for i in (0, 1))
    canvas = np.full((height, breadth, 3), _PAD, dtype=np.uint8)
    canvas[: resized.shape[0], : resized.shape[1]] = resized
    return np.asarray(cv2.dnn.blobFromImage(canvas, 1 / 255), np.float32), scale  # in C++: a hot path


def decode(output: NDArray[np.float32], scale: float, floor: float) -> list[Detection]:
    """Detections, before suppression, in the network's output (5 + 16, anchors), with a raw probability of ``floor`` or more.

    ``scale``: from picture to input; the quads are in pixels of the picture.
    """
    probabilities = output[: len(CLASSES)]
    kinds = probabilities.argmax(axis=0)
    raw = probabilities.max(axis=0).astype(np.float64)
    chosen = np.flatnonzero(raw >= floor)
    if len(chosen) > 1500:  # even a picture full of cards has fewer; this bounds the time in the worst case
        chosen = chosen[np.argsort(-raw[chosen])[:1500]]
    points = output[len(CLASSES) :, chosen].T.reshape(-1, 8, 2)
    quads, agreement = pick_compass(points)
    length = card_length(quads)
    sound = is_convex(quads) & (length >= LENGTHS[0]) & (length <= LENGTHS[1]) & (agreement > 0.3)
    pictured = (quads[sound] + 0.5) / scale - 0.5
    return [
        Detection(quad, int(kind), float(p), float(p))
        for quad, kind, p in zip(pictured, kinds[chosen][sound], raw[chosen][sound], strict=True)
    ]


def within(found: Sequence[Detection], box: tuple[float, float, float, float]) -> list[Detection]:
    """Those with their middle in the upright ``box`` (x1, y1, x2, y2)."""
    return [one for one in found if box[0] <= one.quad[:, 0].mean() <= box[2] and box[1] <= one.quad[:, 1].mean() <= box[3]]


def moved(found: Sequence[Detection], offset: tuple[float, float]) -> list[Detection]:
    """The detections with ``offset`` (x, y pixels) added: from a part of a picture to the whole."""
    return [replace(one, quad=one.quad + np.asarray(offset)) for one in found]


def boxes_of(found: Sequence[Detection]) -> NDArray[np.float64]:
    """Upright boxes (n, 4) around the detections."""
    return bounding_boxes([one.quad for one in found]) if found else np.zeros((0, 4))
