"""The pairing code and the PIN on this machine's own television (`companion kiosk`), for a machine without a second screen.
Everybody in the bar can read a television. So it shows them only while no phone is paired and no evening was kept, or for a
minute after a key was pressed on the machine's keyboard; and as soon as they are gone from the screen they are no longer
valid."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

SHOWN_SECONDS = 60.0
"""Seconds for which PIN and code are shown after somebody has pressed a key."""


class Renewed(Protocol):
    """A PIN and code that can be replaced: `companion.dashboard.organiser.pairing.Pin`."""

    def renew(self) -> None: ...


class OnTv:
    """Decides whether the television shows them. Any thread may ask. ``clock``: seconds from any zero."""

    def __init__(self, pin: Renewed, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._clock = pin, clock
        self._lock = threading.Lock()
        self._shown = False
        self._until = 0.0

    def ask(self, wanted: bool) -> None:
        """Show them for `SHOWN_SECONDS`, as somebody at the machine has asked (``wanted``), or stop showing them."""
        with self._lock:
            self._until = self._clock() + SHOWN_SECONDS if wanted else 0.0

    def showing(self, nobody_known: bool) -> bool:
        """Whether the television shows them now; makes them invalid once it no longer does. ``nobody_known``: no phone is paired,
        and no evening was kept."""
        with self._lock:
            if nobody_known:
                self._until = 0.0
            show = nobody_known or self._clock() < self._until
            if not show:
                self._forget()
            self._shown = show
            return show

    def past(self) -> None:
        """Make the PIN and code invalid where their time on the screen is over. Called before a phone is let in, as the
        television's browser may have ended without asking again."""
        with self._lock:
            if self._until and self._clock() >= self._until:
                self._forget()

    def paired(self) -> None:
        """Take them off the television, as a phone was let in."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        if self._shown:
            self._pin.renew()
        self._shown, self._until = False, 0.0
