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

from companion.decks.deckfile import DeckFile
from companion.eyes.detector import Detection
from companion.eyes.enrol.cohort import Cohort
from companion.eyes.enrol.folder import Findings, enrol_folder
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen, Side
from companion.table.errors import CompanionError
from companion.workshop.enrolment.peer import OrbReader
from companion.workshop.enrolment.photos import CardPhoto, photographed
from companion.workshop.enrolment.play import played
from companion.workshop.enrolment.prints import Prints
from companion.workshop.enrolment.tally import Tally
from companion.workshop.evaluation.detection import InputSize, look_at
from companion.workshop.stage.cards import Textures
from companion.workshop.stage.scene import Image

SEEDS = (41, 43)
"""Of the photos, and of the pictures in play."""
RETAKES = 3
"""How often a card is photographed anew whose photo was refused, as its owner is told to."""
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
    """A deck that was enrolled from ``taken`` photos, some of them anew; ``refused``: how many could not be used."""

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

    ``peer``: in so many of the pictures also by ORB. Raises `CompanionError` where a card's photos are refused again and again.
    """
    textures = Textures(prints.photos)
    base = bare(eyes, prints.like)
    ways: list[tuple[Run, Eyes | OrbReader]] = []
    for number in photos:
        taught = enrolled(prints, textures, eyes, cohort, number, say)
        given = [(prints.name, taught.deck)]
        ways.append((_run("companion", number, taught), base.taught(given, cohort)))
        if prints.like:
            ways.append((_run("beside", number, taught), eyes.taught(given, cohort)))
        if peer:
            pictured = list(_taken(prints, textures, number))
            began = time.perf_counter(), time.process_time()
            orb = OrbReader(pictured)
            spent = time.perf_counter() - began[0], time.process_time() - began[1]
            ways.append((Run("orb", number, *spent, len(pictured), 0, 0.0, Tally()), orb))
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
    """These eyes without the shipped ``deck``, if one is named."""
    return Eyes(eyes.detector, eyes.reader.reading(eyes.reader.prototypes.without(deck))) if deck else eyes


def enrolled(
    prints: Prints, textures: Textures, eyes: Eyes, cohort: Cohort, number: int, say: Say = lambda what, share: None
) -> Taught:
    """The deck that `companion enrol` makes of ``number`` photos a card; those that it refuses are taken again."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for take in range(1, number + 1):
            for photo in photographed(textures, prints.name, _cards(prints), prints.size, SEEDS[0], take):
                _write(folder, photo, take)
        refused = 0
        for again in range(RETAKES + 1):
            began = time.perf_counter(), time.process_time()
            found = enrol_folder(folder, eyes.detector, eyes.reader, cohort,
                                 lambda done, of: say(f"{prints.name}: enrolling", done / max(of, 1)))  # fmt: skip
            spent = time.perf_counter() - began[0], time.process_time() - began[1]
            refused += len(found.refused)
            if not found.refused or (again == RETAKES and found.deck is not None):
                break
            _retake(folder, found, prints, textures, 10 * (again + 1))
        if found.deck is None:
            raise CompanionError(f"{prints.name}: no photo of {', '.join(found.left_out)} can be used: "
                                 + "; ".join(f"{name} {why}" for name, why in found.refused))  # fmt: skip
        return Taught(found.deck, *spent, len(list(folder.iterdir())), refused)


def _cards(prints: Prints) -> tuple[str, ...]:
    return (*prints.faces, "back")


def _taken(prints: Prints, textures: Textures, number: int) -> Iterator[CardPhoto]:
    for take in range(1, number + 1):
        yield from photographed(textures, prints.name, _cards(prints), prints.size, SEEDS[0], take)


def _write(folder: Path, photo: CardPhoto, take: int) -> None:
    file = folder / f"{photo.card}{f'~{take}' if take > 1 else ''}.jpg"
    cv2.imwrite(str(file), photo.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def _retake(folder: Path, found: Findings, prints: Prints, textures: Textures, offset: int) -> None:
    """Takes the refused photos again, on another table top in another light."""
    for name, _ in found.refused:
        card, _, take = Path(name).stem.partition("~")
        for photo in photographed(textures, prints.name, (card,), prints.size, SEEDS[0], offset + int(take or 1)):
            _write(folder, photo, int(take or 1))


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
