"""Pictures → a video file that a phone plays.

What messengers take as a video is MP4 with H.264: WhatsApp on Android asks for the profile Main without B-frames, with the index
at the beginning of the file, of 16 MB at most (Meta, *Video messages*, 2025). OpenCV's wheel cannot write that; an ffmpeg with
libx264 can. Where there is none, OpenCV writes WebM with VP9, which browsers and Android play.
"""

from __future__ import annotations

import errno
import functools
import importlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

MOST_BITS = 3_000_000
"""Most bits a second: half a minute stays below the 16 MB that WhatsApp takes."""
ROOM_BYTES = 64_000_000
"""Bytes that must be free where the file goes before one is begun."""
_ASKING_SECONDS = 20.0
"""Seconds that ffmpeg may take to say what it can write, and to end once it has every picture."""


class Unwritten(Exception):
    """The file could not be written. ``full``: the disk is."""

    def __init__(self, why: str, *, full: bool = False) -> None:
        super().__init__(why)
        self.full = full


class Form(Struct, frozen=True):
    """What kind of file is written. ``sent``: messengers take it as a video; ``fps``: pictures a second, fewer where each takes
    long."""

    suffix: str
    mimetype: str
    sent: bool
    fps: int


MP4 = Form(".mp4", "video/mp4", sent=True, fps=25)
WEBM = Form(".webm", "video/webm", sent=False, fps=12)


def form() -> Form:
    """What this machine can write."""
    return MP4 if ffmpeg() is not None else WEBM


def ffmpeg() -> str | None:
    """An ffmpeg of this machine that writes H.264; None where there is none. One that imageio-ffmpeg has brought will
    do, too."""
    return next((path for path in (shutil.which("ffmpeg"), _brought()) if path is not None and _writes_h264(path)), None)


def _brought() -> str | None:
    try:
        found: str = importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        return None
    return found


@functools.lru_cache(maxsize=4)
def _writes_h264(path: str) -> bool:
    try:
        said = subprocess.run([path, "-hide_banner", "-encoders"], capture_output=True, timeout=_ASKING_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return b" libx264 " in said.stdout


def write(path: Path, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], form: Form) -> None:
    """Write the ``frames`` (uint8, height x width x 3, BGR) into a new file. ``size``: width and height, both even.

    Raises:
        Unwritten: it could not be written; what there is of the file is of no use.
    """
    try:
        if shutil.disk_usage(path.parent).free < ROOM_BYTES:
            raise Unwritten(f"{path.parent}: less than {ROOM_BYTES // 1_000_000} MB are free", full=True)
        if form is MP4:
            _by_ffmpeg(path, frames, size, form.fps)
        else:
            _by_opencv(path, frames, size, form.fps)
    except OSError as error:
        raise Unwritten(str(error), full=error.errno == errno.ENOSPC) from error


def _by_ffmpeg(path: Path, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], fps: int) -> None:
    program = ffmpeg()
    if program is None:
        raise Unwritten("ffmpeg is gone")
    command = [
        program, "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{size[0]}x{size[1]}",
        "-r", str(fps), "-i", "-", "-an", "-c:v", "libx264", "-profile:v", "main", "-bf", "0", "-preset", "veryfast",
        "-crf", "22", "-maxrate", str(MOST_BITS), "-bufsize", str(2 * MOST_BITS), "-pix_fmt", "yuv420p", "-g", str(2 * fps),
        "-threads", "1", "-movflags", "+faststart", "-f", "mp4", "-y", str(path),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        try:
            for frame in frames:
                running.stdin.write(np.ascontiguousarray(frame).data)
            running.stdin.close()
            said = running.stderr.read(4000)
            failed = running.wait(_ASKING_SECONDS) != 0
        except BrokenPipeError:
            said, failed = running.stderr.read(4000), True
        except subprocess.TimeoutExpired:
            raise Unwritten("ffmpeg does not end") from None
        finally:
            running.kill()
    if failed:
        raise Unwritten(f"ffmpeg: {said.decode(errors='replace').strip()}", full=os.strerror(errno.ENOSPC).encode() in said)


def _by_opencv(path: Path, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], fps: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter_fourcc(*"VP90"), fps, size)  # type: ignore[attr-defined]
    if not writer.isOpened():
        raise Unwritten("OpenCV cannot write VP9 on this machine")
    count = 0
    try:
        for frame in frames:
            writer.write(frame)
            count += 1
    finally:
        writer.release()
    free = shutil.disk_usage(path.parent).free
    written = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)  # it does not say itself that the disk was full
    try:
        whole = written.isOpened() and all(written.grab() for _ in range(count))
    finally:
        written.release()
    if not whole:
        raise Unwritten("the file is not whole", full=free < ROOM_BYTES)
