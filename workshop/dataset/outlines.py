"""Outlines for cards that have only an upright box for a label, as far as what the detector finds fills that box.

The reader learns from cards cut out along their corners, which photographs labelled by hand do not have. The network's own quad
stands in for them where its upright box is the labelled one; other cards keep their boxes, and teach the reader nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from companion.eyes.detection import Detection, boxes_of
from companion.eyes.detector import Detector
from companion.eyes.geometry import bounding_boxes, box_iou
from companion.eyes.image import read_picture
from companion.table.errors import CompanionError
from workshop.evaluation.labels import TRUTH, CardLabel, PictureLabel, read_lines

FILLS = 0.85
"""IoU of the boxes from which on a quad is the labelled card's."""


def outlined(picture: PictureLabel, found: Sequence[Detection]) -> PictureLabel:
    """``picture`` with the quads of those detections that fill a labelled box; boxes are clipped to the picture, as labelled."""
    boxed = [i for i, card in enumerate(picture.cards) if not card.corners]
    if not boxed or not found:
        return picture
    edges = np.tile([picture.width, picture.height], 2) - 0.5
    labelled = bounding_boxes([picture.cards[i].quad for i in boxed])
    fits = box_iou(labelled, np.clip(boxes_of(found), -0.5, edges))
    cards = list(picture.cards)
    for row, i in enumerate(boxed):
        best = int(fits[row].argmax())
        if fits[row, best] >= FILLS and fits[:, best].argmax() == row:
            cards[i] = _with_quad(cards[i], found[best])
    return msgspec.structs.replace(picture, cards=tuple(cards))


def _with_quad(card: CardLabel, found: Detection) -> CardLabel:
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in found.quad)
    return msgspec.structs.replace(card, quad=corners, corners=True)


def write_outlined(folder: Path, out: Path, detector: Detector) -> Iterator[tuple[int, int]]:
    """Writes the labels of ``folder`` into ``out``, outlined, and yields for each picture how many cards have corners, and how
    many there are. The pictures stay where they are.

    Raises:
        CompanionError: ``out`` already has labels.
        BadLabels: ``folder`` has none.
    """
    if (out / TRUTH).exists():
        raise CompanionError(f"{out} already holds pictures ({TRUTH} is there): choose another --out or remove it first")
    lines = read_lines(folder)
    out.mkdir(parents=True, exist_ok=True)
    with (out / TRUTH).open("wb") as file:
        for line in lines:
            path = (folder / line.image).resolve()
            picture = outlined(line, detector.detect_still(read_picture(path)))
            file.write(msgspec.json.encode(msgspec.structs.replace(picture, image=str(path))) + b"\n")
            yield sum(card.corners for card in picture.cards), len(picture.cards)
