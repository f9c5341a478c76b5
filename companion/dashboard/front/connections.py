"""The connections of a server: how many there may be, how long each may wait, and which one is closed to make room for a new one.

A connection sends the head of a request, receives the answer, or rests until its next request; each of the three has a limit in
seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import Counter
from email.utils import formatdate
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from companion.dashboard.limits import NO_SOURCES, PLAIN

HEAD_SECONDS = 10.0
"""Seconds within which the head of a request must be there."""
SEND_SECONDS = 15.0
"""Seconds without progress after which a client that does not take its answer is cut off."""
IDLE_SECONDS = 20.0
"""Seconds for which a connection may rest between two requests."""
GONE_SECONDS = 15
"""Seconds after which the system notices that a peer has vanished."""
MAX_HEAD_BYTES = 32 * 1024
"""Bytes of a request's head."""
MAX_PIPELINED = 8
"""Requests on one connection that wait for the one before; browsers send none."""
MAX_UNSENT_BYTES = 64 * 2**20
"""Bytes of answers that wait to be taken, of all connections; beyond that the connections with most of them are closed."""
SEND_BUFFER_BYTES = 64 * 1024
"""Bytes of a connection's answers that the system buffers: few, so that a client that does not read is noticed soon."""
SECURITY_HEADERS = [
    (name.lower().encode(), value.encode()) for name, value in {**PLAIN, "Content-Security-Policy": NO_SOURCES}.items()
]
"""Headers of answers that Flask does not make."""


def plain_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    """Headers of an answer that is one line of plain text, after which the connection is closed."""
    length = str(len(body)).encode()
    return [*SECURITY_HEADERS, (b"content-type", b"text/plain"), (b"content-length", length), (b"connection", b"close")]


class Connections:
    """The connections of one server, at most ``most`` at once. Only for the server's event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: set[Connection] = set()
        self._held: Counter[str] = Counter()
        self._ended = False
        self.state = ServerState()

    def __len__(self) -> int:
        return len(self._all)

    def enter(self, connection: Connection) -> None:
        """Count one more connection; where these are too many, close another one or this one. After `end` it is closed."""
        self._all.add(connection)
        self._held[connection.address] += 1
        if self._ended:
            connection.transport.abort()
        elif len(self._all) > self._most:
            self._for_another(connection).transport.abort()

    def leave(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        if connection in self._all:
            self._all.remove(connection)
            self._held[connection.address] -= 1
            if not self._held[connection.address]:
                del self._held[connection.address]

    def _for_another(self, newcomer: Connection) -> Connection:
        """Which connection to close for this one; never one of a paired phone. Where others are resting, the one among them whose
        address has most connections, and of these the one that has rested longest. Where none rests, the newest one of the
        address that has most connections, but the newcomer itself unless that address has at least two more than its own."""
        others = [one for one in self._all if not one.own and one is not newcomer and not one.transport.is_closing()]
        if not others:
            return newcomer
        resting = [one for one in others if one.resting_since is not None]
        most = max(others, key=lambda one: self._held[one.address])
        if resting:
            return max(resting, key=lambda one: (self._held[one.address], -(one.resting_since or 0.0)))
        if self._held[most.address] <= self._held[newcomer.address] + 1:
            return newcomer
        return max((one for one in others if one.address == most.address), key=lambda one: one.came)

    def sweep(self) -> None:
        """Close the connections that have waited for too long, and the largest ones where all together hold more than
        `MAX_UNSENT_BYTES`. Called every second."""
        self.state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
        now, unsent = time.monotonic(), {}
        for one in list(self._all):
            if one.overdue(now):
                one.transport.abort()
            elif size := one.transport.get_write_buffer_size():
                unsent[one] = size
        over = sum(unsent.values()) - MAX_UNSENT_BYTES
        for one, size in sorted(unsent.items(), key=lambda each: -each[1]) if over > 0 else ():
            if over > 0:
                one.transport.abort()
                over -= size

    def end(self) -> None:
        """Close all connections, and those that are just being made."""
        self._ended = True
        for one in list(self._all):
            one.transport.abort()


class Connection(HttpToolsProtocol):
    """One HTTP connection.

    Attributes:
        own: it has sent the cookie of a paired phone.
        resting_since: when its last answer was complete or, before the first, when it was opened (seconds of `time.monotonic`);
            None while a request is being answered.
    """

    def __init__(self, connections: Connections, config: Config) -> None:
        super().__init__(config, connections.state, {"connection": self})
        self._connections = connections
        self.address = ""
        self.own = False
        self.came = self._asked_since = time.monotonic()
        self.resting_since: float | None = self.came
        self._head = 0
        self._unsent, self._taken = 0, self.came

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        tune(transport.get_extra_info("socket"))
        self.address = self.client[0] if self.client is not None else ""
        self._connections.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        if self.resting_since is not None:
            if not self._head:
                self._asked_since = time.monotonic()
            self._head += len(data)
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade:
            pass  # nothing else is spoken here: the request is answered as it is
        except HttpParserError:
            self._refuse(b"no HTTP\n")
        if self.resting_since is not None and self._head > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._refuse(b"too long a head\n")

    def on_headers_complete(self) -> None:
        self.resting_since, self._head = None, 0
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            self.transport.abort()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:
            self.resting_since = time.monotonic()

    def overdue(self, now: float) -> bool:
        """Whether one of its limits is past at ``now``, seconds of `time.monotonic`."""
        if self.resting_since is not None and (self._head or self.cycle is None):  # who connects has something to ask
            return now - (self._asked_since if self._head else self.came) > HEAD_SECONDS
        rests = self.resting_since is not None and not self.transport.get_write_buffer_size()
        return now - (self.resting_since or now) > IDLE_SECONDS if rests else self._not_taken(now)

    def _not_taken(self, now: float) -> bool:
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or self._unsent == 0 or unsent < self._unsent:
            self._taken = now
        self._unsent = unsent
        return now - self._taken > SEND_SECONDS

    def _refuse(self, body: bytes) -> None:
        """Answer 400 with this one line, and close the connection."""
        headers = b"".join(b"%s: %s\r\n" % one for one in plain_headers(body))
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + headers + b"\r\n" + body)
        self.transport.close()


def tune(connection: socket.socket) -> None:
    """Set a socket to notice when its peer is gone, as far as the system can, and to send without delay."""
    settings: list[tuple[int, str, Any]] = [
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.SOL_SOCKET, "SO_SNDBUF", SEND_BUFFER_BYTES),
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),  # asyncio sets it only where the socket says its protocol
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", GONE_SECONDS // 2),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", GONE_SECONDS // 4),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 2),
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", GONE_SECONDS * 1000),
    ]
    for level, name, value in settings:
        with contextlib.suppress(OSError, AttributeError):
            connection.setsockopt(level, getattr(socket, name), value)
