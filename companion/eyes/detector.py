"""The detector: finds the cards in a picture, and which side of each is up. ONNX Runtime, no torch.

It knows no deck: it finds cards of any printer. Which deck a card is of, the reader says (`companion.eyes.reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.crops import SLACK_SHARE, Crop
from companion.eyes.detection import MAX_FAN_IOU, Calibration, Detection, elsewhere, mirrored, moved, settle
from companion.eyes.geometry import card_length
from companion.eyes.plane import Plane
from companion.eyes.proposer import MIN_CLOSER_FACTOR, STILL_WIDTHS, VIDEO_WIDTH, Proposer, answers, comfortable_width
from companion.eyes.refiner import Refiner

MIN_PROPOSAL_PROBABILITY = 0.03
"""Least raw probability of a proposal that is refined."""

MIN_PLANE_SCORE = 0.7
"""Least score of a proposal that is used to find the plane of the cards."""

MIN_DOUBTFUL_SCORE = 0.1
"""Least score of a quad that may hold several cards."""

MIN_WIDE_MISFIT = 3.0
"""Misfit (`Plane.misfit`) from which on a quad may hold several cards side by side."""


class Detector:
    """The trained networks and their calibration: the first one proposes cards, the refiner looks at each more closely."""

    def __init__(
        self, model: Path, threads: int = 1, refiner: Path | None = None, calibration: Calibration | None = None
    ) -> None:
        """Loads ``model`` and ``refiner``; ``calibration`` is used in place of the file's own ones (for measuring).

        Raises:
            BadModel: a file cannot be loaded, or is not a model of companion.
        """
        self.proposer = Proposer(model, threads)
        self.refiner = Refiner(refiner, threads) if refiner else None
        notes = self.refiner.notes if self.refiner else self.proposer.notes
        self.calibration = calibration or Calibration(**notes.get("calibration", {}))
        self.still = calibration or Calibration(**notes.get("still", asdict(self.calibration)))
        """The calibration for `detect_still`, which looks more than once."""

    def detect(self, image: NDArray[np.uint8], width: int = VIDEO_WIDTH, threshold: float | None = None) -> list[Detection]:
        """Cards in ``image`` ((H, W, 3) uint8 BGR), best first.

        ``width``: the input's longer side in pixels; the picture is scaled to it, up or down. ``threshold``: the least calibrated
        score, by default the shipped one.
        """
        return self._chosen(image, self.proposer.propose(image, width, MIN_PROPOSAL_PROBABILITY), threshold)

    def detect_still(
        self, image: NDArray[np.uint8], widths: Sequence[int] = STILL_WIDTHS, threshold: float | None = None
    ) -> list[Detection]:
        """As `detect`, but at several input sizes, for near and far cards in one picture, and also in a mirror: slower, and it
        misses less.

        Of the ``widths``, those much larger than the picture itself are left out; a larger one is added where the cards are so
        small that they need a closer look.
        """
        largest = max(image.shape[:2])
        wanted = [width for i, width in enumerate(widths) if i == 0 or width <= 1.5 * largest]
        proposed = [self._both_ways(image, width) for width in wanted]
        closest = [float(card_length(one.quad)) for one in self._chosen(image, proposed[-1], None)]
        if closest and (asked := comfortable_width(closest, largest)) >= MIN_CLOSER_FACTOR * wanted[-1]:
            wanted.append(asked)
            proposed.append(self._both_ways(image, asked))
        found = [
            one
            for width, there in zip(wanted, proposed, strict=True)
            for one in there
            if answers(float(card_length(one.quad)) * width / largest, width, wanted)
        ]
        return self._chosen(image, settle(found, MAX_FAN_IOU), threshold, closely=True)

    def _both_ways(self, image: NDArray[np.uint8], width: int) -> list[Detection]:
        """The proposals in ``image`` and in its mirror image."""
        other = self.proposer.propose(np.ascontiguousarray(image[:, ::-1]), width, MIN_PROPOSAL_PROBABILITY)
        return [*self.proposer.propose(image, width, MIN_PROPOSAL_PROBABILITY), *mirrored(other, image.shape[1])]

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
        still: ArrayLike = (), plane: Plane | None = None,
    ) -> list[Detection]:  # fmt: skip
        """As `detect`, but only the cards that the ``crops`` of ``image`` own, at the scale that the whole picture would have.

        ``still``: quads (n, 4, 2) of known cards, at which proposals are dropped. ``plane``: the table's; None: that of the sure
        cards and the known ones. Quads that score too little for one card, but may hold several, are returned, too
        (`Detection.doubtful`).
        """
        found: list[Detection] = []
        for crop in crops:
            x1, y1, x2, y2 = crop.box
            part = image[y1:y2, x1:x2]
            limits = max(1, round(width * max(part.shape[:2]) / max(image.shape[:2])))
            here = moved(self.proposer.propose(part, limits, MIN_PROPOSAL_PROBABILITY), (x1, y1))
            found += [one for one in here if crop.owns([one.quad], SLACK_SHARE)[0]]
        fresh = elsewhere(settle(found, MAX_FAN_IOU) if len(crops) > 1 else found, still)
        return self._chosen(image, fresh, threshold, still, plane=plane, in_game=True)

    def _chosen(
        self, image: NDArray[np.uint8], proposals: Sequence[Detection], threshold: float | None, known: ArrayLike = (),
        closely: bool = False, plane: Plane | None = None, in_game: bool = False,
    ) -> list[Detection]:  # fmt: skip
        """The proposals that are cards: those with a score of at least ``threshold``, by default the shipped one.

        ``known``: quads (n, 4, 2) of further cards that lie there. ``closely``: as in `Refiner.refine`. ``plane``: the table's;
        None: that of the sure cards and the ``known`` ones. ``in_game``: return also quads that score too little, but may hold
        several cards."""
        calibration = self.still if closely else self.calibration
        floor = calibration.threshold if threshold is None else threshold
        alone = self._judged(image, proposals, calibration, floor, closely)
        if plane is None and alone:
            plane = self._plane_of(alone, np.asarray(known, np.float64).reshape(-1, 4, 2), (image.shape[1], image.shape[0]))
        judged = self._on_plane(plane, alone, calibration) if plane is not None and alone else alone
        cards = settle([one for one in judged if one.score >= floor], MAX_FAN_IOU)
        wide = [replace(one, doubtful=True) for one in judged if MIN_DOUBTFUL_SCORE <= one.score < floor
                and one.misfit >= MIN_WIDE_MISFIT]
        return [*cards, *settle(wide, MAX_FAN_IOU)] if in_game else cards

    @staticmethod
    def _plane_of(judged: list[Detection], known: NDArray[np.float64], size: tuple[int, int]) -> Plane | None:
        """The plane of the sure detections and of the ``known`` quads (n, 4, 2), in a picture of ``size`` (width, height)."""
        sure = settle([one for one in judged if one.score >= MIN_PLANE_SCORE], MAX_FAN_IOU)
        quads = np.concatenate([known, np.array([one.quad for one in sure]).reshape(-1, 4, 2)])
        return Plane.through(quads, [1.0] * len(known) + [one.score for one in sure], size)

    def _on_plane(self, plane: Plane, judged: list[Detection], calibration: Calibration) -> list[Detection]:
        """The detections ``judged``, scored again by how well each fits the ``plane``."""
        misfit = plane.misfit([one.quad for one in judged])
        raw, refined = (np.array([getattr(one, name) for one in judged], np.float64) for name in ("raw", "refined"))
        scores = calibration(raw, refined if self.refiner is not None else None, misfit)
        return [
            replace(one, score=float(score), misfit=float(off)) for one, score, off in zip(judged, scores, misfit, strict=True)
        ]

    def _judged(
        self, image: NDArray[np.uint8], proposals: Sequence[Detection], calibration: Calibration, floor: float, closely: bool
    ) -> list[Detection]:
        raw = np.array([one.raw for one in proposals], dtype=np.float64)
        if self.refiner is None:
            scores = calibration(raw)
            return [replace(one, score=float(score)) for one, score in zip(proposals, scores, strict=True)]

        def counts(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
            """Which proposals can still score enough for a card, or for several, wherever the refiner will move their corners."""
            card, several = (calibration(raw, 1 - shares[:, -1], np.full(len(raw), off)) for off in (0.0, MIN_WIDE_MISFIT))
            return (card >= floor) | (several >= MIN_DOUBTFUL_SCORE)

        quads, shares = self.refiner.refine(image, [one.quad for one in proposals], closely, counts)
        refined = 1 - shares[:, -1]
        scores = calibration(raw, refined)
        return [
            Detection(quad, int(sides.argmax()), float(score), one.raw, float(card), float(sides.max() / max(card, 1e-9)))
            for quad, sides, score, one, card in zip(quads, shares[:, :-1], scores, proposals, refined, strict=True)
        ]
