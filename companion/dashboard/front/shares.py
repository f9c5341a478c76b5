"""Shares of the processor: an address that asks without end gets a small part of it, so that the camera keeps the rest.

A token bucket of seconds for every stranger's address, and one for all strangers together. An answer costs the seconds that a
thread took to make it. A bucket may go below zero; requests then wait until it is above zero again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL = 3.0, 0.08
"""Seconds that an address may spend at once, and seconds a second that it gets back: opening all pages costs 0.1 s."""
ALL_BUDGET_SECONDS, ALL_REFILL = 6.0, 0.25
"""The same for all strangers together."""
MAX_PURSES = 4096
"""Number of addresses that are remembered."""


@dataclass(slots=True)
class _Purse:
    holds: float
    since: float


class Shares:
    """The buckets. Only one thread may use them. ``clock``: seconds, never going back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._all = _Purse(ALL_BUDGET_SECONDS, clock())
        self._own: dict[str, _Purse] = {}

    def wait(self, address: str) -> float:
        """Seconds until this address may ask; 0 when it may now."""
        own = self._own.get(address)
        debt = -self._filled(own, ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL) / ADDRESS_REFILL if own is not None else 0.0
        return max(0.0, debt, -self._filled(self._all, ALL_BUDGET_SECONDS, ALL_REFILL) / ALL_REFILL)

    def spend(self, address: str, seconds: float) -> None:
        """An answer for this address took ``seconds`` to make."""
        if address not in self._own and len(self._own) >= MAX_PURSES:
            full, refill = ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL
            self._own = {one: purse for one, purse in self._own.items() if self._filled(purse, full, refill) < full}
        own = self._own.setdefault(address, _Purse(ADDRESS_BUDGET_SECONDS, self._clock()))
        self._filled(own, ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL)
        self._filled(self._all, ALL_BUDGET_SECONDS, ALL_REFILL)
        own.holds -= seconds
        self._all.holds -= seconds

    def _filled(self, purse: _Purse, most: float, a_second: float) -> float:
        now = self._clock()
        purse.holds, purse.since = min(most, purse.holds + (now - purse.since) * a_second), now
        return purse.holds
