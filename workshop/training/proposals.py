"""Crops for the refiner to learn from: the detector's own proposals on labelled pictures, and displaced true cards."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from companion.eyes.detection import CLASSES
from companion.eyes.geometry import bounding_boxes, box_iou, card_length, is_convex, long_side_upright, mirrored, polygon_iou
from companion.eyes.proposer import Proposer, comfortable_width
from companion.eyes.refiner import CROP, cut_out, frames, to_frame
from workshop.evaluation.labels import LabelledPicture
from workshop.training.pictures import toned

Floats = NDArray[np.float64]

NOTHING = len(CLASSES)
"""Label of a crop with no card in its middle."""
UNSURE = -1
"""Label of a crop that teaches no class, because too little of the card is in view."""

LEAST = 0.02
"""Raw probability from which on the detector's proposals are collected."""
OTHER_WIDTHS = (640, 960)
"""Input widths that take turns with the one for a running game, so that cards come large and small."""

NEWS_EVERY = 10.0
"""Seconds after which what was found so far is written, and progress reported."""

FITS = 0.35
"""Polygon IoU from which on a proposal belongs to a card: the refiner has to bring it to 0.5 or more."""
SHOWS = 0.25
"""Share of a card that must show for it to be learnt (docs/camera.md: a quarter)."""

RIM = 4.0
"""A box's edge that is this near to the picture's edge, in pixels, says nothing about the card's."""

DISPLACED = 6
"""Number of displaced true cards per picture, beside the proposals."""
MOST = 26
"""Most crops of one picture."""


def propose(detector: Path, pictures: Sequence[LabelledPicture], cache: Path, threads: int = 1, jobs: int = 1) -> Iterator[str]:
    """Collects the detector's proposals on ``pictures`` in ``cache`` (.npz), continuing where it was stopped; yields progress.

    ``jobs``: processes, with ``threads`` each; with one, this one does it.
    """
    found = read_proposals(cache)
    missing = list({str(picture.path): picture for picture in pictures if str(picture.path) not in found}.values())
    asked = [(picture, number) for number, picture in enumerate(missing, start=1)]
    last = time.monotonic()
    with _proposing(detector, threads, jobs) as each:
        for number, (name, quads) in enumerate(each(asked), start=1):
            found[name] = quads
            if time.monotonic() - last > NEWS_EVERY or number == len(missing):
                np.savez(cache, names=np.array(list(found)), quads=np.concatenate(list(found.values())),
                         counts=np.array([len(quads) for quads in found.values()]))  # fmt: skip
                yield f"proposals for {len(found)} pictures"
                last = time.monotonic()


Asked = tuple[LabelledPicture, int]
"""A picture and its number, which says how large the detector sees it."""

_finder: Proposer | None = None


@contextmanager
def _proposing(
    detector: Path, threads: int, jobs: int
) -> Iterator[Callable[[Sequence[Asked]], Iterator[tuple[str, NDArray[np.float32]]]]]:
    if jobs == 1:
        open_proposer(detector, threads)
        yield partial(map, proposed)
        return
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=open_proposer, initargs=(detector, threads, True))
    try:
        yield partial(pool.map, proposed, chunksize=8)
    finally:
        pool.shutdown(cancel_futures=True)


def open_proposer(detector: Path, threads: int, worker: bool = False) -> None:
    """Loads this process' detector, for `proposed`. A ``worker`` ends with the process that started it, which goes first."""
    global _finder
    _finder = Proposer(detector, threads)
    if worker:
        os.nice(10)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)


def proposed(asked: Asked, image: NDArray[np.uint8] | None = None) -> tuple[str, NDArray[np.float32]]:
    """The picture's path, and the quads (n, 4, 2) that the process' detector proposes there; ``image``: what it is, if read."""
    picture, number = asked
    assert _finder is not None
    widths = comfortable_width(card_length(picture.quads).tolist(), max(picture.size)), *OTHER_WIDTHS
    image = picture.read() if image is None else image
    found = _finder.propose(image, widths[number % len(widths)], LEAST)
    return str(picture.path), np.array([one.quad for one in found], dtype=np.float32).reshape(-1, 4, 2)


