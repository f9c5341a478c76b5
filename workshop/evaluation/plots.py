"""Pictures for the report: precision-recall curves, reliability of the scores, and the worst cases.

Give only pictures without scans and photographs as worst cases: these may be published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES
from companion.eyes.detector import Detector
from workshop.evaluation.detection import InputSize, Tally, look_at
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import ASKED, Matches, match

Image = NDArray[np.uint8]

BINS = 10
FOUND, MISSED, INVENTED, UNASKED = (90, 200, 60), (60, 60, 230), (230, 60, 230), (150, 150, 150)
"""Colours (BGR) of true cards found and missed, of false alarms, and of true cards with too little in view to count."""


def curves(tallies: Mapping[str, Tally], threshold: float, out: Path) -> None:
    """Writes a picture (.png): precision over recall of each set, with ``threshold`` marked, and observed over promised
    scores."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for name, counts in tallies.items():
        score, good = np.array(counts.score), np.array(counts.right, dtype=np.bool_)
        order = np.argsort(-score, kind="stable")
        hits = np.cumsum(good[order])
        recall, precision = hits / max(sum(counts.asked), 1), hits / np.arange(1, len(hits) + 1)
        (line,) = left.plot(recall, precision, label=name)
        shipped = int((score >= threshold).sum()) - 1
        if shipped >= 0:
            left.plot(recall[shipped], precision[shipped], "o", color=line.get_color())
        parts = [part for part in np.array_split(np.argsort(score), BINS) if len(part)]
        right.plot([score[part].mean() for part in parts], [good[part].mean() for part in parts], "o-", label=name)
    left.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02), title="cards found (dot: as shipped)")
    right.plot([0, 1], [0, 1], ":", color="grey")
    right.set(xlabel="score promised", ylabel="share right", xlim=(0, 1), ylim=(0, 1.02), title="are scores kept?")
    left.legend(loc="lower left")
    figure.savefig(out, dpi=110)
    pyplot.close(figure)


def worst(detector: Detector, pictures: Sequence[LabelledPicture], seen_at: InputSize, out: Path, count: int = 6) -> None:
    """Writes the ``count`` pictures with most mistakes as one sheet, marked: green found, red missed, magenta false, grey
    ignored."""
    ranked: list[tuple[int, Image]] = []
    for picture in pictures:
        image = picture.read()
        found = look_at(detector, image, seen_at)
        quads = np.array([one.quad for one in found]).reshape(-1, 4, 2)
        kinds = np.array([one.kind for one in found], dtype=np.int64)
        scores = np.array([one.score for one in found])
        matches = match(quads, kinds, scores, picture.quads, picture.classes, picture.visible)
        mistakes = int(matches.asked.sum()) + int((~matches.ignored).sum()) - 2 * int((matches.truth_of >= 0).sum())
        names = [f"{one.name} {one.score:.0%}" for one in found]
        ranked.append((mistakes, _marked(image, picture, quads, names, matches)))
    ranked.sort(key=lambda pair: -pair[0])
    chosen = [image for _, image in ranked[:count]]
    size = min(image.shape[:2] for image in chosen)
    tiles = [image[: size[0], : size[1]] for image in chosen]
    rows = [np.hstack(tiles[i : i + 2]) for i in range(0, len(tiles) - len(tiles) % 2, 2)]
    cv2.imwrite(str(out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 80])


def _marked(image: Image, picture: LabelledPicture, quads: NDArray[np.float64], names: Sequence[str], matches: Matches) -> Image:
    marked = image.copy()
    hit = set(matches.truth_of.tolist())
    for i, (quad, kind, shows) in enumerate(zip(picture.quads, picture.classes, picture.visible, strict=True)):
        colour = FOUND if i in hit else MISSED if shows >= ASKED else UNASKED
        _draw(marked, quad, colour, CLASSES[kind] if colour == MISSED else "")
    for quad, name, truth, ignored in zip(quads, names, matches.truth_of, matches.ignored, strict=True):
        if truth < 0 and not ignored:
            _draw(marked, quad, INVENTED, name)
    return marked


def _draw(image: Image, quad: NDArray[np.float64], colour: tuple[int, int, int], text: str) -> None:
    cv2.polylines(image, [np.round(quad).astype(np.int32)], True, colour, 1, cv2.LINE_AA)
    if text:
        x, y = quad.min(axis=0)
        cv2.putText(image, text, (int(x), int(y) - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
