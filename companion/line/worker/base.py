"""What a camera worker is, whether it works in a thread or in a process: what can be asked of it, and how it begins and ends."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any, Protocol, get_type_hints

from companion.eyes.source import Picture
from companion.line.camera import CheckView, FoundCorners, Point
from companion.line.worker.messages import Condition, Glimpsed, Job, Refusal, Shot, Source

STOP_SECONDS = 10.0
"""Seconds for which `CameraWorker.stop` waits for its thread to end."""


class Listener(Protocol):
    """Gets what a camera worker finds. Called from one thread of the worker's."""

    def on_message(self, message: Condition | Glimpsed) -> None:
        """Something was seen, or the camera's condition has changed. What this raises counts as a stumble of the worker's."""

    def job(self) -> Job:
        """What the worker is to do as things stand now, after a stumble or a restart."""


class Queries:
    """What pages ask of a camera worker. Here the answers are those of a machine without a camera, and of a worker that does not
    answer in time; `ThreadWorker` overrides them.

    Any thread may call any of these. Arguments and results go through a pipe as they are (`QUERIES`): a query that is added here
    and in `ThreadWorker` needs nothing else.
    """

    def jpeg(self, width: int) -> bytes | None:
        """See `companion.line.camera.Camera.jpeg`."""
        return None

    def corners(self) -> FoundCorners | None:
        """See `companion.line.camera.Camera.corners`."""
        return None

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        """See `companion.line.camera.Camera.check`."""
        return None

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        """See `companion.line.camera.Camera.shown`."""
        return (None,) * len(places)

    def cameras(self, in_use: tuple[str, ...]) -> tuple[Source, ...]:
        """The cameras of this machine that give pictures."""
        return ()

    def refused(self, source: str) -> Refusal:
        """Whether this can be a source at all."""
        return Refusal()

    def shot(self, known: float | None) -> Shot | None:
        """The newest picture; ``known``: the time (seconds) of the one that the caller has already."""
        return None


QUERIES: dict[str, Any] = {
    name: get_type_hints(query)["return"] for name, query in vars(Queries).items() if not name.startswith("_")
}
"""Each query's name → the type of its result."""


class CameraWorker(Queries, ABC):
    """A camera worker: a thread that works until it is stopped, and gives its listener what it finds.

    ``_changed`` guards what other threads set, and is notified when they do. No method waits for a camera
    longer than two seconds.
    """

    restarts = 0
    """How often it had to be begun again."""
    memory: int | None = None
    """Bytes that its process has in memory; None where it has no process of its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopped = False
        self._listens: Listener | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    @property
    def _listener(self) -> Listener:
        """The listener; there is one from `start` on."""
        assert self._listens is not None
        return self._listens

    def start(self, listener: Listener) -> None:
        """Begin, with nothing to do."""
        self._listens = listener
        self._thread.start()

    def stop(self) -> None:
        """End."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._thread.join(STOP_SECONDS)

    @abstractmethod
    def do(self, job: Job) -> None:
        """Do this from now on."""

    @abstractmethod
    def learn(self, kept: bytes) -> None:
        """Read with these corrections from the next picture on: the file of `companion.line.corrections_learnt`, without the
        crops."""

    @abstractmethod
    def newest(self) -> Picture | None:
        """The newest picture; None while there is none. The same picture is the same object."""

    @abstractmethod
    def _run(self) -> None:
        """Work until stopped."""
