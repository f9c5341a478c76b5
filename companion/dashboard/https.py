"""HTTPS in front of a WSGI application: asyncio takes TLS off, waitress serves what comes out.

Waitress knows no TLS. WSGI servers that do make the handshake where they accept connections, so that one silent client keeps all
others waiting; asyncio does not.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from pathlib import Path
from socket import AF_INET, AF_INET6, create_server, socket

from flask import Flask
from waitress.server import create_server as create_waitress

from companion.dashboard.serve import serve_until
from companion.table.errors import CannotServe

CONNECTIONS = 40
"""At most at once: phones that send pictures keep two or three each."""
HANDSHAKE_SECONDS = 10.0
CLOSING_SECONDS = 5.0
IDLE_SECONDS = 30
"""A connection over which nothing comes for so long is closed."""
_CHUNK = 1 << 16


class HttpsServer:
    """``app`` over HTTPS at ``host``:``port`` (port 0: any free one), from its making until `close`, in threads of its own.

    ``most_bytes``: of a request's body. Raises CannotServe.
    """

    def __init__(self, app: Flask, host: str, port: int, pem: Path, most_bytes: int) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.certified(pem)
        try:
            outside = create_server((host, port), family=AF_INET6 if ":" in host else AF_INET, backlog=CONNECTIONS)
        except OSError as error:
            raise CannotServe(
                f"cannot serve HTTPS on {host}:{port}: {error.strerror or error}: close what runs there, or choose another port"
                " with --https-port"
            ) from error
        self.port = int(outside.getsockname()[1])
        inside = create_server(("127.0.0.1", 0))
        self._inside: int = inside.getsockname()[1]
        self._waitress = create_waitress(
            app, sockets=[inside], threads=3, ident="companion", url_scheme="https", max_request_body_size=most_bytes,
            inbuf_overflow=2 * most_bytes, recv_bytes=_CHUNK, channel_timeout=IDLE_SECONDS, connection_limit=CONNECTIONS + 10,
        )  # fmt: skip
        self._closed = threading.Event()
        self._connections = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._threads = (
            threading.Thread(target=serve_until, args=(self._waitress, self._closed), name="https", daemon=True),
            threading.Thread(target=self._loop.run_until_complete, args=(self._listen(outside),), name="tls", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def certified(self, pem: Path) -> None:
        """Show this certificate to whoever comes from now on. Raises CannotServe."""
        try:
            self._context.load_cert_chain(pem)
        except (OSError, ssl.SSLError) as error:
            raise CannotServe(f"{pem}: no certificate that can be used: {error}") from error

    def close(self) -> None:
        """Stop serving, from any thread. Closing twice is fine."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._loop.call_soon_threadsafe(self._stop.set)
        with contextlib.suppress(OSError):  # it has ended already
            self._waitress.trigger.pull_trigger()
        for thread in self._threads:
            thread.join(5)
        if not self._loop.is_running():
            self._loop.close()

    async def _listen(self, outside: socket) -> None:
        server = await asyncio.start_server(
            self._connected, sock=outside, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=CLOSING_SECONDS, limit=_CHUNK,
        )  # fmt: skip
        await self._stop.wait()
        server.close()
        ending = asyncio.all_tasks() - {asyncio.current_task()}
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await asyncio.sleep(0.05)  # what was closed is gone a turn of the loop later

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry what comes to waitress and back, until either side ends."""
        if self._connections >= CONNECTIONS:
            writer.transport.abort()
            return
        self._connections += 1
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._inside, limit=_CHUNK)
            ways = [asyncio.ensure_future(_carry(reader, inner_writer)), asyncio.ensure_future(_carry(inner_reader, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await _closed(inner_writer)
            await _closed(writer)
        except (OSError, asyncio.CancelledError):
            pass  # the phone is gone, or the program ends
        finally:
            self._connections -= 1
            writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
