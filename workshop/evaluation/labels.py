"""Labelled pictures on disk: `companion dataset make` writes them, training and evaluation read them.

A folder holds `truth.jsonl`, one picture a line, and the pictures that it names::

    {"image": "images/000000.jpg", "width": 1280, "height": 720, "cards": [
      {"quad": [[x, y], ...], "deck": "stu", "side": "face", "card": "gnao", "visible": 0.93}]}

``quad``: the whole card in pixels, clockwise as seen; of a Stù face corner 0 is its printed top left. ``visible``: share 0..1 of
the quad that the picture shows. ``card`` is null for sides other than faces. ``corners`` is false where only the upright box
around the card is known, as in photographs labelled by hand: then the box stands in for the quad, and its corners are neither
learnt nor measured. ``scanned``, of a picture, says that its Stù deck is a scan of the real one, not a drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES
from companion.eyes.image import read_picture
from companion.table.errors import CompanionError

TRUTH = "truth.jsonl"


class BadLabels(CompanionError):
    """A folder of labelled pictures that cannot be used; the message says where and what was expected."""


class CardLabel(msgspec.Struct, frozen=True):
    """One card of one picture, as in `truth.jsonl`."""

    quad: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    deck: str
    side: Literal["face", "back", "stack"]
    visible: float
    card: str | None = None
    corners: bool = True


class PictureLabel(msgspec.Struct, frozen=True):
    """One line of `truth.jsonl`."""

    image: str
    width: int
    height: int
    cards: tuple[CardLabel, ...]
    scanned: bool = False


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """One picture and its cards, of whatever deck.

    ``quads`` float64 (n, 4, 2) pixels, ``classes`` int64 (n,) indices into `CLASSES`, ``visible`` float64 (n,) shares, ``decks``
    and ``cards`` their names, ``corners`` bool (n,): False where the quad is only an upright box. ``size``: width and height, px.
    ``scanned``: its Stù deck is a scan of the real one.
    """

    path: Path
    quads: NDArray[np.float64]
    classes: NDArray[np.int64]
    visible: NDArray[np.float64]
    corners: NDArray[np.bool_]
    size: tuple[int, int]
    decks: tuple[str, ...]
    cards: tuple[str | None, ...]
    scanned: bool = False

    def read(self) -> NDArray[np.uint8]:
        """The picture, (H, W, 3) uint8 BGR."""
        return read_picture(self.path)


def labelled(folder: Path, line: PictureLabel) -> LabelledPicture:
    """One line of `truth.jsonl` in ``folder`` as arrays."""
    return LabelledPicture(
        path=folder / line.image,
        quads=np.array([card.quad for card in line.cards], dtype=np.float64).reshape(-1, 4, 2),
        classes=np.array([CLASSES.index(card.side) for card in line.cards], dtype=np.int64),
        visible=np.array([card.visible for card in line.cards], dtype=np.float64),
        corners=np.array([card.corners for card in line.cards], dtype=np.bool_),
        size=(line.width, line.height),
        decks=tuple(card.deck for card in line.cards),
        cards=tuple(card.card for card in line.cards),
        scanned=line.scanned,
    )


def read_labels(folder: Path) -> list[LabelledPicture]:
    """Every labelled picture in ``folder``, as arrays; see `read_lines`."""
    return [labelled(folder, line) for line in read_lines(folder)]


def read_lines(folder: Path) -> list[PictureLabel]:
    """Every labelled picture in ``folder``. A last line that is not complete is left out: the folder may still be growing.

    Raises:
        BadLabels: no `truth.jsonl`, or a line that is not as described above.
    """
    truth = folder / TRUTH
    try:
        lines = truth.read_bytes().split(b"\n")
    except OSError as error:
        raise BadLabels(f"{truth}: {error.strerror}: make pictures first, with companion dataset make --out {folder}") from error
    decoder = msgspec.json.Decoder(PictureLabel)
    found = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            found.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise BadLabels(
                f"{truth}, line {number}: {error}: expected one picture with its cards, as companion dataset make writes it"
            ) from error
    return found
