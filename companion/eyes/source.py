"""Reads pictures from a video file, a camera or a stream with OpenCV, and says why a source gives none."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import MOST_PIXELS
from companion.eyes.image import Image
from companion.table.errors import Reason, SourceError
from companion.table.language import N_

# Why a camera, stream or video gives no pictures: each reason's code, and its sentence in English for gettext.


NO_SUCH_FILE = Reason("no_such_file", N_("{source}: no such file"))
A_FOLDER = Reason("a_folder", N_("{source} is a folder: name a video file in it"))
NO_FILE = Reason("no_file", N_("{source} is a pipe or a device: name a video file"))
NO_VIDEO = Reason("no_video", N_("{source}: not a video that can be read, or it is damaged: expected MP4, MKV, …"))
NO_PICTURE = Reason("no_picture", N_("{source}: holds no picture that can be read: copy the file again"))
A_PICTURE = Reason("a_picture", N_("{source} is a picture: name a video; `companion detect` reads pictures"))
TOO_LARGE = Reason(
    "too_large", N_("{source}: pictures of {width}x{height} pixels; expected {most} million pixels or fewer: make it smaller")
)
BROKEN_OFF = Reason(
    "broken_off", N_("{source}: damaged: its pictures end after {seconds:.1f} of {length:.1f} seconds; copy the file again")
)
NOT_OPENED = Reason("not_opened", N_("{source}: cannot be opened; `companion doctor` lists the cameras of this machine"))
CAMERA_NOT_OPENED = Reason(
    "camera_not_opened", N_("camera {source}: cannot be opened; `companion doctor` lists the cameras of this machine")
)
SILENT = Reason("silent", N_("{source}: no picture for {seconds:.0f} seconds; is the camera still plugged in?"))
NO_SUCH_CAMERA = Reason("no_such_camera", N_("this machine has no camera {source}; those it has: {there}"))
NO_CAMERA_AT_ALL = Reason("no_camera_at_all", N_("this machine has no camera {source}, and no other: plug one in"))
BY_NUMBER = Reason("by_number", N_("{source} is a camera: say its number, {number}"))
BAD_ADDRESS = Reason(
    "bad_address", N_("{source}: not the address of a stream; expected one like rtsp://192.168.1.20:554/live or http://…")
)

STALE_SECONDS = 4.0
"""Seconds without a new picture after which a camera counts as unplugged."""
OPEN_SECONDS = 8.0
"""Seconds after which a camera or stream that could not be opened is given up; drivers may try for half a minute."""
POLL_SECONDS = 0.25
"""Seconds between questions whether another source is wanted."""
CLOSING_SECONDS = 1.0
"""Seconds within which a working camera is closed."""

BROKEN_SECONDS, BROKEN_SHARE = 2.0, 0.02
"""Seconds, and share of a file's length, by which its pictures may end before the length that it claims: a file that ends earlier
is damaged."""

WISHED_SIZE = (1920, 1080)
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


def pictures(
    source: str, per_second: float, start: float = 0.0, going: Callable[[], bool] = lambda: True
) -> Generator[Picture, None, None]:
    """Pictures of ``source``, at most ``per_second`` per second of the source, in order of time.

    ``source`` is a path, a camera's number or a stream's address. A file is read from ``start`` seconds on, as fast as the caller
    takes its pictures. A camera always gives its newest picture, so that a slow caller never falls behind; its times are counted
    from ``start``, seconds. ``going``: called several times a second while waiting for a camera; False: give up.

    Raises:
        SourceError: there is no such source, it is not a video, or a camera has stopped giving pictures. A file that breaks off
            gives the pictures that it has first.
    """
    if source.isdigit() or "://" in source:
        yield from _live(source, per_second, start, going)
    else:
        yield from _ahead(_file(Path(source), per_second, start))


def _ahead(read: Generator[Picture, None, None]) -> Iterator[Picture]:
    """The pictures that ``read`` gives. Each is read in a thread of its own while the caller works on the one before."""
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


def opened_file(path: Path) -> cv2.VideoCapture:
    """Open the video in this file; the caller releases it. A still picture is no video, though OpenCV takes it for one.

    Raises:
        SourceError: it is no file or no video, its pictures are larger than `MOST_PIXELS`, or it is a single one.
    """
    if path.is_dir():
        raise SourceError(A_FOLDER, source=path)
    if not path.is_file():
        raise SourceError(NO_FILE if path.exists() else NO_SUCH_FILE, source=path)
    capture = cv2.VideoCapture(str(path))
    width, height = (int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    wrong: SourceError | None = None
    if not capture.isOpened():
        wrong = SourceError(NO_VIDEO, source=path)
    elif width * height > MOST_PIXELS:
        most = MOST_PIXELS // 10**6
        wrong = SourceError(TOO_LARGE, source=path, width=width, height=height, most=most)
    elif cv2.haveImageReader(str(path)) and _single(path):
        wrong = SourceError(A_PICTURE, source=path)
    if wrong is not None:
        capture.release()
        raise wrong
    return capture


def _single(path: Path) -> bool:
    """Whether the file has just one picture, unlike a stream of JPEG pictures."""
    capture = cv2.VideoCapture(str(path))
    more = capture.grab() and capture.grab()
    capture.release()
    return not more


def _file(path: Path, per_second: float, start: float) -> Generator[Picture, None, None]:
    capture = opened_file(path)
    try:
        length = capture.get(cv2.CAP_PROP_FRAME_COUNT) / (capture.get(cv2.CAP_PROP_FPS) or 25.0)
        if start > 0:
            capture.set(cv2.CAP_PROP_POS_MSEC, start * 1000)
        t = yield from taken(capture, per_second, start)
    finally:
        capture.release()
    check_whole(path, t, start, length)


def taken(
    capture: cv2.VideoCapture, per_second: float, start: float, turn: int | None = None
) -> Generator[Picture, None, float]:
    """The pictures of an open file from ``start`` seconds on, at most ``per_second`` per second of it. Returns, as the
    generator's value, the time of the last picture that could be read, seconds, -1 where there was none. ``turn``: code for
    `cv2.rotate` that puts them upright, None: they are."""
    fps = capture.get(cv2.CAP_PROP_FPS) or 25.0
    due, t = start, -1.0
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
        yield Picture(t, np.asarray(image if turn is None else cv2.rotate(image, turn), np.uint8))
    return t


def check_whole(path: Path, t: float, start: float, length: float) -> None:
    """Raises SourceError where a file that was read from ``start`` on ended at ``t``, before its ``length``; all in seconds."""
    if t < 0 and start <= 0:
        raise SourceError(NO_PICTURE, source=path)
    if 0 <= t < length - max(BROKEN_SECONDS, BROKEN_SHARE * length):
        raise SourceError(BROKEN_OFF, source=path, seconds=t, length=length)


class Due:
    """Decides which pictures of a camera are decoded: about ``per_second`` a second, each of them the nearest to its turn.

    A camera gives 25, 30 or 60 a second. One of 1920x1080 takes 8 ms to decode, and most are never looked at.
    """

    def __init__(self, per_second: float) -> None:
        self._every = 1 / per_second
        self._last = self._due = -math.inf

    def takes(self, t: float) -> bool:
        """Whether to decode the picture that comes at ``t`` seconds. Called for each picture, in order of time."""
        slack = min(t - self._last, self._every) / 2
        self._last = t
        if t < self._due - slack:
            return False
        self._due = (t if t - self._due > self._every else max(self._due, t - slack)) + self._every
        return True


class _Latest:
    """Opens and reads a camera in a thread of its own and keeps the newest picture, so that a slow consumer never falls behind.

    Only that thread touches the camera, and it closes it too: a driver may block for a long time. ``due``: which pictures it
    decodes.
    """

    def __init__(self, opening: Callable[[], cv2.VideoCapture], due: Due, start: float, going: Callable[[], bool]) -> None:
        self._opening, self._due, self._going = opening, due, going
        self._begun = time.monotonic() - start
        self._fresh = threading.Condition()
        self._picture: Picture | None = None
        self._stopped = False
        self._opened: bool | None = None
        self._thread = threading.Thread(target=self._read, name="camera", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        capture = self._opening()
        try:
            with self._fresh:
                self._opened = capture.isOpened()
                self._fresh.notify_all()
            while self._opened and not self._stopped:
                came, t = capture.grab(), time.monotonic() - self._begun
                if came and not self._due.takes(t):
                    continue
                ok, image = capture.retrieve() if came else (False, None)
                if not ok:
                    time.sleep(0.05)
                    continue
                with self._fresh:
                    self._picture = Picture(t, np.asarray(image, np.uint8))
                    self._fresh.notify_all()
        finally:
            capture.release()

    def opened(self) -> bool:
        """Wait until the camera is opened. Returns whether it is; False where that takes too long, or nobody wants it any
        more."""
        self._wait(lambda: self._opened is not None, OPEN_SECONDS)
        return self._opened is True

    def after(self, t: float) -> Picture | None:
        """Wait for a picture later than ``t`` seconds, and return the newest; None where the camera gives none."""
        self._wait(lambda: self._picture is not None and self._picture.t > t, STALE_SECONDS)
        with self._fresh:
            return self._picture if self._picture is not None and self._picture.t > t else None

    def _wait(self, happened: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._going() and time.monotonic() < end:
            with self._fresh:
                if self._fresh.wait_for(happened, POLL_SECONDS):
                    return

    def stop(self) -> None:
        """Stop reading. A camera that does not respond is closed once it does."""
        self._stopped = True
        self._thread.join(CLOSING_SECONDS if self._opened is not None else 0.0)


def _opened(source: str) -> cv2.VideoCapture:
    if source.isdigit():
        capture = cv2.VideoCapture(int(source))
        # Without compression most cameras give large pictures only a few times a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WISHED_SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WISHED_SIZE[1])
        return capture
    opening, reading = int(OPEN_SECONDS * 1000), int(STALE_SECONDS * 1000)
    patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, opening, cv2.CAP_PROP_READ_TIMEOUT_MSEC, reading]
    return cv2.VideoCapture(source, cv2.CAP_FFMPEG, patience)


def _live(source: str, per_second: float, start: float, going: Callable[[], bool]) -> Generator[Picture, None, None]:
    return newest(source, lambda: _opened(source), per_second, start, going)


def newest(
    source: str, opening: Callable[[], cv2.VideoCapture], per_second: float, start: float, going: Callable[[], bool]
) -> Generator[Picture, None, None]:
    """The pictures of a camera or stream, always the newest, as in `pictures`. ``opening`` opens it, in a thread of its own;
    ``source``: its name in errors. Raises SourceError."""
    latest = _Latest(opening, Due(per_second), start, going)
    t = -1.0
    try:
        if not latest.opened():
            raise SourceError(CAMERA_NOT_OPENED if source.isdigit() else NOT_OPENED, source=source)
        while True:
            picture = latest.after(t)
            if picture is None:
                raise SourceError(SILENT, source=source, seconds=STALE_SECONDS)
            t = picture.t
            yield picture
    finally:
        latest.stop()
