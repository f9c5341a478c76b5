"""A camera with an address, which streams a table in a camera's noise as MJPEG, until something befalls it."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Mode = Literal["live", "frozen", "silent", "garbage", "half", "resized"]
"""As it should be; the same picture again and again; nothing more; bytes that are no picture; pictures whose lower half is
missing; pictures of another shape."""


class NetworkCamera:
    """``picture`` (H, W, 3), uint8 BGR or float; ``per_second`` pictures; ``noise``: grey levels. ``mode`` may be changed at any
    time. Use it as a context manager: it serves inside the block, at ``url``."""

    def __init__(self, picture: NDArray[np.uint8] | NDArray[np.float64], per_second: float = 8.0, noise: float = 2.0) -> None:
        chance = np.random.default_rng(1)
        still = np.asarray(picture, np.float64)
        noisy = [np.clip(still + chance.normal(0, noise, still.shape), 0, 255).astype(np.uint8) for _ in range(5)]
        self._frames = [_jpeg(one) for one in noisy]
        self._resized = [_jpeg(np.asarray(one[:, : one.shape[1] * 3 // 4], np.uint8)) for one in noisy]
        self.mode: Mode = "live"
        self._chance, self._at = chance, 0
        self._stopped = False
        camera = self

        class Stream(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while not camera._stopped:
                    time.sleep(1 / per_second)
                    if (jpeg := camera._next()) is None:
                        continue
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
                    except OSError:
                        return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/camera.mjpg"

    def __enter__(self) -> NetworkCamera:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._server.shutdown()
        self._server.server_close()

    def _next(self) -> bytes | None:
        if self.mode == "silent":
            return None
        if self.mode != "frozen":  # opened again, too, a frozen camera shows the picture it froze on
            # By chance, and never the same twice: who looks seldom would see one and the same picture of a sequence.
            self._at = (self._at + 1 + int(self._chance.integers(len(self._frames) - 1))) % len(self._frames)
        jpeg = self._resized[self._at] if self.mode == "resized" else self._frames[self._at]
        if self.mode == "garbage":
            return self._chance.bytes(len(jpeg))
        return jpeg[: len(jpeg) // 2] + b"\xff\xd9" if self.mode == "half" else jpeg


def table(width: int = 640, height: int = 360) -> NDArray[np.float64]:
    """A grained table top, (height, width, 3)."""
    grain = np.random.default_rng(1).normal(90, 25, (height // 4, width // 4, 3))
    return np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC), np.float64)


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    return np.asarray(cv2.imencode(".jpg", image)[1]).tobytes()
