"""The cameras of this machine that open."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import cv2

DEVICES = Path("/dev")


@dataclass(frozen=True, slots=True)
class CameraFound:
    """A camera: its ``number`` as a source, its ``name`` as the system calls it, and the ``size`` of its pictures
    (width, height in pixels; None when it is in use here already and was not opened once more)."""

    number: str
    name: str
    size: tuple[int, int] | None


def picture_size(device: Path) -> tuple[int, int] | None:
    """Width and height in pixels of a picture that the camera gives, None when it gives none."""
    before = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(0)  # a metadata node of a webcam is a device too, and OpenCV would complain about it at length
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
    """The cameras that give a picture, by number. Those ``in_use`` (numbers) are not opened: it would fail, or disturb them."""
    found = []
    for device in sorted(devices.glob("video[0-9]*"), key=lambda path: int(re.sub(r"\D", "", path.name))):
        number = device.name.removeprefix("video")
        size = None if number in in_use else size_of(device)
        if number in in_use or size is not None:
            found.append(CameraFound(number, _name(device), size))
    return tuple(found)


def _name(device: Path) -> str:
    """What the kernel calls it; empty where it does not say."""
    try:
        return Path("/sys/class/video4linux", device.name, "name").read_text().strip()
    except OSError:
        return ""
