"""Enrols a deck from rendered photos, as `companion enrol` does, and looks at pictures of it in play."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import DeckFile
from companion.eyes.detection import Detection
from companion.eyes.enrol.deck import Cohort
from companion.eyes.enrol.folder import enrol_folder
from companion.eyes.image import read_picture
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen, Side
from companion.table.errors import CompanionError
from workshop.enrolment.peer import OrbReader
from workshop.enrolment.play import played
from workshop.enrolment.prints import CardPhoto, Prints, photographed
from workshop.enrolment.tally import Tally
from workshop.evaluation.detection import InputSize, look_at
from workshop.stage.cards import Textures
from workshop.stage.scene import Image

SEEDS = (41, 43)
"""Of the photos, and of the pictures in play."""
RETAKES = 3
"""Times that a card whose photo was refused is photographed again, as its owner is asked to."""
PEER = 25
"""Pictures of a deck that ORB reads: at up to a second for each card, more would take hours."""
QUALITY = 92
"""JPEG quality of the photos' files."""

Say = Callable[[str, float], None]
"""Called with what is being done and the share 0..1 that is done of it."""


class Run(msgspec.Struct):
    """One way of reading a deck. ``who``: ``companion``, ``beside`` (the same beside the shipped deck of the same cards), or
    ``orb``; ``photos``: of each card. ``seconds``: that enrolling took, wall clock; ``cpu``: of processor time; ``taken``,
    ``refused``: photos; ``ms``: to read one card that was found in a picture."""

    who: str
    photos: int
    seconds: float
    cpu: float
    taken: int
    refused: int
    ms: float
    tally: Tally


