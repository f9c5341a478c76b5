"""The machine's one camera during an evening: it is read, shown to organisers and followed, and opened again after it was
unplugged.

The camera side (`companion.line.worker`) reads it and looks, in a thread or in a process of its own; here the recorder is told
what became sure.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from companion.decks.lists import BESIDE, ListId
from companion.eyes.cameras import CameraFound
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look
from companion.eyes.trouble import FrameQuality
from companion.games import game_of, house_game
from companion.ledger import Ledger
from companion.line.breaks import has_break
from companion.line.camera import BY_HAND, CameraHealth, CameraStatus, Lie, Point, SourceView
from companion.line.conditions import error_of, status_of, taken_on, trouble, trouble_of
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.films import Films
from companion.line.footage import Footage
from companion.line.further import UNSETTLED_SECONDS, FurtherCamera
from companion.line.notices import Notice, notices
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.recorder import EveningRecorder
from companion.line.sources.address import camera_number, plain, same_camera
from companion.line.tablefile import parse_table_file
from companion.line.together import CamerasTogether, Task, places_of
from companion.line.worker.base import CameraWorker
from companion.line.worker.glimpses import EyesOf
from companion.line.worker.messages import Condition, Glimpsed, Job
from companion.line.worker.thread_worker import ThreadWorker
from companion.table.errors import CompanionError, NotKept
from companion.table.game import Over
from companion.table.log import Event

_log = logging.getLogger(__name__)


class CameraSession:
    """Implements `companion.line.camera.Camera`. Use it as a context manager: the camera side runs inside the block.

    ``eyes``: makes what finds the cards; called once, when that is first needed. ``pace``: seconds of a video file played per
    second, once a game has begun; 0: as fast as the eyes can. A camera has its own pace. ``footage``: the last minutes of video.
    ``phone``: where a phone's pictures come in; None: a phone cannot be the camera. ``eyes_of``: the eyes for taught decks, and
    for other cards; without it ``eyes`` see all games. ``corrections``: what they teach the eyes.

    ``worker``: the camera side, where it is not to be a thread of this process; it has eyes and phone of its own. ``taught_by``:
    makes the same eyes in this process, so that they can learn from corrections. ``further``: other cameras that may be at
    the table; none of them counts before it was chosen and shown the table.
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
        corrections: CorrectionsLearnt | None = None,
        worker: CameraWorker | None = None,
        taught_by: Callable[[ListId, str], Eyes] | None = None,
        further: Sequence[FurtherCamera] = (),
    ) -> None:
        self._ledger, self._pace, self._corrections, self._taught_by = ledger, pace, corrections, taught_by
        self.worker: CameraWorker = worker or ThreadWorker(
            eyes_of or (lambda cards, deck: eyes()), find_cameras=find_cameras, phone=phone
        )
        self.newest = self.worker.newest
        self.corners, self.check, self.shown = self.worker.corners, self.worker.check, self.worker.shown
        self._far = worker is not None
        self._corrections_sent = -1
        self._task = Task()
        self._number = self._deck_read = 0
        self._changing = threading.Lock()
        self._condition = Condition(0, "none")
        self._notices: tuple[Notice, ...] = ()
        self._looked: float | None = None
        self._resting = False
        self.footage = footage or Footage()
        self.further = tuple(further)
        self.films = Films(self.footage, [view.footage for view in self.further]) if self.further else self.footage
        self._together = CamerasTogether(ledger, self.further, self)

    def __enter__(self) -> CameraSession:
        self.worker.start(self)
        for view in self.further:
            view.worker.start(view)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in (self.worker, *(view.worker for view in self.further)):
            worker.stop()
        self._together.part()

    @property
    def task(self) -> Task:
        """What the evening wants of the camera."""
        return self._task

    @property
    def resting(self) -> bool:
        """Whether the table has a break."""
        return self._resting

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
        self._together.take_up(notes)
        self._resting = has_break(notes)
        self._do(Task(notes["camera"], recorder, table, house_game(recorder.evening.game).cards, notes.get("deck", "")))
        return recorder

    def sources(self) -> tuple[SourceView, ...]:
        """See `Camera.sources`. A file or address in use is listed too."""
        source, size = self._task.source, self._condition.size
        numbers = [camera_number(one) or one for one in (source, *(view.source for view in self.further))]
        found = self.worker.cameras(tuple(number for number in numbers if number.isdigit()))
        views = [SourceView(one.number, one.name, one.size or size) for one in found]
        if source and source != PHONE and source not in (one.source for one in views):
            views.append(SourceView(plain(source), Path(source).name if self._task.is_file else plain(source), size))
        return tuple(views)

    def refused(self, source: str) -> CompanionError | None:
        """See `Camera.refused`."""
        if source == PHONE or self._is_in_use(source):
            return None
        found = self.worker.refused(source)
        return error_of(found.cause, found.reason) if found.cause is not None else None

    def choose(self, source: str) -> None:
        """See `Camera.choose`. While a game is on, the choice outlives a restart. A further camera that it was is none any more:
        one camera that counts as two would confirm its own errors."""
        task = self._task
        source = task.source if self._is_in_use(source) else source
        for view in self.further:
            if source != PHONE and same_camera(view.source, source):
                source = view.source if source == plain(view.source) else source
                view.choose("")
        if task.source == source and self._condition.state in ("live", "held"):
            return
        if task.recorder is not None:
            self._ledger.note(task.recorder.game_id, camera=source)
        self._do(replace(task, source=source))

    def status(self) -> CameraStatus:
        """See `Camera.status`."""
        return status_of(self._condition, self._task.source, self._task.deck)

    def health(self) -> CameraHealth:
        """See `Camera.health`."""
        now, looked = self._condition, self._looked
        ago = round(time.monotonic() - looked, 3) if looked is not None else None
        follows = self._task.table is not None and bool(self._task.source)
        return CameraHealth(now.state, follows, ago, now.looks_per_second, self.worker.restarts, self.worker.memory, now.amiss,
                            now.hidden_places)  # fmt: skip

    def jpeg(self, width: int) -> bytes | None:
        """See `Camera.jpeg`."""
        return self.worker.jpeg(width) if self._condition.size is not None else None

    def moment(self, t: float, places: tuple[int, ...]) -> bytes | None:
        """A picture of these places (from 0) at ``t`` seconds into the evening, as JPEG; None where that is too long ago, or was
        not seen."""
        recorder = self._task.recorder
        return self.films.crop(recorder.game_id, t, places) if recorder is not None else None

    def notices(self) -> tuple[Notice, ...]:
        """What the people at the table should know now, including that the camera gives nothing, or nothing new."""
        if self._resting:
            return ()
        follows = self._task.table is not None
        if follows and any(view.follows for view in self.further):
            first = trouble_of(self._condition, self._together.quality, 1) if self._task.source else ()
            return (*first, *(one for view in self.further for one in view.notices()), *self._notices)
        alone = trouble(self._condition) if follows else None
        return (alone,) if alone is not None else self._notices

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

    def begin(self, first: Event, table: bytes | None, deck: str = "", **notes: str) -> int:
        """See `Camera.begin`."""
        place = parse_table_file(table) if table is not None else None
        source = self._task.source if place is not None else ""
        name = "phone" if source == PHONE else Path(source).name if Task(source).is_file else plain(source)
        recorder = EveningRecorder.begin(
            self._ledger, first, name or BY_HAND, camera=source, table=table.decode() if table is not None else "",
            **({"deck": deck} if deck else {}), **self._together.views_for(place), **notes,
        )  # fmt: skip
        self._resting = False
        self._do(Task(self._task.source, recorder, place, game_of(first).cards, deck))
        return recorder.game_id

    def rest(self, on: bool) -> None:
        """See `Camera.rest`. Once the table plays again, what has changed meanwhile is looked at as after a stop, unless
        nothing had been seen of a hand when the break began: then nothing can have been missed."""
        task, self._resting = self._task, on
        if not on and task.recorder is not None and not task.recorder.evening.sightings:
            self._together.looked_until_now(task.recorder)
        self._do(task)

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
        self._together.take_up(self._ledger.notes(game))
        self._resting = has_break(self._ledger.notes(game))
        self._ledger.take_up(game, **notes, **self._together.views_for(place))
        self._do(Task(self._task.source, recorder, place, house_game(recorder.evening.game).cards, deck))

    def moved(self, corners: tuple[Point, ...], size: tuple[int, int]) -> None:
        """See `Camera.moved`."""
        task = self._task
        if task.recorder is None or task.table is None:
            raise CompanionError("no game is followed with the camera: begin one first")
        kept = self._ledger.notes(task.recorder.game_id).get("table")  # players may have been renamed
        table = (parse_table_file(kept) if kept else task.table).with_corners(corners, size)
        self._ledger.note(task.recorder.game_id, table=table.encode().decode(), look="")
        for view in self.further:
            view.lie = structs.replace(view.lie, beside=places_of(table)) if view.lie is not None else None
        self._do(replace(task, table=table))

    def on_message(self, message: Condition | Glimpsed) -> None:
        """See `companion.line.worker.base.Listener`."""
        with self._changing:
            task = self._task
            if message.job != self._number:
                return
            if isinstance(message, Condition):
                self._condition = taken_on(self._condition, message)
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
        self._together.tell(0, recorder, seen)
        if self._corrections is not None:
            self._corrections.attend(recorder.evening, recorder.game_id, self.footage)
            self._teach(self._corrections)
        quality = FrameQuality(seen.blind, seen.since)
        found = notices(recorder.evening, FrameQuality(None, None) if self._together.joined else quality, seen.t, seen.waiting)
        if self._task is task:
            self._notices, self._together.quality = found, (quality, seen.t)

    def _teach(self, corrections: CorrectionsLearnt) -> None:
        """Let the camera side have what has been learnt, where it does not have it already."""
        if self._far and corrections.changes != self._corrections_sent:
            self._corrections_sent = corrections.changes
            for worker in (self.worker, *(view.worker for view in self.further)):
                worker.learn(corrections.kept)

    def placed(self) -> tuple[tuple[str, ...], Lie] | None:
        """See `Camera.placed`."""
        recorder, table = self._task.recorder, self._task.table.table if self._task.table is not None else None
        if recorder is None or table is None or isinstance(recorder.waiting, Over):
            return None
        places = tuple(seat.place for seat in table.players)
        return tuple(seat.name for seat in table.players), Lie(table.image_size, table.corners, places, places)

    def take_up(self, game: int) -> None:
        """See `Camera.take_up`."""
        self._together.take_up(self._ledger.notes(game))
        self._together.arrange()

    def _do(self, task: Task) -> None:
        with self._changing:
            before, self._task = self._task, task
            self._number += 1
            number = self._number
            size = self._condition.size if task.source == before.source else None
            self._condition = Condition(number, "opening" if task.source else "none", size=size)
            self._notices = ()
            self._together.noted = float("-inf")
        if self._corrections is not None and self._far:
            if self._taught_by is not None:
                self._corrections.expects(partial(self._taught_by, task.cards, task.deck), task.deck or task.cards, task.cards)
            self._teach(self._corrections)
        self.worker.do(self._job(task, number))
        if self.further:
            self._together.arrange()

    def _job(self, task: Task, number: int, unsettled: float = 0.0) -> Job:
        """``unsettled``: seconds before the last look that count as unseen, too."""
        job = structs.replace(self.job_for(task, task.source), number=number)
        if task.recorder is None or task.table is None or not job.playing:
            return job
        return self._together.following(job, task.recorder, task.table, unsettled)

    def job_for(self, task: Task, source: str) -> Job:
        """The job of any camera of the evening, which reads this ``source``, without the game that it is to follow."""
        playing = task.recorder is not None and not self._resting
        return Job(0, source, task.cards, task.deck, self._deck_read, playing, self._pace)

    def say(self, recorder: EveningRecorder, found: tuple[Notice, ...]) -> None:
        """Replace the notices by these, if this recorder still keeps the evening."""
        if self._task.recorder is recorder:
            self._notices = found

    def _is_in_use(self, source: str) -> bool:
        """Whether this is how pages are told of the source that is in use: it may have a password that they are not told."""
        return source == plain(self._task.source) != self._task.source