def read_proposals(cache: Path) -> dict[str, NDArray[np.float32]]:
    """Picture → quads (n, 4, 2), as `propose` left them; empty where it has not begun."""
    if not cache.exists():
        return {}
    with np.load(cache, allow_pickle=False) as stored:
        ends = np.cumsum(stored["counts"])[:-1]
        return dict(zip((str(name) for name in stored["names"]), np.split(stored["quads"], ends), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Proposals (n, 4, 2) of one picture and what they should become: ``labels`` (n,), ``corners`` (n, 4, 2) pixels or NaN.

    ``boxes`` (n, 4): x1, y1, x2, y2 of the upright box around the card, pixels, where only that is known; NaN for edges that are
    not known.
    """

    quads: Floats
    labels: NDArray[np.int64]
    corners: Floats
    boxes: Floats


def lesson(proposed: Floats, picture: LabelledPicture) -> Lesson:
    """What each proposal should become: the true card that it overlaps most, or nothing."""
    labels = np.full(len(proposed), NOTHING, dtype=np.int64)
    corners = np.full((len(proposed), 4, 2), np.nan)
    edges = np.full((len(proposed), 4), np.nan)
    if not len(proposed) or not len(picture.quads):
        return Lesson(proposed, labels, corners, edges)
    around = bounding_boxes(picture.quads)
    boxes = box_iou(bounding_boxes(proposed), around)
    for i in range(len(proposed)):
        shared = {
            int(j): polygon_iou(proposed[i], picture.quads[j]) if picture.corners[j] else float(boxes[i, j])
            for j in np.flatnonzero(boxes[i] > 0.1)
        }
        best = max(shared, key=lambda j: shared[j], default=None)
        if best is None or shared[best] < FITS:
            continue
        shown = picture.visible[best] >= SHOWS
        labels[i] = picture.classes[best] if shown else UNSURE
        if shown and picture.corners[best]:
            corners[i] = _like(picture.quads[best], long_side_upright(proposed[i : i + 1])[0])
        elif shown:
            edges[i] = _trusted(around[best], picture.size)
    return Lesson(proposed, labels, corners, edges)


def _trusted(box: Floats, size: tuple[int, int]) -> Floats:
    """The box with NaN for edges at which the picture ends: the card may go on beyond."""
    rim = np.array([0, 0, *size])
    return np.where(np.abs(box - rim) < RIM, np.nan, box)


def _like(quad: Floats, proposal: Floats) -> Floats:
    """The true quad, beginning with the corner for which its corners lie closest to the proposal's."""
    turned = [np.roll(quad, shift, axis=0) for shift in range(4)]
    return min(turned, key=lambda corners: float(np.linalg.norm(corners - proposal, axis=1).sum()))


def displaced(quads: Floats, rng: np.random.Generator) -> Floats:
    """Each quad as a careless detector might propose it: shifted, turned, stretched, with its corners moved."""
    if not len(quads):
        return quads
    middle = quads.mean(axis=1, keepdims=True)
    spokes = quads - middle
    size = np.linalg.norm(spokes, axis=2).mean(axis=1)[:, None, None]
    careless = np.exp(rng.uniform(np.log(0.02), np.log(0.25), (len(quads), 1, 1)))
    turn = rng.normal(0, 0.8, len(quads)) * careless[:, 0, 0]
    rotation = np.stack([np.stack([np.cos(turn), np.sin(turn)], -1), np.stack([-np.sin(turn), np.cos(turn)], -1)], 1)
    stretched = spokes * np.exp(rng.normal(0, 0.7, (len(quads), 1, 1)) * careless)
    shift, pull = rng.normal(0, 0.7, (len(quads), 1, 2)), rng.normal(0, 0.6, (len(quads), 4, 2))
    moved = stretched @ rotation + middle + (shift + pull) * careless * size
    return np.where(is_convex(moved)[:, None, None], moved, quads)


def lessons_of(picture: LabelledPicture, proposals: NDArray[np.float32], rng: np.random.Generator) -> Lesson:
    """Up to `MOST` of the ``proposals`` (n, 4, 2) and of displaced true cards, with not many more of nothing than of cards."""
    shown = np.flatnonzero((picture.visible >= SHOWS) & picture.corners)
    true = picture.quads[rng.permutation(shown)[:DISPLACED]]
    taught = lesson(np.concatenate([proposals.astype(np.float64), displaced(true, rng)]), picture)
    pick = _balanced(taught.labels, rng)
    return Lesson(taught.quads[pick], taught.labels[pick], taught.corners[pick], taught.boxes[pick])


Item = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]
"""Crops of one or several pictures: uint8 (n, 3, 96, 64); labels int64 (n,); corners float32 (n, 4, 2) in the coordinates of the
crop's frame (`companion.eyes.refiner.frames`); the frames float32 (n, 3, 2) and the boxes of `Lesson` float32 (n, 4), both in
pixels. NaN where there is nothing to learn."""


class Crops(Dataset[Item]):
    """Crops for a data loader: item ``(epoch, index)`` has those of one picture."""

    def __init__(self, pictures: Sequence[LabelledPicture], proposals: dict[str, NDArray[np.float32]], seed: int) -> None:
        self.pictures, self.proposals, self.seed = pictures, proposals, seed

    def __len__(self) -> int:
        return len(self.pictures)

    def __getitem__(self, key: tuple[int, int]) -> Item:
        epoch, index = key
        cv2.setNumThreads(0)
        rng = np.random.default_rng([self.seed, epoch, index])
        picture = self.pictures[index]
        image = picture.read()
        taught = lessons_of(picture, self.proposals.get(str(picture.path), np.zeros((0, 4, 2), np.float32)), rng)
        quads, labels, corners, boxes = taught.quads, taught.labels, taught.corners, taught.boxes
        frame = frames(quads) if len(quads) else np.zeros((0, 3, 2))
        crops = np.stack([cut_out(image, one) for one in frame]) if len(frame) else np.zeros((0, CROP[1], CROP[0], 3), np.uint8)
        inner = to_frame(corners, frame) if len(frame) else corners
        crops = toned(crops, rng) if len(crops) else crops
        for i in np.flatnonzero(rng.random(len(crops)) < 0.5):  # turned by 180 degrees
            crops[i], inner[i] = crops[i, ::-1, ::-1], np.roll(1 - inner[i], 2, axis=0)
            frame[i] = frame[i].sum(axis=0), -frame[i, 1], -frame[i, 2]
        for i in np.flatnonzero(rng.random(len(crops)) < 0.5):  # mirrored
            crops[i], inner[i] = crops[i, :, ::-1], mirrored(inner[i], 1.0)
            frame[i] = frame[i, 0] + frame[i, 1], -frame[i, 1], frame[i, 2]
        return (
            torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2))),
            torch.from_numpy(labels),
            torch.from_numpy(inner.astype(np.float32)),
            torch.from_numpy(frame.astype(np.float32)),
            torch.from_numpy(boxes.astype(np.float32)),
        )


def _balanced(labels: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """At most `MOST` indices in random order, with not many more of nothing than of cards."""
    order = rng.permutation(np.flatnonzero(labels != UNSURE))
    cards, nothing = order[labels[order] != NOTHING], order[labels[order] == NOTHING]
    cards = cards[: MOST * 2 // 3]
    return np.concatenate([cards, nothing[: max(MOST - len(cards), 4)]])[:MOST]


def batch_up(items: list[Item]) -> Item:
    """The crops of several pictures in one batch."""
    crops, labels, corners, frame, boxes = zip(*items, strict=True)
    return torch.cat(crops), torch.cat(labels), torch.cat(corners), torch.cat(frame), torch.cat(boxes)
