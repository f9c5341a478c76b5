"""What OpenCV cannot do with a video file by itself, FFmpeg's filters inside it can: lines woven together again, and how long the
sound is.

OpenCV converts no picture that is marked as interlaced, and gives in its place, without an error, what was in the memory: black,
or an earlier picture (OpenCV 5.0).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2

_OPTIONS: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
_SOUND_HZ: Final = 4
"""A quarter of a second is near enough for the length of a sound."""
PROBED: Final = 50
"""Pictures: a camcorder marks all of them; a broadcast changes between the two ways within a second."""
_opening = threading.Lock()  # the options are the process's


def is_interlaced(path: Path) -> bool:
    """Whether one of the file's first pictures is marked as interlaced."""
    with _graph(path, f"movie={{file}},trim=end_frame={PROBED},select=interlace_type") as capture:
        return capture.grab()


@contextmanager
def woven(path: Path) -> Iterator[cv2.VideoCapture]:
    """The file's pictures, interlaced ones with their missing lines filled in, others as they are. It cannot be wound on."""
    with _graph(path, "movie={file},yadif=deint=interlaced") as capture:
        yield capture


def sound_seconds(path: Path) -> float:
    """How long the file's sound is, 0 where it has none. The sound is decoded: seconds for an hour of it."""
    with _graph(path, f"amovie={{file}},showwaves=size=16x16:rate={_SOUND_HZ}") as capture:
        pictures = 0
        while capture.grab():
            pictures += 1
    return pictures / _SOUND_HZ


@contextmanager
def _graph(path: Path, filters: str) -> Iterator[cv2.VideoCapture]:
    """What these filters make of the ``file``. It is named by its descriptor, as a graph gives many letters another meaning."""
    with path.open("rb") as file:
        with _opening:
            before = os.environ.get(_OPTIONS)
            os.environ[_OPTIONS] = "input_format;lavfi"
            try:
                capture = cv2.VideoCapture(filters.format(file=f"/proc/self/fd/{file.fileno()}"), cv2.CAP_FFMPEG)
            finally:
                os.environ.pop(_OPTIONS)
                if before is not None:
                    os.environ[_OPTIONS] = before
        try:
            yield capture
        finally:
            capture.release()
