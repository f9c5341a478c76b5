"""The eyes' part of the line over one clip: what they found is kept, what became sure with it is worked out anew.

Finding costs up to a second of processor for a second of clip, all the rest nearly nothing. So what was found is kept under a
hash of what it depends on: after a change of anything behind it no picture is looked at again.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.gaze import Gaze
from companion.eyes.look import Eyes
from companion.eyes.seeing import see
from companion.eyes.sighting import CardSeen, TableView, Why
from companion.eyes.source import Picture, pictures
from companion.eyes.table import Table, TableMap
from companion.eyes.trouble import Outlook
from companion.games import GAMES
from companion.games.stu.sight.places import view_of
from companion.games.stu.sight.watcher import Watcher
from companion.games.stu.sightings import Sighting
from companion.line.follow import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.referee import record
from companion.workshop.bench.filming import Filmed

Progress = Callable[[float], None]
"""Called with the seconds of the clip that are done."""

BEHIND = ("clock.py", "sighting.py")
"""The eyes' modules that work on what was found and never see a picture."""


class Found(msgspec.Struct, frozen=True):
    """One picture looked at, as it is kept: its time (seconds), the cards found, its `Outlook`, field by field.

    ``corners``: (4, 2) pixels, where the table lies in it, None where it lies as in the one before. ``moving``: rows, columns,
    and the cells of so large a grid in which something moves, packed and compressed; None where nothing can be said of that.
    """

    t: float
    cards: tuple[CardSeen, ...]
    blind: Why | None
    since: float | None
    hidden: tuple[int, ...]
    resumed: bool
    said: tuple[dict[str, Any], ...]
    corners: tuple[tuple[float, float], ...] | None
    moving: tuple[int, int, bytes] | None = None


class Footage(msgspec.Struct, frozen=True):
    """All that was found in a clip. ``size``: width and height of its pictures; ``cpu``: seconds that it took."""

    size: tuple[int, int]
    looks: tuple[Found, ...]
    cpu: float


class LookTaken(msgspec.Struct, frozen=True):
    """One picture looked at: its time (seconds), the cards found, and what became sure with it."""

    t: float
    cards: tuple[CardSeen, ...]
    sightings: tuple[dict[str, Any], ...]

    def said(self) -> tuple[Sighting, ...]:
        """The sightings as the referee takes them."""
        return tuple(decode_sighting(entry) for entry in self.sightings)


class Stream(msgspec.Struct, frozen=True):
    """All that the eyes said about a clip. ``size``: width and height of its pictures; ``cpu``: seconds that looking took."""

    size: tuple[int, int]
    looks: tuple[LookTaken, ...]
    cpu: float


def encode_sighting(sighting: Sighting) -> dict[str, Any]:
    """As a record of an evening keeps it."""
    return record.encode_sighting(sighting, GAMES["stu"])


def decode_sighting(entry: dict[str, Any]) -> Sighting:
    """What `encode_sighting` was given."""
    found: Sighting = record.decode_sighting({tag: msgspec.json.encode(fields) for tag, fields in entry.items()}, GAMES["stu"])
    return found


def watch_clip(filmed: Filmed, models: Path, progress: Progress = lambda t: None) -> Stream:
    """What the eyes say about a clip; no picture is looked at that the same eyes have seen before."""
    return told(footage_of(filmed, models, progress), read_table_file(filmed.table).table)


def footage_of(filmed: Filmed, models: Path, progress: Progress = lambda t: None) -> Footage:
    """What the eyes find in a clip's pictures, by the cache where they have looked before."""
    looked = pictures(str(filmed.clip), LOOKS_PER_SECOND)
    kept = filmed.folder / f"seen-{eyes_key(models)}.msgpack"
    return recall(kept, lambda: look_through(looked, read_table_file(filmed.table).table, models, progress))


