"""Several processes that serve one hall at one port, each with its own connections to the database. One that ends is started
again.
"""

from __future__ import annotations

import logging
import subprocess  # nosec B404 # begun with a list of words
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import msgspec

from companion.hall.table.membership import HallError

LOOK_SECONDS = 0.1
"""Seconds between two looks whether a process has ended."""
RESTART_SECONDS, MOST_RESTART_SECONDS = 1.0, 30.0
"""Least seconds between two starts of a process in one place; doubled after each short life, up to the second number."""
SHORT_LIFE_SECONDS = 10.0
"""Seconds: a process that has ended within this time has perhaps never served."""
MAX_SHORT_LIVES = 5
"""Number of short lives after which a process is given up that has never had a long one."""
END_SECONDS = 20.0
"""Seconds that a process has to end what it does before it is killed."""
CANNOT, DOWN = 2, 3
"""Exit statuses of a process that cannot serve, and of one that has not reached the database; each has printed why."""
_log = logging.getLogger(__name__)


class ProcessSettings(msgspec.Struct, frozen=True):
    """What a process gets on its standard input when it is started.

    Attributes:
        folder: the hall's. certificate: path of the file with the certificate and its private key.
        host, port, https_port: where to serve; ``https_port`` None: not over HTTPS.
        lang: the language of the big screen. keep_all: whether tables also send notes and reports, as with ``--keep-all``.
        says: the form in which it prints where it serves; "": it prints nothing.
    """

    folder: str
    host: str
    port: int
    https_port: int | None
    certificate: str
    lang: str
    keep_all: bool
    says: Literal["", "text", "json"] = ""


@dataclass
class _Place:
    """The place of one process: what it is ``told``, and the ``process`` that fills it now, with the times at which that has
    ``begun`` and ``ended`` (seconds of `time.monotonic`; ``ended`` None: it runs). ``short_lives``: how many processes in a row
    have ended within `SHORT_LIFE_SECONDS`; ``served``: one has run longer than that."""

    told: ProcessSettings
    process: subprocess.Popen[bytes]
    begun: float
    ended: float | None = None
    short_lives: int = 0
    served: bool = False

    def has_ended(self) -> None:
        """Count the life of the process, once it has ended. Raises HallError where it cannot serve, and none in this place ever
        has."""
        self.ended = time.monotonic()
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        if self.ended - self.begun > SHORT_LIFE_SECONDS:
            self.served, self.short_lives = True, 0
        else:
            self.short_lives += 1
        status = self.process.returncode
        if status == CANNOT and not self.served:
            raise HallError("a process of the hall cannot serve: what it said stands above")
        if self.short_lives >= MAX_SHORT_LIVES and not self.served:
            raise HallError(f"a process of the hall ends as soon as it has begun (status {status}): what it said stands above")

    @property
    def due(self) -> bool:
        """Whether it is time to start a process here again: the wait doubles with each short life, up to
        `MOST_RESTART_SECONDS`."""
        wait = RESTART_SECONDS * 2.0 ** max(self.short_lives - 1, 0)
        return time.monotonic() - self.begun >= min(wait, MOST_RESTART_SECONDS)


class Processes:
    """The processes of a hall, one for each of ``told``, started as ``python -m`` and ``command``; `run` looks after them."""

    def __init__(self, told: Sequence[ProcessSettings], command: Sequence[str]) -> None:
        self._told = told
        self._command = [sys.executable, "-P", "-m", *command]  # -P: no module is taken from the folder that this is begun in
        self._places: list[_Place] = []

    def run(self) -> None:
        """Keep all of them running until Ctrl-C. Raises HallError where a process cannot serve, and none in its place ever
        has."""
        try:
            for told in self._told:
                self._places.append(_Place(told, self._begun(told), time.monotonic()))
            while True:
                time.sleep(LOOK_SECONDS)
                for place in self._places:
                    if place.process.poll() is not None:
                        self._look_after(place)
        finally:
            self._end()

    def _look_after(self, place: _Place) -> None:
        if place.ended is None:
            place.has_ended()
        if not place.due:
            return
        status = place.process.returncode
        _log.warning("a process of the hall has ended (status %d) and is begun again; the others go on", status)
        told = msgspec.structs.replace(place.told, says="") if place.served else place.told
        place.process, place.begun, place.ended = self._begun(told), time.monotonic(), None

    def _begun(self, told: ProcessSettings) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(self._command, stdin=subprocess.PIPE)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # one that has ended already is seen to have
            process.stdin.write(msgspec.json.encode(told) + b"\n")
            process.stdin.flush()
        return process

    def _end(self) -> None:
        """Close each process's standard input, at which it ends; kill those that still run after `END_SECONDS`."""
        processes = [place.process for place in self._places]
        for process in processes:
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.close()
        until = time.monotonic() + END_SECONDS
        for process in processes:
            try:
                process.wait(max(until - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
