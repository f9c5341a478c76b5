"""A bell within one process: rung when pages should look again. It carries no message."""

from __future__ import annotations

import threading


class Bell:
    """Any thread rings, any number wait."""

    def __init__(self) -> None:
        self._rung = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often it was rung."""
        return self._count

    def ring(self) -> None:
        """Wake everybody who waits."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    def wait(self, heard: int, seconds: float) -> bool:
        """Wait until it was rung more than ``heard`` times, at most these seconds. Returns whether it was."""
        with self._rung:
            return self._rung.wait_for(lambda: self._count > heard, seconds)
