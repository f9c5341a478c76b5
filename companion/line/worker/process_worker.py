"""The camera side in a process of its own, supervised: one that crashes, hangs or grows is ended and begun anew, after longer and
longer pauses. Pages and phones go on meanwhile; what was not seen, the next one reports as unseen.
"""

from __future__ import annotations

import logging
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import count
from typing import Any, TypeVar

import msgspec

from companion.eyes.image import decode_jpeg
from companion.eyes.source import Picture
from companion.line.camera import CheckView, FoundCorners, Point, memory_of
from companion.line.phone_camera import PhoneCamera
from companion.line.worker.messages import (
    Answer,
    Ask,
    Condition,
    FromWorker,
    Job,
    Lesson,
    PhoneFrame,
    Refusal,
    Setting,
    Shot,
    Source,
    WantFrame,
    from_worker,
)
from companion.line.worker.thread import WorkerThread
from companion.line.worker.wire import Ended, Wire

_log = logging.getLogger(__name__)
T = TypeVar("T")

SILENT_SECONDS = 2.0
"""A process that has said nothing for so long is said to be lost …"""
HUNG_SECONDS = 10.0
"""… and after this long it hangs, and is ended. It says something every second …"""
LOADING_SECONDS = 60.0
"""… but for the time in which it starts, or loads the eyes."""
CHOICE_SECONDS = 6.0
"""One that has not begun what it was told to do after so long hangs, too: another camera is wanted."""
MOST_MEMORY = 2 * 2**30
"""Bytes in memory above which it is ended: eyes and pictures take a third of it."""
PAUSES = (0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before it is begun anew, the first, second, … time in a row."""
STEADY_SECONDS = 60.0
"""One that has run for so long was sound: the next pause is the first again."""
ANSWER_SECONDS = 2.0
"""A page waits no longer for an answer."""
LOOK_SECONDS = 0.25
"""How often it is looked after."""


class ProcessWorker(WorkerThread):
    """Implements `companion.line.worker.messages.Side` with a process. ``setting``: what it is told first. ``eyes``: what makes
    its
    eyes, as MODULE:NAME; None: the trained ones. ``phone``: where a phone's pictures come in."""

    def __init__(self, setting: Setting, phone: PhoneCamera | None = None, eyes: str | None = None) -> None:
        super().__init__()
        self._setting = msgspec.structs.replace(setting, phone=phone is not None)
        self._phone, self._eyes = phone, eyes
        self._process: subprocess.Popen[bytes] | None = None
        self._post: queue.SimpleQueue[msgspec.Struct | None] | None = None
        self._job: Job | None = None
        self._given_at = 0.0
        self._lesson: Lesson | None = None
        self._ids = count(1)
        self._answers: dict[int, bytes | None] = {}
        self._asked: set[int] = set()
        self._shot: Picture | None = None
        self._restarts = 0

    @property
    def restarts(self) -> int:
        """See `Side`."""
        return self._restarts

    @property
    def memory(self) -> int | None:
        """See `Side`."""
        process = self._process
        return memory_of(process.pid) if process is not None else None

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    def do(self, job: Job) -> None:
        """See `Side`."""
        with self._changed:
            self._job, self._given_at, self._shot = job, time.monotonic(), None
            self._send(job)
            self._changed.notify_all()

    def learn(self, kept: bytes) -> None:
        """See `Side`."""
        with self._changed:
            self._lesson = Lesson(kept)
            self._send(self._lesson)

    def jpeg(self, width: int) -> bytes | None:
        """See `Side`."""
        found: bytes | None = self._ask(bytes, "jpeg", width)
        return found

    def newest(self) -> Picture | None:
        """See `Side`. The same picture is the same object."""
        known = self._shot
        shot = self._ask(Shot, "newest", known.t if known is not None else None)
        if shot is None:
            return None
        if shot.jpeg:
            self._shot = known = Picture(shot.t, decode_jpeg(shot.jpeg))
        return known

    def corners(self) -> FoundCorners | None:
        """See `Side`."""
        found: FoundCorners | None = self._ask(FoundCorners, "corners")
        return found

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        """See `Side`."""
        found: CheckView | None = self._ask(CheckView, "check", corners, places)
        return found

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        """See `Side`."""
        found: tuple[str | None, ...] | None = self._ask(tuple[str | None, ...], "shown", places)
        return found or (None,) * len(places)

    def cameras(self, in_use: tuple[str, ...]) -> tuple[Source, ...]:
        """See `Side`."""
        return self._ask(tuple[Source, ...], "cameras", in_use) or ()

    def refused(self, source: str) -> Refusal:
        """See `Side`."""
        return self._ask(Refusal, "refused", source) or Refusal()

    def _ask(self, kind: Any, what: str, *arguments: Any) -> Any:
        """The answer; None where none comes in time."""
        with self._changed:
            if self._post is None:
                return None
            number = next(self._ids)
            self._asked.add(number)
            self._send(Ask(number, what, arguments))
            self._changed.wait_for(lambda: number in self._answers or self._post is None, ANSWER_SECONDS)
            self._asked.discard(number)
            value = self._answers.pop(number, None)
        return msgspec.msgpack.decode(value, type=kind | None) if value is not None else None

    def _send(self, message: msgspec.Struct) -> None:
        """Have it sent, where there is a process; nobody waits for it."""
        if self._post is not None:
            self._post.put(message)

    def _run(self) -> None:
        """Run one process after another until stopped."""
        soon = 0
        while not self._stopped:
            begun = time.monotonic()
            why = self._one()
            if self._stopped:
                return
            soon = 0 if time.monotonic() - begun > STEADY_SECONDS else soon
            pause = PAUSES[min(soon, len(PAUSES) - 1)]
            soon += 1
            _log.warning("the camera side %s: it is begun anew in %.1f seconds", why, pause)
            self._lost(why)
            self._restarts += 1  # after that: who sees it counted must not find the old one's "live" beside it
            with self._changed:
                job = self._job
                self._changed.wait_for(lambda: self._stopped or self._job is not job, pause)  # noqa: B023  another one may be sound
            self._again()

    def _again(self) -> None:
        """Have the job anew, as things stand now."""
        try:
            job = self._listener.job()
        except Exception:  # noqa: BLE001  the ledger may be in trouble: the old job is as good
            _log.exception("the camera side goes on with its old job")
            return
        with self._changed:
            if self._job is None or self._job.number <= job.number:
                self._job = job

    def _one(self) -> str:
        """Run one process to its end, and say what became of it."""
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "companion.line.worker.process", str(theirs.fileno()), *filter(None, [self._eyes])]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        wire = Wire(ours)
        post: queue.SimpleQueue[msgspec.Struct | None] = queue.SimpleQueue()
        frames: queue.SimpleQueue[WantFrame | None] = queue.SimpleQueue()
        threading.Thread(target=_sent, args=(wire, post), name="camera-post", daemon=True).start()
        if self._phone is not None:
            threading.Thread(target=_framed, args=(self._phone, frames, post), name="camera-phone", daemon=True).start()
        with self._changed:
            self._process, self._post = process, post
            for message in (self._setting, self._lesson, self._job):
                if message is not None:
                    self._send(message)
            self._given_at = time.monotonic()
        try:
            return self._watched(process, wire, frames)
        finally:
            with self._changed:
                self._process = self._post = None
                self._answers.clear()
                self._changed.notify_all()
            post.put(None)
            frames.put(None)
            wire.close()
            if process.poll() is None:
                process.kill()
            process.wait()

    def _watched(self, process: subprocess.Popen[bytes], wire: Wire, frames: queue.SimpleQueue[WantFrame | None]) -> str:
        """Hear what it says until it ends or has to be ended; what became of it."""
        heard = measured = time.monotonic()
        loading, doing, lost = True, -1, False
        while not self._stopped:
            try:
                message = wire.receive(LOOK_SECONDS)
            except Ended:
                return _ended(process)
            now = time.monotonic()
            if message is not None:
                heard, lost = now, False
                told = from_worker.decode(message)
                if isinstance(told, Condition):
                    if loading and not told.loading:
                        self._given_at = now  # it could not begin before
                    loading, doing = told.loading, told.job
                try:
                    self._hear(told, frames)
                except Exception as error:  # noqa: BLE001  as the camera's thread: report it and try again
                    _log.exception("what the camera side has told was not taken")
                    return f"could not be heard ({type(error).__name__}: {error})"
            elif now - heard > SILENT_SECONDS and not loading and not lost:
                self._lost("does not answer")
                lost = True
            if now - heard > (LOADING_SECONDS if loading else HUNG_SECONDS):
                return "hung"
            job = self._job
            if not loading and job is not None and doing != job.number and now - self._given_at > CHOICE_SECONDS:
                return "hung in another camera"
            if now - measured > LOOK_SECONDS:
                measured = now
                if (memory_of(process.pid) or 0) > MOST_MEMORY:
                    return f"grew beyond {MOST_MEMORY >> 20} MB"
        return "was stopped"

    def _hear(self, told: FromWorker, frames: queue.SimpleQueue[WantFrame | None]) -> None:
        if isinstance(told, Answer):
            with self._changed:
                if told.id in self._asked:
                    self._answers[told.id] = told.value
                    self._changed.notify_all()
        elif isinstance(told, WantFrame):
            frames.put(told)
        else:
            self._listener.told(told)

    def _lost(self, why: str) -> None:
        """Tell that nothing is seen just now."""
        job = self._job
        if job is not None and job.source:
            self._listener.told(Condition(job.number, "lost", f"the camera side {why}: it is begun anew by itself"))


def _sent(wire: Wire, post: queue.SimpleQueue[msgspec.Struct | None]) -> None:
    """Send what is to be sent: a process that does not read holds up nobody else."""
    while (message := post.get()) is not None:
        try:
            wire.send(message)
        except Ended:
            return


def _framed(
    phone: PhoneCamera, wanted: queue.SimpleQueue[WantFrame | None], post: queue.SimpleQueue[msgspec.Struct | None]
) -> None:
    """Send a phone's newest picture whenever it is asked for."""
    while (want := wanted.get()) is not None:
        frame = phone.after(want.after, LOOK_SECONDS)
        if frame is None:
            post.put(PhoneFrame(0.0, None, phone.status().away))
        else:
            post.put(PhoneFrame(frame.at, frame.jpeg, away=False))


def _ended(process: subprocess.Popen[bytes]) -> str:
    """What became of a process whose socket is closed."""
    try:
        status = process.wait(2)
    except subprocess.TimeoutExpired:
        return "went silent"
    return f"crashed ({signal.Signals(-status).name})" if status < 0 else f"ended by itself (status {status})"
