"""Real photographs of overlapping French-suited cards ("Card Detection" by Jacob Cadavez, CC BY 4.0) as labelled pictures.

The photos and their `labels.json` stay in a folder of their own and are never committed. Their labels are printed corner indices,
not outlines, so outlines are proposed (by the eyes, by edges, by two indices of one card) and kept where the indices confirm them
(`workshop.dataset.confirm`). What looks like a card and is not confirmed is painted over: it teaches nothing. The
exporter stretched all photos to squares; they are written in the shape that `datasets/cadyze.yaml` gives for their session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import Detector
from companion.eyes.geometry import bounding_boxes, box_iou, card_length
from companion.eyes.image import Image
from workshop.dataset import edges
from workshop.dataset.confirm import (
    BACK_BOX,
    Confirmed,
    Proposal,
    backs,
    clipped,
    doubtful,
    faces,
    filled,
    with_visible,
)
from workshop.dataset.index_photos import IndexPhoto, SessionTable, card_name, propose, read_index_photos
from workshop.dataset.photos import BadPhotos
from workshop.evaluation.labels import TRUTH, CardLabel, PictureLabel

ROUND_AN_INDEX = 1.15
"""Lengths of a card round an index that belongs to no confirmed card: as far as that card may lie."""

PAINT = (114, 114, 114)
"""What is painted over a confirmed card where another may lie on it, BGR: the grey beside a picture in the detector's input."""

SHOWS = 0.25
"""Share of a card that must show for it to be learnt (docs/camera.md: a quarter)."""

MOST_PAINTED = 0.75
"""Largest share of a photo that may be painted over; others are left out."""

MOST_WITHOUT_TABLE = 0.97
"""Nor is a photo used of which cards and doubt leave no table, to go on below what is painted over."""

MAX_SHARE_IN_DOUBT = 0.4
"""Largest share of a confirmed card that may be in doubt; with more the whole card is."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """What is known of one photo: its confirmed ``cards``, and ``doubt`` (H, W) bool: where an unconfirmed card may lie."""

    cards: tuple[Confirmed, ...]
    doubt: NDArray[np.bool_]


def judged(photo: IndexPhoto, image: Image, own: Sequence[Proposal], more: Sequence[Proposal]) -> Labelled:
    """The cards that the labels confirm, and where doubt remains: at the eyes' ``own`` proposals that are not confirmed, round
    indices that belong to no confirmed card, and wherever a card may lie that the eyes overlook. ``more``: what may be
    confirmed, as of `propose`."""
    found = faces(more, photo.indices, photo.deck.index, photo.deck.ratio)
    found += backs(more, photo.backs, photo.size)
    width, height = photo.size
    doubt = filled(doubtful(own, found, photo.indices, photo.size), width, height)
    explained = {i for one in found for i in one.shown}
    length = float(np.median([card_length(one.quad) for one in found])) if found else float(min(photo.size))
    confirmed = filled([one.quad for one in found], width, height)
    for i, index in enumerate(photo.indices):
        if i not in explained:
            x, y = (round(float(value)) for value in index.middle)
            around = np.zeros((height, width), dtype=np.uint8)
            cv2.circle(around, (x, y), round(ROUND_AN_INDEX * length), (1,), -1)
            covers = 0 <= y < height and 0 <= x < width and confirmed[y, x]  # then its card lies on a confirmed one
            doubt |= around.astype(np.bool_) & (~confirmed | covers)
    boxes = bounding_boxes([one.quad for one in found]) if found else np.zeros((0, 4))
    for back in photo.backs:
        if not np.any(box_iou(clipped(boxes, photo.size), back.box[None]) >= BACK_BOX):
            left, top, right, bottom = back.box
            corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
            doubt |= filled([corners if back.polygon is None else back.polygon], width, height)
    if photo.deck.edges:
        rim = cv2.dilate(confirmed.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(np.bool_)
        doubt |= edges.dark(image) & ~rim
    found, doubt = _without_the_doubtful(found, doubt)
    return Labelled(tuple(with_visible(found, photo.indices, doubt, photo.deck.index)), doubt)


def _without_the_doubtful(cards: Sequence[Confirmed], doubt: NDArray[np.bool_]) -> tuple[list[Confirmed], NDArray[np.bool_]]:
    """The cards that lie hardly in doubt; the others are in doubt wholly, but for what lies on a card that is not."""
    height, width = doubt.shape
    while True:
        own = [filled([card.quad], width, height) for card in cards]
        sound = [i for i, mask in enumerate(own) if (mask & doubt).sum() <= MAX_SHARE_IN_DOUBT * mask.sum()]
        if len(sound) == len(cards):
            return list(cards), doubt
        kept = filled([cards[i].quad for i in sound], width, height)
        gone = filled([cards[i].quad for i in range(len(cards)) if i not in sound], width, height)
        cards, doubt = [cards[i] for i in sound], doubt | (gone & ~kept)


def _no_table(found: Labelled) -> NDArray[np.uint8]:
    """(H, W), 1 where the table may not show: cards and what is in doubt, with a rim."""
    height, width = found.doubt.shape
    cards = filled([one.quad for one in found.cards], width, height)
    return np.asarray(cv2.dilate((found.doubt | cards).astype(np.uint8), np.ones((13, 13), np.uint8)), dtype=np.uint8)


def without(image: Image, found: Labelled) -> Image:
    """``image`` ((H, W, 3) uint8 BGR) with what is in doubt painted over: as the table about it, or grey on a confirmed card."""
    height, width = found.doubt.shape
    cards = filled([one.quad for one in found.cards], width, height)
    hidden = _no_table(found)
    # The table goes on smoothly below: a quarter of the resolution is enough, and no card's edge bleeds into it.
    size = width // 4, height // 4
    small, gap = cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.resize(hidden, size, interpolation=cv2.INTER_NEAREST)
    table = cv2.resize(cv2.inpaint(small, gap, 5, cv2.INPAINT_TELEA), (width, height), interpolation=cv2.INTER_CUBIC)
    over = cv2.dilate(found.doubt.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(np.bool_) & ~cards
    out = np.where(over[..., None], table, image)
    out[found.doubt & cards] = PAINT
    return np.asarray(out, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one photo: its ``session``, how many of its cards were ``confirmed`` and of how many ``labelled``, how many
    of them teach, the share ``painted`` over, and whether it was ``kept``."""

    session: str
    labelled: int
    confirmed: int
    teaching: int
    painted: float
    kept: bool


