"""The application on a socket: waitress, with a thread for every page that follows the stream."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.dashboard import addresses
from companion.dashboard.feed import Feed
from companion.dashboard.organiser import pairing, terminal
from companion.table.errors import CannotServe


class Server:
    """A bound socket that serves from `run` on.

    Attributes:
        url: what people type into the TV's browser; where only this machine can reach it, into this machine's.
        here: what they type into this machine's own. elsewhere: what they type elsewhere, the likeliest first.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Bind `host`:`port` (port 0: any free one). Raises CannotServe."""
        self._feed: Feed = app.extensions["dashboard"]
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listening = socket.create_server((host, port), family=family)
        except OSError as error:
            mend = "close what runs there, or choose another port with --port"
            if error.errno != errno.EADDRINUSE:
                mend = "choose 127.0.0.1 for this machine alone, 0.0.0.0 for the whole network, and a port above 1023"
            raise CannotServe(f"cannot serve on {host}:{port}: {error.strerror or error}: {mend}") from error
        self.port = int(listening.getsockname()[1])
        self.here = addresses.here(host, self.port)
        self.elsewhere = addresses.reachable(host, self.port)
        self.url = self.elsewhere[0] if self.elsewhere else self.here
        self._pairing: pairing.PairingState = app.extensions["pairing"]
        self._pairing.reachable = lambda: addresses.reachable(host, self.port)
        self._every = host in addresses.EVERY
        threads = self._feed.settings.threads + self._feed.settings.listeners
        self._server = create_server(app, sockets=[listening], threads=threads, ident="companion")
        self._closed = threading.Event()

    @property
    def invitation(self) -> str:
        """How an organiser's phone is paired, for the terminal: a QR code and the PIN."""
        return terminal.terminal(self._pairing, self.url)

    @property
    def told(self) -> str:
        """Where the page is, for the terminal: on the TV, and on this machine."""
        said = [f"The page is at {self.url} (Ctrl-C ends it)"]
        if len(self.elsewhere) > 1:
            said.append(f"If the TV does not reach it, try {' or '.join(self.elsewhere[1:])}")
        if self.elsewhere:
            said.append(f"On this machine: {self.here}; the QR code in large: {self.here}/pair/show")
        elif self._every:
            said.append("This machine is in no network yet: once it is, its address and the QR code are at the page's /pair/show")
        return "\n".join(said)

    def run(self) -> None:
        """Serve until `close` is called from another thread, or Ctrl-C. Afterwards no page can follow this application."""
        # Stopped, or the pages that still follow would keep their threads until the next heartbeat.
        serve_until(self._server, self._closed, self._feed.stop)

    def close(self) -> None:
        """Stop serving, from any thread: every connection is closed and `run` returns. Closing twice is fine."""
        self._closed.set()
        with contextlib.suppress(OSError):  # it has ended already
            self._server.trigger.pull_trigger()


def serve_until(server: Any, closed: threading.Event, ending: Callable[[], None] = lambda: None) -> None:
    """Run this server of waitress until ``closed`` is set and its trigger pulled, or Ctrl-C; then do ``ending`` and close it."""
    with contextlib.suppress(KeyboardInterrupt):
        while not closed.is_set():
            wasyncore.loop(timeout=1, map=server._map, use_poll=True, count=1)
    ending()
    server.task_dispatcher.shutdown(cancel_pending=False, timeout=2)
    for channel in list(server.active_channels.values()):
        channel.handle_close()  # the files of answers that are not sent yet are closed, too
    wasyncore.close_all(server._map)  # last: an answer that is still being made wakes the loop up in its end


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve the application of `create_app` until Ctrl-C. Raises CannotServe when the address cannot be had."""
    Server(app, host, port).run()
