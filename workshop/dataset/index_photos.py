"""Photos whose labels are printed corner indices, in the pixels of the shape that the camera took, and the outlines that may be
those of their cards: as the eyes propose them, as edges show them, and as two indices of one card give them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import MIN_PROPOSAL_PROBABILITY, Detector
from companion.eyes.image import Image, read_picture
from workshop.dataset import edges
from workshop.dataset.confirm import Back, Confirmed, Index, Proposal, faces
from workshop.dataset.indices import table_of
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


Floats = NDArray[np.float64]

WIDTHS = (480, 640, 960)
"""Widths of the detector's input at which outlines are proposed, pixels."""

EDGED = 0.75
"""Share of an outline's sides that must lie on edges of the photo where no network judges it."""

FAR = 0.1
"""How far edges are looked for from an outline that two indices give, as a share of the card's mean side."""


def propose(detector: Detector, photo: IndexPhoto, image: Image) -> tuple[list[Proposal], list[Proposal]]:
    """Outlines of cards that may lie in ``image``: those that the eyes propose by themselves, and those that may be confirmed:
    the same with what the labelled indices suggest, or the outlines of a deck that the eyes overlook, as edges show them."""
    proposed = (detector.proposer.propose(image, width, MIN_PROPOSAL_PROBABILITY) for width in WIDTHS)
    own = _refined(detector, image, [one.quad for found in proposed for one in found])
    more = _edged(image, edges.patches(image)) if photo.deck.edges else list(own)
    known = faces(more, photo.indices, photo.deck.index, photo.deck.ratio)
    if photo.deck.edges:
        more += _edged(image, _pairs(photo, known), FAR)
    elif known:
        more += _refined(detector, image, _suggested(photo, known))
    return own, more


def _edged(image: Image, quads: Sequence[Floats], reach: float = 0.05) -> list[Proposal]:
    """The quads moved to the nearest edges, where nearly all of their sides lie on some."""
    snapped = [edges.snapped(image, quad, reach) for quad in quads]
    return [Proposal(quad, held) for quad, held in snapped if held >= EDGED]


def _refined(detector: Detector, image: Image, quads: Sequence[Floats]) -> list[Proposal]:
    """As the refiner corrects them, with the probability that something lies there, whatever it is called."""
    if detector.refiner is None or not quads:
        return []
    corners, shares = detector.refiner.refine(image, quads)
    return [Proposal(quad, float(1 - share[-1])) for quad, share in zip(corners, shares, strict=True)]


def _tables(photo: IndexPhoto, known: Sequence[Confirmed], at: Floats) -> Floats:
    """The table as the confirmed card nearest to ``at`` (2,) shows it: a homography (3, 3)."""
    best = [one for one in known if len(one.shown) == 2] or known
    if not best:
        return np.eye(3)  # as if seen from above
    nearest = min(best, key=lambda one: float(np.linalg.norm(one.quad.mean(axis=0) - at)))
    return table_of(nearest.quad, photo.deck.ratio)


def _pairs(photo: IndexPhoto, known: Sequence[Confirmed]) -> list[Floats]:
    """The cards with both indices labelled, as those give them, without the ``known``."""
    by_label: dict[str, list[Index]] = {}
    for index in photo.indices:
        if index.trusted:
            by_label.setdefault(index.label, []).append(index)
    had = {one.label for one in known}
    pairs = [np.stack([one.middle for one in both]) for label, both in by_label.items() if len(both) == 2 and label not in had]
    deck = photo.deck
    return [edges.from_both(pair, _tables(photo, known, pair.mean(axis=0)), deck.index, deck.ratio) for pair in pairs]


def _suggested(photo: IndexPhoto, known: Sequence[Confirmed]) -> list[Floats]:
    """Outlines for the refiner to judge at indices of no confirmed card: by both of a card, or by one in all turns."""
    out = _pairs(photo, known)
    had = {one.label for one in known}
    for index in photo.indices:
        if index.label not in had:
            table = _tables(photo, known, index.middle)
            out += edges.from_one(index.middle, table, photo.deck.index, photo.deck.ratio)
    return out
