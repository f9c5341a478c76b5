"""Serves the application at an address, and says in the terminal where it is."""

from __future__ import annotations

import contextlib
import io
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import segno
from flask import Flask

from companion.dashboard.ending import Ending
from companion.dashboard.feed import Feed
from companion.dashboard.front.gate import Doorkeeper, Gate
from companion.dashboard.front.server import Front, HttpsServer, listens
from companion.dashboard.network import EVERY, certificate, here, reachable
from companion.dashboard.organiser import guard, pairing
from companion.dashboard.organiser.pairing import PairingState
from companion.table.errors import CannotServe


def terminal(pairing: PairingState, url: str) -> str:
    """How to pair a phone, for the terminal: a QR code where a phone can reach this machine, and the PIN."""
    pin = pairing.pin.digits
    if not pairing.urls:
        return f"The organiser's page: {url}/organiser with PIN {pin}. For phones on the same network: --host 0.0.0.0"
    out = io.StringIO()
    segno.make(pairing.links()[0], error="m").terminal(out, compact=True, border=2)
    return f"{out.getvalue()}The organiser's phone scans this, or opens {pairing.urls[0]}/pair and types the PIN {pin}"


OTHER_CONNECTIONS = 600
"""Number of connections besides those of pages that follow the stream."""


_CHECK_SECONDS = 0.5
"""Seconds between two looks of the main thread whether to stop. Another thread may get all of several signals that come at once,
and the main thread would never notice if it waited without end."""


@dataclass(frozen=True)
class Secure:
    """How to serve the pages over HTTPS, too: at ``port`` (0: any free one), with the certificate in ``file``. ``one_key``: a new
    certificate keeps the old one's key, by which tables know a hall; ``option``: the command's option for the port."""

    port: int
    file: Path
    one_key: bool = False
    option: str = "--https-pages"


def held(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket that reserves `host`:`port` (port 0: any free one) for processes that share it, and does not listen itself. Raises
    CannotServe where another program listens there."""
    with listens(host, port, option) as alone:
        port = int(alone.getsockname()[1])
        family = alone.family
    kept = socket.socket(family, socket.SOCK_STREAM)
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    kept.bind((host, port))
    return kept


class Server:
    """A server of the application: bound to its address when it is made, serving from `run` on. With ``secure`` it also serves
    over HTTPS, as soon as it is made, and QR codes lead there.

    Attributes:
        url: the address to type into the TV's browser or, where only this machine can reach the server, into this machine's.
        here: the address for this machine's own browser. elsewhere: the addresses for other devices, the likeliest first.
        pairing: how organisers' phones are paired.
        front: serves HTTP, None before `run`. https: serves HTTPS, None without ``secure``.
    """

    def __init__(self, app: Flask, host: str, port: int, secure: Secure | None = None, *, shared: bool = False) -> None:
        """Bind `host`:`port` (port 0: any free one). ``shared``: as in `listens`. Raises CannotServe."""
        self._feed: Feed = app.extensions["dashboard"]
        self._shared = shared
        listening = listens(host, port, shared=shared)
        self.port = int(listening.getsockname()[1])
        self.here = here(host, self.port)
        self.elsewhere = reachable(host, self.port)
        self.url = self.elsewhere[0] if self.elsewhere else self.here
        self.pairing: pairing.PairingState = app.extensions["pairing"]
        self._listening, self._most = listening, self._feed.settings.listeners + OTHER_CONNECTIONS
        self.pairing.port = self.port
        try:
            self.https = self._secured(app, host, secure) if secure is not None else None
        except CannotServe:
            listening.close()
            raise
        to = (self.port, "http") if self.https is None else (self.https.port, "https")
        self.pairing.reachable, self.pairing.for_all = lambda: reachable(host, *to), host in EVERY
        self._gate = Gate(app, self._feed.settings.threads, _doorkeeper(app))
        self.front: Front | None = None
        self._closed = threading.Event()
        ending: Ending = app.extensions["ending"]
        ending.close = self.close

    def _secured(self, app: Flask, host: str, secure: Secure) -> HttpsServer:
        names = (urlsplit(url).hostname for url in self.elsewhere)
        pem = certificate(secure.file, [name for name in names if name], one_key=secure.one_key)
        most, threads = self._most, self._feed.settings.threads
        return HttpsServer(app, host, secure.port, pem, _doorkeeper(app), secure.option, most, threads, shared=self._shared)

    @property
    def invitation(self) -> str:
        """How to pair an organiser's phone, for the terminal: a QR code and the PIN."""
        return terminal(self.pairing, self.url)

    @property
    def description(self) -> str:
        """At which addresses the page is, for the terminal."""
        texts = [f"The page is at {self.url} (Ctrl-C ends it)"]
        if self.https is not None:
            safe = self.pairing.urls or (f"https://localhost:{self.https.port}",)
            texts.append(f"Over HTTPS: {safe[0]} (the browser warns once: this machine has made the certificate itself)")
        if len(self.elsewhere) > 1:
            texts.append(f"If the TV does not reach it, try {' or '.join(self.elsewhere[1:])}")
        if self.elsewhere:
            texts.append(f"On this machine: {self.here}; the QR code in large: {self.here}/pair/show")
        elif self.pairing.for_all:
            texts.append("This machine is in no network yet; once it is, its address and QR code are at the page's /pair/show")
        return "\n".join(texts)

    def run(self) -> None:
        """Serve until another thread calls `close`, or Ctrl-C. Afterwards no page can follow this application any more."""
        self.front = front = Front(self._listening, self._gate, self._most)
        with contextlib.suppress(KeyboardInterrupt):
            while not self._closed.wait(_CHECK_SECONDS):
                pass
        self._feed.stop()  # or the broadcasts would keep their threads until the next heartbeat
        front.close()
        if self.https is not None:
            self.https.close()
        self._listening.close()

    def close(self) -> None:
        """Stop serving, from any thread: every connection is closed and `run` returns. Closing twice is fine."""
        self._closed.set()


def _doorkeeper(app: Flask) -> Doorkeeper:
    """The application's doorkeeper; by default the one that lets in paired phones."""
    make: Callable[[], Doorkeeper] | None = app.extensions.get("doorkeeper")
    return make() if make is not None else guard.Doorkeeper(app)
