"""The machine's one camera during an evening: it is read, shown to organisers and followed, and taken up again when it was
unplugged.

The camera side (`companion.line.worker`) reads it and looks, in a thread or in a process of its own; here the recorder is told
what became sure.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from companion.clock import CLOCK
from companion.decks.lists import BESIDE, ListId
from companion.eyes.cameras import CameraFound
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look
from companion.eyes.trouble import FrameQuality
from companion.games import game_of, house_game
from companion.ledger import Ledger
from companion.line.appearance import decoded
from companion.line.camera import BY_HAND, CameraHealth, CameraStatus, Point, SourceView
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.footage import Footage
from companion.line.notices import Notice, notices
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.recorder import EveningRecorder
from companion.line.sources.address import camera_number, plain
from companion.line.tablefile import TableFile, parse_table_file
from companion.line.worker.base import CameraWorker
from companion.line.worker.glimpses import EyesOf
from companion.line.worker.messages import Condition, Glimpsed, Job
from companion.line.worker.thread_worker import ThreadWorker
from companion.referee.record import Saw, encode_entry
from companion.table.errors import CompanionError, NotKept, Reason, SourceError
from companion.table.game import Over
from companion.table.log import Event

_log = logging.getLogger(__name__)

LOOKED_SECONDS = 3.0
"""Seconds between two notes of until when the table has been looked at: a restart counts what came after the last one as
unseen."""
MAX_EVENING_SECONDS = 2 * 86400.0
"""An evening that seems to have begun longer ago than this many seconds began by a clock that was wrong."""
UNSETTLED_SECONDS = 2.0
"""Seconds before a failure of the camera side that count as unseen: what happened then may not have been reported yet."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the evening wants of the camera: read ``source`` ("": nothing) and follow the game of ``recorder`` at ``table``, None
    without a game. ``cards``: what is played with; ``deck``: the taught deck, "" for the shipped one."""

    source: str = ""
    recorder: EveningRecorder | None = None
    table: TableFile | None = None
    cards: ListId = "stu"
    deck: str = ""

    @property
    def is_file(self) -> bool:
        return Job(0, self.source).is_file


class CameraSession:
    """Implements `companion.line.camera.Camera`. Use it as a context manager: the camera side runs inside the block.

    ``eyes``: makes what finds the cards; called once, when that is first needed. ``pace``: seconds of a video file played per
    second, once a game has begun; 0: as fast as the eyes can. A camera has its own pace. ``footage``: the last minutes of video.
    ``phone``: where a phone's pictures come in; None: a phone cannot be the camera. ``eyes_of``: the eyes for taught decks, and
    for other cards; without it ``eyes`` see all games. ``lessons``: what corrections teach the eyes.

    ``worker``: one that is no thread of this process: it has eyes and phone of its own. ``taught_by``: the same eyes once
    more, for lessons.
    """

    def __init__(
        self,
        ledger: Ledger,
        eyes: Callable[[], Look],
        *,
        find_cameras: Callable[..., tuple[CameraFound, ...]] | None = None,
        pace: float = 1.0,
        footage: Footage | None = None,
        phone: PhoneCamera | None = None,
        eyes_of: EyesOf | None = None,
        lessons: CorrectionsLearnt | None = None,
        worker: CameraWorker | None = None,
        taught_by: Callable[[ListId, str], Eyes] | None = None,
    ) -> None:
        self._ledger, self._pace, self._lessons, self._taught_by = ledger, pace, lessons, taught_by
        self.worker: CameraWorker = worker or ThreadWorker(
            eyes_of or (lambda cards, deck: eyes()), find_cameras=find_cameras, phone=phone
        )
        self.newest = self.worker.newest
        self.corners, self.check, self.shown = self.worker.corners, self.worker.check, self.worker.shown
        self._far = worker is not None
        self._lessons_sent = -1
        self._task = Task()
        self._number = self._deck_read = 0
        self._changing = threading.Lock()
        self._condition = Condition(0, "none")
        self._notices: tuple[Notice, ...] = ()
        self._noted = float("-inf")
        self._looked: float | None = None
        self.footage = footage or Footage()

    def __enter__(self) -> CameraSession:
        self.worker.start(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.worker.stop()

    @property
    def recorder(self) -> EveningRecorder | None:
        """The recorder that keeps the current evening; None before there is one."""
        return self._task.recorder

    @property
    def condition(self) -> Condition:
        """How the camera is, and when it was last looked at."""
        return self._condition

    def resume(self) -> EveningRecorder | None:
        """Continue the ledger's newest game if it is an evening that was begun here and is not over; else None."""
        game_id = self._ledger.newest()
        if game_id is None or "camera" not in (notes := self._ledger.notes(game_id)):
            return None
        try:
            recorder = EveningRecorder.resume(self._ledger, game_id)
            table = parse_table_file(notes["table"]) if notes.get("table") else None
        except (NotKept, CompanionError) as error:
            _log.warning("the last evening is shown, but not gone on with: %s", error)
            return None
        if isinstance(recorder.waiting, Over):
            return None
        self._do(Task(notes["camera"], recorder, table, house_game(recorder.evening.game).cards, notes.get("deck", "")))
        return recorder

    def sources(self) -> tuple[SourceView, ...]:
        """See `Camera.sources`. A file or address in use is listed too."""
        source, size = self._task.source, self._condition.size
        number = camera_number(source) or source
        found = self.worker.cameras((number,) if number.isdigit() else ())
        views = [SourceView(one.number, one.name, one.size or size) for one in found]
        if source and source != PHONE and source not in (one.source for one in views):
            views.append(SourceView(plain(source), Path(source).name if self._task.is_file else plain(source), size))
        return tuple(views)

    def refused(self, source: str) -> CompanionError | None:
        """See `Camera.refused`."""
        if source == PHONE or self._is_in_use(source):
            return None
        found = self.worker.refused(source)
        return _error(found.cause.text, found.cause.values, found.reason) if found.cause is not None else None

    def choose(self, source: str) -> None:
        """See `Camera.choose`. While a game is on, the choice outlives a restart."""
        task = self._task
        source = task.source if self._is_in_use(source) else source
        if task.source == source and self._condition.state in ("live", "held"):
            return
        if task.recorder is not None:
            self._ledger.note(task.recorder.game_id, camera=source)
        self._do(replace(task, source=source))

    def status(self) -> CameraStatus:
        """See `Camera.status`."""
        now, task = self._condition, self._task
        cause = _error(now.cause.text, now.cause.values, now.reason) if now.cause is not None else None
        source = plain(task.source)
        return CameraStatus(
            source, now.state, now.reason, now.size, now.per_second, cause, task.deck, now.deck_lost, now.amiss
        )  # fmt: skip

    def health(self) -> CameraHealth:
        """See `Camera.health`."""
        now, looked = self._condition, self._looked
        ago = round(time.monotonic() - looked, 3) if looked is not None else None
        follows = self._task.table is not None and bool(self._task.source)
        return CameraHealth(now.state, follows, ago, now.looks_per_second, self.worker.restarts, self.worker.memory, now.amiss)

    def jpeg(self, width: int) -> bytes | None:
        """See `Camera.jpeg`."""
        return self.worker.jpeg(width) if self._condition.size is not None else None

    def moment(self, t: float, places: tuple[int, ...]) -> bytes | None:
        """These places (from 0) at ``t`` seconds into the evening, as JPEG; None where that is too long ago, or was not seen."""
        recorder = self._task.recorder
        return self.footage.crop(recorder.game_id, t, places) if recorder is not None else None

    def notices(self) -> tuple[Notice, ...]:
        """What the people at the table should know now, including that the camera gives nothing, or nothing new."""
        now = self._condition
        if self._task.table is not None and now.state in ("lost", "frozen"):
            black = now.amiss == "black"
            return (Notice("gap" if now.state == "lost" else "black" if black else "frozen", 0.0),)
        if self._task.table is not None and now.amiss:
            return (Notice("resized" if now.amiss == "other_shape" else now.amiss, 0.0),)
        if self._task.table is not None and now.resized:
            return (Notice("resized", 0.0),)
        return self._notices

    def play_with(self, deck: str, cards: ListId) -> None:
        """See `Camera.play_with`. While a game is on, the choice outlives a restart."""
        task = self._task
        if cards in BESIDE.values():
            if BESIDE.get(task.cards) == cards:
                self._deck_read += 1
                self._do(task)
            return
        if task.recorder is not None:
            if task.cards != cards:
                return
            self._ledger.note(task.recorder.game_id, deck=deck)
        if deck or (task.cards, task.deck) != (cards, deck):
            self._deck_read += 1  # the file may have been made again under its name
            self._do(replace(task, cards=cards, deck=deck))

    def begin(self, first: Event, table: bytes | None, deck: str = "") -> int:
        """See `Camera.begin`."""
        place = parse_table_file(table) if table is not None else None
        source = self._task.source if place is not None else ""
        name = "phone" if source == PHONE else Path(source).name if Task(source).is_file else plain(source)
        recorder = EveningRecorder.begin(
            self._ledger, first, name or BY_HAND, camera=source, table=table.decode() if table is not None else "",
            **({"deck": deck} if deck else {}),
        )  # fmt: skip
        self._do(Task(self._task.source, recorder, place, game_of(first).cards, deck))
        return recorder.game_id

    def leave(self) -> None:
        """See `Camera.leave`."""
        if self._task.recorder is not None or self._condition.state == "ended":
            self._do(replace(self._task, recorder=None, table=None))

    def go_on(self, game: int, table: bytes | None, deck: str = "") -> None:
        """See `Camera.go_on`."""
        recorder = EveningRecorder.resume(self._ledger, game)
        if isinstance(recorder.waiting, Over):
            raise CompanionError(f"game {game} is over: begin a new one")
        place = parse_table_file(table) if table is not None else None
        source = self._task.source if place is not None else ""
        notes = {"camera": source, "table": table.decode() if table is not None else "", "deck": deck}
        if notes["table"] != self._ledger.notes(game).get("table"):
            notes["look"] = ""  # the corners were set again
        if source and source != self._ledger.notes(game).get("camera"):
            notes["at"] = "0"  # another video file begins at its beginning
        self._ledger.take_up(game, **notes)
        self._do(Task(self._task.source, recorder, place, house_game(recorder.evening.game).cards, deck))

    def moved(self, corners: tuple[Point, ...], size: tuple[int, int]) -> None:
        """See `Camera.moved`."""
        task = self._task
        if task.recorder is None or task.table is None:
            raise CompanionError("no game is followed with the camera: begin one first")
        kept = self._ledger.notes(task.recorder.game_id).get("table")  # players may have been renamed
        table = (parse_table_file(kept) if kept else task.table).with_corners(corners, size)
        self._ledger.note(task.recorder.game_id, table=table.encode().decode(), look="")
        self._do(replace(task, table=table))

    def on_message(self, message: Condition | Glimpsed) -> None:
        """See `companion.line.worker.base.Listener`."""
        with self._changing:
            task = self._task
            if message.job != self._number:
                return
            if isinstance(message, Condition):
                self._condition = message
                self._looked = message.looked or self._looked
                return
        if task.recorder is not None and task.table is not None:
            self._glimpsed(task, task.recorder, message)

    def job(self) -> Job:
        """See `companion.line.worker.base.Listener`."""
        with self._changing:
            task, number = self._task, self._number
        return self._job(task, number, UNSETTLED_SECONDS)

    def _glimpsed(self, task: Task, recorder: EveningRecorder, seen: Glimpsed) -> None:
        if seen.looks is not None:
            self._ledger.note(recorder.game_id, look=msgspec.json.encode(seen.looks).decode())
        self.footage.keep(recorder.game_id, seen.t, seen.cards, seen.size, seen.corners, seen.places, lambda: seen.jpeg)
        looked = {"looked": f"{seen.t:.3f}"} if seen.blind is None else {}
        if seen.sightings:
            recorder.saw(seen.sightings, at=f"{seen.t:.3f}", **looked)
        elif looked and seen.t - self._noted >= LOOKED_SECONDS:
            self._ledger.note(recorder.game_id, **looked)
        else:
            looked = {}
        self._noted = seen.t if looked else self._noted
        if self._lessons is not None:
            self._lessons.attend(recorder.evening, recorder.game_id, self.footage)
            self._teach(self._lessons)
        found = notices(recorder.evening, FrameQuality(seen.blind, seen.since), seen.t)
        if self._task is task:
            self._notices = found

    def _teach(self, lessons: CorrectionsLearnt) -> None:
        """Let the camera side have what has been learnt, where it does not have it already."""
        if self._far and lessons.changes != self._lessons_sent:
            self._lessons_sent = lessons.changes
            self.worker.learn(lessons.kept)

    def _do(self, task: Task) -> None:
        with self._changing:
            before, self._task = self._task, task
            self._number += 1
            number = self._number
            size = self._condition.size if task.source == before.source else None
            self._condition = Condition(number, "opening" if task.source else "none", size=size)
            self._notices = ()
            self._noted = float("-inf")
        if self._lessons is not None and self._far:
            if self._taught_by is not None:
                self._lessons.expects(partial(self._taught_by, task.cards, task.deck), task.deck or task.cards, task.cards)
            self._teach(self._lessons)
        self.worker.do(self._job(task, number))

    def _job(self, task: Task, number: int, unsettled: float = 0.0) -> Job:
        """``unsettled``: seconds before the last look that count as unseen, too."""
        recorder, table = task.recorder, task.table
        job = Job(number, task.source, task.cards, task.deck, self._deck_read, recorder is not None, self._pace)
        if recorder is None or table is None:
            return job
        job = structs.replace(job, at=time.monotonic())
        notes, evening = self._ledger.notes(recorder.game_id), recorder.evening
        # A file continues where it was left; a camera's time is counted from the beginning of the evening.
        start = float(notes.get("at", "0")) if task.is_file else max(evening.t, self._age(recorder))
        since = float(notes["looked"]) if "looked" in notes and not task.is_file else None
        before = tuple(encode_entry(Saw(one), evening.game) for one in evening.sightings)
        since = None if since is None else max(min(since, evening.t), since - unsettled)
        looked = decoded(notes.get("look", "")) if not task.is_file else None
        return structs.replace(
            job, table=table.encode(), before=before, start=start, since=since, stills=self.footage.keeps, looked=looked
        )

    def _is_in_use(self, source: str) -> bool:
        """Whether this is how pages are told of the source that is in use: it may have a password that they are not told."""
        return source == plain(self._task.source) != self._task.source

    def _age(self, recorder: EveningRecorder) -> float:
        """Seconds since the evening began; 0 where the clock was put right since then, and nobody can know."""
        began = next(game.started for game in self._ledger.games() if game.id == recorder.game_id)
        age = CLOCK.age(began)
        return age if age < MAX_EVENING_SECONDS else 0.0


def _error(text: str, values: Mapping[str, str | int | float], reason: str) -> SourceError:
    """The error that the camera side has told of."""
    return SourceError(Reason("", text), **values) if text else SourceError(reason)
