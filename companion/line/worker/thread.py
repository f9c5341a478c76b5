"""What both camera sides are: a thread that works until it is stopped, and tells its listener what it finds."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from companion.line.worker.messages import Listener

STOP_SECONDS = 10.0
"""For so long `stop` waits for the thread to end."""


class WorkerThread(ABC):
    """The part of `companion.line.worker.messages.Side` that begins and ends. ``_changed`` guards what others set, and is
    notified
    of it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopped = False
        self._listens: Listener | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    @property
    def _listener(self) -> Listener:
        """Who is told; there is one from `start` on."""
        assert self._listens is not None
        return self._listens

    def start(self, listener: Listener) -> None:
        """See `Side`."""
        self._listens = listener
        self._thread.start()

    def stop(self) -> None:
        """See `Side`."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._thread.join(STOP_SECONDS)

    @abstractmethod
    def _run(self) -> None:
        """Work until stopped."""
