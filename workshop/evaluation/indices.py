"""Figures of the eyes on real photos of overlapping cards that are labelled by their printed corner indices.

**Recall**: of the labelled indices, those whose middle lies in a corner of the found face that stands for their card. A corner is
a quarter of the card's width by a quarter of its length, through the homography of the found outline, any of its four. A face
stands for one card, and one face for a card: pairs with most labelled indices in the face's corners come first, then those whose
indices lie nearest to where the deck prints them. Labels of backs are no indices, and those that are suspect or were judged
wrong by eye are not asked for.

**Precision**: of the found faces that are asked, those that stand for a card. A face that stands for none is a false alarm where
an index should show: at one of the places where its deck prints them the photo goes on, and no other found card lies there. A
second face for one card is always a false alarm. Where both places are hidden or out of the photo nothing is known, and the face
is not asked; how many those are is told beside it (``not_asked``), and ``precision_at_least`` counts them as false alarms.

The photos are looked at in the shape that they were taken in, as `companion detect` looks at a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import bounding_boxes, box_iou, long_side_upright, sides
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen
from workshop.bench.report import rate
from workshop.dataset.confirm import TILTED, Back, Index, clipped
from workshop.dataset.index_photos import IndexPhoto
from workshop.dataset.indices import corner_of, on_card, to_pixels
from workshop.dataset.photos import BadPhotos
from workshop.yamlfile import read_yaml_or

Floats = NDArray[np.float64]

ALL = "all"
"""The name of all sessions together."""

SLACK = 0.03
"""How far beyond a found outline's edge an index may lie and still be in its corner, as a share of width and length."""

BACK_FOUND = 0.5
"""IoU of upright boxes from which on a labelled back is found."""


class Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Labels judged by eye, with nothing but the photo and its labels in view: photo's name → what is wrong with its labels.

    ``wrong``: numbers of boxes that name another card than is printed there, or lie on none. ``missing``: printed indices without
    a label, as x, y of their middle in pixels of the labels' square. ``judged``: how many photos were read over.
    """

    judged: int = 0
    wrong: dict[str, tuple[int, ...]] = {}
    missing: dict[str, tuple[tuple[float, float], ...]] = {}


def read_checked(path: Path) -> Checked:
    """The judged labels in the YAML file ``path``. Raises `BadPhotos`."""
    return read_yaml_or(path, Checked, BadPhotos, "expected judged labels, as in datasets/cadyze-checked.yaml")


def corrected(photo: IndexPhoto, checked: Checked) -> IndexPhoto:
    """``photo`` with labels that were judged wrong as untrusted ones, and those that are missing added, untrusted."""
    name = photo.path.name
    wrong = checked.wrong.get(name, ())
    indices = [
        Index(one.middle, one.label, one.trusted and number not in wrong)
        for one, number in zip(photo.indices, photo.numbers, strict=True)
    ]
    stretch = np.array(photo.size) / photo.labelled_size
    missing = checked.missing.get(name, ())
    indices += [Index(np.array(at) * stretch - 0.5, f"unlabelled {n}", False) for n, at in enumerate(missing)]
    return replace(photo, indices=tuple(indices), numbers=(*photo.numbers, *[-1] * len(missing)))


@dataclass(slots=True)
class Count:
    """What was found in a set of photos; see the module's docstring."""

    pictures: int = 0
    indices: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    not_asked: int = 0
    backs: int = 0
    backs_found: int = 0

    def add(self, other: Count) -> None:
        """Adds what was found in other photos."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, float]:
        """Shares 0..1 with the lower ends of their 95 % intervals (Wilson), and counts."""
        recall, precision = rate(self.found, self.indices), rate(self.right, self.right + self.wrong)
        out: dict[str, float] = {"pictures": self.pictures, "indices": self.indices}
        out |= {"recall": recall.share, "least_recall": recall.low, "faces_asked": self.right + self.wrong}
        out |= {"precision": precision.share, "least_precision": precision.low, "not_asked": self.not_asked}
        out["precision_at_least"] = rate(self.right, self.right + self.wrong + self.not_asked).share
        if self.backs:
            out |= {"backs": self.backs, "recall_back": self.backs_found / self.backs}
        return out


def count(
    seen: Sequence[CardSeen], indices: Sequence[Index], backs: Sequence[Back], size: tuple[int, int], place: tuple[float, float]
) -> Count:
    """One photo: what was ``seen``, surest first, against its labels. ``size``: the photo's, pixels; ``place``: of the deck's
    printed index, as shares of width and length from the top left corner."""
    quads = np.array([one.quad for one in seen], dtype=np.float64).reshape(-1, 4, 2)
    faces = [i for i, one in enumerate(seen) if one.side == "face"]
    corners = {i: _in_corners(quads[i], indices, place) for i in faces}
    standing = _paired(corners)
    explained = {number for face, label in standing.items() for number in corners[face][label][0]}
    out = Count(pictures=1, right=len(standing))
    for face in faces:
        if face not in standing:
            asked = bool(corners[face]) or _shows(quads, face, size, place)
            out.wrong, out.not_asked = out.wrong + asked, out.not_asked + (not asked)
    trusted = [i for i, one in enumerate(indices) if one.trusted]
    out.indices, out.found = len(trusted), sum(i in explained for i in trusted)
    there = [i for i, one in enumerate(seen) if one.side == "back"]
    out.backs = len(backs)
    if there and backs:
        boxes = clipped(bounding_boxes(quads[there]), size)
        out.backs_found = int((box_iou(np.stack([one.box for one in backs]), boxes).max(axis=1) >= BACK_FOUND).sum())
    return out


_Corners = dict[str, tuple[tuple[int, ...], float]]
"""Card's label → the numbers of its indices that lie in a face's corners, and how far they lie from where they are printed."""


def _in_corners(quad: Floats, indices: Sequence[Index], place: tuple[float, float]) -> _Corners:
    """What lies in the corners of the face ``quad`` (4, 2)."""
    if not indices:
        return {}
    spots = on_card(long_side_upright(quad[None])[0], np.array([one.middle for one in indices]))
    off = np.abs(np.minimum(spots, 1 - spots) - np.array(place)).sum(axis=1)
    here: dict[str, list[int]] = {}
    for i in np.flatnonzero(corner_of(spots, slack=SLACK) >= 0).tolist():
        here.setdefault(indices[i].label, []).append(i)
    return {label: (tuple(numbers), float(off[numbers].mean())) for label, numbers in here.items()}


def _paired(corners: dict[int, _Corners]) -> dict[int, str]:
    """Face → the card that it stands for, best pairs first."""
    pairs = [(-len(numbers), off, face, label) for face, here in corners.items() for label, (numbers, off) in here.items()]
    standing: dict[int, str] = {}
    for _, _, face, label in sorted(pairs):
        if face not in standing and label not in standing.values():
            standing[face] = label
    return standing


def _shows(quads: Floats, number: int, size: tuple[int, int], place: tuple[float, float]) -> bool:
    """Whether a printed index of the card ``number`` should show: it lies in the photo, and in no other found card."""
    upright = long_side_upright(quads[number : number + 1])[0]
    length = sides(upright)
    spots = [place, (1 - place[0], 1 - place[1])]
    if length[1] + length[3] < TILTED * (length[0] + length[2]):  # which side is the longer one is not known
        spots += [(1 - place[1], place[0]), (place[1], 1 - place[0])]
    points = to_pixels(upright, np.array(spots))
    free = np.all((points >= 0) & (points <= np.array(size) - 1), axis=1)
    for other in range(len(quads)):
        if other != number:
            free &= ~np.all((inside := on_card(quads[other], points)) > 0, axis=1) | ~np.all(inside < 1, axis=1)
    return bool(free.any())


def measure(
    eyes: Eyes, photos: Iterable[IndexPhoto], progress: Callable[[int], object] = lambda done: None
) -> dict[str, dict[str, float]]:
    """Figures by session, and of ``all`` together, at the shipped threshold."""
    counts: dict[str, Count] = {}
    for photo in photos:
        here = count(eyes.look_closely(photo.read()), photo.indices, photo.backs, photo.size, photo.deck.index)
        for name in (photo.session, ALL):
            counts.setdefault(name, Count()).add(here)
        progress(1)
    return {name: counts[name].figures() for name in sorted(counts, key=lambda name: (name == ALL, name))}
