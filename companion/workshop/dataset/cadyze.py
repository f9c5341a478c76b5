"""Real photographs of overlapping French-suited cards ("Card Detection" by Jacob Cadavez, CC BY 4.0) as labelled pictures.

The photos and their `labels.json` stay in a folder of their own and are never committed. Their labels are printed corner indices,
not outlines, so outlines are proposed (by the eyes, by edges, by two indices of one card) and kept where the indices confirm them
(`companion.workshop.dataset.confirm`). What looks like a card and is not confirmed is painted over: it teaches nothing. The
exporter stretched all photos to squares; they are written in the shape that `datasets/cadyze.yaml` gives for their session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detector import PROPOSED, Detector
from companion.eyes.geometry import bounding_boxes, box_iou, card_length
from companion.eyes.image import read_picture
from companion.workshop.dataset import edges
from companion.workshop.dataset.confirm import (
    BACK_BOX,
    Back,
    Confirmed,
    Index,
    Proposal,
    backs,
    clipped,
    doubtful,
    faces,
    filled,
    with_visible,
)
from companion.workshop.dataset.indices import table_of
from companion.workshop.dataset.photos import LABELS, BadPhotos, Part, read_photo_labels
from companion.workshop.deck.ramino import VALUES
from companion.workshop.evaluation.labels import TRUTH, CardLabel, PictureLabel
from companion.workshop.yamlfile import read_yaml_or

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

WIDTHS = (480, 640, 960)
"""Widths of the detector's input at which outlines are proposed, pixels."""

ROUND_AN_INDEX = 1.15
"""Lengths of a card round an index that belongs to no confirmed card: as far as that card may lie."""

PAINT = (114, 114, 114)
"""What is painted over a confirmed card where another may lie on it, BGR: the grey beside a picture in the detector's input."""

SHOWS = 0.25
"""Share of a card that must show for it to be learnt (docs/camera.md: a quarter)."""

MOST_PAINTED = 0.75
"""A photo of which more than this share is painted over is left out."""

MOST_WITHOUT_TABLE = 0.97
"""Nor is a photo used of which cards and doubt leave no table, to go on below what is painted over."""

MOST_DOUBTFUL = 0.4
"""A confirmed card of which a larger share is in doubt is in doubt itself."""

EDGED = 0.75
"""Share of an outline's sides that must lie on edges of the photo where no network judges it."""

FAR = 0.1
"""How far edges are looked for from an outline that two indices give, as a share of the card's mean side."""


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


def propose(detector: Detector, photo: IndexPhoto, image: Image) -> tuple[list[Proposal], list[Proposal]]:
    """Outlines of cards that may lie in ``image``: those that the eyes propose by themselves, and those that may be confirmed:
    the same with what the labelled indices suggest, or the outlines of a deck that the eyes overlook, as edges show them."""
    own = _refined(detector, image, [one.quad for width in WIDTHS for one in detector.proposer.propose(image, width, PROPOSED)])
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
    """The cards of which both indices are labelled, as those give them, without the ``known``."""
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
    """The cards of which not too much lies in doubt; the others are in doubt wholly, but for what lies on a card that is not."""
    height, width = doubt.shape
    while True:
        own = [filled([card.quad], width, height) for card in cards]
        sound = [i for i, mask in enumerate(own) if (mask & doubt).sum() <= MOST_DOUBTFUL * mask.sum()]
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
    """Writes the training photos as `companion.workshop.evaluation.labels` reads them; yields what became of each.

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
