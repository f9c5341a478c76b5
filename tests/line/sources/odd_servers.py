"""Cameras with an address that answer in their own ways."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

Answer = Callable[[BaseHTTPRequestHandler], None]


def jpegs(count: int = 4, thumbnail: bool = False) -> list[bytes]:
    """Grey pictures, each brighter than the one before; with a ``thumbnail`` in each, as EXIF has it."""
    made = [cv2.imencode(".jpg", np.full((48, 64, 3), 40 + 40 * n, np.uint8))[1].tobytes() for n in range(count)]
    if not thumbnail:
        return made
    small = made[0]
    return [one[:2] + b"\xff\xe1" + (len(small) + 8).to_bytes(2) + b"Exif\0\0" + small + one[2:] for one in made]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The address, without a path, at which every request is answered so."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            answer(self)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def stream(parts: list[bytes], boundary: str = "frame") -> Answer:
    """MJPEG: the ``parts`` one after the other, and then the connection ends."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", f"multipart/x-mixed-replace;boundary={boundary}")
        handler.end_headers()
        for part in parts:
            handler.wfile.write(part)

    return answer


def page(status: int = 200, text: str = "<form>Password</form>", **headers: str) -> Answer:
    """A web page, or what stands for it."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(text)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(text.encode())

    return answer


def locked(user: str, password: str, then: Answer) -> Answer:
    """Only with this name and password; else 401."""
    key = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if handler.headers.get("Authorization") == key:
            then(handler)
        else:
            page(401, "no", WWW_Authenticate='Basic realm="camera"')(handler)

    return answer
