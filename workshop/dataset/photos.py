"""Real photographs of French-suited cards ("poker-cards", Roboflow 100, CC BY 4.0) as labelled pictures, and crops of the bare
surfaces in them as table tops for rendered ones.

The photos, their `labels.json` and the crops stay in folders of their own and are never committed. The labels are upright boxes
without corners. Photos of one surface are alike, so training and test photos are split by surface, never at random:
`datasets/french-photos.yaml` gives the surface by the time in the file name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import bounding_boxes
from companion.eyes.image import read_picture
from companion.table.errors import CompanionError
from workshop.deck.ramino import VALUES
from workshop.evaluation.labels import TRUTH, CardLabel, PictureLabel
from workshop.yamlfile import read_yaml_or

LABELS = "labels.json"
LARGEST = 1280
"""Longer side in pixels to which larger photos are shrunk."""

_STAMP = re.compile(r"\d{8}_\d{6}")

Part = Literal["train", "test"]
Row = TypeVar("Row")


class BadPhotos(CompanionError):
    """A folder of photos or a table of surfaces that cannot be used; the message says where and what was expected."""


class SurfaceTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One surface: ``times``: spans from the first to the last photo's `YYYYMMDD_HHMMSS`, both included."""

    name: str
    part: Part
    times: tuple[tuple[str, str], ...]
    about: str = ""


class PhotoTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When which surface was photographed, which surfaces are trained on, and which are held out.

    ``left_out``: times of photos with cards that are not labelled; they are neither trained on nor measured.
    """

    surfaces: tuple[SurfaceTimes, ...]
    left_out: tuple[str, ...] = ()


class _Box(msgspec.Struct, frozen=True):
    xyxy: tuple[float, float, float, float]
    label: str


class _Photo(msgspec.Struct, frozen=True):
    image: str
    width: int
    height: int
    boxes: tuple[_Box, ...]


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo: its surface and its labels. The paths in ``labels`` are relative to the photos' folder."""

    surface: str
    labels: PictureLabel


def read_table(path: Path) -> PhotoTable:
    """The table of surfaces in the YAML file ``path``.

    Raises:
        BadPhotos: no such file, no such table, or a moment that belongs to two surfaces.
    """
    table = read_yaml_or(path, PhotoTable, BadPhotos, "expected a table such as datasets/french-photos.yaml")
    spans = sorted((first, last, surface.name) for surface in table.surfaces for first, last in surface.times)
    for stamp in [*table.left_out, *(stamp for first, last, _ in spans for stamp in (first, last))]:
        if not _STAMP.fullmatch(stamp):
            raise BadPhotos(f"{path}: {stamp!r} is no time: expected YYYYMMDD_HHMMSS, as in the photos' names")
    for first, last, name in spans:
        if first > last:
            raise BadPhotos(f"{path}: {name}: [{first}, {last}]: expected the earlier time first")
    for (_, last, name), (first, _, other) in pairwise(spans):
        if first <= last:
            raise BadPhotos(f"{path}: {first} belongs to {name} and to {other}: expected each moment once")
    return table


def surface_at(table: PhotoTable, image: str) -> SurfaceTimes:
    """The surface in the photo ``image``. Raises `BadPhotos` where the table has none for its time."""
    stamp = stamp_of(image)
    for surface in table.surfaces:
        if any(first <= stamp <= last for first, last in surface.times):
            return surface
    raise BadPhotos(f"{image}: the table has no surface for {stamp}: add it after looking at the photo")


def stamp_of(image: str) -> str:
    """The `YYYYMMDD_HHMMSS` in a photo's name. Raises `BadPhotos`."""
    found = _STAMP.search(Path(image).name)
    if found is None:
        raise BadPhotos(f"{image}: no time in the name: expected one as in IMG_20220316_134551.jpg")
    return found.group()


