"""All cameras of an evening taken together: what each tells is joined and kept, the further ones look at what the first one looks
at, and the ledger knows them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec import structs

from companion.clock import CLOCK
from companion.decks.lists import ListId
from companion.eyes.sighting import Sighting
from companion.eyes.trouble import FrameQuality
from companion.ledger import Ledger
from companion.line.appearance import decoded
from companion.line.camera import Point
from companion.line.films import FURTHER_INTERVAL_SECONDS
from companion.line.footage import MIN_INTERVAL_SECONDS, Footage
from companion.line.further import VIEWS, FurtherCamera, decoded_views, encoded_views
from companion.line.joint import Joint
from companion.line.notices import Notice, notices
from companion.line.recorder import GATHER, EveningRecorder
from companion.line.tablefile import TableFile
from companion.line.worker.messages import Glimpsed, Job
from companion.referee.record import Saw, encode_entry
from companion.table.errors import CompanionError

_log = logging.getLogger(__name__)

LOOKED_SECONDS = 3.0
"""Seconds between two notes of until when the table has been looked at: a restart counts what came after the last one as
unseen."""
MAX_EVENING_SECONDS = 2 * 86400.0
"""An evening that seems to have begun longer ago than this many seconds began by a clock that was wrong."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the evening wants of the first camera: read ``source`` ("": nothing) and follow the game of ``recorder`` at ``table``,
    None without a game. ``cards``: what is played with; ``deck``: the taught deck, "" for the shipped one."""

    source: str = ""
    recorder: EveningRecorder | None = None
    table: TableFile | None = None
    cards: ListId = "stu"
    deck: str = ""

    @property
    def is_file(self) -> bool:
        return Job(0, self.source).is_file


class First(Protocol):
    """What is asked of the first camera: `companion.line.camera_session.CameraSession`."""

    @property
    def footage(self) -> Footage: ...
    @property
    def task(self) -> Task: ...
    @property
    def resting(self) -> bool: ...
    def job_for(self, task: Task, source: str, /) -> Job: ...
    def say(self, recorder: EveningRecorder, found: tuple[Notice, ...], /) -> None: ...


class CamerasTogether:
    """Implements `companion.line.further.Evenings` for the ``further`` cameras beside the ``first``. Any thread may ask.

    ``quality``: how the first one's last picture was, and when (seconds); None: there is none of this game. ``noted``: when the
    ledger was last told that somebody looks, seconds into the evening.
    """

    def __init__(self, ledger: Ledger, further: tuple[FurtherCamera, ...], first: First) -> None:
        self._ledger, self._further, self._first = ledger, further, first
        self.quality: tuple[FrameQuality, float] | None = None
        self.noted = float("-inf")
        self._telling, self._arranging = threading.RLock(), threading.RLock()
        self._joint: Joint | None = None
        self._followed: EveningRecorder | None = None
        self._seen_until: float | None = None
        self._clock, self._clocked = 0.0, 0
        for view in further:
            view.belongs(self)

    @property
    def joined(self) -> bool:
        """Whether several cameras tell of the game."""
        return self._joint is not None

    def tell(self, number: int, recorder: EveningRecorder, seen: Glimpsed) -> None:
        """Tell the recorder what the camera with this number (from 0) has seen, and the ledger until when anybody looked."""
        looked = {"looked": f"{seen.t:.3f}"} if seen.blind is None else {}
        with self._telling:
            if self._joint is not None and self._followed is recorder:
                told = self._joint.hear(number, seen, recorder, at=f"{seen.t:.3f}", **looked)
                for view in self._further[number - 1 : number] if number else self._further:
                    view.apart = self._joint.later(view.number - 1) is not None
            elif told := bool(seen.sightings):
                recorder.saw(seen.sightings, at=f"{seen.t:.3f}", **looked)
            if not told and looked and seen.t - self.noted >= LOOKED_SECONDS:
                self._ledger.note(recorder.game_id, **looked)
            elif not told:
                looked = {}
            self.noted = seen.t if looked else self.noted
        if number == 0 and seen.blind is None:
            self._seen_until = seen.t

    def beside(self, view: FurtherCamera, game: int, seen: Glimpsed) -> None:
        """See `companion.line.further.Evenings`."""
        recorder = self._first.task.recorder
        if recorder is None or recorder.game_id != game or self._first.resting:
            return
        if seen.looks is not None:
            self._ledger.note(game, **{f"look{view.number}": msgspec.json.encode(seen.looks).decode()})
        view.footage.keep(game, seen.t, seen.cards, seen.size, seen.corners, seen.places, lambda: seen.jpeg)
        self.tell(view.number - 1, recorder, seen)
        self._first.say(recorder, notices(recorder.evening, FrameQuality(None, None), seen.t, seen.waiting))

    def arrange(self) -> None:
        """See `companion.line.further.Evenings`: what all of them are to do as things stand."""
        with self._arranging:
            task = self._first.task
            recorder = task.recorder if task.table is not None else None
            with self._telling:
                if recorder is not self._followed:
                    self.part()
                    self._followed = recorder
                if recorder is not None and task.table is not None and self._joint is None and self._several(task.table):
                    going_on = self._seen_until is not None
                    places = len(task.table.table.players)
                    self._joint = Joint(recorder.evening, 1 + len(self._further), places, going_on=going_on)
            text = encoded_views(self._further)
            if recorder is not None and text != self._ledger.notes(recorder.game_id).get(VIEWS, ""):
                self._ledger.note(recorder.game_id, **{VIEWS: text})
            for view in self._further:
                view.do(self.job_of(view), recorder.game_id if recorder is not None else 0)

    def job_of(self, view: FurtherCamera, unsettled: float = 0.0) -> Job:
        """See `companion.line.further.Evenings`."""
        task, joint = self._first.task, self._joint
        job = self._first.job_for(task, view.source)
        here = view.table(task.table) if task.recorder is not None and task.table is not None else None
        if here is None or task.recorder is None or joint is None or not job.playing:
            return job
        job = self._following(job, task.recorder, here, f"look{view.number}", view.looked, unsettled, joint.own(view.number - 1))
        return structs.replace(job, stills=FURTHER_INTERVAL_SECONDS) if job.stills else job

    def following(self, job: Job, recorder: EveningRecorder, table: TableFile, unsettled: float) -> Job:
        """The first camera's ``job`` with the game that it follows at this ``table``. ``unsettled``: seconds before the last look
        that count as unseen, too."""
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
        stills = MIN_INTERVAL_SECONDS if self._first.footage.keeps else 0.0
        aside = GATHER in notes and len(evening.log) == 1 and not before
        return structs.replace(
            job, table=table.encode(), before=before, start=start, since=since, stills=stills, looked=looked, aside=aside
        )

    def looked_until_now(self, recorder: EveningRecorder) -> None:
        """Nothing was missed until now: no card has been played yet."""
        self._seen_until = self._now(recorder)
        self._ledger.note(recorder.game_id, looked=f"{self._seen_until:.3f}")
        for view in self._further:
            view.looked = self._seen_until

    def _now(self, recorder: EveningRecorder) -> float:
        """Seconds into the evening, as the cameras know them."""
        if self._joint is not None and self._clocked == recorder.game_id:
            return self._clock + time.monotonic()
        return max(recorder.evening.t, self._age(recorder))

    def _age(self, recorder: EveningRecorder) -> float:
        """Seconds since the evening began; 0 where the clock was put right since then, and nobody can know."""
        began = next(game.started for game in self._ledger.games() if game.id == recorder.game_id)
        age = CLOCK.age(began)
        return age if age < MAX_EVENING_SECONDS else 0.0

    def take_up(self, notes: Mapping[str, str]) -> None:
        """Take the further cameras from an evening's ``notes``, where none is chosen."""
        if not any(view.source for view in self._further):
            for view, kept in zip(self._further, decoded_views(notes.get(VIEWS, "")), strict=False):
                view.source, view.lie = kept.camera, kept.lie

    def views_for(self, table: TableFile | None) -> dict[str, str]:
        """The note of an evening that begins at this table, with the further cameras. One that was shown the places of others
        has to be shown them again."""
        for view in self._further:
            if view.lie is not None and (table is None or view.lie.beside != places_of(table)):
                view.lie = None
        text = encoded_views(self._further) if table is not None else ""
        return {VIEWS: text} if text else {}

    def _several(self, table: TableFile) -> bool:
        return any(view.source and view.table(table) is not None for view in self._further)

    def part(self) -> None:
        """The game is followed no more: what was held is told."""
        if self._joint is not None and self._followed is not None:
            try:
                self._joint.end(self._followed)
            except CompanionError as error:
                _log.warning("what the cameras told last is not kept: %s", error)
        self._joint = self._seen_until = self.quality = None


def places_of(table: TableFile) -> tuple[Point, ...]:
    """Where the players' cards lie, in pixels of its pictures."""
    return tuple(seat.place for seat in table.table.players)
