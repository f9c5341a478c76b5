"""The camera side as a thread: a picture comes, the eyes look at it when they are needed, and what became sure is sent.

Everything else only asks for what that thread has left.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from companion.eyes.cameras import CameraFound, cameras, picture_size, remembered
from companion.eyes.check import shown_at
from companion.eyes.following.aside import Aside
from companion.eyes.image import encode_jpeg
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.line.camera import Amiss, CameraState, CheckView, FoundCorners, Point
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.follow import watch
from companion.line.phone_camera import PHONE
from companion.line.phone_source import Inbox, phone_pictures
from companion.line.placewatch import PlaceWatch
from companion.line.sources.pictures import pictures
from companion.line.sources.wanted import check_source
from companion.line.tablefile import TableFile, parse_table_file
from companion.line.witness import Blackness, Freshness, Witness
from companion.line.worker.base import CameraWorker
from companion.line.worker.found import Found, Portrait
from companion.line.worker.glimpses import EyesOf, LoadedEyes, checked, corners_in, glimpsed
from companion.line.worker.messages import Cause, Condition, Job, Refusal, Shot, Source
from companion.referee.record import Saw, decode_entry
from companion.table.errors import SourceError

_log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""Seconds between two attempts to open a camera that was lost."""
WANTED_SECONDS = 5.0
"""Seconds for which the eyes look at the pictures of a camera without a game, after somebody asked what they see."""
HELD_SECONDS = 0.4
"""Seconds between two looks at a file that is held at its first picture."""
REOPEN_SECONDS = 12.0
"""Seconds after which a camera that has stopped is opened again: it may have been plugged in."""
BEAT_SECONDS = 1.0
"""Seconds between two reports of how the camera is, though nothing has changed."""
SHOWN_QUALITY = 82
"""JPEG quality of pictures for pages, OpenCV's scale of 0 to 100."""
SHOT_QUALITY = 95
"""JPEG quality of the newest picture at its full size, for teaching a deck; the same scale."""


