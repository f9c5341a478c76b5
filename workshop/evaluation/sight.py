"""Figures of detector and reader together on labelled pictures: how many of the faces that were found are named right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from companion.eyes.detection import CLASSES
from companion.eyes.geometry import card_length
from companion.eyes.look import Eyes
from workshop.evaluation.detection import InputSize, look_at
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import calibration_error, match

CLEAR = 0.9
"""A face must be named when this share of it is in view."""

NAME_BANDS = ((25, 40), (40, 60), (60, 100), (100, 1000))
"""Ranges of card length, in pixels of the picture, that are reported separately."""


@dataclass(slots=True)
class Names:
    """What was read in a set of pictures: enough for every figure.

    ``right`` and ``lengths`` (pixels) have one entry per face found with `CLEAR` in view; ``names`` and ``entries``: promised
    probability of a name, or of a whole entry, and whether it was right.
    """

    right: list[bool] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)
    names: list[tuple[float, bool]] = field(default_factory=list)
    entries: list[tuple[float, bool]] = field(default_factory=list)

    def extend(self, other: Names) -> None:
        """Adds what was read in other pictures."""
        for name in ("right", "lengths", "names", "entries"):
            getattr(self, name).extend(getattr(other, name))


def read_names(eyes: Eyes, pictures: Iterable[LabelledPicture], size: InputSize = "game") -> Names:
    """Looks at ``pictures`` with detector and reader."""
    read = Names()
    for picture in pictures:
        image = picture.read()
        seen = eyes.name(image, look_at(eyes.detector, image, size))
        kinds = [CLASSES.index(one.side) for one in seen]
        quads = np.array([one.quad for one in seen]).reshape(-1, 4, 2)
        scores = np.array([one.score for one in seen])
        found = match(
            quads, np.array(kinds, dtype=np.int64), scores, picture.quads, picture.classes, picture.visible,
            corners=picture.corners, size=picture.size,
        )  # fmt: skip
        for one, truth, ignored in zip(seen, found.truth_of, found.ignored, strict=True):
            if ignored:
                continue
            ours = truth >= 0 and one.deck == _printed(picture.decks[truth])
            read.entries.append((one.score, bool(ours and one.card in (None, picture.cards[truth]))))
            if truth < 0 or picture.visible[truth] < CLEAR:
                continue
            if picture.classes[truth] != CLASSES.index("face") or picture.decks[truth] != "stu":
                continue
            correct = one.card == picture.cards[truth]
            read.right.append(correct)
            read.lengths.append(float(card_length(picture.quads[truth])))
            if one.alternatives and one.deck != "unknown":
                read.names.append((one.alternatives[0][1], one.alternatives[0][0] == picture.cards[truth]))
    return read


def _printed(deck: str) -> str:
    """The deck as it is printed by ``companion detect``: that of a stranger is unknown."""
    return deck if deck in ("stu", "ramino") else "unknown"


def naming(read: Names) -> dict[str, float]:
    """How well faces are named, for Stù faces that were found with `CLEAR` in view: the share named right, also by card length;
    the ECE of names and of whole entries. An entry without a name counts as not named right."""
    out = {"faces": float(len(read.right)), "named_right": float(np.mean(read.right)) if read.right else float("nan")}
    for low, high in NAME_BANDS:
        band = [good for good, length in zip(read.right, read.lengths, strict=True) if low <= length < high]
        if band:
            out[f"named_right_{low}_{high}px"] = float(np.mean(band))
    out["ece_face"] = calibration_error([p for p, _ in read.names], [good for _, good in read.names])
    out["ece_card"] = calibration_error([p for p, _ in read.entries], [good for _, good in read.entries])
    return out
