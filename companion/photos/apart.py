"""Photos are decoded in a process of its own: a decoder may crash on a stranger's file, hang in it, or fill the memory.

The process is started when it is first needed, and ends when nobody has needed it for a minute. Where a photo takes longer than
`PHOTO_SECONDS` the process is killed, and nothing else is harmed.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import sys
import threading
import time
from typing import Final

import numpy as np

from companion.photos import reasons
from companion.photos.reading import Image, NotRead

PHOTO_SECONDS: Final = 10.0
"""Seconds that a photo may take: the largest one takes three on a slow machine."""
STARTING_SECONDS: Final = 60.0
"""Seconds that the process may take to start: a busy machine has to load OpenCV from its disk."""
WAITING_SECONDS: Final = 20.0
"""Seconds for which a photo waits for others; after that its sender is asked to send it again."""


class _Over(Exception):
    """The decoding process has ended."""


class _Late(Exception):
    """The decoding process has not answered in time."""


class PhotoReader:
    """Reads photos in that process, one at a time. Any thread may ask. ``seconds``: time limit for one photo."""

    def __init__(self, seconds: float = PHOTO_SECONDS) -> None:
        self._seconds = seconds
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes, longest: int = 0) -> Image:
        """The photo in these bytes, as `companion.photos.reading.photo_of`, shrunk until its longer side has at most ``longest``
        pixels; 0: as it is. Raises NotRead."""
        if not self._turn.acquire(timeout=WAITING_SECONDS):
            raise NotRead(reasons.BUSY)
        try:
            return self._read(data, longest)
        finally:
            self._turn.release()

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for end in (process.stdin, process.stdout):
            if end is not None:
                end.close()

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is none."""
        return self._process.pid if self._process is not None else None

    def _read(self, data: bytes, longest: int) -> Image:
        try:
            if self._process is not None:
                try:
                    return self._asked(self._process, data, longest)
                except _Over:  # nobody had needed it for a minute; or it dies of this photo, which the next one tells
                    self.close()
            self._process = _begun()
            return self._asked(self._process, data, longest)
        except _Over:
            self.close()
            raise NotRead(reasons.NO_PICTURE) from None
        except _Late:
            self.close()
            raise NotRead(reasons.TOO_SLOW) from None

    def _asked(self, process: subprocess.Popen[bytes], data: bytes, longest: int) -> Image:
        until = time.monotonic() + self._seconds
        _send(process, len(data).to_bytes(4, "big") + longest.to_bytes(4, "big") + data, until)
        head = _received(process, 9, until)
        height, width = int.from_bytes(head[1:5], "big"), int.from_bytes(head[5:9], "big")
        if head[0]:
            raise NotRead(reasons.ALL[height])
        return np.frombuffer(_received(process, height * width * 3, until), np.uint8).reshape(height, width, 3)


def _begun() -> subprocess.Popen[bytes]:
    """Start a process, and wait until it is ready."""
    command = [sys.executable, "-m", "companion.photos.process"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    try:
        _received(process, 1, time.monotonic() + STARTING_SECONDS)
    except (_Over, _Late):
        process.kill()
        process.wait()
        raise
    return process


def _send(process: subprocess.Popen[bytes], data: bytes, until: float) -> None:
    """Send these bytes to the process, at the latest at ``until`` (seconds of `time.monotonic`)."""
    assert process.stdin is not None
    rest = memoryview(data)
    while rest:
        if not select.select([], [process.stdin], [], max(0.0, until - time.monotonic()))[1]:
            raise _Late
        try:
            rest = rest[os.write(process.stdin.fileno(), rest[: 1 << 20]) :]
        except OSError:
            raise _Over from None


def _received(process: subprocess.Popen[bytes], length: int, until: float) -> bytearray:
    """Receive ``length`` bytes from the process, at the latest at ``until`` (seconds of `time.monotonic`)."""
    assert process.stdout is not None
    found = bytearray()
    while len(found) < length:
        if not select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
            raise _Late
        more = process.stdout.read(min(length - len(found), 1 << 20))
        if not more:
            raise _Over
        found += more
    return found


photos = PhotoReader()
"""The program's one reader of photos that were sent."""
atexit.register(photos.close)
