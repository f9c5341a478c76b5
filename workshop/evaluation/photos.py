"""Figures of the detector on real photos of French-suited cards, by surface, and the ceiling that their labels set.

The labels are upright boxes. A card counts as found where the box around a detection of its class and its labelled box have an
IoU of 0.5 or more; every other detection is a false alarm, whatever its class. Some boxes hold only the visible part of a covered
card: a detector that finds the whole card misses such a box and gives a false alarm. No figure can be freed of that, so a sample
of the boxes was judged by eye, and what a perfect detector would reach on it is given as the ceiling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from companion.eyes.detector import Detector
from companion.eyes.proposer import STILL_WIDTHS
from workshop.dataset.photos import BadPhotos, Photo
from workshop.evaluation.detection import Tally, figures
from workshop.evaluation.labels import labelled
from workshop.yamlfile import read_yaml_or

ALL = "all"
"""The name of all surfaces together."""

REPORTED = ("pictures", "cards", "recall", "precision", "recall_any_class", "precision_any_class")
"""Those of the detector's figures that mean something with boxes for labels."""


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A random sample of boxes, judged by eye, each as `YYYYMMDD_HHMMSS#index`.

    ``part``: what they were drawn from, all photos or the held-out ones. ``right``: IoU of 0.5 or more with the box around the
    whole card. ``visible``: the box holds only the visible part of a covered card. ``wrong``: there is no card. ``unlabelled``:
    photo → number of cards in it without a box; such photos are left out of every figure.
    """

    part: str
    seed: int
    right: tuple[str, ...]
    visible: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    unlabelled: dict[str, int] = {}

    @property
    def boxes(self) -> tuple[str, ...]:
        """All of the sample's boxes."""
        return self.right + self.visible + self.wrong


class _Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    samples: tuple[Sample, ...]


def read_samples(path: Path) -> tuple[Sample, ...]:
    """The judged samples in the YAML file ``path``. Raises `BadPhotos`."""
    return read_yaml_or(path, _Checked, BadPhotos, "expected judged boxes, as in datasets/french-photos-checked.yaml").samples


def ceiling(sample: Sample) -> dict[str, float]:
    """What a perfect detector would reach against these labels: ``recall``, ``precision`` and ``least_recall`` (the lower end of
    Wilson's 95 % interval), shares 0..1; ``cards``: the sample's size.

    It finds every whole card: it misses ``visible`` boxes, with a false alarm each, and ``wrong`` ones, with none.
    """
    right, total = len(sample.right), len(sample.boxes)
    z = 1.96
    share = right / total
    spread = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    least = (share + z**2 / (2 * total) - spread) / (1 + z**2 / total)
    return {"cards": total, "recall": share, "precision": right / (right + len(sample.visible)), "least_recall": least}


def measure(
    detector: Detector, folder: Path, photos: Iterable[Photo], widths: Sequence[int] = STILL_WIDTHS,
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """Figures by surface, and of ``all`` together, at the shipped threshold, from inputs of these ``widths`` in pixels.

    ``recall`` and ``precision`` as said above; the two ``_any_class`` also count cards that were found but given another class.
    """
    counts: dict[str, Tally] = {}
    for photo in photos:
        picture = labelled(folder, photo.labels)
        cards = detector.detect_still(picture.read(), widths)
        for name in (photo.surface, ALL):
            counts.setdefault(name, Tally()).add(cards, picture)
        progress(1)
    out = {}
    for name in sorted(counts, key=lambda name: (name == ALL, name)):
        found = figures(counts[name], detector.still.threshold)
        out[name] = {key: found[key] for key in REPORTED}
    return out
