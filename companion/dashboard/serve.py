"""The application on a socket: waitress, with a thread for every page that follows the stream."""

from __future__ import annotations

from flask import Flask
from waitress.server import create_server

from companion.dashboard.settings import Settings
from companion.errors import CompanionError


class CannotServe(CompanionError):
    """The address is taken or is not this machine's."""


class Server:
    """A bound socket that serves from `run` on. `url` is what people type into a browser on this machine."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Bind `host`:`port` (port 0: any free one). Raises CannotServe."""
        settings: Settings = app.config["DASHBOARD"]
        try:
            self._server = create_server(
                app, host=host, port=port, threads=settings.threads + settings.listeners, ident="companion"
            )
        except OSError as error:
            raise CannotServe(
                f"cannot serve on {host}:{port}: {error.strerror or error}: "
                "close what runs there, or choose another port with --port"
            ) from error
        self.port = int(self._server.effective_port)
        shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
        self.url = f"http://{shown}:{self.port}"

    def run(self) -> None:
        """Serve until `close` is called from another thread, or Ctrl-C."""
        self._server.run()

    def close(self) -> None:
        """Stop serving; `run` returns."""
        self._server.close()


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve the application of `create_app` until Ctrl-C. Raises CannotServe when the address cannot be had."""
    Server(app, host, port).run()
