"""The pictures that a phone sends, as a source like a camera's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

import cv2

from companion.eyes.image import decode_jpeg
from companion.eyes.source import POLL_SECONDS, STALE_SECONDS, Picture
from companion.line.phone_camera import Frame, PhoneStatus, jpeg_size
from companion.table.errors import SourceError


class Inbox(Protocol):
    """Where a phone's pictures come in: `companion.line.phone_camera.PhoneCamera`, or what stands for it in another process."""

    def after(self, at: float, seconds: float) -> Frame | None:
        """The newest picture taken later than ``at``, after waiting up to ``seconds`` for one."""

    def status(self) -> PhoneStatus:
        """How it is now."""


def phone_pictures(phone: Inbox | None, start: float, going: Callable[[], bool], patient: bool) -> Iterator[Picture]:
    """What the phone sends, the newest each time, until ``going`` is False; times are counted from ``start`` seconds.

    ``patient``: the first picture may take as long as it likes, as somebody is on the way to the phone.

    Raises:
        SourceError: no phone can come here; it sends nothing (any more); another camera was chosen.
    """
    if phone is None:
        raise SourceError("a phone cannot be the camera here: start companion serve without --https-port 0")
    opened = heard = time.monotonic()
    last = opened
    while going():
        frame = phone.after(last, POLL_SECONDS)
        if frame is not None:
            last = frame.at
            try:
                image = decode_jpeg(frame.jpeg)
            except (cv2.error, TypeError):
                continue  # its head was a picture's, and no more
            if image.ndim != 3 or sorted(image.shape[:2]) != sorted(jpeg_size(frame.jpeg) or ()):
                continue
            patient = False
            yield Picture(start + frame.at - opened, image)
            heard = time.monotonic()  # only now: loading the eyes in between takes longer than a phone may be silent
        elif phone.status().away and not patient:
            raise SourceError("the phone's camera page is hidden or closed: bring it to the front again")
        elif time.monotonic() - heard > STALE_SECONDS and not patient:
            raise SourceError(f"no picture from the phone for {STALE_SECONDS:.0f} seconds: is its page open, and Wi-Fi there?")
    raise SourceError("another camera was chosen")
