"""The eyes' part of the line over one clip, kept: what they saw picture by picture.

It costs up to a second of processor for a second of clip, the referee's part nearly nothing. So it is kept under a hash of what
it depends on: after a change of the referee alone no picture is looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from companion.eyes.gaze import Gaze
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen, Sighting
from companion.eyes.source import Picture, pictures
from companion.eyes.table import Table, read_table
from companion.follow import LOOKS_PER_SECOND, watch
from companion.workshop.bench.filming import Filmed

Progress = Callable[[float], None]
"""Called with the seconds of the clip that are done."""

_SIGHTINGS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Sighting)}


class LookTaken(msgspec.Struct, frozen=True):
    """One picture looked at: its time (seconds), the cards found, and what became sure with it."""

    t: float
    cards: tuple[CardSeen, ...]
    sightings: tuple[dict[str, Any], ...]

    def said(self) -> tuple[Sighting, ...]:
        """The sightings as the referee takes them."""
        return tuple(decode_sighting(entry) for entry in self.sightings)


class Stream(msgspec.Struct, frozen=True):
    """All that the eyes said about a clip. ``size``: width and height of its pictures; ``cpu``: seconds that it took."""

    size: tuple[int, int]
    looks: tuple[LookTaken, ...]
    cpu: float


def encode_sighting(sighting: Sighting) -> dict[str, Any]:
    """``{"<its type>": {…}}``, as a record of an evening keeps it."""
    return {type(sighting).__name__: msgspec.to_builtins(sighting)}


def decode_sighting(entry: dict[str, Any]) -> Sighting:
    """What `encode_sighting` was given."""
    ((name, fields),) = entry.items()
    found: Sighting = msgspec.convert(fields, _SIGHTINGS[name])
    return found


def watch_clip(filmed: Filmed, models: Path, progress: Progress = lambda t: None) -> Stream:
    """What the eyes see in a clip; from the cache where the same eyes have seen it before."""
    looked = pictures(str(filmed.clip), LOOKS_PER_SECOND)
    kept = filmed.folder / f"stream-{eyes_key(models)}.msgpack"
    return recall(kept, lambda: look_through(looked, read_table(filmed.table), models, progress))


def look_through(looked: Iterable[Picture], table: Table, models: Path, progress: Progress = lambda t: None) -> Stream:
    """What the eyes see in these pictures, with the shipped line."""
    from resource import RUSAGE_SELF, getrusage  # not on Windows, and nowhere else needed

    began = sum(getrusage(RUSAGE_SELF)[:2])
    gaze = Gaze(Eyes.load(models, threads=1))
    looks = []
    size = (0, 0)
    for glimpse in watch(looked, table, gaze.look):
        height, width = glimpse.picture.image.shape[:2]
        size = (width, height)
        looks.append(LookTaken(glimpse.picture.t, glimpse.cards, tuple(map(encode_sighting, glimpse.sightings))))
        progress(glimpse.picture.t)
    return Stream(size, tuple(looks), sum(getrusage(RUSAGE_SELF)[:2]) - began)


def recall(kept: Path, look: Callable[[], Stream]) -> Stream:
    """The stream that the file ``kept`` holds; where there is none, or one of an older making, ``look`` and keep it."""
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Stream)
    except (FileNotFoundError, msgspec.MsgspecError):
        stream = look()
    beside = kept.with_name(f".{kept.name}.part")
    beside.write_bytes(msgspec.msgpack.encode(stream))
    beside.replace(kept)
    return stream


@cache
def eyes_key(models: Path) -> str:
    """A hash of all that decides what the eyes say: their code, the line's, and the models."""
    package = Path(__file__).resolve().parents[2]
    files = sorted((package / "eyes").glob("*.py")) + [package / "follow.py"]
    return hash_of([*files, *sorted(models.glob("*.onnx")), *sorted(models.glob("*.npz"))])


def hash_of(files: Iterable[Path]) -> str:
    """A hash of these files' names and contents."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
