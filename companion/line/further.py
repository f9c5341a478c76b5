"""A further camera at the table, beside the first: what it looks through, where the table lies in its pictures, and how it is.

It is a camera side of its own (`companion.line.worker`), supervised alone and lost alone. What it sees goes to the evening
(`companion.line.together`), which joins what all cameras tell (`companion.line.joint`).
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

import msgspec
from msgspec import Struct, structs

from companion.eyes.table import Seat
from companion.eyes.trouble import FrameQuality
from companion.line.camera import CameraHealth, CameraStatus, Lie
from companion.line.conditions import status_of, taken_on, trouble_of
from companion.line.footage import Footage
from companion.line.notices import Notice
from companion.line.sources.address import plain
from companion.line.tablefile import TableFile, parse_table_file
from companion.line.worker.base import CameraWorker
from companion.line.worker.messages import Condition, Glimpsed, Job
from companion.table.errors import TableError

UNSETTLED_SECONDS = 2.0
"""Seconds before a failure of the camera side that count as unseen: what happened then may not have been reported yet."""
VIEWS = "views"
"""Name of the note with the further cameras of an evening, as JSON: what they look through, and where the table lies."""


class KeptCamera(Struct, frozen=True):
    """A further camera as the ledger has it. ``lie``: None where nobody has shown it the table."""

    camera: str
    lie: Lie | None = None


def encoded_views(views: tuple[FurtherCamera, ...]) -> str:
    """The note for these cameras; "" where none is chosen."""
    if not any(one.source for one in views):
        return ""
    return msgspec.json.encode([KeptCamera(one.source, one.lie) for one in views]).decode()


def decoded_views(text: str) -> tuple[KeptCamera, ...]:
    """What a note says; nothing where it cannot be read."""
    try:
        return msgspec.json.decode(text, type=tuple[KeptCamera, ...]) if text else ()
    except msgspec.MsgspecError:
        return ()


class FurtherCamera:
    """Implements `companion.line.camera.FurtherView`, and listens to its worker. Any thread may ask.

    ``number``: what people call it, from 2; ``footage``: the last minutes of its video. `belongs` comes before anything else.
    ``looked``: when it last saw the table, seconds into the evening. ``apart``: whether it sees what the first camera sees at
    other times.
    """

    def __init__(self, number: int, worker: CameraWorker, footage: Footage) -> None:
        self.number, self.worker, self.footage = number, worker, footage
        self.jpeg, self.corners, self.check = worker.jpeg, worker.corners, worker.check
        self.source = ""
        self.lie: Lie | None = None
        self.looked: float | None = None
        self.apart = False
        self._lock = threading.Lock()
        self._condition = Condition(0, "none")
        self._quality: tuple[FrameQuality, float] | None = None
        self._doing, self._game = Job(0), 0
        self._looked_at: float | None = None

    def belongs(self, evening: Evenings) -> None:
        """To this evening, which is told what it sees."""
        self._evening = evening

    def choose(self, source: str) -> None:
        """See `FurtherView`."""
        if source == plain(self.source) != self.source:
            source = self.source
        if source == self.source and self._condition.state in ("live", "held"):
            return
        if not source:
            self.lie = None
        self.source = source
        self._evening.arrange()

    def show(self, lie: Lie) -> None:
        """See `FurtherView`."""
        self.lie = lie
        self._evening.arrange()

    def table(self, first: TableFile) -> TableFile | None:
        """The ``first`` camera's table as it lies here; None where nobody has shown it, or of other players."""
        lie = self.lie
        if lie is None or len(lie.places) != len(first.table.players):
            return None
        seats = tuple(Seat(seat.name, place) for seat, place in zip(first.table.players, lie.places, strict=True))
        try:
            here = structs.replace(first.table, image_size=lie.size, corners=lie.corners, players=seats)
            return parse_table_file(TableFile(here, first.first).encode())
        except TableError:
            return None

    def status(self) -> CameraStatus:
        """See `Camera.status`."""
        return status_of(self._condition, self.source)

    def health(self) -> CameraHealth:
        """See `Camera.health`."""
        now, looked = self._condition, self._looked_at
        ago = round(time.monotonic() - looked, 3) if looked is not None else None
        return CameraHealth(
            now.state, self.follows, ago, now.looks_per_second, self.worker.restarts, self.worker.memory, now.amiss,
            now.hidden_places,
        )  # fmt: skip

    @property
    def follows(self) -> bool:
        """Whether a game is followed with it."""
        return bool(self.source) and self._doing.table is not None

    def notices(self) -> tuple[Notice, ...]:
        """The notices about this camera; none while it follows no game."""
        if not self.follows:
            return ()
        apart = (Notice("apart", 0.0, view=self.number),) if self.apart else ()
        return trouble_of(self._condition, self._quality, self.number) or apart

    def do(self, job: Job, game: int) -> None:
        """Do this from now on, for the ``game`` with this id, unless it does already."""
        with self._lock:
            gone = bool(job.source) and self._condition.state not in ("live", "held", "opening", "ended")
            if _but_time(job) == _but_time(self._doing) and game == self._game and not gone:
                return
            size = self._condition.size if job.source == self._doing.source else None
            self.looked = self.looked if game == self._game else None
            self.apart = self.apart and game == self._game
            self._doing, self._game = structs.replace(job, number=self._doing.number + 1), game
            self._condition = Condition(self._doing.number, "opening" if job.source else "none", size=size)
            self._quality = None
            doing = self._doing
        self.worker.do(doing)

    def on_message(self, message: Condition | Glimpsed) -> None:
        """See `companion.line.worker.base.Listener`."""
        with self._lock:
            if message.job != self._doing.number:
                return
            if isinstance(message, Condition):
                self._condition = taken_on(self._condition, message)
                self._looked_at = message.looked or self._looked_at
                return
            self._quality = FrameQuality(message.blind, message.since), message.t
            self.looked = message.t if message.blind is None else self.looked
            game = self._game
        self._evening.beside(self, game, message)

    def job(self) -> Job:
        """See `companion.line.worker.base.Listener`."""
        with self._lock:
            number = self._doing.number
        return structs.replace(self._evening.job_of(self, UNSETTLED_SECONDS), number=number)


def _but_time(job: Job) -> Job:
    """The job without what only says how things stand."""
    return structs.replace(job, number=0, before=(), start=0.0, at=0.0, since=None, looked=None)


class Evenings(Protocol):
    """What a further camera belongs to: `companion.line.together.CamerasTogether`."""

    def arrange(self) -> None:
        """Let the camera look at something else, as the session decides."""

    def beside(self, view: FurtherCamera, game: int, seen: Glimpsed, /) -> None:
        """Take in what a further camera has seen of the game with this id."""

    def job_of(self, view: FurtherCamera, unsettled: float, /) -> Job:
        """The job of a further camera now. ``unsettled``: seconds before its last look that count as unseen."""
