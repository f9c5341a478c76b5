"""A video file's pictures, where OpenCV alone would give black ones, or report a long sound as damage; and their shape as they
are shown.

OpenCV does not convert interlaced pictures. In their place it gives, without an error, what was in memory: black, or an earlier
picture (OpenCV 5.0). FFmpeg's filters, which it contains, weave the lines together.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2

from companion.eyes import source as eyes
from companion.eyes import source as plain
from companion.eyes.image import Image
from companion.eyes.source import BROKEN_SECONDS, BROKEN_SHARE, Picture, check_whole, opened_file, taken
from companion.line.sources import reasons
from companion.line.sources.address import is_file
from companion.table.errors import SourceError

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

_TURNED: Final = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def file_pictures(path: Path, per_second: float, start: float) -> Iterator[Picture]:
    """As `companion.eyes.source.pictures`, of a file. Interlaced pictures are read, and a sound longer than the pictures is no
    damage. Raises SourceError."""
    opened_file(path).release()  # what is no video is refused before anything is made of it
    if is_interlaced(path):
        yield from _woven(path, per_second, start)
        return
    try:
        yield from eyes.pictures(str(path), per_second, start)
    except SourceError as error:
        raise_unless_sound(path, error)


def is_black(image: Image) -> bool:
    """Whether every pixel of (H, W, 3) is exactly 0: no camera's picture is."""
    return not image[::16, ::16].any() and not image.any()


def codec(path: Path) -> str:
    """What the pictures are coded as, four letters; "" where that is not known."""
    capture = cv2.VideoCapture(str(path))
    code = int(capture.get(cv2.CAP_PROP_FOURCC)) if capture.isOpened() else 0
    capture.release()
    return code.to_bytes(4, "little").decode("latin-1").strip("\0 ").casefold() if 0 < code < 1 << 32 else ""


def without_pictures(path: Path, error: SourceError) -> SourceError:
    """The ``error`` of a file that gives no picture, or the better one where its coding is not read."""
    if error.text == plain.NO_PICTURE.text and codec(path) == "av01":
        return SourceError(reasons.AV1, source=path, new=path.with_name(f"{path.stem}-h264.mp4"))
    return error


def raise_unless_sound(path: Path, error: SourceError) -> None:
    """Raises the ``error`` of reading the file, unless it is that the pictures end, and its sound goes on as long as it says."""
    if error.text != plain.BROKEN_OFF.text:
        raise without_pictures(path, error) from None
    length = float(str(error.values["length"]))
    if sound_seconds(path) < length - max(BROKEN_SECONDS, BROKEN_SHARE * length):
        raise error


def _woven(path: Path, per_second: float, start: float) -> Generator[Picture, None, None]:
    """The file's pictures from ``start`` seconds on, read through a filter. All before them are decoded, too."""
    turn, length = _turn_and_length(path)
    with woven(path) as capture:
        t = yield from taken(capture, per_second, start, turn)
    try:
        check_whole(path, t, start, length)
    except SourceError as error:
        raise_unless_sound(path, error)


def _turn_and_length(path: Path) -> tuple[int | None, float]:
    """How a picture is to be turned to stand upright, OpenCV's number, and how many seconds the file is long by its own account;
    the filter knows nothing of either."""
    capture = cv2.VideoCapture(str(path))
    turn = int(capture.get(cv2.CAP_PROP_ORIENTATION_META)) if capture.isOpened() else 0
    length = capture.get(cv2.CAP_PROP_FRAME_COUNT) / (capture.get(cv2.CAP_PROP_FPS) or 25.0)
    capture.release()
    return _TURNED.get(turn % 360), length


# The shape of pictures: a film's pixels need not be square.


MAX_SHAPE_DIFFERENCE: Final = 0.01
"""Greatest difference of two aspect ratios that count as one, as a share: sizes are whole numbers, and codecs like multiples of
16."""


def as_shown(source: str, size: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the source's pictures with square pixels, the same height. ``size``: of the pictures as they are read,
    upright."""
    if not is_file(source):
        return size
    capture = cv2.VideoCapture(str(Path(source)))
    asked = cv2.CAP_PROP_SAR_NUM, cv2.CAP_PROP_SAR_DEN, cv2.CAP_PROP_ORIENTATION_META
    across, down, turn = (capture.get(what) for what in asked)
    capture.release()
    wide = across / down if across > 0 and down > 0 else 1.0
    return round(size[0] * (1 / wide if turn % 180 else wide)), size[1]


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether pictures of these sizes (width, height) have the same shape."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) <= MAX_SHAPE_DIFFERENCE


def fits(source: str, size: tuple[int, int], told: tuple[int, int]) -> bool:
    """Whether a table that was told in a picture of the size ``told`` lies there in this source's, too. ``size``: as in
    `as_shown`. Where the two sizes are one, it was one of these pictures."""
    return size == told or same_shape(as_shown(source, size), told)