def look_through(looked: Iterable[Picture], table: Table, models: Path, progress: Progress = lambda t: None) -> Footage:
    """What the shipped eyes find in these pictures."""
    from resource import RUSAGE_SELF, getrusage  # not on Windows, and nowhere else needed

    began = sum(getrusage(RUSAGE_SELF)[:2])
    gaze = Gaze(Eyes.load(models, threads=1))
    looks: list[Found] = []
    size = (0, 0)
    top: TableMap | None = None
    for seen in see(looked, table, gaze.look):
        height, width = seen.picture.image.shape[:2]
        size = size if looks else (width, height)
        moved = None if seen.top is top else tuple((float(x), float(y)) for x, y in seen.top.corners)
        top, out = seen.top, seen.outlook
        said = tuple(map(encode_sighting, out.sightings))
        looks.append(Found(seen.picture.t, seen.cards, out.blind, out.since, tuple(sorted(out.hidden)), out.resumed, said, moved,
                           packed(seen.moving)))  # fmt: skip
        progress(seen.picture.t)
    return Footage(size, tuple(looks), sum(getrusage(RUSAGE_SELF)[:2]) - began)


def told(footage: Footage, table: Table) -> Stream:
    """What becomes sure with what was found, by the shipped line."""
    looks = []
    watcher: Watcher | None = None
    for one, top in _laid(footage, table):
        watcher = watcher or Watcher(top)
        said = tuple(decode_sighting(entry) for entry in one.said)
        outlook = Outlook(one.blind, one.since, frozenset(one.hidden), one.resumed, said)
        became_sure = watcher.step(one.t, one.cards, outlook, top, unpacked(one.moving))
        looks.append(LookTaken(one.t, one.cards, tuple(map(encode_sighting, became_sure))))
    return Stream(footage.size, tuple(looks), footage.cpu)


def views(footage: Footage, table: Table) -> Iterator[TableView]:
    """What was found, laid on the table."""
    for one, top in _laid(footage, table):
        if one.blind is None:
            yield view_of(one.cards, one.t, top, unpacked(one.moving))


def _laid(footage: Footage, table: Table) -> Iterator[tuple[Found, TableMap]]:
    """Each look, and where the table lies in it."""
    first = top = TableMap(table, footage.size)
    for one in footage.looks:
        if one.corners is not None:
            here = np.array(one.corners, np.float32)
            top = first.moved(np.asarray(cv2.getPerspectiveTransform(first.corners.astype(np.float32), here), np.float64))
        yield one, top


def packed(cells: NDArray[np.bool_] | None) -> tuple[int, int, bytes] | None:
    """Cells (rows, columns) for keeping."""
    return None if cells is None else (cells.shape[0], cells.shape[1], zlib.compress(np.packbits(cells).tobytes()))


def unpacked(kept: tuple[int, int, bytes] | None) -> NDArray[np.bool_] | None:
    """What `packed` was given."""
    if kept is None:
        return None
    rows, columns, bits = kept
    return np.unpackbits(np.frombuffer(zlib.decompress(bits), np.uint8), count=rows * columns).reshape(rows, columns).astype(bool)


def recall(kept: Path, look: Callable[[], Footage]) -> Footage:
    """What the file ``kept`` holds; where there is none, or one of an older making, ``look`` and keep it."""
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Footage)
    except (FileNotFoundError, msgspec.MsgspecError):
        found = look()
    beside = kept.with_name(f".{kept.name}.part")
    beside.write_bytes(msgspec.msgpack.encode(found))
    beside.replace(kept)
    return found


@cache
def eyes_key(models: Path) -> str:
    """A hash of all that decides what the eyes find in a picture: their code and the models."""
    package = Path(__file__).resolve().parents[2]
    files = [file for file in sorted((package / "eyes").glob("*.py")) if file.name not in BEHIND]
    return hash_of([*files, *sorted(models.glob("*.onnx")), *sorted(models.glob("*.npz"))])


@cache
def line_key(models: Path) -> str:
    """A hash of all that decides what the eyes say."""
    package = Path(__file__).resolve().parents[2]
    sight = sorted((package / "games" / "stu" / "sight").glob("*.py"))
    behind = [*(package / "eyes" / name for name in BEHIND), *sight, package / "line" / "follow.py"]
    return f"{eyes_key(models)}-{hash_of(behind)}"


def hash_of(files: Iterable[Path]) -> str:
    """A hash of these files' names and contents."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
