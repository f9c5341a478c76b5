"""A video file's pictures, where OpenCV alone would give black ones, or call a sound that goes on a damage."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import cv2

from companion.eyes import source as eyes
from companion.eyes import source as plain
from companion.eyes.image import Image
from companion.eyes.source import BROKEN_SECONDS, BROKEN_SHARE, Picture, check_whole, opened_file, taken
from companion.line.sources import reasons
from companion.line.sources.lavfi import is_interlaced, sound_seconds, woven
from companion.table.errors import SourceError

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
    """Whether every pixel is exactly 0: no camera's picture is."""
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
