"""What corrections teach the reader: a face that an organiser corrected becomes a further prototype of the table's deck.

Everything is done by the thread that looks; phones only read the list, and ask for one to be forgotten. The crops stay on this
machine: in memory and, where a file is given, in that, together with crops that were read right, by which a correction is judged.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Final

import msgspec
import numpy as np
from msgspec import Meta, Struct, field
from numpy.typing import NDArray

from companion.eyes.enrol.deck import points_of
from companion.eyes.enrol.lessons import Example, learnt, taught
from companion.eyes.geometry import long_side_upright, straighten
from companion.eyes.image import Image, decode_jpeg, encode_jpeg, opens
from companion.eyes.look import Eyes
from companion.eyes.reader import CROP, Prototypes, Reader
from companion.files import write_whole
from companion.line.footage import Footage
from companion.line.misread import FaceThere, misread, still_told, well_read
from companion.referee.chapter import Chapter
from companion.referee.evening import Evening
from companion.table.sure import SURE_FROM

_log = logging.getLogger(__name__)

MAX_A_CARD: Final = 3
"""Greatest number of corrections of one card; a further one takes the place of the oldest."""
MAX_EXAMPLES_A_CARD: Final = 4
"""Greatest number of crops of one card that were read right; a further one takes the place of the oldest."""
PICTURE_SIZE: Final = (128, 224)
"""Width and height, in pixels, of the picture that is kept of a correction."""
MAX_FILE_BYTES: Final = 8 * 2**20
"""Greatest size of the file that is read, bytes."""
MAX_STILLS: Final = 40
"""Greatest number of a hand's pictures that are looked through, evenly over it."""


class CorrectionLearnt(Struct, frozen=True):
    """A face that was corrected. ``deck``: the table's; ``said``: what they had said, "" for nothing; ``at``: seconds of
    the clock; ``game``, ``hand``: where; ``t``, ``place``: when and where in it; ``reader``: which network made the ``points``,
    float32."""

    id: int
    deck: str
    card: str
    said: str
    at: float
    game: int
    hand: int
    t: float
    place: int
    picture: bytes
    reader: str
    points: bytes


class Crop(Struct, frozen=True):
    """A crop that was read right, as the reader gets it, JPEG."""

    deck: str
    card: str
    picture: bytes


class _Kept(Struct, frozen=True):
    v: int
    corrections: Annotated[tuple[CorrectionLearnt, ...], Meta(max_length=1000)] = field(default=(), name="lessons")
    crops: Annotated[tuple[Crop, ...], Meta(max_length=2000)] = ()


