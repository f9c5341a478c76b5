"""A server's event loop in a thread of its own: uvicorn's HTTP, with the limits of `companion.dashboard.front.connections`."""

from __future__ import annotations

import asyncio
import errno
import resource
import socket
import ssl
import threading
from pathlib import Path

from flask import Flask
from uvicorn.config import Config

from companion.dashboard.front.connections import IDLE_SECONDS, Connection, Connections
from companion.dashboard.front.gate import Doorkeeper, Gate
from companion.table.errors import CannotServe

HANDSHAKE_SECONDS = 10.0
CLOSING_SECONDS = 5.0
"""Seconds that TLS may take to begin and to end."""
BACKLOG = 512
"""Connections that the system holds until they are accepted."""
SWEEP_SECONDS = 1.0
"""Seconds between two looks for connections that have waited too long."""
MAX_OTHER_FILES = 200
"""Number of files that the program has open besides its connections."""


def listens(
    host: str, port: int, option: str = "--port", *, refusal: str = "cannot serve", shared: bool = False
) -> socket.socket:
    """A socket that listens at `host`:`port` (port 0: any free one). ``shared``: other processes may listen at the same port if
    they say so, too, and the system spreads the connections over them. ``option``: the command's option for the port;
    ``refusal``: how the message begins where the address is taken. Raises CannotServe."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, reuse_port=shared)
    except OSError as error:
        mend = f"close what runs there, or choose another port with {option}"
        if error.errno != errno.EADDRINUSE:
            mend = "choose 127.0.0.1 for this machine alone, 0.0.0.0 for the whole network, and a port above 1023"
        raise CannotServe(f"{refusal} on {host}:{port}: {error.strerror or error}: {mend}") from error


class Front:
    """Serves ``gate`` at a bound socket, from when it is made until `close`. ``most``: connections at once; ``tls``: for
    HTTPS."""

    def __init__(self, listening: socket.socket, gate: Gate, most: int, tls: ssl.SSLContext | None = None) -> None:
        self._listening, self.gate, self._tls = listening, gate, tls
        self.connections = Connections(within_files(most))
        self._config = Config(
            gate, loop="none", http=Connection, ws="none", lifespan="off", log_config=None, access_log=False, proxy_headers=False,
            server_header=False, date_header=False, interface="asgi3", timeout_keep_alive=int(IDLE_SECONDS),
        )  # fmt: skip
        self._config.load()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="front", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving, from any thread: every connection is closed. Closing twice is fine."""
        with self._closing:
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._stop.set)
                self._thread.join(10)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        secure = self._tls is not None
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: Connection(self.connections, self._config), sock=self._listening, backlog=BACKLOG, ssl=self._tls,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if secure else None, ssl_shutdown_timeout=CLOSING_SECONDS if secure else None,
        )  # fmt: skip
        sweeping = asyncio.ensure_future(self._sweep())
        await self._stop.wait()
        sweeping.cancel()
        loop.remove_reader(self._listening)  # nobody new; a server that is closed at once would forget who is just coming in
        await asyncio.sleep(0.05)
        server.close()
        self.connections.end()
        ending = asyncio.all_tasks() - {asyncio.current_task()}
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await asyncio.sleep(0.05)  # what was closed is gone a turn of the loop later
        self.gate.close()

    async def _sweep(self) -> None:
        while True:
            self.connections.sweep()
            await asyncio.sleep(SWEEP_SECONDS)


def within_files(most: int) -> int:
    """The number of connections for which this process may open files, at most ``most``; raises the process's limit where it
    can."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + MAX_OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return most if soft == resource.RLIM_INFINITY else max(50, min(most, soft - MAX_OTHER_FILES))


# HTTPS: the front with a certificate. A handshake is made in the event loop, so that one silent client keeps nobody waiting.

MAX_CONNECTIONS = 40
"""Connections at once: a phone that sends pictures keeps two or three."""
THREADS = 3


class HttpsServer:
    """Serves ``app`` over HTTPS at ``host``:``port`` (port 0: any free one) in threads of its own, from when it is made until
    `close`.

    ``doorkeeper``: tells who may send large bodies; ``option``: the command's option for the port; ``shared``: other processes
    may listen there, too. Raises CannotServe.
    """

    def __init__(
        self, app: Flask, host: str, port: int, pem: Path, doorkeeper: Doorkeeper, option: str = "--https-port",
        connections: int = MAX_CONNECTIONS, threads: int = THREADS, *, shared: bool = False,
    ) -> None:  # fmt: skip
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.certified(pem)
        listening = listens(host, port, option, refusal="cannot serve HTTPS", shared=shared)
        self.port = int(listening.getsockname()[1])
        self._front = Front(listening, Gate(app, threads, doorkeeper), connections, self._context)

    def certified(self, pem: Path) -> None:
        """Use the certificate in this file for new connections from now on. Raises CannotServe."""
        try:
            self._context.load_cert_chain(pem)
        except (OSError, ssl.SSLError) as error:
            raise CannotServe(f"{pem}: no certificate that can be used: {error}") from error

    def close(self) -> None:
        """Stop serving, from any thread. Closing twice is fine."""
        self._front.close()
