"""Lists the cameras of this machine."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import cv2

DEVICES = Path("/dev")
TRY_AGAIN_SECONDS = 8.0
"""Seconds after which a device that gave no picture is tried again: another program may have been using it."""


@dataclass(frozen=True, slots=True)
class CameraFound:
    """A camera: its ``number`` as a source, its ``name`` in the system, and the ``size`` of its pictures (width, height; pixels;
    None where the program uses it already, so that it was not opened)."""

    number: str
    name: str
    size: tuple[int, int] | None


def picture_size(device: Path) -> tuple[int, int] | None:
    """Width and height in pixels of the camera's pictures; None where it gives no picture."""
    before = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(0)  # a webcam's metadata node is a device too, and OpenCV would complain about it at length
    try:
        capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
        ok, picture = capture.read() if capture.isOpened() else (False, None)
        capture.release()
    finally:
        cv2.utils.logging.setLogLevel(before)
    return (picture.shape[1], picture.shape[0]) if ok and picture is not None else None


def cameras(
    in_use: Collection[str] = (),
    devices: Path = DEVICES,
    size_of: Callable[[Path], tuple[int, int] | None] = picture_size,
) -> tuple[CameraFound, ...]:
    """The cameras that give pictures, by number. Those ``in_use`` (numbers) are not opened: that would fail, or disturb them."""
    found = []
    for device in sorted(devices.glob("video[0-9]*"), key=lambda path: int(re.sub(r"\D", "", path.name))):
        number = device.name.removeprefix("video")
        size = None if number in in_use else size_of(device)
        if number in in_use or size is not None:
            found.append(CameraFound(number, name_of(device), size))
    return tuple(found)


def remembered(
    size_of: Callable[[Path], tuple[int, int] | None], clock: Callable[[], float] = time.monotonic
) -> Callable[[Path], tuple[int, int] | None]:
    """``size_of`` (such as `picture_size`) for a page that asks again and again: a camera that gave a picture is not opened again
    until it was unplugged, and one that gave none only after `TRY_AGAIN_SECONDS`. ``clock``: seconds from any zero."""
    known: dict[tuple[str, int, int], tuple[float, tuple[int, int] | None]] = {}

    def size(device: Path) -> tuple[int, int] | None:
        stat = device.stat()
        this = str(device), stat.st_ino, stat.st_ctime_ns  # a camera that is plugged in again is another device of the same name
        tried, found = known.get(this, (-math.inf, None))
        if found is None and clock() - tried > TRY_AGAIN_SECONDS:
            found = size_of(device)
            known[this] = clock(), found
        return found

    return size


def name_of(device: Path) -> str:
    """The kernel's name of a camera; "" where it has none."""
    try:
        return Path("/sys/class/video4linux", device.name, "name").read_text().strip()
    except OSError:
        return ""