class CorrectionsLearnt:
    """The corrections that the eyes of a table have learnt from. `all` and `forget` may be called from any thread, the rest from
    the one that looks."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """``path``: where they are kept; None: in memory alone. A file that cannot be read is replaced by an empty one."""
        self._path, self._clock = path, clock
        self._lock = threading.Lock()
        found = _read(path) if path is not None else _Kept(1)
        self._corrections, self._crops = found.corrections, found.crops
        self._examples: dict[bytes, NDArray[np.float32]] = {}
        self._eyes: Eyes | None = None
        self._base: Prototypes | None = None
        self._deck: str | None = None  # what the eyes call the cards of the game
        self._table = ""
        self._chapters: dict[int, Chapter] = {}
        self._game = -1
        self._stale = False
        self._make: Callable[[], Eyes] | None = None
        self.changes = 0
        """How often they have changed."""

    @property
    def all(self) -> tuple[CorrectionLearnt, ...]:
        """The newest first."""
        return tuple(reversed(self._corrections))

    def forget(self, correction: int) -> bool:
        """Take it back, from the next picture on; False where there is none with this id."""
        return self._forget(one for one in self._corrections if one.id == correction)

    def attach(self, eyes: Eyes, table: str) -> Eyes:
        """Let these ``eyes`` read with the corrections of the ``table``'s deck from now on; returns them."""
        self._eyes, self._base, self._table = eyes, eyes.reader.prototypes, table
        self._deck = self._base.read[0] if len(self._base.read) == 1 else None
        self._stale = True
        self._refresh()
        return eyes

    def expects(self, make: Callable[[], Eyes], table: str, deck: str) -> None:
        """The eyes look in another process: those that ``make`` gives are made here once there is something to learn. ``table``:
        whose deck it is; ``deck``: what they call its cards."""
        self._make, self._table, self._deck = make, table, deck
        self._eyes = self._base = None

    @property
    def kept(self) -> bytes:
        """The corrections, for `replaced` elsewhere."""
        return kept(self._corrections)

    def replaced(self, data: bytes) -> None:
        """Read with these corrections, which were learnt elsewhere."""
        self._corrections = msgspec.msgpack.decode(data, type=_Kept).corrections
        self._stale = True
        self._refresh()

    def attend(self, evening: Evening, game: int, footage: Footage) -> None:
        """Learn from what has changed in the ``evening`` since it was last shown."""
        self._refresh()
        if game != self._game:
            self._game, self._chapters = game, {chapter.id: chapter for chapter in evening.chapters}
            return
        known, self._chapters = self._chapters, {chapter.id: chapter for chapter in evening.chapters}
        if self._deck is None:
            return
        for chapter in evening.chapters:
            before = known.get(chapter.id)
            if before is not chapter and before is not None and chapter.lines:
                self._compare(before, chapter, footage)

    def _compare(self, before: Chapter, after: Chapter, footage: Footage) -> None:
        told, taken_back = said_by_hand(before, after), said_by_hand(after, before)
        if told or taken_back:
            here = [one for one in self._corrections if (one.game, one.hand) == (self._game, after.id)]
            self._forget(one for one in here if not still_told(after, one.place, one.card, one.t))
        if not told and (taken_back or before.over or not after.over or (after.probability or 0.0) < SURE_FROM):
            return
        times = [line.t for line in after.lines if line.t is not None]
        stills = footage.between(self._game, min(times, default=0.0), max(times, default=0.0) + 60.0)
        stills = stills[:: max(1, len(stills) // MAX_STILLS)]
        self._remember(well_read(after, stills))
        for face in misread(before, after, stills) if told else ():
            self._learn(face, after.id)

    def _learn(self, face: FaceThere, hand: int) -> None:
        assert self._deck is not None
        reader = self._own().reader
        picture = decode_jpeg(encode_jpeg(_cut(face, PICTURE_SIZE), quality=90))
        points = points_of([picture], reader, np.random.default_rng(len(self._corrections)))
        own = [one for one in self._corrections if (one.deck, one.card) == (self._table, face.card)]
        left = [one for one in self._corrections if one not in own[: max(0, len(own) + 1 - MAX_A_CARD)]]
        corrected = Example(face.card, reader.embed([_cut(face, CROP)])[0])
        verdict = learnt(self._with(left), self._deck, corrected, points, self._evening())
        _log.info("a face of %s that was read as %s: %s", face.card, face.said or "nothing", verdict.outcome)
        if verdict.outcome != "kept":
            return
        correction = CorrectionLearnt(
            max((one.id for one in self._corrections),
                default=0) + 1, self._table, face.card, face.said, self._clock(), self._game,
            hand, face.still.t, face.place, encode_jpeg(picture, quality=90), reader.digest, points.astype("<f4").tobytes(),
        )  # fmt: skip
        with self._lock:
            self._corrections = (*(one for one in self._corrections if one in left), correction)
            self._stale, self.changes = True, self.changes + 1
            self._write()
        self._refresh()

    def _remember(self, faces: Iterable[FaceThere]) -> None:
        """Keep crops that were read right, a few of each card."""
        crops = self._crops
        for face in faces:
            own = [one for one in crops if (one.deck, one.card) == (self._table, face.card)]
            if len(own) >= MAX_EXAMPLES_A_CARD:
                crops = tuple(one for one in crops if one is not own[0])
            crops = (*crops, Crop(self._table, face.card, encode_jpeg(_cut(face, CROP), quality=90)))
        if crops is not self._crops:
            with self._lock:
                self._crops = crops
                self._write()

    def _evening(self) -> list[Example]:
        """The crops of this deck that were read right."""
        eyes = self._own()
        own = [one for one in self._crops if one.deck == self._table]
        fresh = [one for one in own if one.picture not in self._examples]
        points = eyes.reader.embed([decode_jpeg(one.picture) for one in fresh])
        self._examples |= {one.picture: point for one, point in zip(fresh, points, strict=True)}
        self._examples = {one.picture: self._examples[one.picture] for one in own}
        return [Example(one.card, self._examples[one.picture]) for one in own]

    def _own(self) -> Eyes:
        """The eyes, which are made where they look in another process."""
        if self._eyes is None:
            assert self._make is not None, "attach() or expects() comes first"
            self._eyes = self._make()
            self._base = self._eyes.reader.prototypes
        return self._eyes

    def _refresh(self) -> None:
        """Read with the corrections that there are now."""
        if self._stale and self._eyes is not None:
            self._stale = False
            self._eyes.reader.prototypes = self._with(self._corrections)

    def _with(self, corrections: Iterable[CorrectionLearnt]) -> Prototypes:
        """What the eyes were attached with, and these corrections."""
        assert self._eyes is not None
        assert self._base is not None
        prototypes = self._base
        for one in corrections:
            if one.deck == self._table:
                prototypes = taught(prototypes, self._deck or "", one.card, _points(one, self._eyes.reader))
        return prototypes

    def _forget(self, corrections: Iterable[CorrectionLearnt]) -> bool:
        with self._lock:
            gone = {one.id for one in corrections}
            if not gone:
                return False
            self._corrections = tuple(one for one in self._corrections if one.id not in gone)
            self._stale, self.changes = True, self.changes + 1
            self._write()
            return True

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            write_whole(self._path, kept(self._corrections, self._crops))
        except OSError as error:
            _log.warning("what corrections teach is kept in memory only: %s", error)


def kept(corrections: tuple[CorrectionLearnt, ...], crops: tuple[Crop, ...] = ()) -> bytes:
    """The file that `CorrectionsLearnt` takes up."""
    return msgspec.msgpack.encode(_Kept(1, corrections, crops))


def said_by_hand(before: Chapter, after: Chapter) -> bool:
    """Whether somebody has said something of the hand in between, and more than that it was just so."""
    fresh = [fix for fix in after.reports.fixes if fix not in before.reports.fixes]
    return any(not fix.confirms for fix in fresh) or bool(set(after.reports.answers) - set(before.reports.answers))


def _cut(face: FaceThere, size: tuple[int, int]) -> Image:
    """The face of a picture, straightened to ``size`` (width, height)."""
    image = decode_jpeg(face.still.jpeg)
    scale = image.shape[1] / face.still.size[0]
    return straighten(image, (long_side_upright(face.quad[None])[0] + 0.5) * scale - 0.5, *size)


def _points(correction: CorrectionLearnt, reader: Reader) -> NDArray[np.float32]:
    """The prototypes (k, d) of a correction: made again where another network made them."""
    if correction.reader == reader.digest:
        return np.frombuffer(correction.points, "<f4").reshape(-1, reader.prototypes.points.shape[1])
    return points_of([decode_jpeg(correction.picture)], reader, np.random.default_rng(correction.id))


def _read(path: Path) -> _Kept:
    try:
        with path.open("rb") as file:
            found = msgspec.msgpack.decode(file.read(MAX_FILE_BYTES + 1), type=_Kept)
    except FileNotFoundError:
        return _Kept(1)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        _log.warning("%s: learnt corrections cannot be read, and are left out: %s", path, error)
        return _Kept(1)
    if found.v != 1:
        return _Kept(1)
    corrections = tuple(one for one in found.corrections if opens(one.picture))
    return _Kept(1, corrections, tuple(one for one in found.crops if opens(one.picture)))
