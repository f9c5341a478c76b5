"""The PIN that lets a phone in, and how often it may be got wrong."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

DIGITS = 6
WINDOW_SECONDS = 15 * 60.0
"""Seconds for which wrong tries are remembered."""
MAX_WRONG_PER_ADDRESS = 5
"""Wrong tries of one network address in that time."""
MAX_WRONG_IN_ALL = 30
"""Wrong tries of all addresses in that time: at this pace half of all PINs would take more than five months."""


class Pin:
    """A PIN of six digits, and a code for phones that scan it, both valid until they are renewed. Any thread may ask. ``clock``:
    seconds from any zero."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: list[tuple[float, str]] = []
        self._digits, self._code = _new()

    @property
    def code(self) -> str:
        """What the QR code says: 22 letters and digits that nobody guesses, so that nobody's guessing keeps it from counting."""
        return self._code

    def opens(self, code: str) -> bool:
        """Whether this is the code."""
        return secrets.compare_digest(code.encode(), self._code.encode())

    @property
    def digits(self) -> str:
        """The PIN as people type it: six digits."""
        return self._digits

    def renew(self) -> None:
        """Another PIN, another code; the wrong tries at the old one are forgotten."""
        with self._lock:
            (self._digits, self._code), self._wrong = _new(), []

    def wait(self, address: str) -> float:
        """Seconds until this network address may try again; 0 when it may now."""
        with self._lock:
            return self._wait(address)

    def matches(self, address: str, typed: str) -> bool:
        """Whether this is the PIN; a wrong one is remembered. False, and not remembered, for an address that has to wait."""
        with self._lock:
            if self._wait(address):
                return False
            if secrets.compare_digest(typed.encode(), self._digits.encode()):
                return True
            self._wrong.append((self._clock(), address))
            return False

    def _wait(self, address: str) -> float:
        now = self._clock()
        self._wrong = [(t, other) for t, other in self._wrong if now - t < WINDOW_SECONDS]
        own = [t for t, other in self._wrong if other == address]
        due = [own[-MAX_WRONG_PER_ADDRESS]] if len(own) >= MAX_WRONG_PER_ADDRESS else []
        due += [self._wrong[-MAX_WRONG_IN_ALL][0]] if len(self._wrong) >= MAX_WRONG_IN_ALL else []
        return max((t + WINDOW_SECONDS - now for t in due), default=0.0)


def _new() -> tuple[str, str]:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", secrets.token_urlsafe(16)