def read_photo_labels(path: Path, row: type[Row], keys: str) -> list[Row]:
    """The rows of the labels file ``path``, whose ``keys`` an error names. Raises `BadPhotos`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[row])  # type: ignore[valid-type]
    except OSError as error:
        raise BadPhotos(f"{path}: {error.strerror}: --photos expects a folder with {LABELS} and its photos") from error
    except msgspec.DecodeError as error:
        raise BadPhotos(f"{path}: {error}: expected a list of {keys}") from error


def read_photos(folder: Path, table: PhotoTable, part: Part) -> list[Photo]:
    """The labelled photos in ``folder`` of one part, by name; the data set's own `split` is ignored.

    A card's quad is its upright box, with ``corners`` false. How much of a card is in view is not known: ``visible`` is always 1.

    Raises:
        BadPhotos: no `labels.json`, other labels than expected, or a photo that the table does not know.
    """
    path = folder / LABELS
    known = read_photo_labels(path, _Photo, "image, width, height and boxes (xyxy, label)")
    found = []
    for photo in sorted(known, key=lambda one: one.image):
        surface = surface_at(table, photo.image)
        if surface.part == part and stamp_of(photo.image) not in table.left_out:
            cards = tuple(_card(box, path, photo.image) for box in photo.boxes)
            found.append(Photo(surface.name, PictureLabel(photo.image, photo.width, photo.height, cards)))
    return found


def card_name(label: str) -> str:
    """`"10 Spades"` as the drawn deck calls it: `"10s"`. Raises ValueError."""
    value, _, suit = label.partition(" ")
    if value not in VALUES or suit not in ("Clubs", "Diamonds", "Hearts", "Spades"):
        raise ValueError(f"{label!r} is no card: expected one such as '10 Spades'")
    return value + suit[0].lower()


def _card(box: _Box, path: Path, image: str) -> CardLabel:
    x1, y1, x2, y2 = box.xyxy
    if not (x1 < x2 and y1 < y2):
        raise BadPhotos(f"{path}: {image}: box {list(box.xyxy)} has no area: expected x1, y1, x2, y2")
    try:
        name = card_name(box.label)
    except ValueError as error:
        raise BadPhotos(f"{path}: {image}: {error}") from error
    # The boxes' edges lie between pixels; a quad's whole coordinates are pixel centres.
    left, top, right, bottom = (round(value - 0.5, 2) for value in box.xyxy)
    return CardLabel(((left, top), (right, top), (right, bottom), (left, bottom)), "ramino", "face", 1.0, name, corners=False)


def convert(folder: Path, out: Path, table: PhotoTable, part: Part) -> Iterator[str]:
    """Writes one part of the photos as `workshop.evaluation.labels` reads them, and yields each photo's surface.

    Photos with a longer side of more than `LARGEST` pixels are shrunk; the others are copied as they are.

    Raises:
        BadPhotos: as `read_photos`; a photo of another size than its labels say; or ``out`` already holds pictures.
        UnreadablePicture: a photo that is missing or damaged.
    """
    if (out / TRUTH).exists():
        raise BadPhotos(f"{out} already holds pictures ({TRUTH} is there): choose another --out or remove it first")
    photos = read_photos(folder, table, part)
    (out / "images").mkdir(parents=True, exist_ok=True)
    with (out / TRUTH).open("wb") as file:
        for photo in photos:
            file.write(msgspec.json.encode(_write(folder, out, photo.labels)) + b"\n")
            yield photo.surface


def _write(folder: Path, out: Path, labels: PictureLabel) -> PictureLabel:
    """Writes one photo. Returns its labels as they are after shrinking."""
    image = read_picture(folder / labels.image)
    height, width = image.shape[:2]
    if (width, height) != (labels.width, labels.height):
        raise BadPhotos(
            f"{folder / labels.image}: {width} x {height} pixels, but labelled as {labels.width} x {labels.height}: "
            "expected photos and labels of one size"
        )
    name = f"images/{Path(labels.image).name}"
    scale = LARGEST / max(width, height)
    if scale >= 1:
        (out / name).write_bytes((folder / labels.image).read_bytes())
        return msgspec.structs.replace(labels, image=name)
    size = round(width * scale), round(height * scale)
    name = str(Path(name).with_suffix(".jpg"))
    cv2.imwrite(str(out / name), cv2.resize(image, size, interpolation=cv2.INTER_AREA), [cv2.IMWRITE_JPEG_QUALITY, 94])
    cards = tuple(
        msgspec.structs.replace(card, quad=tuple(((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in card.quad))
        for card in labels.cards
    )
    return PictureLabel(name, *size, cards)


LEAST = 100
"""Least side of a crop, pixels."""

MARGIN = 10
"""Least distance in pixels of a crop from cards' edges and the shadows beside them."""

