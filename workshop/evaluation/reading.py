"""The reader's calibration, and its figures on crops made on the fly from seeds that no training run uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.eyes.reader import Prototypes, Reader
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import calibration_error
from workshop.training.crops import NOTHING, Classes, Image, classes, crop, crops_of, teachable

LOST = 0.004
"""Share of the cards of our decks, faces and backs, that may be taken for strangers'."""

STRANGER = 0.45
"""The cosine of the answer "nobody's" in training: see `workshop.training.reader`."""

BANDS = ((25, 40), (40, 60), (60, 100), (100, 200))
"""Ranges of card length, in pixels, that are reported separately."""


@dataclass(frozen=True, slots=True)
class ReadCrop:
    """One crop's true class (index into the 20 kinds, or negative), card length, and embedding."""

    label: int
    length: float
    embedding: NDArray[np.float32]


def read_crops(
    reader: Reader, known: Classes, count: int, seed: int, scenes: Sequence[Image], nothing: float = 0.0,
    among: Sequence[int] = range(20),
) -> list[ReadCrop]:  # fmt: skip
    """``count`` random crops of the classes ``among``, by default Stù's 20 kinds, embedded; a share ``nothing`` of them shows no
    whole card."""
    rng = np.random.default_rng([seed, 7])
    made = []
    for _ in range(count):
        label = NOTHING if rng.random() < nothing else int(among[int(rng.integers(len(among)))])
        made.append(crop(known, label, rng, backdrop=scenes[int(rng.integers(len(scenes)))] if scenes else None))
    embeddings = reader.embed([one.image for one in made])
    return [ReadCrop(one.label, one.length, embedding) for one, embedding in zip(made, embeddings, strict=True)]


def seen_crops(reader: Reader, pictures: Sequence[LabelledPicture], seed: int) -> list[ReadCrop]:
    """Crops of the cards in ``pictures``, embedded; one in eight is shifted to where no whole card lies."""
    names = {name: i for i, name in enumerate(reader.prototypes.names)}
    rng = np.random.default_rng([seed, 9])
    made = [one for picture in teachable(pictures, names) for one in crops_of(picture, names, rng, most=8)]
    embeddings = reader.embed([one.image for one in made])
    return [ReadCrop(one.label, one.length, embedding) for one, embedding in zip(made, embeddings, strict=True)]


def calibrate_reader(
    model: Path, prototypes: Path, scans: Path | None, scenes: Sequence[Image], seed: int,
    pictures: Sequence[LabelledPicture] = (), count: int = 2000,
) -> tuple[float, float]:  # fmt: skip
    """Fits, on crops of unseen styles, the sharpness (inverse temperature) and the cosine that a known card must reach.

    The sharpness has the greatest likelihood. The cosine is as strict as our decks' cards allow: of those at least 40 px long no
    more than `LOST` are taken for strangers'; other decks are not looked at. The cards in ``pictures`` count for the sharpness
    only, as many are too blurred to belong to any deck. Writes both into ``prototypes`` and returns them.
    """
    stored = Prototypes.load(prototypes)
    reader = Reader(model, stored)
    unseen = classes(6, seed + 1000, scans)
    made_up = read_crops(reader, unseen, count, seed + 1000, scenes, nothing=0.15)
    crops = made_up + seen_crops(reader, pictures, seed)
    cosines = np.stack([one.embedding for one in crops]).astype(np.float64) @ stored.points.T
    answers = np.concatenate([cosines, np.full((len(crops), 1), STRANGER)], axis=1)
    target = np.array([one.label if one.label != NOTHING else answers.shape[1] - 1 for one in crops])
    sharpness = min((4.0 * 1.08**i for i in range(40)), key=lambda value: _surprise(answers * value, target))
    decks = [n for n, name in enumerate(unseen.names) if name.split("/")[0] in (*stored.read, *stored.unnamed)]
    ours = [one for one in read_crops(reader, unseen, count, seed + 2000, scenes, among=decks) if one.length >= 40]
    own, backs = np.stack([one.embedding for one in ours]), [unseen.names[one.label].endswith("/back") for one in ours]
    stranger = STRANGER
    for step in range(1, 9):
        stricter = Prototypes(stored.names, stored.points, stored.read, sharpness, STRANGER + 0.025 * step)
        known = [one.back[1] if back else one.known for one, back in zip(stricter.readings(own), backs, strict=True)]
        if np.mean(np.array(known) < 0.5) > LOST:
            break
        stranger = stricter.stranger
    Prototypes(stored.names, stored.points, stored.read, sharpness, stranger).save(prototypes)
    return sharpness, stranger


def _surprise(logits: NDArray[np.float64], target: NDArray[np.int64]) -> float:
    peak = logits.max(axis=1)
    total = np.log(np.exp(logits - peak[:, None]).sum(axis=1)) + peak
    return float(np.mean(total - logits[np.arange(len(target)), target]))


def reading_figures(reader: Reader, crops: Sequence[ReadCrop], names: Sequence[str]) -> dict[str, float]:
    """Shares named right, by card length too, calibration error, share not recognised as ours; ``names``: the classes'."""
    readings = reader.prototypes.readings(np.stack([one.embedding for one in crops]))
    right = np.array([names[one.label] == f"stu/{reading.card}" for one, reading in zip(crops, readings, strict=True)])
    lengths = np.array([one.length for one in crops])
    out = {"crops": float(len(crops)), "named_right": float(right.mean())}
    for low, high in BANDS:
        band = (lengths >= low) & (lengths < high)
        if band.any():
            out[f"named_right_{low}_{high}px"] = float(right[band].mean())
    known = np.array([reading.known for reading in readings])
    out["not_recognised"] = float((known < 0.5).mean())
    out["ece_face"] = calibration_error([reading.probability for reading in readings], right)
    return out


def strangers(reader: Reader, other: Classes, count: int, seed: int, scenes: Sequence[Image]) -> dict[str, float]:
    """How often a card of another deck, at least 40 px long, is named as a Stù card. ``other``: classes with another deck's."""
    rng = np.random.default_rng([seed, 8])
    indices = [i for i, name in enumerate(other.names) if not name.startswith("stu/")]
    made = [crop(other, int(rng.choice(indices)), rng, (40, 200), scenes[0] if scenes else None) for _ in range(count)]
    readings = reader.prototypes.readings(reader.embed([one.image for one in made]))
    named = [reading.known >= 0.5 and reading.probability >= 0.5 for reading in readings]
    return {"crops": float(count), "named_all_the_same": float(np.mean(named))}