class ThreadWorker(CameraWorker):
    """A camera worker that is a thread of this process.

    ``eyes_of``: makes what finds the cards; called when that is first needed, and for another deck. ``phone``: where a phone's
    pictures come in; None: a phone cannot be the camera.
    """

    def __init__(
        self, eyes_of: EyesOf, *, find_cameras: Callable[..., tuple[CameraFound, ...]] | None = None, phone: Inbox | None = None,
        learn: Callable[[bytes], None] = lambda kept: None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._eyes, self._phone, self._learn = LoadedEyes(eyes_of), phone, learn
        self._find_cameras = find_cameras or partial(cameras, size_of=remembered(picture_size))
        self._resized = False
        self._job = Job(0)
        self._state: CameraState = "none"
        self._reason, self._cause = "", None
        self._picture: Picture | None = None
        self._seen: tuple[Picture, tuple[CardSeen, ...]] | None = None
        self._table: TableFile | None = None
        self._wanted_until = self._told_at = 0.0
        self._fresh = Freshness()
        self._times: deque[float] = deque(maxlen=30)
        self._look_times: deque[float] = deque(maxlen=30)
        self._looks, self._looked_at = 0, None
        self._corrections: bytes | None = None
        self._black, self._witness, self._found_again = Blackness(), Witness(), Found()
        self._places, self._watching = PlaceWatch(), threading.Lock()

    _reason: str
    _cause: Cause | None
    _looked_at: float | None

    def do(self, job: Job) -> None:
        """See `CameraWorker`."""
        with self._changed:
            if job.source != self._job.source:
                self._picture = self._seen = None
                self._places = PlaceWatch()
                self._fresh.forget()
            self._job = job
            self._times.clear()
            self._changed.notify_all()

    def learn(self, kept: bytes) -> None:
        """See `CameraWorker`."""
        self._corrections = kept

    def newest(self) -> Picture | None:
        """See `CameraWorker`."""
        return self._picture if self._state in ("live", "held") else None

    def jpeg(self, width: int) -> bytes | None:
        """See `Queries`."""
        picture = self._picture
        return None if picture is None else encode_jpeg(picture.image, width, quality=SHOWN_QUALITY)

    def corners(self) -> FoundCorners | None:
        """See `Queries`."""
        picture = self._picture
        return corners_in(picture.image) if picture is not None else None

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        """See `Queries`."""
        seen = self._found()
        if seen is None:
            return None
        # A file that is held is not a slow camera.
        per_second = self._per_second() if self._state == "live" else 0.0
        with self._watching:
            if self._table is None:
                self._places.put(seen[0].t, seen[0].image, seen[1], places)
            return checked(seen[0].image, seen[1], self._table, corners, places, per_second, self._places)

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        """See `Queries`."""
        seen = self._found()
        faces = shown_at(seen[1], places) if seen is not None else (None,) * len(places)
        return tuple(face[0] if face is not None else None for face in faces)

    def cameras(self, in_use: tuple[str, ...]) -> tuple[Source, ...]:
        """See `Queries`."""
        return tuple(Source(one.number, one.name, one.size) for one in self._find_cameras(in_use))

    def refused(self, source: str) -> Refusal:
        """See `Queries`."""
        try:
            check_source(source)
        except SourceError as error:
            return Refusal(Cause.of(error), str(error))
        return Refusal()

    def shot(self, known: float | None) -> Shot | None:
        """See `Queries`."""
        picture = self.newest()
        if picture is None:
            return None
        return Shot(picture.t, encode_jpeg(picture.image, quality=SHOT_QUALITY) if picture.t != known else None)

    def _found(self) -> tuple[Picture, tuple[CardSeen, ...]] | None:
        """The last picture that was looked at, with its cards; requests that the eyes go on looking."""
        self._wanted_until = time.monotonic() + WANTED_SECONDS
        return self._seen

    def _per_second(self) -> float:
        return _rate(self._times)

    def _tell(self, job: Job) -> None:
        """Tell how the camera is."""
        picture = self._picture
        size = (picture.image.shape[1], picture.image.shape[0]) if picture is not None else None
        follows = self._table is not None
        amiss: Amiss = (
            "black" if self._black.lasting else self._found_again.amiss if follows else ""
        ) or ("nothing" if follows and self._witness.nothing else "")
        self._told_at = time.monotonic()
        with self._watching:
            hidden = self._places.hidden
        self._listener.on_message(Condition(
            job.number, self._state, self._reason, self._cause, size, self._per_second(), self._eyes.deck_lost, self._resized,
            self._eyes.loading, self._looks, _rate(self._look_times), self._looked_at, amiss if self._state != "lost" else "",
            hidden,
        ))  # fmt: skip

    def _say(self, job: Job, state: CameraState, reason: SourceError | str = "") -> None:
        """How the camera is from now on, which is told where that is news, and once a second."""
        news = (state, str(reason)) != (self._state, self._reason)
        self._state, self._reason = state, str(reason)
        self._cause = Cause.of(reason) if isinstance(reason, SourceError) else None
        if news or time.monotonic() - self._told_at >= BEAT_SECONDS:
            self._tell(job)

    def _still(self, job: Job) -> bool:
        """Whether this is still to be done; asked so often that it is also the beat."""
        still = self._job is job and not self._stopped
        if still and time.monotonic() - self._told_at >= BEAT_SECONDS:
            self._tell(job)
        return still

    def _wait(self, job: Job, seconds: float | None) -> None:
        """Wait up to ``seconds`` (None: no limit), or until there is something else to do."""
        end = time.monotonic() + seconds if seconds is not None else None
        while self._still(job) and (left := BEAT_SECONDS if end is None else min(end - time.monotonic(), BEAT_SECONDS)) > 0:
            with self._changed:
                self._changed.wait_for(lambda: self._job is not job or self._stopped, left)

    def _run(self) -> None:
        while not self._stopped:
            job = self._job
            try:
                self._table = parse_table_file(job.table) if job.table is not None else None
                self._resized = False
                self._say(job, "opening" if job.source else "none")
                if not job.source:
                    self._wait(job, None)
                elif self._table is None:
                    self._idle(job)
                else:
                    self._follow(job, self._table)
            except Exception as error:  # noqa: BLE001  one bad picture must not end the evening: report it and try again
                _log.exception("the camera side stumbled, and goes on")
                self._stumbled(job, f"{type(error).__name__}: {error}")

    def _stumbled(self, job: Job, reason: str) -> None:
        self._state, self._reason, self._cause = "lost", reason, None
        try:
            self._tell(job)
            self._wait(job, RETRY_SECONDS)
            again = self._listener.job()
        except Exception:  # noqa: BLE001  who listens stumbled once more
            _log.exception("the camera side stumbled again")
            time.sleep(min(RETRY_SECONDS, 1.0))
            return
        with self._changed:
            if self._job is job:
                self._job = again

    def _idle(self, job: Job) -> None:
        for picture in self._pictures(job):
            if time.monotonic() < self._wanted_until:
                self._seen = picture, self._eyes.of(job, lambda: self._tell(job))(picture)
                self._counted()

    def _follow(self, job: Job, table: TableFile) -> None:
        before = tuple(saw.sighting for text in job.before if isinstance(saw := decode_entry(text, table.game), Saw))
        looks = self._eyes.of(job, lambda: self._tell(job))
        shape, still = None, None
        self._witness = Witness()
        self._found_again = Found(job.looked, table, job.source)
        seen_as = Portrait(job.source if not job.is_file else "")
        pictures = self._found_again.only(self._pictures(job))
        first = next(pictures, None)
        if first is None:
            return
        aside = Aside() if job.aside else None
        for glimpse in watch(chain((first,), pictures), self._found_again.table, looks, before, job.since, aside):
            self._seen = glimpse.picture, glimpse.cards
            self._counted()
            shape = shape or glimpse.picture.image.shape
            self._resized = glimpse.picture.image.shape != shape
            t = glimpse.picture.t
            self._witness.put(t, glimpse.picture.image, glimpse.cards, bool(glimpse.frame_quality.hidden), glimpse.top)
            if glimpse.frame_quality.blind is None:
                with self._watching:
                    self._places.put(t, glimpse.picture.image, glimpse.cards, glimpse.top.to_pixels(glimpse.top.places))
            due = job.stills > 0 and (still is None or not 0 <= t - still < job.stills)
            keep = due and glimpse.frame_quality.blind is None
            still = t if keep else still
            looks_now = seen_as.of(glimpse)
            if looks_now is not None:
                self._found_again.keep(looks_now)
            self._listener.on_message(glimpsed(job, table, glimpse, keep, looks_now, aside is not None and aside.waiting))

    def _counted(self) -> None:
        self._looks, self._looked_at = self._looks + 1, time.monotonic()
        self._look_times.append(self._looked_at)

    def _pictures(self, job: Job) -> Iterator[Picture]:
        """The source's pictures for as long as this is to be done, however often the camera is lost."""
        while self._still(job):
            opened, given = time.monotonic(), False
            self._black = Blackness()
            self._found_again.again()
            start = job.start if job.is_file else job.start + opened - job.at
            try:
                for picture in self._read(job, start):
                    if job.is_file and not self._on_time(job, picture.t - start, opened):
                        return
                    given = True
                    self._put(job, picture)
                    kept, self._corrections = self._corrections, None
                    if kept is not None:
                        self._learn(kept)
                    if not self._halved(job):
                        yield picture
                    while job.is_file and not job.playing and self._still(job):
                        self._wait(job, HELD_SECONDS)
                        yield picture
                    if not self._still(job):
                        return
                    if self._state == "frozen" and not self._halved(job) and time.monotonic() - opened > REOPEN_SECONDS:
                        break
                else:
                    self._say(job, "ended")
                    self._wait(job, None)
            except SourceError as error:
                if self._still(job):
                    self._say(job, "ended" if job.is_file and given else "lost", error)
                no_wait = job.source == PHONE and self._phone is not None
                self._wait(job, None if self._state == "ended" else 0.0 if no_wait else RETRY_SECONDS)

    def _read(self, job: Job, start: float) -> Iterator[Picture]:
        """The source, opened once. A phone comes back when it likes, and is waited for from the first moment."""
        if job.source != PHONE:
            return pictures(job.source, LOOKS_PER_SECOND, start, lambda: self._still(job))
        patient = not job.playing and self._state == "opening"
        return phone_pictures(self._phone, start, lambda: self._still(job), patient)

    def _on_time(self, job: Job, into: float, opened: float) -> bool:
        """Wait until the picture ``into`` seconds after the first is due; False when there is something else to do by then."""
        if job.playing and job.pace > 0:
            self._wait(job, max(0.0, into / job.pace - (time.monotonic() - opened)))
        return self._still(job)

    def _halved(self, job: Job) -> bool:
        """Whether only half pictures come."""
        return not job.is_file and self._fresh.halved

    def _put(self, job: Job, picture: Picture) -> None:
        now = time.monotonic()
        before = self._picture.image if self._picture is not None else None
        self._fresh.put(before, picture.image, now, new=job.is_file)
        self._black.put(picture.t, picture.image)
        with self._changed:
            if self._job is not job:
                return
            self._picture = picture
            self._times.append(now)
        held, frozen = job.is_file and not job.playing, self._fresh.frozen or self._halved(job)
        self._say(job, "held" if held else "frozen" if frozen else "live")


def _rate(kept: deque[float]) -> float:
    """How often a second, by the last times (seconds)."""
    times = list(kept)
    if len(times) < 3 or time.monotonic() - times[-1] > RETRY_SECONDS:
        return 0.0
    return round((len(times) - 1) / max(times[-1] - times[0], 1e-6), 1)
