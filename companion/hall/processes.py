"""Several processes that serve one hall at one port, each with connections of its own to the database; one that ends is begun
again.
"""

from __future__ import annotations

import logging
import subprocess  # nosec B404 # begun with a list of words
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from companion.hall.table.membership import HallError

LOOK_SECONDS = 0.1
"""Seconds between two looks whether one has ended."""
RESTART_SECONDS = 1.0
"""Seconds, at least, between two beginnings of the same one."""
END_SECONDS = 20.0
"""Seconds for which one may end what it does; then it is killed."""
CANNOT = 2
"""Status with which one ends that cannot serve, and has said why."""
_log = logging.getLogger(__name__)


class Told(msgspec.Struct, frozen=True):
    """What a process is told: the hall's ``folder``; where to serve, ``https_port`` None: not over HTTPS; the certificate's file;
    the language of the big screen; whether the hall is to ``keep_all``; in what form it ``says`` where it serves, "" for not at
    all.
    """

    folder: str
    host: str
    port: int
    https_port: int | None
    certificate: str
    lang: str
    keep_all: bool
    says: Literal["", "text", "json"] = ""


class Processes:
    """As many as ``told``, each one begun by ``command`` and told what stands there; `run` looks after them."""

    def __init__(self, told: Sequence[Told], command: Sequence[str]) -> None:
        self._told, self._command = told, [sys.executable, "-m", *command]
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._begun: dict[int, float] = {}

    def run(self) -> None:
        """Keep them running until Ctrl-C. Raises HallError where one cannot serve from the first."""
        try:
            for place in range(len(self._told)):
                self._begin(place, self._told[place])
            while True:
                time.sleep(LOOK_SECONDS)
                for place, process in list(self._running.items()):
                    if process.poll() is not None:
                        self._ended(place, process)
        finally:
            self._end()

    def _ended(self, place: int, process: subprocess.Popen[bytes]) -> None:
        if process.returncode == CANNOT:
            raise HallError("a process of the hall cannot serve: what it said stands above")
        if time.monotonic() - self._begun[place] < RESTART_SECONDS:
            return
        _log.warning("a process of the hall has ended (status %d) and is begun again; the others go on", process.returncode)
        self._begin(place, msgspec.structs.replace(self._told[place], says=""))

    def _begin(self, place: int, told: Told) -> None:
        self._begun[place] = time.monotonic()
        self._running[place] = process = subprocess.Popen(self._command, stdin=subprocess.PIPE)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # one that has ended already is seen to have
            process.stdin.write(msgspec.json.encode(told) + b"\n")
            process.stdin.flush()

    def _end(self) -> None:
        """A process ends once nobody is left who could tell it anything."""
        for process in self._running.values():
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.close()
        until = time.monotonic() + END_SECONDS
        for process in self._running.values():
            try:
                process.wait(max(until - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