class DeckResult(msgspec.Struct):
    """All that was measured of one deck. ``before``: the same pictures looked at without it."""

    name: str
    about: str
    seen: bool
    faces: int
    pictures: int
    before: Tally
    runs: list[Run]


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A deck that was enrolled from ``taken`` photos, those taken again among them; ``refused``: how many could not be used."""

    deck: DeckFile
    seconds: float
    cpu: float
    taken: int
    refused: int


def measure(
    prints: Prints, eyes: Eyes, cohort: Cohort, pictures: int, photos: Sequence[int] = (1, 2), scans: Path | None = None,
    peer: int = PEER, size: InputSize = "game", say: Say = lambda what, share: None,
) -> DeckResult:  # fmt: skip
    """Enrols ``prints`` from as many photos a card as ``photos`` says, and looks at ``pictures`` of it in play.

    ``peer``: pictures that ORB reads, too. Raises `CompanionError` where a card's photos are refused again and again.
    """
    base = bare(eyes, prints.like)
    ways: list[tuple[Run, Eyes | OrbReader]] = []
    with tempfile.TemporaryDirectory() as scratch:
        album = Album(prints, Path(scratch))
        for number in photos:
            taught = enrolled(album, eyes, cohort, number, say)
            given = [(prints.name, taught.deck)]
            ways.append((_run("companion", number, taught), base.taught(given, cohort)))
            if prints.like:
                ways.append((_run("beside", number, taught), eyes.taught(given, cohort)))
            if peer:
                began = time.perf_counter(), time.process_time()
                orb = OrbReader(album.photos(number))
                spent = time.perf_counter() - began[0], time.process_time() - began[1]
                ways.append((Run("orb", number, *spent, taught.taken, 0, 0.0, Tally()), orb))
    before = Tally()
    milliseconds, cards = [0.0] * len(ways), [0] * len(ways)
    for number, picture in enumerate(played(prints, pictures, SEEDS[1], scans)):
        say(f"{prints.name}: looking", number / pictures)
        found = look_at(eyes.detector, picture.image, size)
        before.add(base.name(picture.image, found), picture.truth, prints.name)
        for n, (run, way) in enumerate(ways):
            if isinstance(way, OrbReader) and number >= peer:
                continue
            start = time.perf_counter()
            if isinstance(way, OrbReader):
                seen: Sequence[CardSeen] = by_orb(way, picture.image, found, prints.name)
            else:
                seen = way.name(picture.image, found)
            milliseconds[n] += 1000 * (time.perf_counter() - start)
            cards[n] += len(found)
            run.tally.add(seen, picture.truth, prints.name)
    for (run, _), spent_here, read in zip(ways, milliseconds, cards, strict=True):
        run.ms = spent_here / max(read, 1)
    return DeckResult(prints.name, prints.about, prints.seen, len(prints.faces), pictures, before, [run for run, _ in ways])


def _run(who: str, number: int, taught: Taught) -> Run:
    return Run(who, number, taught.seconds, taught.cpu, taught.taken, taught.refused, 0.0, Tally())


def bare(eyes: Eyes, deck: str) -> Eyes:
    """The eyes without the shipped ``deck``; unchanged where that is ""."""
    return Eyes(eyes.detector, eyes.reader.reading(eyes.reader.prototypes.without(deck))) if deck else eyes


class Album:
    """The photos of a deck as files in ``folder``, taken when they are asked for: ``gnao.jpg``, ``gnao~2.jpg``, …"""

    def __init__(self, prints: Prints, folder: Path) -> None:
        self.prints, self._folder = prints, folder
        self._textures = Textures(prints.photos)
        self._quads: dict[str, NDArray[np.float64]] = {}

    def folder(self, number: int) -> Path:
        """A folder of its own with the first ``number`` photos of each card."""
        chosen = self._folder / str(number)
        chosen.mkdir(exist_ok=True)
        for name in self._names(number):
            if name not in self._quads:
                self.take(name)
            if not (chosen / name).exists():
                (chosen / name).hardlink_to(self._folder / name)
        return chosen

    def take(self, name: str, again: int = 0) -> None:
        """Takes the photo ``name``; for the ``again``-th time, it is on another table top in another light."""
        card, _, take = Path(name).stem.partition("~")
        number = int(take or 1) + 10 * again
        (photo,) = photographed(self._textures, self.prints.name, (card,), self.prints.size, SEEDS[0], number)
        self._quads[name] = photo.quad
        for file in self._folder.rglob(name):
            file.unlink()
        cv2.imwrite(str(self._folder / name), photo.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])

    def photos(self, number: int) -> Iterator[CardPhoto]:
        """The first ``number`` photos of each card, with their true corners."""
        for name in self._names(number):
            yield CardPhoto(Path(name).stem.partition("~")[0], read_picture(self._folder / name), self._quads[name])

    def _names(self, number: int) -> Iterator[str]:
        for take in range(1, number + 1):
            yield from (f"{card}{f'~{take}' if take > 1 else ''}.jpg" for card in (*self.prints.faces, "back"))


def enrolled(album: Album, eyes: Eyes, cohort: Cohort, number: int, say: Say = lambda what, share: None) -> Taught:
    """The deck that `companion enrol` makes of ``number`` photos a card; those that it refuses are taken again."""
    refused, what = 0, f"{album.prints.name}: enrolling"
    for again in range(RETAKES + 1):
        folder = album.folder(number)
        began = time.perf_counter(), time.process_time()
        found = enrol_folder(folder, eyes.detector, eyes.reader, cohort, lambda done, of: say(what, done / max(of, 1)))
        spent = time.perf_counter() - began[0], time.process_time() - began[1]
        refused += len(found.refused)
        if not found.refused or (again == RETAKES and found.deck is not None):
            break
        for name, _ in found.refused:
            album.take(name, again + 1)
    if found.deck is None:
        why = "; ".join(f"{name} {reason}" for name, reason in found.refused)
        raise CompanionError(f"{album.prints.name}: no photo of {', '.join(found.left_out)} can be used: {why}")
    return Taught(found.deck, *spent, len(list(folder.iterdir())), refused)


def by_orb(reader: OrbReader, image: Image, found: Sequence[Detection], name: str) -> list[CardSeen]:
    """What ORB says of the cards that the detector ``found``; a score it has none, so the detector's stands for it."""
    seen = []
    for one in found:
        card, _ = reader.read(image, one.quad)
        corners = tuple((float(x), float(y)) for x, y in np.asarray(one.quad))
        side: Side = "back" if card == "back" else "face"
        seen.append(CardSeen((corners[0], corners[1], corners[2], corners[3]), name if card else "unknown", side,
                             one.score, card if card not in ("", "back") else None))  # fmt: skip
    return seen
