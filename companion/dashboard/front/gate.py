"""The way of a request from its connection to Flask and back. The event loop reads the body, within bounds, before a thread makes
the answer, and sends the answer when the thread is free again. So no thread ever waits for a client.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote_to_bytes

from flask import Flask

from companion.dashboard.front.connections import Connection, plain_headers
from companion.dashboard.front.fairness import Busy, Shares, Turns
from companion.dashboard.limits import room_for
from companion.dashboard.stream import HANDOVER, Following, Frame
from companion.table.errors import LedgerError

BODY_GAP_SECONDS = 10.0
"""Seconds that may pass between two pieces of a body."""
BODY_SECONDS = 120.0
"""Seconds within which a whole body must be there."""
LINGER_SECONDS = 5.0
"""Seconds for which the rest of a body that is too long is read and thrown away, as the client does not read the answer before it
has sent all."""
MAX_BODIES_BYTES = 96 * 2**20
"""Bytes of the bodies of all paired phones that are being read at once."""
MAX_STRANGERS_BYTES = 4 * 2**20
"""Bytes of the bodies of all others that are being read at once."""
MAX_WAIT_SECONDS = 10.0
"""Seconds for which a stranger's request waits for its address's share of the processor, before it is refused with 503."""
ALWAYS_READ_BYTES = 4096
"""Bytes up to which a body is always read, whatever others send: a PIN must come through."""

Found = TypeVar("Found")
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Doorkeeper(Protocol):
    """Tells paired phones from strangers, by the headers of a request (WSGI's names)."""

    def claims(self, environ: Mapping[str, Any]) -> bool:
        """Whether the request carries a cookie or token that this program has signed. Quick: called in the event loop."""
        ...

    def knows(self, environ: Mapping[str, Any]) -> bool:
        """Whether its phone is still paired. Called in a thread. Raises LedgerError."""
        ...


@dataclass(slots=True)
class _Answer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    took: float  # seconds of the processor
    stream: _Stream | None = None
    close: Callable[[], None] = lambda: None


class _Late(Exception):
    """The body came too slowly, or there is no room for it."""


class _Gone(Exception):
    """The client has closed the connection."""


class _Stream:
    """A page that follows the stream. It holds the newest frame that is still to be sent; `put` and `get` are for the event
    loop."""

    def __init__(self, following: Following, loop: asyncio.AbstractEventLoop) -> None:
        self.following, self._loop = following, loop
        self._frame: Frame | bytes | None = None
        self._new = asyncio.Event()
        self.leave = following.broadcast.follow(self._deliver)
        try:
            self.first = following.first()
        except LedgerError:
            self.leave()
            raise

    def _deliver(self, frame: Frame | None) -> None:
        news: Frame | bytes | None = None
        with contextlib.suppress(LedgerError):
            news = frame if frame is None or self.following.may() else self.following.follower.sorry
        with contextlib.suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self.put, news)

    def put(self, frame: Frame | bytes | None) -> None:
        """Send this next, in place of a frame that still waits. Bytes are the last event; None ends the stream."""
        if not (self._new.is_set() and not isinstance(self._frame, Frame)):
            self._frame = frame
        self._new.set()

    async def get(self) -> Frame | bytes | None:
        """Wait for what to send next."""
        await self._new.wait()
        self._new.clear()
        return self._frame


