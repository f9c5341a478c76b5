"""What OpenCV cannot do with a video by itself, FFmpeg's filters inside it can: lines woven together again, and how long the
sound is.

OpenCV converts no picture that is marked as interlaced, and gives in its place, without an error, what was in the memory: black,
or an earlier picture (OpenCV 5.0).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2

_OPTIONS: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
_SOUND_HZ: Final = 4
"""A quarter of a second is near enough for the length of a sound."""
PROBED_PICTURES: Final = 50
"""Pictures: a camcorder marks all of them; a broadcast changes between the two ways within a second."""
_WEAVE: Final = "yadif=deint=interlaced"
_MARKED: Final = f"trim=end_frame={PROBED_PICTURES},select=interlace_type"
_opening = threading.Lock()  # the options are the process's


def is_interlaced(path: Path) -> bool:
    """Whether one of the file's first pictures is marked as interlaced."""
    with _graph(path, f"movie={{file}},{_MARKED}") as capture:
        return capture.grab()


@contextmanager
def woven(path: Path) -> Iterator[cv2.VideoCapture]:
    """The file's pictures, interlaced ones with their missing lines filled in, others as they are. It cannot be wound on."""
    with _graph(path, f"movie={{file}},{_WEAVE}") as capture:
        yield capture


def sound_seconds(path: Path) -> float:
    """How long the file's sound is, 0 where it has none. The sound is decoded: seconds for an hour of it."""
    with _graph(path, f"amovie={{file}},showwaves=size=16x16:rate={_SOUND_HZ}") as capture:
        pictures = 0
        while capture.grab():
            pictures += 1
    return pictures / _SOUND_HZ


def is_interlaced_stream(source: str, seconds: float) -> bool:
    """Whether one of the first pictures that come from this address is marked as interlaced; False where none comes. ``seconds``:
    after which silence is given up."""
    capture = _opened(f"{_movie(source, seconds)},{_MARKED}")
    marked: bool = capture.grab()
    capture.release()
    return marked


def woven_stream(source: str, seconds: float) -> cv2.VideoCapture:
    """As `woven`, of an address; to be released."""
    return _opened(f"{_movie(source, seconds)},{_WEAVE}")


def _movie(source: str, seconds: float) -> str:
    """The filter that reads an address. What silence is, is said in each protocol's own words; one passes over others'."""
    silence = f"{seconds * 1e6:.0f}"
    told = f"rw_timeout={silence}:timeout={silence}:rtsp_flags=prefer_tcp" if "rtsp" in source[:5] else f"rw_timeout={silence}"
    return f"movie={_quoted(source)}:format_opts={_quoted(told)}"


def _quoted(text: str) -> str:
    """An option's value in a graph, where first the graph and then the filter give some letters another meaning."""
    return re.sub(r"([\\'\[\],;])", r"\\\1", re.sub(r"([\\':])", r"\\\1", text))


@contextmanager
def _graph(path: Path, filters: str) -> Iterator[cv2.VideoCapture]:
    """What these filters make of the ``file``. It is named by its descriptor, as a graph gives many letters another meaning."""
    with path.open("rb") as file:
        capture = _opened(filters.format(file=f"/proc/self/fd/{file.fileno()}"))
        try:
            yield capture
        finally:
            capture.release()


def _opened(graph: str) -> cv2.VideoCapture:
    with _opening:
        before = os.environ.get(_OPTIONS)
        os.environ[_OPTIONS] = "input_format;lavfi"
        try:
            return cv2.VideoCapture(graph, cv2.CAP_FFMPEG)
        finally:
            os.environ.pop(_OPTIONS)
            if before is not None:
                os.environ[_OPTIONS] = before
