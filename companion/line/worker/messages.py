"""What the evening and the camera side send each other: small frozen messages through a socket, checked when they are
received."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from typing import Any

import msgspec
from msgspec import Struct

from companion.decks.lists import ListId
from companion.eyes.sighting import CardSeen, Point, Why
from companion.line.appearance import Appearance
from companion.line.camera import Amiss, CameraState
from companion.line.sources.address import is_file
from companion.table.errors import SourceError


class Job(Struct, frozen=True, tag=True):
    """What the camera side is to do from now on: read ``source`` ("": nothing).

    ``number``: of the choice; what it tells carries it. ``table``: TABLE.json of the game that is followed, None for none, with
    ``before``, the sightings of the hand in progress (each an entry of a record), ``start``, the first picture's time in
    seconds, and ``since``, until when the table has been looked at before; None: it has not. ``playing``: a video file is
    played, ``pace`` seconds of it per second (0: as fast as it goes), and does not wait on its first picture. ``deck_read``:
    rises when the deck's file is to be read again. ``looked``: how the table looked when it was seen last, None where that is
    not known. ``stills``: least seconds from one picture that is sent for the footage to the next; 0: none is sent. ``aside``:
    cards that lie there at first are not the first hand: the places were marked by them.
    """

    number: int
    source: str = ""
    cards: ListId = "stu"
    deck: str = ""
    deck_read: int = 0
    playing: bool = False
    pace: float = 1.0
    table: bytes | None = None
    before: tuple[bytes, ...] = ()
    start: float = 0.0
    at: float = 0.0
    since: float | None = None
    stills: float = 0.0
    looked: Appearance | None = None
    aside: bool = False

    @property
    def is_file(self) -> bool:
        """Whether the source is a video file."""
        return is_file(self.source)


class Cause(Struct, frozen=True):
    """A `SourceError`, to be made again: its sentence for gettext, and what fills its blanks."""

    text: str
    values: dict[str, str | int | float]

    @staticmethod
    def of(error: SourceError) -> Cause:
        """The cause that tells this error."""
        plain = {name: one if isinstance(one, (int, float)) else str(one) for name, one in error.values.items()}
        return Cause(error.text, plain)


class Condition(Struct, frozen=True, tag=True):
    """How the camera is; sent on every change, and every second.

    ``job``: the number of the job. ``reason`` and ``cause``: as of `companion.line.camera.CameraStatus`. ``size``: width and
    height of its pictures; ``resized``: they have another size or shape than when the game began to be followed. ``loading``:
    the eyes are being loaded, or look for the first time, which takes seconds. ``amiss``: what is wrong with what it shows.
    ``looks``: pictures looked at since the camera side began, and per second lately; ``looked``: when the last one was, seconds
    of `time.monotonic`. ``hidden_places``: as of `companion.line.camera.CameraHealth`.
    """

    job: int
    state: CameraState
    reason: str = ""
    cause: Cause | None = None
    size: tuple[int, int] | None = None
    per_second: float = 0.0
    deck_lost: bool = False
    resized: bool = False
    loading: bool = False
    looks: int = 0
    looks_per_second: float = 0.0
    looked: float | None = None
    amiss: Amiss = ""
    hidden_places: tuple[int, ...] = ()


class Glimpsed(Struct, frozen=True, tag=True):
    """What was made of one picture of the game that is followed: `companion.line.follow.Glimpse` without its picture.

    ``cards``: None where nothing may be concluded from it, for the reason ``blind``, ``since`` when (seconds). ``sightings``:
    each an entry of a record. ``size``, ``corners``, ``places``: the picture's, the table's and the players', pixels. ``jpeg``:
    the picture itself, where it is one for the footage. ``looks``: how the table looks now, where that is to be kept. ``hidden``:
    the places (from 0) that cannot be seen in it. ``waiting``: cards from before the game still lie there.
    """

    job: int
    t: float
    cards: tuple[CardSeen, ...] | None
    sightings: tuple[bytes, ...]
    blind: Why | None
    since: float | None
    size: tuple[int, int]
    corners: tuple[Point, ...]
    places: tuple[Point, ...]
    jpeg: bytes | None
    looks: Appearance | None = None
    hidden: tuple[int, ...] = ()
    waiting: bool = False


class Ask(Struct, frozen=True, tag=True):
    """One of `companion.line.worker.base.QUERIES`, by its name, with its arguments. ``id``: that of its answer."""

    id: int
    query: str
    arguments: tuple[Any, ...] = ()


class Answer(Struct, frozen=True, tag=True):
    """The result of a query, in MessagePack; None where it could not be found out."""

    id: int
    value: bytes | None


class LearntCorrections(Struct, frozen=True, tag=True):
    """What corrections have taught: the file of `companion.line.corrections_learnt`, without the crops."""

    kept: bytes


class WantFrame(Struct, frozen=True, tag=True):
    """The phone's next picture, please: one taken later than ``after``, seconds of `time.monotonic`."""

    after: float


