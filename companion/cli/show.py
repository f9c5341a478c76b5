"""What `companion demo` runs: what the eyes see is recorded while the dashboard is served. `companion start` takes a free port
from here."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.eyes.image import Image, encode_jpeg
from companion.eyes.source import Picture
from companion.ledger import Ledger
from companion.line.follow import Step
from companion.line.notices import Notice
from companion.table.errors import CannotServe

PORTS_TRIED = 20
"""Number of ports tried, from the requested one up."""

_LIVE_WIDTH = 640


class Newest:
    """The newest picture, encoded only when a page asks for it, and the notices of this moment. One thread writes it, any may
    read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._image: Image | None = None
        self.notices: tuple[Notice, ...] = ()

    def put(self, image: Image) -> None:
        """Keep `image` (uint8 HxWx3 BGR); it must not be written to afterwards."""
        with self._lock:
            self._image = image

    def jpeg(self) -> bytes | None:
        """The newest picture, at most 640 pixels wide, as JPEG; None before the first."""
        with self._lock:
            image = self._image
        return None if image is None else encode_jpeg(image, _LIVE_WIDTH, quality=80)


def free_port(host: str, port: int, say: Callable[[str], None]) -> int:
    """``port`` or, where that is taken, the next free one, which is reported through ``say``; 0 stays 0.

    Raises:
        CannotServe: all of the `PORTS_TRIED` ports are taken, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + PORTS_TRIED, 65536)
    for candidate in range(port, last):
        try:
            socket.create_server((host, candidate), family=family).close()
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise CannotServe(f"cannot serve on {host}: {error.strerror or error}; --host 127.0.0.1 is this machine") from error
        if candidate != port:
            say(f"Port {port} is taken on {host}; using {candidate}.")
        return candidate
    raise CannotServe(f"ports {port} to {last - 1} are all taken on {host}; choose another with --port")


@contextmanager
def served(
    ledger: Ledger, *, host: str, port: int, newest: Newest, say: Callable[[str], None], settings: Settings | None = None
) -> Iterator[Server]:
    """Serve the dashboard of ``ledger`` in a thread of its own while the block runs."""
    app = create_app(ledger, settings=settings or Settings(), live_picture=newest.jpeg, notices=lambda: newest.notices)
    server = Server(app, host, free_port(host, port, say))
    thread = threading.Thread(target=server.run, name="page", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(5)


def keep(steps: Iterable[Step], ledger: Ledger, game: int, newest: Newest, on_step: Callable[[Step], None]) -> None:
    """Go through ``steps`` to their end, record every change of the table log, and make each picture available to pages."""
    for step in steps:
        newest.put(step.picture.image)
        newest.notices = step.notices
        if step.changed:
            ledger.record(game, step.log)
        on_step(step)


def paced(pictures: Iterable[Picture], pace: float) -> Iterator[Picture]:
    """The ``pictures``, each not before its time, at ``pace`` seconds of the clip per second; 0: as fast as the caller takes
    them.

    A machine that is too slow falls behind, but no picture is left out.
    """
    begun = time.monotonic()
    for picture in pictures:
        if pace > 0:
            time.sleep(max(0.0, picture.t / pace - (time.monotonic() - begun)))
        yield picture
