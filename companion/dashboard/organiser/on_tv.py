"""The code and the PIN on the television that this machine shows by itself (`companion kiosk`): a machine without a second screen
has no other place for them. Everybody in the bar reads a television, so they stand there only while nobody is known to the
program yet, or for a minute after a key of the machine's own keyboard; and what stood there counts no longer than it stands."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

SHOWN_SECONDS = 60.0
"""Seconds for which they are shown to somebody who has asked by a key."""


class Renewed(Protocol):
    """What lets phones in, and can be made another one: `companion.dashboard.organiser.pairing.Pin`."""

    def renew(self) -> None: ...


class OnTv:
    """Whether they are on the television now. Any thread may ask. ``clock``: seconds from any zero."""

    def __init__(self, pin: Renewed, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._clock = pin, clock
        self._lock = threading.Lock()
        self._shown = False
        self._until = 0.0

    def ask(self, wanted: bool) -> None:
        """Somebody at the machine wants to see them, or to see them no longer."""
        with self._lock:
            self._until = self._clock() + SHOWN_SECONDS if wanted else 0.0

    def showing(self, nobody_known: bool) -> bool:
        """Whether the television shows them now. ``nobody_known``: no phone is paired, and no evening was kept."""
        with self._lock:
            if nobody_known:
                self._until = 0.0
            show = nobody_known or self._clock() < self._until
            if not show:
                self._forget()
            self._shown = show
            return show

    def past(self) -> None:
        """Before a phone is let in: what the television should show no longer counts no longer, even if its browser is gone and
        asks no more."""
        with self._lock:
            if self._until and self._clock() >= self._until:
                self._forget()

    def paired(self) -> None:
        """A phone was let in: they leave the television."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        if self._shown:
            self._pin.renew()
        self._shown, self._until = False, 0.0