class Gate:
    """An ASGI application in front of ``app``. Strangers' answers are made by ``threads`` threads, paired phones' by as many
    others."""

    def __init__(self, app: Flask, threads: int, doorkeeper: Doorkeeper) -> None:
        self._app, self._doorkeeper = app, doorkeeper
        self._turns = {own: Turns(threads) for own in (True, False)}
        self._pools = {own: ThreadPoolExecutor(threads, "page") for own in (True, False)}
        self.shares = Shares(time.monotonic)
        self._room = {True: MAX_BODIES_BYTES, False: MAX_STRANGERS_BYTES}

    def close(self) -> None:
        """Stop making answers."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        with contextlib.suppress(asyncio.CancelledError):  # the server ends
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Any, receive: Receive, send: Send) -> None:
        connection: Connection = scope["state"]["connection"]
        environ = _environ(scope)
        claims = self._doorkeeper.claims(environ)
        try:
            if not claims:
                await self._allowed(connection.address)
            body, too_long, known = await self._read(environ, claims, receive, connection.address)
            connection.own = known or (claims and connection.own)
            environ["wsgi.input"] = io.BytesIO(body)
            answer = await self._made(environ, claims, connection.address)
        except _Gone:
            return
        except _Late:
            await _say(send, 408, b"the request came too slowly\n")
            return
        except Busy:
            await _say(send, 503, b"too many ask at once: ask again\n", (b"retry-after", b"2"))
            return
        if claims and answer.status not in (401, 403):
            connection.own = True
        if too_long:
            answer.headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        try:
            if answer.stream is not None:
                await self._streamed(answer.stream, receive, send)
            else:
                await send({"type": "http.response.body", "body": answer.body, "more_body": too_long})
                if too_long:
                    await _thrown_away(receive)
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            answer.close()

    async def _read(self, environ: dict[str, Any], claims: bool, receive: Receive, address: str) -> tuple[bytes, bool, bool]:
        """The body; whether it is too long, in which case it is given as empty; and whether a paired phone sends it."""
        told = environ.get("CONTENT_LENGTH", "")
        chunked = "HTTP_TRANSFER_ENCODING" in environ
        if not chunked and told in ("", "0"):
            return b"", False, False
        known = claims and await self._in_turn(True, address, lambda: self._doorkeeper.knows(environ))
        most = room_for(self._app, environ["REQUEST_METHOD"], environ["PATH_INFO"], known=known)
        if not chunked and (not told.isdecimal() or int(told) > most):
            return b"", True, known
        body, held = bytearray(), 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                more = True
                while more:
                    async with asyncio.timeout(BODY_GAP_SECONDS):
                        message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    body += message["body"]
                    more = message["more_body"]
                    if len(body) > most:
                        environ["CONTENT_LENGTH"] = str(len(body))
                        return b"", True, known
                    if (more_held := max(0, len(body) - ALWAYS_READ_BYTES) - held) > self._room[known]:
                        raise _Late
                    self._room[known] -= more_held
                    held += more_held
        except TimeoutError:
            raise _Late from None
        finally:
            self._room[known] += held
        environ["CONTENT_LENGTH"] = str(len(body))
        return bytes(body), False, known

    async def _made(self, environ: dict[str, Any], own: bool, address: str) -> _Answer:
        loop = asyncio.get_running_loop()
        answer = await self._in_turn(own, address, lambda: self._respond(environ, loop))
        if not own:
            self.shares.spend(address, answer.took)
        return answer

    async def _allowed(self, address: str) -> None:
        """Wait until a stranger's address may use the processor again. Raises Busy where that takes longer than
        `MAX_WAIT_SECONDS`."""
        waits = 0.0
        while (seconds := self.shares.wait(address)) > 0:
            if (waits := waits + seconds) > MAX_WAIT_SECONDS:
                raise Busy
            await asyncio.sleep(seconds)

    async def _in_turn(self, own: bool, address: str, deed: Callable[[], Found]) -> Found:
        turns = self._turns[own]
        await turns.take(address)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[own], deed)
        finally:
            turns.give_back()

    def _respond(self, environ: dict[str, Any], loop: asyncio.AbstractEventLoop) -> _Answer:
        """Have Flask make the answer; called in a thread."""
        began = time.thread_time()
        started: list[tuple[int, list[tuple[bytes, bytes]]]] = []
        streams: list[_Stream] = []

        def start(status: str, headers: list[tuple[str, str]], error: object = None) -> Callable[[bytes], object]:
            raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            started[:] = [(int(status[:3]), raw)]
            return lambda data: None

        environ[HANDOVER] = lambda following: streams.append(_Stream(following, loop))
        found: Iterable[bytes] = self._app.wsgi_app(environ, start)
        close: Callable[[], None] = getattr(found, "close", lambda: None)
        if streams:
            status, headers = started[0]
            return _Answer(status, headers, b"", time.thread_time() - began, streams[0], close)
        try:
            body = b"".join(found)
        finally:
            close()
        status, headers = started[0]
        bare = environ["REQUEST_METHOD"] == "HEAD" or status in (204, 304)
        if not bare and not any(name == b"content-length" for name, _ in headers):
            headers.append((b"content-length", str(len(body)).encode()))
        return _Answer(status, headers, body, time.thread_time() - began)

    async def _streamed(self, stream: _Stream, receive: Receive, send: Send) -> None:
        watching = asyncio.ensure_future(_until_gone(receive))
        watching.add_done_callback(lambda _: stream.put(None))
        try:
            await send({"type": "http.response.body", "body": stream.first, "more_body": True})
            while isinstance(frame := await stream.get(), Frame):
                if news := b"".join(stream.following.follower.news(frame)):
                    await send({"type": "http.response.body", "body": news, "more_body": True})
            await send({"type": "http.response.body", "body": frame or b"", "more_body": False})
        finally:
            stream.leave()
            watching.cancel()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _thrown_away(receive: Receive) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (message := await receive())["type"] != "http.disconnect" and message["more_body"]:
                pass


async def _say(send: Send, status: int, body: bytes, *more: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [*plain_headers(body), *more]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _environ(scope: Any) -> dict[str, Any]:
    """WSGI's environment of an ASGI request. Headers with an underscore in their names are left out: WSGI could not tell them
    from those with a hyphen."""
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        text = value.decode("latin-1")
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    return environ
