"""The last minutes of video, picture by picture, with what the eyes made of each: for those who must see once more what decided a
ruling, and for pictures beside a question.

It is kept in memory, and ends with the program, unless it is told to keep a folder, too. No picture leaves it for everybody's
eyes but through `companion.line.cover`.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct, msgpack

from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.sighting import CardSeen, Point, Quad
from companion.eyes.source import Picture
from companion.eyes.table import TableMap
from companion.line.defaults import FOOTAGE_SECONDS
from companion.photos.jpeg import jpeg_head

_log = logging.getLogger(__name__)

MIN_INTERVAL_SECONDS = 0.13
"""Least seconds between two pictures that are kept: every second one of those that are looked at, seven or eight a second."""
MAX_BYTES = 150_000_000
"""Greatest size of all pictures together, bytes: those of a table full of detail go back less far."""
MAX_WIDTH = 1280
"""Greatest width of a picture, pixels: 50 to 100 KB each."""
JPEG_QUALITY = 75
"""JPEG quality, OpenCV's scale of 0 to 100."""
NEAR_SECONDS = 2.0
"""Greatest distance in seconds of a picture from the moment that it is shown for."""
SETTLED_SECONDS = 0.8
"""Age in seconds that a picture must have before it is given out: what was seen just after it says what may be shown of it.
More than `cover.FACE_SECONDS`, for which a face is covered before the eyes found it."""
SAME_LIE = 0.05
"""Greatest distance of a table's corner from where it was, as a share of the picture's width, with which the table lies as
before."""
MIN_MARGIN = 0.06
"""Least margin around a place, as a share of the picture's width."""


class Look(Struct, frozen=True, array_like=True):
    """The cards that the eyes found ``t`` seconds into the evening, in pixels of the picture that they looked at.

    ``up``: those whose face shows, each with its kind's id where it could be read. ``down``: backs; a deck is no card
    that lies in its place.
    """

    t: float
    up: tuple[tuple[Quad, str | None], ...]
    down: tuple[Quad, ...]


class Still(Struct, frozen=True, array_like=True):
    """One picture of a ``game``, ``t`` seconds into its evening; ``number``: rises from picture to picture.

    ``size``: width and height of the picture that was looked at; ``jpeg`` may be smaller. ``corners`` (4) and ``places`` (one per
    player): the table top and where the cards lie, in pixels of ``size``. ``looks``: all since the still before, its own last.
    """

    number: int
    game: int
    t: float
    jpeg: bytes
    size: tuple[int, int]
    corners: tuple[Point, ...]
    places: tuple[Point, ...]
    looks: tuple[Look, ...]


