"""Shares of the processor: who asks without end gets a small part of it, so that the camera keeps the rest.

Every stranger's address has a purse of seconds that fills slowly, and all strangers have one together. An answer costs the
seconds that it took a thread to make it; a purse may go below nothing, and then whoever asks waits until it no longer is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

OWN_MOST, OWN_A_SECOND = 3.0, 0.08
"""An address may spend so many seconds at once, and this part of a core for ever: opening all pages costs a tenth of a second."""
ALL_MOST, ALL_A_SECOND = 6.0, 0.25
MOST_PURSES = 4096


@dataclass(slots=True)
class _Purse:
    holds: float
    since: float


class Shares:
    """The purses. For one thread alone. ``clock``: seconds, never going back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._all = _Purse(ALL_MOST, clock())
        self._own: dict[str, _Purse] = {}

    def wait(self, address: str) -> float:
        """Seconds until this address may ask; 0 when it may now."""
        own = self._own.get(address)
        debt = -self._filled(own, OWN_MOST, OWN_A_SECOND) / OWN_A_SECOND if own is not None else 0.0
        return max(0.0, debt, -self._filled(self._all, ALL_MOST, ALL_A_SECOND) / ALL_A_SECOND)

    def spend(self, address: str, seconds: float) -> None:
        """An answer for this address took so long to make."""
        if address not in self._own and len(self._own) >= MOST_PURSES:
            self._own = {one: purse for one, purse in self._own.items() if self._filled(purse, OWN_MOST, OWN_A_SECOND) < OWN_MOST}
        own = self._own.setdefault(address, _Purse(OWN_MOST, self._clock()))
        self._filled(own, OWN_MOST, OWN_A_SECOND)
        self._filled(self._all, ALL_MOST, ALL_A_SECOND)
        own.holds -= seconds
        self._all.holds -= seconds

    def _filled(self, purse: _Purse, most: float, a_second: float) -> float:
        now = self._clock()
        purse.holds, purse.since = min(most, purse.holds + (now - purse.since) * a_second), now
        return purse.holds