def write_confirmed(folder: Path, out: Path, table: SessionTable, detector: Detector) -> Iterator[Written]:
    """Writes the training photos as `workshop.evaluation.labels` reads them; yields what became of each.

    Left out are photos that are mostly painted over, and those with no card to learn.

    Raises:
        BadPhotos: as `read_index_photos`; or ``out`` already holds pictures.
        UnreadablePicture: a photo that is missing or damaged.
    """
    if (out / TRUTH).exists():
        raise BadPhotos(f"{out} already holds pictures ({TRUTH} is there): choose another --out or remove it first")
    photos = read_index_photos(folder, table, "train")
    (out / "images").mkdir(parents=True, exist_ok=True)
    with (out / TRUTH).open("wb") as file:
        for photo in photos:
            image = photo.read()
            found = judged(photo, image, *propose(detector, photo, image))
            teaching = sum(card.visible >= SHOWS for card in found.cards)
            painted = float(found.doubt.mean())
            kept = teaching > 0 and painted <= MOST_PAINTED and _no_table(found).mean() <= MOST_WITHOUT_TABLE
            if kept:
                image = without(image, found)
                name = f"images/{photo.path.stem}.jpg"
                cv2.imwrite(str(out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
                line = PictureLabel(name, *photo.size, tuple(_label(card) for card in found.cards))
                file.write(msgspec.json.encode(line) + b"\n")
            named = len({index.label for index in photo.indices}) + len(photo.backs)
            yield Written(photo.session, named, len(found.cards), teaching if kept else 0, painted, kept)


def _label(card: Confirmed) -> CardLabel:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in card.quad)
    if card.label is None:
        return CardLabel((a, b, c, d), "ramino", "back", card.visible)
    return CardLabel((a, b, c, d), "ramino", "face", card.visible, card_name(card.label))