class Footage:
    """A ring of stills. One thread fills it, any thread may read it."""

    def __init__(
        self, seconds: float = FOOTAGE_SECONDS, folder: Path | None = None, most_bytes: int = MAX_BYTES, first: int = 0
    ) -> None:
        """``seconds``: of video that are kept; 0: none. ``folder``: keeps the same on the disk, and what is there is taken up.
        ``first``: number of the first still: those of several cameras differ."""
        self._seconds, self._folder, self._most_bytes = seconds, folder, most_bytes
        self._lock = threading.Lock()
        self._kept: deque[Still] = deque()
        self._bytes = 0
        self._looks: list[Look] = []
        self._number = first
        self._disk = ThreadPoolExecutor(1, "footage") if folder is not None else None
        if folder is not None:
            self._take_up(folder)

    @property
    def seconds(self) -> float:
        """Seconds of video that are kept."""
        return self._seconds

    @property
    def keeps(self) -> bool:
        """Whether anything is kept at all."""
        return self._seconds > 0

    def film_of(self, still: Still) -> Footage:
        """The one that has this still: see `companion.line.films`."""
        return self

    def seeing(self, game: int, since: float, until: float, places: Sequence[int]) -> Footage:
        """The one in which these ``places`` are best seen: see `companion.line.films`."""
        return self

    @property
    def held(self) -> int:
        """Bytes that the pictures take."""
        return self._bytes

    def put(self, game: int, picture: Picture, cards: Sequence[CardSeen] | None, top: TableMap) -> None:
        """Keep what was seen, and the picture unless the last one is too near in time, as `keep`."""
        size = picture.image.shape[1], picture.image.shape[0]
        self.keep(game, picture.t, cards, size, _points(top.corners), _points(top.to_pixels(top.places)),
                  lambda: encode_jpeg(picture.image, MAX_WIDTH, JPEG_QUALITY))  # fmt: skip

    def keep(
        self, game: int, t: float, cards: Sequence[CardSeen] | None, size: tuple[int, int], corners: tuple[Point, ...],
        places: tuple[Point, ...], jpeg: Callable[[], bytes | None],
    ) -> None:  # fmt: skip
        """Keep what was seen ``t`` seconds into the evening, and its ``jpeg`` unless the last one is too near in time. ``cards``:
        None where nothing can be said of the picture, which is not kept then. Another game starts the ring again; a clip that
        goes back takes what came later with it. The rest as of `Still`.
        """
        if not self.keeps:
            return
        with self._lock:
            if self._kept and game != self._kept[-1].game:
                self._forget(len(self._kept))
            while self._kept and t < self._kept[-1].t:
                self._gone(self._kept.pop())
            last = self._kept[-1] if self._kept else None
            if self._looks and t < self._looks[-1].t:
                self._looks.clear()
            if cards is None:
                return
            self._looks.append(_look(t, cards))
            if last is not None and t - last.t < MIN_INTERVAL_SECONDS:
                return
        if (data := jpeg()) is None or not is_still(data):
            return
        still = Still(self._number, game, t, data, size, corners, places, tuple(self._looks))
        self._number += 1
        self._looks.clear()
        with self._lock:
            self._kept.append(still)
            self._bytes += len(still.jpeg)
            self._forget(self._too_many())
        if self._disk is not None:
            self._disk.submit(self._write, still)

    def between(self, game: int, since: float, until: float) -> tuple[Still, ...]:
        """The stills of this game from ``since`` to ``until`` seconds, oldest first, as far as they are still kept."""
        with self._lock:
            return tuple(one for one in self._kept if one.game == game and since <= one.t <= min(until, self._settled()))

    def looked(self, game: int) -> float:
        """Until when there are looks of this game, seconds into the evening; below 0 where there are none."""
        with self._lock:
            if not self._kept or self._kept[-1].game != game:
                return -1.0
            return self._looks[-1].t if self._looks else self._kept[-1].t

    def find(self, game: int, number: int) -> Still | None:
        """The still with this number; None where it is gone, or too new to be given out."""
        with self._lock:
            at = bisect_left(self._kept, number, key=lambda one: one.number)
            found = self._kept[at] if at < len(self._kept) else None
            there = found is not None and (found.number, found.game) == (number, game) and found.t <= self._settled()
            return found if there else None

    def _settled(self) -> float:
        return self._kept[-1].t - SETTLED_SECONDS if self._kept else 0.0

    def looks(self, game: int, t: float, within: float) -> tuple[Look, ...]:
        """What the eyes found at most ``within`` seconds before and after ``t``, and the nearest looks on both sides of that:
        those at which the table lay as it does at ``t``. Another camera's pixels say nothing of this one's."""
        with self._lock:
            stills = [one for one in self._kept if one.game == game and abs(one.t - t) <= within + 2]
        here = min(stills, key=lambda one: abs(one.t - t), default=None)
        near = [look for one in stills if here is not None and _lies_as(one, here) for look in one.looks]
        first = max((look.t for look in near if look.t < t - within), default=t - within)
        last = min((look.t for look in near if look.t > t + within), default=t + within)
        return tuple(look for look in near if first <= look.t <= last)

    def crop(self, game: int, t: float, places: Sequence[int]) -> bytes | None:
        """The part of the picture around these ``places`` (from 0) at ``t`` seconds, as JPEG; None where no picture is near. For
        organisers alone: nothing in it is covered."""
        with self._lock:
            nearest = min((one for one in self._kept if one.game == game), key=lambda one: abs(one.t - t), default=None)
        if nearest is None or abs(nearest.t - t) > NEAR_SECONDS or not places:
            return None
        image = decode_jpeg(nearest.jpeg)
        x0, y0, x1, y1 = around([nearest.places[place] for place in places], nearest.size, (image.shape[1], image.shape[0]))
        return encode_jpeg(image[y0:y1, x0:x1], quality=85)

    def erase(self, game: int) -> None:
        """Keep nothing of this game any more."""
        with self._lock:
            gone = [one for one in self._kept if one.game == game]
            self._kept = deque(one for one in self._kept if one.game != game)
            for still in gone:
                self._gone(still)
            if gone:
                self._looks.clear()

    def close(self) -> None:
        """Wait until everything is on the disk that belongs there."""
        if self._disk is not None:
            self._disk.shutdown()

    def _too_many(self) -> int:
        """Number of the oldest stills that are to go."""
        gone, left = 0, self._bytes
        newest = self._kept[-1].t
        for one in self._kept:
            if newest - one.t <= self._seconds and left <= self._most_bytes:
                break
            gone, left = gone + 1, left - len(one.jpeg)
        return gone

    def _forget(self, count: int) -> None:
        for _ in range(count):
            self._gone(self._kept.popleft())

    def _gone(self, still: Still) -> None:
        self._bytes -= len(still.jpeg)
        if self._disk is not None:
            self._disk.submit(self._path(still.number).unlink, missing_ok=True)

    def _path(self, number: int) -> Path:
        assert self._folder is not None
        return self._folder / f"{number:012}.still"

    def _write(self, still: Still) -> None:
        try:
            self._path(still.number).write_bytes(msgpack.encode(still))
        except OSError as error:
            _log.warning("a picture is kept in memory only: %s", error)

    def _take_up(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _log.warning("pictures are kept in memory only: %s", error)
        for path in sorted(folder.glob("*.still")):
            try:
                still = msgpack.decode(path.read_bytes(), type=Still)
                if not is_still(still.jpeg):
                    raise msgspec.DecodeError("no picture of ours")
            except (OSError, msgspec.MsgspecError):  # cut off by a power cut, or of another version
                with suppress(OSError):
                    path.unlink(missing_ok=True)
                continue
            self._kept.append(still)
            self._bytes += len(still.jpeg)
        if self._kept:
            self._number = self._kept[-1].number + 1
            self._forget(self._too_many())


def _lies_as(one: Still, other: Still) -> bool:
    """Whether the table lies in both pictures in the same place, or nearly."""
    apart = np.abs(np.asarray(one.corners) - np.asarray(other.corners)).max()
    return one.size == other.size and bool(apart <= SAME_LIE * one.size[0])


def is_still(data: bytes) -> bool:
    """Whether these bytes are a picture as footage keeps them: it can be decoded at once, in no time."""
    head = jpeg_head(data, most_scans=1)
    return head is not None and head.width <= MAX_WIDTH


def around(
    points: Sequence[Point], size: tuple[int, int], shown: tuple[int, int], least: float = MIN_MARGIN
) -> tuple[int, int, int, int]:
    """What to show of some points of a picture: x and y of the first pixel, and of the one after the last.

    ``points``: pixels of a picture of ``size`` (width, height); the answer: of one of the size ``shown``. ``least``: margin, as a
    share of its width.
    """
    width, height = shown
    at = np.asarray(points, np.float64) * (width / size[0], height / size[1])
    low, high = at.min(axis=0), at.max(axis=0)
    room = max(least * width, 0.35 * float((high - low).max()))
    x0, y0 = np.clip(np.floor(low - room), 0, (width - 2, height - 2)).astype(int)
    x1, y1 = np.clip(np.ceil(high + room), (x0 + 2, y0 + 2), (width, height)).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _look(t: float, cards: Sequence[CardSeen]) -> Look:
    up = tuple((_quad(card.quad), card.card if card.deck != "unknown" else None) for card in cards if card.side == "face")
    return Look(t, up, tuple(_quad(card.quad) for card in cards if card.side == "back"))


def _quad(quad: Quad) -> Quad:
    a, b, c, d = _points(np.asarray(quad))
    return a, b, c, d


def _points(pixels: np.ndarray) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in pixels)
