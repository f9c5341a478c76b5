"""What a thread of its own fills while others take from it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

PATIENCE = 600.0
"""Seconds that somebody waits for enough to be there."""


class BackgroundFeeder(ABC):
    """Filled by `_feed` in a thread of its own, from `__enter__` to `__exit__`."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._stop = threading.Event()
        self._feeder = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        self._feeding = self._feeder.submit(self._feed)
        self._feeding.add_done_callback(self._wake)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._feeder.shutdown()

    @abstractmethod
    def _feed(self) -> None:
        """The thread's work, until ``_stop`` is set; it tells ``_lock`` of whatever is new."""

    def _wake(self, feeding: Future[None]) -> None:
        with self._lock:
            self._lock.notify_all()

    def _await(self, enough: Callable[[], object]) -> None:
        """Waits, with the lock held, until there is ``enough`` or nothing more comes. Raises what went wrong in the thread."""
        self._lock.wait_for(lambda: enough() or self._feeding.done(), PATIENCE)
        if self._feeding.done():
            self._feeding.result()
