"""Photos whose labels are printed corner indices: what is known of their decks and sessions, and the labels in the pixels of the
shape that the camera took.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np

from companion.eyes.image import Image, read_picture
from workshop.dataset.confirm import (
    Back,
    Index,
)
from workshop.dataset.photos import LABELS, BadPhotos, Part, read_photo_labels
from workshop.deck.ramino import VALUES
from workshop.yamlfile import read_yaml_or


class DeckLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One deck: ``index``: the middle of its printed index, as shares of width and length from the top left corner; ``ratio``:
    length by width of a card; ``edges``: its outlines stand out from the tables that it lies on, so all of them must be edges."""

    index: tuple[float, float]
    ratio: float
    edges: bool = False


class Session(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One session: its ``deck``, and ``shape``: width and height of the camera's picture before it was stretched to a square."""

    deck: str
    shape: tuple[int, int]


class SessionTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of the photos beyond their labels. ``left_out``: names of photos that are not used."""

    decks: dict[str, DeckLook]
    sessions: dict[str, Session]
    left_out: tuple[str, ...] = ()


class _Box(msgspec.Struct, frozen=True):
    xyxy: tuple[float, float, float, float]
    label: str
    kind: Literal["corner", "card"]
    polygon: tuple[tuple[float, float], ...] | None = None
    suspect: bool = False


class _Photo(msgspec.Struct, frozen=True):
    image: str
    width: int
    height: int
    session: str
    split: Part
    boxes: tuple[_Box, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IndexPhoto:
    """One photo: ``path``, session, deck, the ``size`` (width, height) to which it is brought, and its labels in those pixels.
    ``labelled_size``: the size that its labels were made for.

    ``indices`` are numbered as the labels' boxes of kind corner are; ``numbers``: their places among all the photo's boxes.
    """

    path: Path
    session: str
    deck: DeckLook
    size: tuple[int, int]
    labelled_size: tuple[int, int]
    indices: tuple[Index, ...]
    numbers: tuple[int, ...]
    backs: tuple[Back, ...]

    def read(self) -> Image:
        """The photo in the shape that it was taken in, (H, W, 3) uint8 BGR. Raises `UnreadablePicture`."""
        image = read_picture(self.path)
        width, height = self.size
        return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def read_sessions(path: Path) -> SessionTable:
    """The table of sessions in the YAML file ``path``. Raises `BadPhotos`."""
    table = read_yaml_or(path, SessionTable, BadPhotos, "expected a table such as datasets/cadyze.yaml")
    for name, session in table.sessions.items():
        if session.deck not in table.decks:
            raise BadPhotos(f"{path}: {name}: there is no deck {session.deck!r}: expected one of {', '.join(table.decks)}")
        if min(session.shape) < 1:
            raise BadPhotos(f"{path}: {name}: shape {list(session.shape)}: expected the camera's width and height, as in [16, 9]")
    return table


def read_index_photos(folder: Path, table: SessionTable, part: Part) -> list[IndexPhoto]:
    """The photos in ``folder`` of one part, by name, with their labels in the pixels of the shape that they are brought to.

    Raises:
        BadPhotos: no `labels.json`, other labels than expected, or a session that the table does not know.
    """
    path = folder / LABELS
    known = read_photo_labels(path, _Photo, "image, width, height, session, split and boxes")
    found = []
    for photo in sorted(known, key=lambda one: one.image):
        if photo.session not in table.sessions:
            raise BadPhotos(f"{path}: {photo.image}: the table has no session {photo.session!r}: look at the photo and add it")
        if photo.split == part and Path(photo.image).name not in table.left_out:
            found.append(_photo(folder, photo, table))
    return found


def _photo(folder: Path, photo: _Photo, table: SessionTable) -> IndexPhoto:
    session = table.sessions[photo.session]
    wide, high = session.shape
    # As many pixels as the square has, so that nothing is enlarged much more in one direction than it is shrunk in the other.
    scale = float(np.sqrt(photo.width * photo.height / (wide * high)))
    size = round(wide * scale), round(high * scale)
    stretch = np.array(size) / [photo.width, photo.height]
    indices, numbers, laid = [], [], []
    for number, box in enumerate(photo.boxes):
        ends = np.array(box.xyxy).reshape(2, 2)
        if not (ends[0] < ends[1]).all():
            raise BadPhotos(f"{folder / LABELS}: {photo.image}: box {list(box.xyxy)} has no area: expected x1, y1, x2, y2")
        # Labels' whole coordinates lie between pixels; those of quads are pixel centres.
        ends = ends * stretch - 0.5
        if box.kind == "card":
            polygon = np.array(box.polygon) * stretch - 0.5 if box.polygon else None
            laid.append(Back(ends.reshape(4), polygon))
        else:
            indices.append(Index(ends.mean(axis=0), box.label, not box.suspect))
            numbers.append(number)
    deck = table.decks[session.deck]
    return IndexPhoto(
        folder / photo.image, photo.session, deck, size, (photo.width, photo.height), tuple(indices), tuple(numbers), tuple(laid)
    )


def card_name(label: str) -> str | None:
    """``"10S"`` as the drawn deck calls it: ``"10s"``; None for a joker or a back, which have no rank and suit."""
    name = label[:-1] + label[-1:].lower()
    return name if label[:-1] in VALUES and label[-1:] in "CDHS" else None
