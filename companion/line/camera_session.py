"""The machine's one camera during an evening: it is read, shown to organisers and followed, and taken up again when it was
unplugged.

The camera side (`companion.line.worker`) reads it and looks, in a thread or in a process of its own; here the recorder is told
what became sure.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
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
from companion.eyes.sighting import Sighting
from companion.eyes.trouble import FrameQuality
from companion.games import game_of, house_game
from companion.ledger import Ledger
from companion.line.appearance import decoded
from companion.line.breaks import has_break
from companion.line.camera import BY_HAND, CameraHealth, CameraStatus, Lie, Point, SourceView
from companion.line.conditions import error_of, status_of, trouble, trouble_of
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.films import Films
from companion.line.footage import Footage
from companion.line.further import FURTHER_PER_SECOND, UNSETTLED_SECONDS, VIEWS, FurtherCamera, decoded_views, encoded_views
from companion.line.joint import Joint
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
from companion.table.errors import CompanionError, NotKept
from companion.table.game import Over
from companion.table.log import Event

_log = logging.getLogger(__name__)

LOOKED_SECONDS = 3.0
"""Seconds between two notes of until when the table has been looked at: a restart counts what came after the last one as
unseen."""
MAX_EVENING_SECONDS = 2 * 86400.0
"""An evening that seems to have begun longer ago than this many seconds began by a clock that was wrong."""


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
    for other cards; without it ``eyes`` see all games. ``corrections``: what they teach the eyes.

    ``worker``: one that is no thread of this process: it has eyes and phone of its own. ``taught_by``: the same eyes once
    more, to learn from corrections. ``further``: cameras that may be at the table besides; without one that is chosen and has
    been shown the table, all is as if there were none.
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
        self._noted = float("-inf")
        self._looked: float | None = None
        self._resting = False
        self.footage = footage or Footage()
        self.further = tuple(further)
        self.films = Films(self.footage, [view.footage for view in self.further]) if self.further else self.footage
        self._telling, self._arranging = threading.RLock(), threading.RLock()
        self._joint: Joint | None = None
        self._followed: EveningRecorder | None = None
        self._seen_until: float | None = None
        self._clock, self._clocked = 0.0, 0
        self._quality: tuple[FrameQuality, float] | None = None
        for view in self.further:
            view.belongs(self)

    def __enter__(self) -> CameraSession:
        self.worker.start(self)
        for view in self.further:
            view.worker.start(view)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in (self.worker, *(view.worker for view in self.further)):
            worker.stop()
        self._part()

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
        self._take_up(notes)
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
        """These places (from 0) at ``t`` seconds into the evening, as JPEG; None where that is too long ago, or was not seen."""
        recorder = self._task.recorder
        return self.films.crop(recorder.game_id, t, places) if recorder is not None else None

    def notices(self) -> tuple[Notice, ...]:
        """What the people at the table should know now, including that the camera gives nothing, or nothing new."""
        if self._resting:
            return ()
        follows = self._task.table is not None
        if follows and any(view.follows for view in self.further):
            first = trouble_of(self._condition, self._quality, 1) if self._task.source else ()
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
            **({"deck": deck} if deck else {}), **self._views_for(place), **notes,
        )  # fmt: skip
        self._resting = False
        self._do(Task(self._task.source, recorder, place, game_of(first).cards, deck))
        return recorder.game_id

    def rest(self, on: bool) -> None:
        """See `Camera.rest`. Once the table plays again, what has changed meanwhile is looked at as after a stop; where no card
        lay before, there is nothing that could have been missed."""
        task, self._resting = self._task, on
        if not on and task.recorder is not None and not task.recorder.evening.sightings:
            self._seen_until = self._now(task.recorder)
            self._ledger.note(task.recorder.game_id, looked=f"{self._seen_until:.3f}")
            for view in self.further:
                view.looked = self._seen_until
        self._do(task)

    def _now(self, recorder: EveningRecorder) -> float:
        """Seconds into the evening, as the cameras know them."""
        if self._joint is not None and self._clocked == recorder.game_id:
            return self._clock + time.monotonic()
        return max(recorder.evening.t, self._age(recorder))

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
        self._take_up(self._ledger.notes(game))
        self._resting = has_break(self._ledger.notes(game))
        self._ledger.take_up(game, **notes, **self._views_for(place))
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
        self._told(0, recorder, seen)
        self._seen_until = seen.t if seen.blind is None else self._seen_until
        if self._corrections is not None:
            self._corrections.attend(recorder.evening, recorder.game_id, self.footage)
            self._teach(self._corrections)
        quality = FrameQuality(seen.blind, seen.since)
        found = notices(recorder.evening, quality if self._joint is None else FrameQuality(None, None), seen.t)
        if self._task is task:
            self._notices, self._quality = found, (quality, seen.t)

    def _told(self, number: int, recorder: EveningRecorder, seen: Glimpsed) -> None:
        """The recorder is told what the camera with this number (from 0) has seen, and the ledger until when anybody looked."""
        looked = {"looked": f"{seen.t:.3f}"} if seen.blind is None else {}
        with self._telling:
            if self._joint is not None and self._followed is recorder:
                told = self._joint.hear(number, seen, recorder, at=f"{seen.t:.3f}", **looked)
            elif told := bool(seen.sightings):
                recorder.saw(seen.sightings, at=f"{seen.t:.3f}", **looked)
            if not told and looked and seen.t - self._noted >= LOOKED_SECONDS:
                self._ledger.note(recorder.game_id, **looked)
            elif not told:
                looked = {}
            self._noted = seen.t if looked else self._noted

    def _teach(self, corrections: CorrectionsLearnt) -> None:
        """Let the camera side have what has been learnt, where it does not have it already."""
        if self._far and corrections.changes != self._corrections_sent:
            self._corrections_sent = corrections.changes
            for worker in (self.worker, *(view.worker for view in self.further)):
                worker.learn(corrections.kept)

    # Further cameras.

    def beside(self, view: FurtherCamera, game: int, seen: Glimpsed) -> None:
        """See `companion.line.further.Evenings`."""
        recorder = self._task.recorder
        if recorder is None or recorder.game_id != game or self._resting:
            return
        if seen.looks is not None:
            self._ledger.note(game, **{f"look{view.number}": msgspec.json.encode(seen.looks).decode()})
        view.footage.keep(game, seen.t, seen.cards, seen.size, seen.corners, seen.places, lambda: seen.jpeg)
        self._told(view.number - 1, recorder, seen)
        found = notices(recorder.evening, FrameQuality(None, None), seen.t)
        if self._task.recorder is recorder:
            self._notices = found

    def arrange(self) -> None:
        """See `companion.line.further.Evenings`: what all of them are to do as things stand."""
        with self._arranging:
            task = self._task
            recorder = task.recorder if task.table is not None else None
            with self._telling:
                if recorder is not self._followed:
                    self._part()
                    self._followed = recorder
                if recorder is not None and task.table is not None and self._joint is None and self._several(task.table):
                    going_on = self._seen_until is not None
                    places = len(task.table.table.players)
                    self._joint = Joint(recorder.evening, 1 + len(self.further), places, going_on=going_on)
            text = encoded_views(self.further)
            if recorder is not None and text != self._ledger.notes(recorder.game_id).get(VIEWS, ""):
                self._ledger.note(recorder.game_id, **{VIEWS: text})
            for view in self.further:
                view.do(self.job_of(view), recorder.game_id if recorder is not None else 0)

    def job_of(self, view: FurtherCamera, unsettled: float = 0.0) -> Job:
        """See `companion.line.further.Evenings`."""
        task, joint = self._task, self._joint
        playing = task.recorder is not None and not self._resting
        job = Job(0, view.source, task.cards, task.deck, self._deck_read, playing, self._pace, often=FURTHER_PER_SECOND)
        here = view.table(task.table) if task.recorder is not None and task.table is not None else None
        if here is None or task.recorder is None or joint is None or not playing:
            return job
        return self._following(job, task.recorder, here, f"look{view.number}", view.looked, unsettled, joint.own(view.number - 1))

    def placed(self) -> tuple[tuple[str, ...], Lie] | None:
        """See `Camera.placed`."""
        recorder, table = self._task.recorder, self._task.table.table if self._task.table is not None else None
        if recorder is None or table is None or isinstance(recorder.waiting, Over):
            return None
        places = tuple(seat.place for seat in table.players)
        return tuple(seat.name for seat in table.players), Lie(table.image_size, table.corners, places, places)

    def take_up(self, game: int) -> None:
        """See `Camera.take_up`."""
        self._take_up(self._ledger.notes(game))
        self.arrange()

    def _take_up(self, notes: Mapping[str, str]) -> None:
        if not any(view.source for view in self.further):
            for view, kept in zip(self.further, decoded_views(notes.get(VIEWS, "")), strict=False):
                view.source, view.lie = kept.camera, kept.lie

    def _views_for(self, table: TableFile | None) -> dict[str, str]:
        """The note of an evening that begins at this table, with the further cameras. One that was shown the places of others
        has to be shown them again."""
        for view in self.further:
            if view.lie is not None and (table is None or view.lie.beside != places_of(table)):
                view.lie = None
        text = encoded_views(self.further) if table is not None else ""
        return {VIEWS: text} if text else {}

    def _several(self, table: TableFile) -> bool:
        return any(view.source and view.table(table) is not None for view in self.further)

    def _part(self) -> None:
        """The game is followed no more: what was held is told."""
        if self._joint is not None and self._followed is not None:
            try:
                self._joint.end(self._followed)
            except CompanionError as error:
                _log.warning("what the cameras told last is not kept: %s", error)
        self._joint = self._seen_until = self._quality = None

    def _do(self, task: Task) -> None:
        with self._changing:
            before, self._task = self._task, task
            self._number += 1
            number = self._number
            size = self._condition.size if task.source == before.source else None
            self._condition = Condition(number, "opening" if task.source else "none", size=size)
            self._notices = ()
            self._noted = float("-inf")
        if self._corrections is not None and self._far:
            if self._taught_by is not None:
                self._corrections.expects(partial(self._taught_by, task.cards, task.deck), task.deck or task.cards, task.cards)
            self._teach(self._corrections)
        self.worker.do(self._job(task, number))
        if self.further:
            self.arrange()

    def _job(self, task: Task, number: int, unsettled: float = 0.0) -> Job:
        """``unsettled``: seconds before the last look that count as unseen, too."""
        recorder, table = task.recorder, task.table
        playing = recorder is not None and not self._resting
        job = Job(number, task.source, task.cards, task.deck, self._deck_read, playing, self._pace)
        if recorder is None or table is None or not playing:
            return job
        several = self._joint is not None and self._followed is recorder
        return self._following(job, recorder, table, "look", self._seen_until if several else None, unsettled)

    def _following(
        self, job: Job, recorder: EveningRecorder, table: TableFile, look: str, seen_until: float | None, unsettled: float,
        own: tuple[Sighting, ...] = (),
    ) -> Job:  # fmt: skip
        """The job of following the game at this ``table``. ``look``: the note that says how it looked. ``seen_until``: seconds,
        as this camera knows it; None: as any camera does. ``own``: what it has told of this hand, beside what all have."""
        job = structs.replace(job, at=time.monotonic())
        notes, evening = self._ledger.notes(recorder.game_id), recorder.evening
        # A file continues where it was left; a camera's time is counted from the beginning of the evening.
        start = float(notes.get("at", "0")) if job.is_file else self._now(recorder)
        if not job.is_file:
            # All cameras have one clock: that of the first.
            self._clock, self._clocked = start - job.at, recorder.game_id
        since = float(notes["looked"]) if "looked" in notes and not job.is_file else None
        since = since if since is None or seen_until is None else seen_until
        alone = (one for one in own if one not in evening.sightings)
        before = tuple(encode_entry(Saw(one), evening.game) for one in (*alone, *evening.sightings))
        since = None if since is None else max(min(since, evening.t), since - unsettled)
        looked = decoded(notes.get(look, "")) if not job.is_file else None
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


def places_of(table: TableFile) -> tuple[Point, ...]:
    """Where the players' cards lie, in pixels of its pictures."""
    return tuple(seat.place for seat in table.table.players)
