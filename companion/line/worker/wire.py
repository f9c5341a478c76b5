"""Messages through a socket between two processes: the length in four bytes, then MessagePack."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time

from msgspec import Struct

from companion.line.worker.messages import encode

MAX_BYTES = 32 * 2**20
"""Greatest size of one message, bytes: a picture at its full size takes a tenth of it."""


class Ended(Exception):
    """The other end is gone, or says what it cannot say."""


class Wire:
    """One end. One thread receives; any may send."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()
        self._rest = bytearray()

    def send(self, message: Struct) -> None:
        """Send it. Raises Ended."""
        data = encode(message)
        if len(data) > MAX_BYTES:
            raise Ended(f"a message of {len(data)} bytes")
        try:
            with self._sending:
                self._end.sendall(len(data).to_bytes(4, "big") + data)
        except OSError as error:
            raise Ended(str(error)) from None

    def receive(self, seconds: float | None = None) -> bytes | None:
        """The next message as it came; None where it has not come whole within ``seconds`` (None: no limit).
        Raises Ended."""
        end = None if seconds is None else time.monotonic() + seconds
        while (message := self._whole()) is None:
            try:
                if end is not None and not select.select([self._end], [], [], max(0.0, end - time.monotonic()))[0]:
                    return None
                more = self._end.recv(1 << 18)
            except (OSError, ValueError) as error:  # ValueError: closed by another thread
                raise Ended(str(error)) from None
            if not more:
                raise Ended("the other end is gone")
            self._rest += more
        return message

    def close(self) -> None:
        """End it, for all that wait at either end."""
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _whole(self) -> bytes | None:
        length = int.from_bytes(self._rest[:4], "big")
        if length > MAX_BYTES:
            raise Ended(f"a message of {length} bytes")
        if len(self._rest) < 4 + length or len(self._rest) < 4:
            return None
        message = bytes(self._rest[4 : 4 + length])
        del self._rest[: 4 + length]
        return message
