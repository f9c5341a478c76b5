"""The camera side in a process of its own, supervised: one that crashes, hangs or grows is ended and started again, after
longer and longer pauses. Pages and phones go on meanwhile; what was not seen, the next one reports as unseen.
"""

from __future__ import annotations

import functools
import logging
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec

from companion.eyes.image import decode_jpeg
from companion.eyes.source import Picture
from companion.line.camera import memory_of, processor_seconds
from companion.line.phone_camera import PhoneCamera
from companion.line.worker.base import QUERIES, CameraWorker, Queries
from companion.line.worker.messages import (
    Answer,
    Ask,
    Condition,
    Ended,
    FromWorker,
    Job,
    LearntCorrections,
    PhoneFrame,
    Setting,
    WantFrame,
    Wire,
    from_worker,
)

_log = logging.getLogger(__name__)

SILENT_SECONDS = 2.0
"""Seconds without a message, and without work, after which the camera counts as lost. One that works has too much to do: its
look takes long on a machine that is busy, and its camera is as it was."""
HUNG_SECONDS = 10.0
"""Seconds without a message after which the process hangs, and is ended. It sends one every second."""
LOADING_SECONDS = 60.0
"""Seconds without a message after which the process hangs while it starts, loads the eyes, or looks for the first time."""
CHOICE_SECONDS = 6.0
"""Seconds after which a process that has not turned to another camera hangs, too, and is ended."""
MAX_MEMORY_BYTES = 2 * 2**30
"""Bytes in memory above which the process is ended: eyes and pictures take a third of it."""
PAUSE_SECONDS = (0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before the process is started again, the first, second, … time in a row."""
STEADY_SECONDS = 60.0
"""Seconds after which a process counts as sound: the next pause is the first again."""
ANSWER_SECONDS = 2.0
"""Seconds for which a page waits for an answer."""
LOOK_SECONDS = 0.25
"""Seconds between two checks of the process."""


class ProcessWorker(CameraWorker):
    """A camera worker that is a process: it is watched, and replaced when it crashes or hangs. It answers each of `QUERIES`.

    ``setting``: its first message. ``eyes``: what makes its eyes, as MODULE:NAME; None: the trained ones. ``phone``: where a
    phone's pictures come in. ``idle``: it begins before there is anything to do.
    """

    def __init__(
        self, setting: Setting, phone: PhoneCamera | None = None, eyes: str | None = None, *, idle: bool = True
    ) -> None:
        super().__init__()
        self._idle = idle
        self._setting = msgspec.structs.replace(setting, phone=phone is not None)
        self._phone, self._eyes = phone, eyes
        self._process: subprocess.Popen[bytes] | None = None
        self._post: queue.SimpleQueue[msgspec.Struct | None] | None = None
        self._job: Job | None = None
        self._given_at = 0.0
        self._lesson: LearntCorrections | None = None
        self._ids = count(1)
        self._answers: dict[int, bytes | None] = {}
        self._asked: set[int] = set()
        self._shot: Picture | None = None

    @property
    def memory(self) -> int | None:  # type: ignore[override]  # read-only here: it is looked up
        """See `CameraWorker`."""
        process = self._process
        return memory_of(process.pid) if process is not None else None

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    def do(self, job: Job) -> None:
        """See `CameraWorker`."""
        with self._changed:
            self._job, self._given_at, self._shot = job, time.monotonic(), None
            self._send(job)
            self._changed.notify_all()

    def learn(self, kept: bytes) -> None:
        """See `CameraWorker`."""
        with self._changed:
            self._lesson = LearntCorrections(kept)
            self._send(self._lesson)

    def newest(self) -> Picture | None:
        """See `CameraWorker`."""
        known = self._shot
        shot = self.shot(known.t if known is not None else None)
        if shot is None:
            return None
        if shot.jpeg is not None:
            self._shot = known = Picture(shot.t, decode_jpeg(shot.jpeg))
        return known

    def ask(self, query: str, *arguments: Any) -> bytes | None:
        """The result of this query, encoded; None where none comes in time."""
        with self._changed:
            if self._post is None:
                return None
            number = next(self._ids)
            self._asked.add(number)
            self._send(Ask(number, query, arguments))
            self._changed.wait_for(lambda: number in self._answers or self._post is None, ANSWER_SECONDS)
            self._asked.discard(number)
            return self._answers.pop(number, None)

    def _send(self, message: msgspec.Struct) -> None:
        """Have it sent, where there is a process; nobody waits for it."""
        if self._post is not None:
            self._post.put(message)

    def _run(self) -> None:
        """Run one process after another until stopped."""
        soon = 0
        while not self._stopped:
            if not self._idle:
                with self._changed:
                    self._changed.wait_for(lambda: self._stopped or (self._job is not None and bool(self._job.source)))
                if self._stopped:
                    return
            begun = time.monotonic()
            why = self._one()
            if self._stopped:
                return
            soon = 0 if time.monotonic() - begun > STEADY_SECONDS else soon
            pause = PAUSE_SECONDS[min(soon, len(PAUSE_SECONDS) - 1)]
            soon += 1
            _log.warning("the camera side %s: it is started again in %.1f seconds", why, pause)
            self._lost(why)
            self.restarts += 1  # only now: together with the new count nobody may read that the old process is still "live"
            with self._changed:
                job = self._job
                self._changed.wait_for(lambda: self._stopped or self._job is not job, pause)  # noqa: B023  another one may be sound
            self._again()

    def _again(self) -> None:
        """Ask for the job again, as things stand now."""
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
        try:
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        except OSError as error:  # in the middle of an update the program's files are not there; or memory is short
            ours.close()
            return f"cannot be begun ({error.strerror})"
        finally:
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
        """Receive its messages until it ends or has to be ended; what became of it."""
        heard = active = measured = time.monotonic()
        loading, doing, lost, worked = True, -1, False, processor_seconds(process.pid)
        while not self._stopped:
            try:
                message = wire.receive(LOOK_SECONDS)
            except Ended:
                return _ended(process)
            now = time.monotonic()
            if message is not None:
                heard, active, lost = now, now, False
                try:
                    content = from_worker.decode(message)
                except msgspec.MsgspecError as error:  # of an update that was installed while this program runs
                    return f"is of another version ({error})"
                if isinstance(content, Condition):
                    if loading and not content.loading:
                        self._given_at = now  # it could not begin before
                    loading, doing = content.loading, content.job
                try:
                    self._hear(content, frames)
                except Exception as error:  # noqa: BLE001  as the camera's thread: report it and try again
                    _log.exception("a message of the camera side was not taken")
                    return f"could not be heard ({type(error).__name__}: {error})"
            elif now - active > SILENT_SECONDS and not loading and not lost:
                self._lost("does not answer")
                lost = True
            if now - heard > (LOADING_SECONDS if loading else HUNG_SECONDS):
                return "hung"
            job = self._job
            if not loading and job is not None and doing != job.number and now - self._given_at > CHOICE_SECONDS:
                return "hung in another camera"
            if now - measured > LOOK_SECONDS:
                measured = now
                if (memory_of(process.pid) or 0) > MAX_MEMORY_BYTES:
                    return f"grew beyond {MAX_MEMORY_BYTES >> 20} MB"
                if (spent := processor_seconds(process.pid)) != worked:
                    active, worked = now, spent
        return "was stopped"

    def _hear(self, message: FromWorker, frames: queue.SimpleQueue[WantFrame | None]) -> None:
        match message:
            case Answer(id=number, value=value):
                with self._changed:
                    if number in self._asked:
                        self._answers[number] = value
                        self._changed.notify_all()
            case WantFrame():
                frames.put(message)
            case _:
                self._listener.on_message(message)

    def _lost(self, why: str) -> None:
        """Report that nothing is seen just now."""
        job = self._job
        if job is not None and job.source:
            self._listener.on_message(Condition(job.number, "lost", f"the camera side {why}: it starts again by itself"))


def _proxy(name: str, of: Any) -> Callable[..., Any]:
    """The method that asks the process this query; where no answer comes it is that of a machine without a camera."""
    unanswered = getattr(Queries, name)
    decoder = msgspec.msgpack.Decoder(of)

    @functools.wraps(unanswered)
    def asked(self: ProcessWorker, *arguments: Any) -> Any:
        answer = self.ask(name, *arguments)
        return decoder.decode(answer) if answer is not None else unanswered(self, *arguments)

    return asked


for _name, _of in QUERIES.items():
    setattr(ProcessWorker, _name, _proxy(_name, _of))


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
