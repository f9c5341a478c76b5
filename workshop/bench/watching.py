"""The eyes over one clip: what they found in its pictures is kept, what became sure with it is worked out afresh.

Finding cards costs up to a second of processor time for a second of clip, all the rest next to nothing. So what was found is kept
under a hash of what it depends on: after a change behind the eyes no picture is looked at again.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import DeckFile, encode_deck
from companion.eyes.following.splices import unspliced
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.seeing import Seen, Watcher, see, view_of
from companion.eyes.sighting import CardSeen, Sighting, TableView, Why
from companion.eyes.source import Picture, pictures
from companion.eyes.table import Table, TableMap
from companion.eyes.trouble import FrameQuality
from companion.files import write_whole
from companion.games import GAMES, Game, first_game
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.referee import record
from workshop.bench import keys
from workshop.bench.filming import Filmed
from workshop.bench.pace import Pace, decoded

REAL_TIME: Final = "-real-time"
"""Ends the names of files that keep what was found in real time."""
FIRST = first_game()
"""The game of streams that do not say one."""
Progress = Callable[[float], None]
"""Called with the number of seconds of the clip that are done."""
Decks = Sequence[tuple[str, DeckFile]]
"""Enrolled decks by name, which add to the shipped ones."""


class Found(msgspec.Struct, frozen=True):
    """One picture that was looked at, as it is kept: its time (seconds), the cards found, and its `FrameQuality`, field by field.

    ``corners``: the table's, (4, 2) pixels; None where they are those of the picture before. ``moving``: rows and columns of a
    grid, and its cells in which something moves, packed and compressed; None where that is not known. ``ready``: when the look at
    it was done in real time, seconds; None where every picture was looked at.
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
    ready: float | None = None


class Footage(msgspec.Struct, frozen=True):
    """All that was found in a clip. ``size``: width and height of its pictures; ``cpu``: seconds of processor time it took;
    ``left_out``: how many pictures there was no time for."""

    size: tuple[int, int]
    looks: tuple[Found, ...]
    cpu: float
    left_out: int = 0


class Look(msgspec.Struct, frozen=True):
    """One picture that was looked at: its time (seconds), the cards found, and the sightings that became sure with it. ``ready``:
    as of `Found`."""

    t: float
    cards: tuple[CardSeen, ...]
    sightings: tuple[dict[str, Any], ...]
    ready: float | None = None

    def decoded(self, game: Game = FIRST) -> tuple[Any, ...]:
        """The sightings as the referee takes them."""
        return tuple(decode_sighting(entry, game) for entry in self.sightings)


class Stream(msgspec.Struct, frozen=True):
    """All that the eyes reported of a clip. ``size``: width and height of its pictures; ``cpu``: seconds of processor time that
    looking took; ``left_out``: how many pictures there was no time for."""

    size: tuple[int, int]
    looks: tuple[Look, ...]
    cpu: float
    left_out: int = 0


def encode_sighting(sighting: Sighting, game: Game = FIRST) -> dict[str, Any]:
    """A sighting as the record of an evening keeps it."""
    return record.encode_sighting(sighting, game)


def decode_sighting(entry: dict[str, Any], game: Game = FIRST) -> Any:
    """What `encode_sighting` was given."""
    return record.decode_sighting({tag: msgspec.json.encode(fields) for tag, fields in entry.items()}, game)


def watch_clip(
    filmed: Filmed, models: Path, progress: Progress = lambda t: None, decks: Decks = (), real_time: bool = False
) -> Stream:
    """What the eyes report of a clip; no picture is looked at that the same eyes have seen before. ``real_time``: as of
    `footage_of`."""
    game = GAMES[filmed.recipe.game]
    return stream_of(footage_of(filmed, models, progress, decks, real_time), read_table_file(filmed.table).table, game)


def footage_of(
    filmed: Filmed, models: Path, progress: Progress = lambda t: None, decks: Decks = (), real_time: bool = False
) -> Footage:
    """What the eyes find in a clip's pictures, from the cache where they have looked before. ``real_time``: without the pictures
    that a machine of two cores has no time for."""
    pace = Pace() if real_time else None
    looked = pace.pictures(decoded(filmed.clip)) if pace else pictures(str(filmed.clip), LOOKS_PER_SECOND)
    given = hashlib.sha256(b"".join(name.encode() + encode_deck(deck) for name, deck in decks)).hexdigest()[:12]
    name = f"seen-{keys.eyes_key(models)}{f'-{given}' if decks else ''}{REAL_TIME if pace else ''}.msgpack"
    game = GAMES[filmed.recipe.game]
    return recall(
        filmed.folder / name,
        lambda: look_through(looked, read_table_file(filmed.table).table, models, progress, decks, game, pace),
    )


