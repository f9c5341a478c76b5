"""HTTPS: the front with a certificate. A handshake is made in the event loop, so that one silent client keeps nobody waiting."""

from __future__ import annotations

import ssl
from pathlib import Path
from socket import AF_INET, AF_INET6, create_server

from flask import Flask

from companion.dashboard.front.gate import Doorkeeper, Gate
from companion.dashboard.front.server import Front
from companion.table.errors import CannotServe

MAX_CONNECTIONS = 40
"""Connections at once: a phone that sends pictures keeps two or three."""
THREADS = 3


class HttpsServer:
    """``app`` over HTTPS at ``host``:``port`` (port 0: any free one), from its making until `close`, in threads of its own.

    ``doorkeeper``: knows whose bodies may be large; ``option``: of the command that names the port. Raises CannotServe.
    """

    def __init__(
        self, app: Flask, host: str, port: int, pem: Path, doorkeeper: Doorkeeper, option: str = "--https-port",
        connections: int = MAX_CONNECTIONS, threads: int = THREADS,
    ) -> None:  # fmt: skip
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.certified(pem)
        try:
            listening = create_server((host, port), family=AF_INET6 if ":" in host else AF_INET, backlog=MAX_CONNECTIONS)
        except OSError as error:
            raise CannotServe(
                f"cannot serve HTTPS on {host}:{port}: {error.strerror or error}: close what runs there, or choose another port"
                f" with {option}"
            ) from error
        self.port = int(listening.getsockname()[1])
        self._front = Front(listening, Gate(app, threads, doorkeeper), connections, self._context)

    def certified(self, pem: Path) -> None:
        """Show this certificate to new connections from now on. Raises CannotServe."""
        try:
            self._context.load_cert_chain(pem)
        except (OSError, ssl.SSLError) as error:
            raise CannotServe(f"{pem}: no certificate that can be used: {error}") from error

    def close(self) -> None:
        """Stop serving, from any thread. Closing twice is fine."""
        self._front.close()
