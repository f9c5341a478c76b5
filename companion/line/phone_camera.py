"""A phone's camera as the line sees it: who sends, and the newest picture that was sent.

Pictures come over the network, faster or slower than anybody looks at them, late, twice, or not at all. Only the newest is kept,
as it came; it is decoded by the code that looks at it (`companion.line.phone_source`).
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from companion.photos.jpeg import jpeg_head

PHONE = "phone://"
"""The phone as a source, beside cameras' numbers, addresses and files."""

MAX_BYTES = 2_000_000
"""Greatest size of one picture, bytes: several times what 1920x1080 takes."""
MAX_SCANS = 10
"""Greatest number of scans in one JPEG: browsers write one, an encoder of progressive pictures ten."""
SIDE_PIXELS = (160, 4096)
"""Least and greatest length of a side, pixels: a small file may claim to be a picture that no memory holds."""
SILENT_SECONDS = 5.0
"""Seconds without a picture after which another phone may replace this one without asking."""
MAX_PER_SECOND = 30.0
"""Greatest number of pictures per second; what comes faster is refused."""
MAX_BURST = 6
"""Greatest number of pictures that may come at once, after a moment without network."""
JUMP_SECONDS = 2.0
"""Seconds by which a picture must seem older than the others so that the phone's clock is compared again: it may stand still
while the phone sleeps."""
STEP_SECONDS = 0.001
"""Least seconds between two pictures."""

Verdict = Literal["kept", "late", "fast", "other", "bad"]
"""What became of a picture: kept as the newest; taken before the newest; one too many; sent by a phone that another has replaced;
no JPEG picture of a permissible size."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture as it came. ``at``: when it was taken, seconds of this machine's `time.monotonic`."""

    at: float
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class PhoneStatus:
    """``joined``: a phone has come with the code. ``sending``: its pictures come. ``away``: it has said that its page is hidden
    or closed. ``per_second``: pictures."""

    joined: bool
    sending: bool
    away: bool
    per_second: float


class PhoneCamera:
    """The pictures of one phone at a time, for any number of threads. ``clock``: seconds, never going back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._fresh = threading.Condition()
        self._phone: str | None = None
        self._page = ""
        self._joined = self._away = False
        self._frame: Frame | None = None
        self._taken = self._heard = -math.inf
        self._lags: deque[float] = deque(maxlen=64)
        self._times: deque[float] = deque(maxlen=30)
        self._credit, self._credited = float(MAX_BURST), clock()

    def joined(self) -> None:
        """A phone has come with the code; its pictures may follow."""
        with self._fresh:
            self._joined = True

    def wait_for_another(self) -> None:
        """A new code is shown: a phone that came with an earlier one is not the one that is waited for."""
        with self._fresh:
            self._joined = False

    def put(self, phone: str, page: str, taken: float, jpeg: bytes) -> Verdict:
        """Take a picture of ``phone``, which begins to be the camera where none is.

        ``page``: the page that sends it, told apart from the same phone's earlier ones. ``taken``: when, seconds by a clock of
        the page that never goes back.
        """
        size = jpeg_size(jpeg)
        if size is None or not all(SIDE_PIXELS[0] <= side <= SIDE_PIXELS[1] for side in size) or not math.isfinite(taken):
            return "bad"
        with self._fresh:
            now = self._clock()
            if self._phone != phone:
                if self._busy(now):
                    return "other"
                self._begin(phone)
            if not self._may(now):
                return "fast"
            if self._page != page:
                self._page, self._taken = page, -math.inf
                self._lags.clear()
            last = self._frame.at if self._frame is not None else -math.inf
            # Of two pictures the one that was on its way for less time may seem to have been taken before the other.
            at = min(now, max(self._captured(now, taken), last + STEP_SECONDS))
            if taken <= self._taken or at <= last:
                return "late"
            self._frame, self._taken = Frame(at, jpeg), taken
            self._heard, self._away, self._joined = now, False, True
            self._times.append(now)
            self._fresh.notify_all()
            return "kept"

    def take_over(self, phone: str) -> None:
        """This phone is the camera from now on, whichever was before."""
        with self._fresh:
            if self._phone != phone:
                self._begin(phone)

    def shut_out(self, phone: str | None = None) -> None:
        """This phone is no camera any more, None: no phone is; the next one that sends may be."""
        with self._fresh:
            if self._phone is not None and phone in (None, self._phone):
                self._begin("")
                self._phone, self._frame, self._heard = None, None, -math.inf
                self._away = True
                self._fresh.notify_all()

    def away(self, phone: str, page: str, at: float) -> None:
        """The phone says that its page is hidden or closed, since ``at`` (as ``taken`` of `put`): what was taken before and comes
        later does not count."""
        with self._fresh:
            if self._phone == phone:
                if self._page == page and math.isfinite(at):
                    self._taken = max(self._taken, at)
                self._away = True
                self._fresh.notify_all()

    def after(self, at: float, seconds: float) -> Frame | None:
        """The newest picture taken later than ``at``, after waiting up to ``seconds`` for one; None where none came."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._frame is not None and self._frame.at > at, seconds)
            return self._frame if self._frame is not None and self._frame.at > at else None

    def status(self) -> PhoneStatus:
        """How it is now."""
        with self._fresh:
            sending = self._busy(self._clock())
            span = self._times[-1] - self._times[0] if len(self._times) > 2 else 0.0
            per_second = (len(self._times) - 1) / span if sending and span > 0 else 0.0
            return PhoneStatus(self._joined, sending, self._away, round(per_second, 1))

    def _busy(self, now: float) -> bool:
        return self._phone is not None and not self._away and now - self._heard <= SILENT_SECONDS

    def _begin(self, phone: str) -> None:
        self._phone, self._page, self._taken = phone, "", -math.inf
        self._heard, self._away = self._clock(), False
        self._lags.clear()
        self._times.clear()

    def _may(self, now: float) -> bool:
        self._credit = min(MAX_BURST, self._credit + (now - self._credited) * MAX_PER_SECOND)
        self._credited = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True

    def _captured(self, now: float, taken: float) -> float:
        """When the picture was taken by this machine's clock: the one that was quickest on its way says how the clocks differ."""
        lag = now - taken
        if self._lags and lag - min(self._lags) > JUMP_SECONDS:
            self._lags.clear()
        self._lags.append(lag)
        return taken + min(self._lags)


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a JPEG picture that a phone may send; None where it is none, too large a file, or one that
    would take the decoder long."""
    head = jpeg_head(data, MAX_SCANS) if len(data) <= MAX_BYTES else None
    return (head.width, head.height) if head is not None else None
