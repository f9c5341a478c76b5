"""Where pictures come from: a video file, a camera's number or a stream's address, read with OpenCV."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes import reasons
from companion.eyes.image import Image
from companion.table.errors import SourceError

STALE_SECONDS = 5.0
"""A camera that has given no new picture for this long counts as unplugged."""
CLOSING_SECONDS = 1.0
"""A camera that works is closed within this time."""

WISHED = (1920, 1080)
"""Width and height in pixels that are requested of a camera; it gives the nearest that it has."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture and its time ``t``, seconds into the source.

    ``top``: the table's corners in it, (4, 2) pixels, where they are known. ``small``: the result of `change.shrink`, where it
    has been computed.
    """

    t: float
    image: Image
    top: NDArray[np.float64] | None = None
    small: NDArray[np.float32] | None = None


def pictures(source: str, per_second: float, start: float = 0.0) -> Iterator[Picture]:
    """Pictures of ``source``, at most ``per_second`` per second of the source, in order of time.

    ``source`` is a path, a camera's number or a stream's address. A file is read from ``start`` seconds on, as fast as its
    pictures are taken. Of a camera the newest picture is always given, so that a slow consumer never falls behind; its times
    are counted from ``start``.

    Raises:
        SourceError: there is no such source, it is not a video, or a camera has stopped giving pictures.
    """
    if source.isdigit() or "://" in source:
        yield from _live(source, per_second, start)
    else:
        yield from _ahead(_file(Path(source), per_second, start))


def _ahead(read: Generator[Picture, None, None]) -> Iterator[Picture]:
    """The pictures that ``read`` gives, each read while the one before is being looked at."""
    turn = threading.Lock()  # a signal can end this while the thread still reads, and a generator that runs cannot be closed

    def following() -> Picture | None:
        with turn:
            return next(read, None)

    try:
        with ThreadPoolExecutor(1, "video") as reader:
            coming = reader.submit(following)
            while (picture := coming.result()) is not None:
                coming = reader.submit(following)
                yield picture
    finally:
        with turn:
            read.close()


def _file(path: Path, per_second: float, start: float) -> Generator[Picture, None, None]:
    if not path.is_file():
        raise SourceError(reasons.NO_SUCH_FILE, source=path)
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise SourceError(reasons.NO_VIDEO, source=path)
        fps = capture.get(cv2.CAP_PROP_FPS) or 25.0
        due, t = start, -1.0
        if start > 0:
            capture.set(cv2.CAP_PROP_POS_MSEC, start * 1000)
        while capture.grab():
            # Phone videos have uneven frames: the container's time counts, or the frame rate where there is none.
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            t = stamp if stamp > t else t + 1 / fps
            if t < max(due - 0.5 / fps, start):
                continue
            ok, image = capture.retrieve()
            if not ok:
                break
            due = max(due, t - 0.5 / fps) + 1 / per_second
            yield Picture(t, np.asarray(image, np.uint8))
        if t < 0 and start <= 0:
            raise SourceError(reasons.NO_PICTURE, source=path)
    finally:
        capture.release()


class _Latest:
    """Reads a camera in a thread of its own and keeps the newest picture, so that a slow consumer never falls behind.

    Only that thread touches the camera, and it closes it too: a driver may block for a long time.
    """

    def __init__(self, capture: cv2.VideoCapture, start: float) -> None:
        self._capture = capture
        self._begun = time.monotonic() - start
        self._fresh = threading.Condition()
        self._picture: Picture | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._read, name="camera", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while not self._stopped:
                ok, image = self._capture.read()
                if not ok:
                    time.sleep(0.05)
                    continue
                with self._fresh:
                    self._picture = Picture(time.monotonic() - self._begun, np.asarray(image, np.uint8))
                    self._fresh.notify_all()
        finally:
            self._capture.release()

    def after(self, t: float) -> Picture | None:
        """The newest picture later than ``t`` seconds, after waiting for one; None when the camera gives none."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._picture is not None and self._picture.t > t, STALE_SECONDS)
            return self._picture if self._picture is not None and self._picture.t > t else None

    def stop(self) -> None:
        """Stop reading. A camera that does not respond is closed once it does."""
        self._stopped = True
        self._thread.join(CLOSING_SECONDS)


def _live(source: str, per_second: float, start: float) -> Iterator[Picture]:
    capture = cv2.VideoCapture(int(source)) if source.isdigit() else cv2.VideoCapture(source)
    if not capture.isOpened():
        capture.release()
        raise SourceError(reasons.CAMERA_NOT_OPENED if source.isdigit() else reasons.NOT_OPENED, source=source)
    if source.isdigit():  # without compression most cameras give large pictures only a few times a second
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WISHED[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WISHED[1])
    latest = _Latest(capture, start)
    t = -1.0
    try:
        while True:
            picture = latest.after(t + 1 / per_second if t >= 0 else t)
            if picture is None:
                raise SourceError(reasons.SILENT, source=source, seconds=STALE_SECONDS)
            t = picture.t
            yield picture
    finally:
        latest.stop()
