"""A bell that is rung when pages should look again. It carries no message: those who hear it read the database."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

from companion.hall.database import Connection, Database, HallDown

PAUSE_SECONDS = 0.1
"""Seconds between two times that a process rings for the others: PostgreSQL makes one such commit wait for the other."""
LEARN_SECONDS = 0.5
"""Seconds between two looks at which tables other processes have let in or withdrawn."""
RETRY_SECONDS = 0.5
_CHANNEL = "hall"


class Bell:
    """A bell within one process. Any thread may ring, any number of them may wait."""

    def __init__(self) -> None:
        self._rung = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often the bell was rung since it was made."""
        return self._count

    def ring(self) -> None:
        """Wake everybody who waits."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    def wait(self, heard: int, seconds: float) -> bool:
        """Wait until the bell was rung more than ``heard`` times (`count`), at most this many ``seconds``. Returns whether it
        was."""
        with self._rung:
            return self._rung.wait_for(lambda: self._count > heard, seconds)

    def close(self) -> None:
        """End what the bell runs of its own. Closing twice is fine."""


class SharedBell(Bell):
    """A bell that is heard in every process that serves the same database, from when it is made until `close`. ``learn``: called
    every `LEARN_SECONDS`, to keep up with the tables that other processes have let in or withdrawn."""

    def __init__(self, database: Database, learn: Callable[[], None]) -> None:
        super().__init__()
        self._database, self._learn = database, learn
        self._name = secrets.token_hex(8)
        self._due, self._closed = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=self._again_and_again, args=(what,), name=what.__name__.strip("_"), daemon=True)
                         for what in (self._telling, self._listening)]  # fmt: skip
        for thread in self._threads:
            thread.start()

    def ring(self) -> None:
        """Wake everybody who waits, here and in the other processes."""
        super().ring()
        self._due.set()

    def close(self) -> None:
        """As `Bell.close`."""
        self._closed.set()
        self._due.set()
        for thread in self._threads:
            thread.join(10)

    def _again_and_again(self, what: Callable[[Connection], None]) -> None:
        """Do ``what`` over a connection until `close`, over a new connection whenever one breaks."""
        while not self._closed.is_set():
            try:
                with self._database.apart() as connection:
                    what(connection)
            except HallDown:
                self._closed.wait(RETRY_SECONDS)

    def _telling(self, connection: Connection) -> None:
        while self._due.wait() and not self._closed.is_set():
            self._due.clear()
            try:
                connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, self._name))
            except BaseException:
                self._due.set()
                raise
            self._closed.wait(PAUSE_SECONDS)

    def _listening(self, connection: Connection) -> None:
        connection.execute(f"LISTEN {_CHANNEL}".encode())
        super().ring()  # what was rung while nobody listened
        learnt = 0.0
        while not self._closed.is_set():
            for heard in connection.notifies(timeout=LEARN_SECONDS, stop_after=1):
                if heard.payload != self._name:
                    super().ring()
            if time.monotonic() - learnt >= LEARN_SECONDS:
                self._learn()
                learnt = time.monotonic()