class PhoneFrame(Struct, frozen=True, tag=True):
    """The phone's newest picture, None where there is no newer one yet; ``away``: its page is hidden or closed."""

    at: float
    jpeg: bytes | None
    away: bool


class Setting(Struct, frozen=True, tag=True):
    """The first message to a process: the folder of deck files, those that were given beside them, and whether a phone
    can be the camera. ``nice``: by how much the process steps back behind others (0: not at all, 19: behind all)."""

    decks: str = ""
    given: tuple[str, ...] = ()
    phone: bool = False
    nice: int = 0


class Source(Struct, frozen=True):
    """A camera that was found: as `companion.eyes.cameras.CameraFound`."""

    number: str
    name: str
    size: tuple[int, int] | None


class Refusal(Struct, frozen=True):
    """Why something cannot be a source; ``cause`` None: it can."""

    cause: Cause | None = None
    reason: str = ""


class Shot(Struct, frozen=True):
    """The newest picture: its time in seconds, and its JPEG at full size; None where it is the one that is known already."""

    t: float
    jpeg: bytes | None


ToWorker = Setting | Job | Ask | LearntCorrections | PhoneFrame
FromWorker = Condition | Glimpsed | Answer | WantFrame


encode = msgspec.msgpack.encode
to_worker: msgspec.msgpack.Decoder[ToWorker] = msgspec.msgpack.Decoder(ToWorker)
from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


# The socket: each message is its length in four bytes, then MessagePack.


MAX_BYTES = 32 * 2**20
"""Greatest size of one message, bytes: a picture at its full size takes a tenth of it."""


class Ended(Exception):
    """The other end is gone, or says what it cannot say."""


class Wire:
    """One end. One thread receives; any may send."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()
        self._rest = bytearray()

    def send(self, message: Struct) -> None:
        """Send it. Raises Ended."""
        data = encode(message)
        if len(data) > MAX_BYTES:
            raise Ended(f"a message of {len(data)} bytes")
        try:
            with self._sending:
                self._end.sendall(len(data).to_bytes(4, "big") + data)
        except OSError as error:
            raise Ended(str(error)) from None

    def receive(self, seconds: float | None = None) -> bytes | None:
        """The next message as it came; None where it has not come whole within ``seconds`` (None: no limit).
        Raises Ended."""
        end = None if seconds is None else time.monotonic() + seconds
        while (message := self._whole()) is None:
            try:
                if end is not None and not select.select([self._end], [], [], max(0.0, end - time.monotonic()))[0]:
                    return None
                more = self._end.recv(1 << 18)
            except (OSError, ValueError) as error:  # ValueError: closed by another thread
                raise Ended(str(error)) from None
            if not more:
                raise Ended("the other end is gone")
            self._rest += more
        return message

    def close(self) -> None:
        """End it, for all that wait at either end."""
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _whole(self) -> bytes | None:
        length = int.from_bytes(self._rest[:4], "big")
        if length > MAX_BYTES:
            raise Ended(f"a message of {length} bytes")
        if len(self._rest) < 4 + length or len(self._rest) < 4:
            return None
        message = bytes(self._rest[4 : 4 + length])
        del self._rest[: 4 + length]
        return message