def look_through(
    looked: Iterable[Picture], table: Table, models: Path, progress: Progress = lambda t: None, decks: Decks = (),
    game: Game = FIRST, pace: Pace | None = None,
) -> Footage:  # fmt: skip
    """What the shipped eyes, taught the ``decks``, find in these pictures. ``pace``: has given them, in real time."""
    from resource import RUSAGE_SELF, getrusage  # Windows has none, and needs none elsewhere

    began = sum(getrusage(RUSAGE_SELF)[:2])
    incremental = IncrementalDetector(Eyes.load(models, threads=1, decks=decks, cards=game.cards))
    looks: list[Found] = []
    size = (0, 0)
    top: TableMap | None = None
    for seen in see(looked, table, incremental.look):
        height, width = seen.picture.image.shape[:2]
        size = size if looks else (width, height)
        moved = None if seen.top is top else tuple((float(x), float(y)) for x, y in seen.top.corners)
        top, out = seen.top, seen.frame_quality
        said = tuple(encode_sighting(one, game) for one in out.sightings)
        looks.append(Found(seen.picture.t, seen.cards, out.blind, out.since, tuple(sorted(out.hidden)), out.resumed, said, moved,
                           packed(seen.moving), pace.core.now if pace else None))  # fmt: skip
        progress(seen.picture.t)
    return Footage(size, tuple(looks), sum(getrusage(RUSAGE_SELF)[:2]) - began, pace.left_out if pace else 0)


def stream_of(footage: Footage, table: Table, game: Game = FIRST) -> Stream:
    """What the shipped line reports with what was found."""
    looks = []
    watcher: Watcher | None = None
    done: list[float | None] = []

    def pictures_seen() -> Iterator[Seen]:
        for one, seen in zip(footage.looks, _seen(footage, table, game), strict=True):
            done.append(one.ready)
            yield seen

    for seen in unspliced(pictures_seen()):
        watcher = watcher or game.watcher(seen.top)
        t = seen.picture.t
        became_sure = watcher.step(t, seen.cards, seen.frame_quality, seen.top, seen.moving)
        looks.append(Look(t, seen.cards, tuple(encode_sighting(one, game) for one in became_sure), done[-1]))
    return Stream(footage.size, tuple(looks), footage.cpu, footage.left_out)


def _seen(footage: Footage, table: Table, game: Game) -> Iterator[Seen]:
    """What was found, picture by picture; the pictures themselves are black."""
    black = np.zeros((footage.size[1], footage.size[0], 3), np.uint8)
    for one, top in laid(footage, table):
        said = tuple(decode_sighting(entry, game) for entry in one.said)
        frame_quality = FrameQuality(one.blind, one.since, frozenset(one.hidden), one.resumed, said)
        yield Seen(Picture(one.t, black), one.cards, frame_quality, top, unpacked(one.moving))


def views(footage: Footage, table: Table) -> Iterator[TableView]:
    """What was found, in table coordinates."""
    for one, top in laid(footage, table):
        if one.blind is None:
            yield view_of(one.cards, one.t, top, unpacked(one.moving))


def laid(footage: Footage, table: Table) -> Iterator[tuple[Found, TableMap]]:
    """Each look, and where the table lies in it."""
    first = top = TableMap(table, footage.size)
    for one in footage.looks:
        if one.corners is not None:
            here = np.array(one.corners, np.float32)
            top = first.moved(np.asarray(cv2.getPerspectiveTransform(first.corners.astype(np.float32), here), np.float64))
        yield one, top


def packed(cells: NDArray[np.bool_] | None) -> tuple[int, int, bytes] | None:
    """Cells (rows, columns) as they are kept."""
    return None if cells is None else (cells.shape[0], cells.shape[1], zlib.compress(np.packbits(cells).tobytes()))


def unpacked(kept: tuple[int, int, bytes] | None) -> NDArray[np.bool_] | None:
    """What `packed` was given."""
    if kept is None:
        return None
    rows, columns, bits = kept
    return np.unpackbits(np.frombuffer(zlib.decompress(bits), np.uint8), count=rows * columns).reshape(rows, columns).astype(bool)


def recall(kept: Path, look: Callable[[], Footage]) -> Footage:
    """What the file ``kept`` holds; where there is none, or an older version wrote it, ``look`` and keep that."""
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Footage)
    except (FileNotFoundError, msgspec.MsgspecError):
        found = look()
    write_whole(kept, msgspec.msgpack.encode(found))
    return found
