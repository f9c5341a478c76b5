"""The process that decodes photos: `python -m companion.photos.process`, begun by `companion.photos.apart`.

It reads a photo's length, the longest side that is wanted (4 bytes each) and the photo; it answers 0, height, width and pixels,
or 1 and the number of the reason. It ends with the process that began it, and when it has had nothing to do for a minute.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
from typing import BinaryIO, Final

import cv2

from companion.photos import reasons
from companion.photos.reading import MAX_FILE_BYTES, NotRead, photo_of

IDLE_SECONDS: Final = 60.0
MAX_DATA_BYTES: Final = 3 * 2**29
"""Bytes that the process may have for its data (RLIMIT_DATA): the largest progressive photo takes half of it."""
_PR_SET_PDEATHSIG = 1


def answered(asked: BinaryIO, said: BinaryIO) -> bool:
    """Read one photo and answer. Returns False once nobody asks any more."""
    head = asked.read(8)
    if len(head) < 8:
        return False
    length, longest = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
    if length > MAX_FILE_BYTES:
        return False
    data = asked.read(length)
    try:
        image = photo_of(data)
    except NotRead as error:
        _say(said, b"\x01" + reasons.ALL.index(error.reason).to_bytes(4, "big") + bytes(4))
        return True
    except MemoryError:
        _say(said, b"\x01" + reasons.ALL.index(reasons.TOO_LARGE).to_bytes(4, "big") + bytes(4))
        return True
    scale = longest / max(image.shape[:2]) if longest else 1.0
    pixels = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    height, width = pixels.shape[:2]
    _say(said, b"\x00" + height.to_bytes(4, "big") + width.to_bytes(4, "big") + pixels.tobytes())
    return True


def _say(said: BinaryIO, data: bytes) -> None:
    said.write(data)
    said.flush()


def main() -> None:
    """Read photos until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the process that began this
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_BYTES, MAX_DATA_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a stranger's photo lies in no file
    asked, said = sys.stdin.buffer, sys.stdout.buffer
    _say(said, b"\x00")
    while select.select([asked], [], [], IDLE_SECONDS)[0]:
        if not answered(asked, said):
            break
    os._exit(0)


if __name__ == "__main__":
    main()
