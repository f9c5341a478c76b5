"""Figures of the detector on labelled pictures: exact polygons, the shipped threshold, cards with half or more in view; and how
many are found by the share of them that is in view, a quarter and more: pairs, fans, half covered cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES, Calibration, Detection, logit
from companion.eyes.detector import Detector
from companion.eyes.geometry import card_length
from companion.eyes.plane import UNKNOWN_MISFIT
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import average_precision, calibration_error, corner_error, match, platt, rectangle_error

QUARTER = 0.25
"""The least share of a card in view that is looked for (docs/camera.md)."""

VIEW_BANDS = ((25, 50), (50, 75), (75, 95), (95, 100))
"""Shares in view, per cent, that are told apart; the last goes up to all of it."""


@dataclass(slots=True)
class ShareTally:
    """What was found in a set of pictures, by the share in view.

    ``asked``: the shares in view of all cards that show a quarter or more. ``found``: for each detection that counts, its score
    and the share in view of its card; None where no card lies. A card of another side than is said counts as not found.
    """

    asked: list[float] = field(default_factory=list)
    found: list[tuple[float, float | None]] = field(default_factory=list)

    def extend(self, other: ShareTally) -> None:
        """Adds what was found in other pictures."""
        self.asked.extend(other.asked)
        self.found.extend(other.found)

    def add(self, found: Sequence[Detection], picture: LabelledPicture) -> None:
        """Adds what was found in one picture."""
        quads = np.array([one.quad for one in found]).reshape(-1, 4, 2)
        kinds = np.array([one.kind for one in found], dtype=np.int64)
        scores = np.array([one.score for one in found], dtype=np.float64)
        matches = match(quads, kinds, scores, picture.quads, picture.classes, picture.visible,
                        corners=picture.corners, size=picture.size, least=QUARTER)  # fmt: skip
        self.asked.extend(float(share) for share in picture.visible[matches.asked])
        for one, truth, ignored in zip(found, matches.truth_of, matches.ignored, strict=True):
            if not ignored:
                self.found.append((one.score * one.sure, float(picture.visible[truth]) if truth >= 0 else None))

    def figures(self, threshold: float) -> dict[str, float]:
        """At the calibrated ``threshold``: ``recall_quarter`` and ``precision_quarter`` of all cards that show a quarter or more,
        and the recall of those by the share that shows: shares 0..1."""
        shown = [share for score, share in self.found if score >= threshold]
        right = [share for share in shown if share is not None]
        out: dict[str, float] = {"cards_quarter": len(self.asked)}
        out["recall_quarter"] = len(right) / len(self.asked) if self.asked else float("nan")
        out["precision_quarter"] = len(right) / len(shown) if shown else float("nan")
        for low, high in VIEW_BANDS:
            among = [sum(low <= 100 * share < high + (high == 100) for share in shares) for shares in (right, self.asked)]
            if among[1]:
                out[f"recall_{low}_{high}shown"] = among[0] / among[1]
        return out

LEAST = 0.005
"""Calibrated score from which on detections are collected for the precision-recall curve."""

LARGE = 40.0
"""Card length in pixels of the picture from which on corners are measured."""

BANDS = ((0, 25), (25, 40), (40, 60), (60, 1000))
"""Ranges of card length, in pixels of the picture, that are reported separately."""


FALSE_FROM = {"false_half_hundred": 0.5, "false_sure_hundred": 0.9}
"""Figure → the score from which on it counts what was found in pictures without any card, in a hundred of them."""

InputSize = int | Literal["game", "still"]
"""The detector's input: its width in pixels, ``game`` as for a picture of a running game (`Detector.detect_comfortably`), or
``still`` as for a single picture, at several sizes (`Detector.detect_still`)."""


@dataclass(slots=True)
class Tally:
    """Everything that was found in a set of pictures: enough for every figure.

    ``kind``, ``raw``, calibrated ``score``, ``right`` and ``length`` (px, the true card's where it is right) have one entry per
    detection; ``error`` one per match with a card whose true corners are known; ``asked_length`` one per card that counts.
    """

    kind: list[int] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    refined: list[float] = field(default_factory=list)
    """The refiner's probabilities, empty where there is no refiner."""
    score: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    a_card: list[tuple[float, bool]] = field(default_factory=list)
    """(score, whether there is a card), whatever its class: detections matched with true cards of any class."""
    length: list[float] = field(default_factory=list)
    asked_length: list[float] = field(default_factory=list)
    error: list[tuple[float, float, float]] = field(default_factory=list)
    """(corner error as a share of the length, card length in px, score) of matched cards whose corners are known."""
    rectangle: list[float] = field(default_factory=list)
    """Corner error of the best rotated rectangle, for each card that counts and is at least `LARGE`."""
    asked: list[int] = field(default_factory=lambda: [0] * len(CLASSES))
    by_share: ShareTally = field(default_factory=ShareTally)
    pictures: int = 0
    cardless: int = 0
    """Pictures in which no card lies, not even in part."""
    imagined: list[float] = field(default_factory=list)
    """Scores of what was found in those."""

    def extend(self, other: Tally) -> None:
        """Adds what was found in other pictures."""
        for name in ("kind", "raw", "refined", "score", "right", "a_card", "length", "asked_length", "error", "rectangle",
                     "imagined"):  # fmt: skip
            getattr(self, name).extend(getattr(other, name))
        self.asked = [a + b for a, b in zip(self.asked, other.asked, strict=True)]
        self.by_share.extend(other.by_share)
        self.pictures += other.pictures
        self.cardless += other.cardless

    def add(self, found: Sequence[Detection], picture: LabelledPicture) -> None:
        """Adds what was found in one picture."""
        quads = np.array([one.quad for one in found]).reshape(-1, 4, 2)
        kinds = np.array([one.kind for one in found], dtype=np.int64)
        scores = np.array([one.score for one in found], dtype=np.float64)
        matches, anyhow = (
            match(quads, own, scores, picture.quads, true, picture.visible, corners=picture.corners, size=picture.size)
            for own, true in ((kinds, picture.classes), (np.zeros_like(kinds), np.zeros_like(picture.classes)))
        )
        self.pictures += 1
        if not np.any(picture.visible > 0):
            self.cardless += 1
            self.imagined.extend(one.score * one.sure for one in found)
        self.by_share.add(found, picture)
        counted = np.flatnonzero(~anyhow.ignored)
        self.a_card.extend((float(scores[i]), bool(anyhow.truth_of[i] >= 0)) for i in counted)
        for true, exact in zip(picture.quads, picture.corners & matches.asked, strict=True):
            if exact and card_length(true) >= LARGE:
                self.rectangle.append(rectangle_error(true))
        for kind, true in zip(picture.classes[matches.asked], picture.quads[matches.asked], strict=True):
            self.asked[int(kind)] += 1
            self.asked_length.append(float(card_length(true)))
        for one, truth, ignored in zip(found, matches.truth_of, matches.ignored, strict=True):
            if ignored:
                continue
            self.kind.append(one.kind)
            self.raw.append(one.raw)
            if one.refined is not None:
                self.refined.append(one.refined)
            self.score.append(one.score * one.sure)
            self.right.append(truth >= 0)
            self.length.append(float(card_length(picture.quads[truth] if truth >= 0 else one.quad)))
            if truth >= 0 and picture.corners[truth]:
                true = picture.quads[truth]
                self.error.append((corner_error(one.quad, true), float(card_length(true)), one.score))


def look_at(
    detector: Detector, image: NDArray[np.uint8], size: InputSize = "game", threshold: float | None = None
) -> list[Detection]:
    """What ``detector`` finds in ``image`` ((H, W, 3) uint8 BGR) at this input size; ``threshold``: as of `Detector.detect`."""
    if size == "game":
        return detector.detect_comfortably(image, threshold)
    if size == "still":
        return detector.detect_still(image, threshold=threshold)
    return detector.detect(image, size, threshold)


def shipped_threshold(detector: Detector, size: InputSize) -> float:
    """The calibrated score from which on `look_at` reports a card, if nothing else is said."""
    return (detector.still if size == "still" else detector.calibration).threshold


def tally(detector: Detector, pictures: Iterable[LabelledPicture], size: InputSize = "game", least: float = LEAST) -> Tally:
    """Runs ``detector`` over ``pictures`` and collects detections with a score of ``least`` or more."""
    counts = Tally()
    for picture in pictures:
        counts.add(look_at(detector, picture.read(), size, least), picture)
    return counts


def figures(counts: Tally, threshold: float) -> dict[str, float]:
    """The figures at the calibrated ``threshold``, shares 0..1. A card that is given another class counts as missed and as a
    false alarm, except for ``recall_any_class`` and ``precision_any_class``, which disregard classes."""
    kind, score, right = np.array(counts.kind), np.array(counts.score), np.array(counts.right, dtype=np.bool_)
    shown = score >= threshold
    asked = sum(counts.asked)
    out: dict[str, float] = {"pictures": counts.pictures, "cards": asked}
    aps = {name: average_precision(score[kind == i], right[kind == i], counts.asked[i]) for i, name in enumerate(CLASSES)}
    out["ap50"] = float(np.mean([value for i, value in enumerate(aps.values()) if counts.asked[i]])) if asked else float("nan")
    out |= {f"ap50_{name}": value for name, value in aps.items() if not np.isnan(value)}
    out["recall"] = float(right[shown].sum() / asked) if asked else float("nan")
    out["precision"] = float(right[shown].mean()) if shown.any() else float("nan")
    called_anything = [there for s, there in counts.a_card if s >= threshold]
    out["recall_any_class"] = sum(called_anything) / asked if asked else float("nan")
    out["precision_any_class"] = float(np.mean(called_anything)) if called_anything else float("nan")
    for i, name in enumerate(CLASSES):
        if counts.asked[i]:
            out[f"recall_{name}"] = float(right[shown & (kind == i)].sum() / counts.asked[i])
    length, asked_length = np.array(counts.length), np.array(counts.asked_length)
    for low, high in BANDS:
        there, among = int(((asked_length >= low) & (asked_length < high)).sum()), shown & (length >= low) & (length < high)
        if there:
            out[f"recall_{low}_{high}px"] = float(right[among].sum() / there)
        if among.any():
            out[f"precision_{low}_{high}px"] = float(right[among].mean())
    errors = [error for error, _, s in counts.error if s >= threshold]
    large = [error for error, length, s in counts.error if s >= threshold and length >= LARGE]
    out["corner_error"] = float(np.mean(errors)) if errors else float("nan")
    out["corner_error_40px"] = float(np.mean(large)) if large else float("nan")
    out["rectangle_error_40px"] = float(np.mean(counts.rectangle)) if counts.rectangle else float("nan")
    out["ece_card"] = calibration_error(score[shown], right[shown]) if shown.any() else float("nan")
    if counts.cardless:
        out["cardless"] = counts.cardless
        for figure, least in FALSE_FROM.items():
            out[figure] = 100 * sum(one >= least for one in counts.imagined) / counts.cardless
    return out


LIKELIER = 0.5
"""What is reported is likelier a card than not, however many cards a lower threshold would find."""
FIRST = Calibration(0.45, 0.4, 0.5, 0.75, -0.6)
"""By which a picture's cards are told apart from what is none before a calibration is fitted."""


def calibrations(model: Path, refiner: Path | None, pictures: Sequence[LabelledPicture]) -> dict[str, dict[str, float]]:
    """What a model's file says of its scores: `calibrate` for a running game, and for single pictures."""
    sizes: dict[str, InputSize] = {"calibration": "game", "still": "still"}
    return {name: asdict(calibrate(model, refiner, pictures, size)) for name, size in sizes.items()}


def calibrate(
    model: Path, refiner: Path | None, pictures: Sequence[LabelledPicture], size: InputSize = "game"
) -> Calibration:
    """Platt scaling fitted on ``pictures`` (never a holdout), and the threshold with the best F1 score on them."""
    plain = Detector(model, refiner=refiner, calibration=FIRST if refiner else Calibration(0.5))
    found: list[Detection] = []
    cards: list[bool] = []
    asked = 0
    for picture in pictures:
        here = look_at(plain, picture.read(), size, 0.02)
        quads, scores = np.array([one.quad for one in here]).reshape(-1, 4, 2), np.array([one.score for one in here])
        kinds, true = np.zeros(len(here), np.int64), np.zeros(len(picture.quads), np.int64)  # whichever side shows
        matches = match(quads, kinds, scores, picture.quads, true, picture.visible, corners=picture.corners, size=picture.size)
        found += [one for one, ignored in zip(here, matches.ignored, strict=True) if not ignored]
        cards += [bool(truth >= 0) for truth in matches.truth_of[~matches.ignored]]
        asked += int(matches.asked.sum())
    right = np.array(cards, dtype=np.bool_)
    if right.sum() < 10 or right.all():
        return Calibration()
    raw, refined = np.array([one.raw for one in found]), np.array([one.refined for one in found]) if refiner else None
    misfit = np.array([one.misfit for one in found])
    evidence = [logit(raw), misfit - UNKNOWN_MISFIT] if refined is None else [logit(raw), logit(refined), misfit - UNKNOWN_MISFIT]
    slope, *second, shape, offset = platt(np.stack(evidence, axis=1), right)
    fitted = Calibration(slope, offset, 0.5, second[0] if second else 0.0, shape)
    scores = fitted(raw, refined, misfit)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    f1 = 2 * hits / (np.arange(1, len(hits) + 1) + asked)
    threshold = float(scores[order][int(np.argmax(f1))])
    return replace(fitted, threshold=float(np.clip(threshold, LIKELIER, 0.8)))