AROUND = 0.02
"""A crop's middle lies at most this share of the picture's size outside the box around all cards: farther out there often is no
surface."""

EACH = 50
"""Most crops of one surface; the largest are taken."""

TONES = (12.0, 243.0)
"""Range of the mean grey level in which a crop shows something of the surface's pattern."""


def bare_square(boxes: NDArray[np.float64], width: int, height: int) -> tuple[int, int, int]:
    """The largest square without a card, near the cards: x and y of its top left pixel and its side; 0 where there is none.

    ``boxes``: (n, 4) x1, y1, x2, y2 of the cards, pixels of a picture of ``width`` x ``height``.
    """
    free = np.ones((height, width), dtype=np.uint8)
    for x1, y1, x2, y2 in boxes:
        left, top = max(int(np.floor(x1)) - MARGIN, 0), max(int(np.floor(y1)) - MARGIN, 0)
        free[top : max(int(np.ceil(y2)) + MARGIN + 1, 0), left : max(int(np.ceil(x2)) + MARGIN + 1, 0)] = 0
    # The chessboard distance to the nearest taken pixel is half the side of the square around each free one.
    reach = cv2.distanceTransform(np.pad(free, 1), cv2.DIST_C, 3)[1:-1, 1:-1]
    if len(boxes):
        (x1, y1), (x2, y2) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        near = np.zeros_like(free)
        low_x, low_y = max(round(x1 - AROUND * width), 0), max(round(y1 - AROUND * height), 0)
        near[low_y : max(round(y2 + AROUND * height), 0), low_x : max(round(x2 + AROUND * width), 0)] = 1
        reach = reach * near
    y, x = np.unravel_index(int(np.argmax(reach)), reach.shape)
    half = int(reach[y, x])
    return (int(x) - half + 1, int(y) - half + 1, 2 * half - 1) if half else (0, 0, 0)


def write_surfaces(folder: Path, photos: Sequence[Photo], out: Path) -> Counter[str]:
    """Writes the largest bare crops of each surface in ``photos`` (of ``folder``) into ``out`` as PNG. Returns how many of each.

    Give photos of training surfaces only, or figures will be measured on surfaces that training has seen.

    Raises:
        BadPhotos: ``out`` already holds pictures.
        UnreadablePicture: a photo that is missing or damaged.
    """
    if out.is_dir() and any(out.glob("*.png")):
        raise BadPhotos(f"{out} already holds pictures: choose another --out or remove it first")
    out.mkdir(parents=True, exist_ok=True)
    squares = []
    for photo in photos:
        boxes = bounding_boxes([card.quad for card in photo.labels.cards]) if photo.labels.cards else np.zeros((0, 4))
        square = bare_square(boxes, photo.labels.width, photo.labels.height)
        if square[2] >= LEAST:
            squares.append((square, photo))
    written: Counter[str] = Counter()
    for (x, y, side), photo in sorted(squares, key=lambda one: (-one[0][2], one[1].labels.image)):
        if written[photo.surface] == EACH:
            continue
        crop = read_picture(folder / photo.labels.image)[y : y + side, x : x + side]
        if TONES[0] <= crop.mean() <= TONES[1]:
            cv2.imwrite(str(out / f"{photo.surface.replace(' ', '-')}-{stamp_of(photo.labels.image)}.png"), crop)
            written[photo.surface] += 1
    return written
