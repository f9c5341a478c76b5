"""What each network address gets: places at the stream, turns for its requests, and a share of the processor."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

# Places at the stream: how many pages may follow it, shared fairly among network addresses.

MAX_RESERVED_PER_ADDRESS = 8
"""Number of reserved places that one address gets: several phones may share an address, and this machine has few screens."""


@dataclass(slots=True, eq=False)
class StreamPlace:
    """A place at the stream. ``own``: it is one of the reserved places; ``lost``: it has since been given to another page."""

    address: str
    own: bool
    lost: bool = False


class Places:
    """The places at the stream: ``most`` in all, of them ``reserved`` for paired phones and this machine's own browser. Any
    thread may ask.

    When all other places are taken, a newcomer gets the newest place of the address that has most, if that address has at least
    two more than the newcomer's. So a laptop with a thousand connections takes no place from a phone that has one.
    """

    def __init__(self, most: int, reserved: int) -> None:
        self._most, self._strangers = most, most - min(reserved, most // 2)
        self._lock = threading.Lock()
        self._taken: dict[StreamPlace, None] = {}  # in the order in which they came

    def enter(self, address: str, *, own: bool = False) -> StreamPlace | None:
        """Take a place, which must be given back with `leave`; None where there is none."""
        with self._lock:
            reserved = sum(one.own and one.address == address for one in self._taken)
            own = own and reserved < MAX_RESERVED_PER_ADDRESS
            place = StreamPlace(address, own)
            strangers = [one for one in self._taken if not one.own]
            full = len(self._taken) >= self._most if own else len(strangers) >= self._strangers or len(self._taken) >= self._most
            if full and not self._make_room(place, strangers):
                return None
            self._taken[place] = None
            return place

    def leave(self, place: StreamPlace) -> None:
        """Give a place back. Does nothing where it is lost or has been given back."""
        with self._lock:
            self._taken.pop(place, None)

    def __len__(self) -> int:
        return len(self._taken)

    def _make_room(self, place: StreamPlace, strangers: list[StreamPlace]) -> bool:
        held = Counter(one.address for one in strangers)
        if not held:
            return False
        address, most = held.most_common(1)[0]
        if not place.own and most <= held[place.address] + 1:
            return False
        loser = next(one for one in reversed(strangers) if one.address == address)
        loser.lost = True
        del self._taken[loser]
        return True


# Which request is answered next: one of each address in turn, so that one that asks a thousand times delays only itself.

MAX_WAITING = 1000
"""Number of requests that may wait; one more is answered with 503."""
MAX_WAITING_PER_ADDRESS = 400
"""Number of requests of one address that may wait."""


class Busy(Exception):
    """Too many requests wait already."""


class Turns:
    """Lets ``slots`` requests be answered at a time; those that wait get their turns address by address. For one event loop
    alone."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._count = 0

    async def take(self, address: str) -> None:
        """Wait for a turn, which must be given back. Raises Busy."""
        if self._free:
            self._free -= 1
            return
        line = self._waiting.setdefault(address, deque())
        if self._count >= MAX_WAITING or len(line) >= MAX_WAITING_PER_ADDRESS:
            raise Busy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        """End a turn; the next one goes to the next address."""
        while self._waiting:
            address, line = self._waiting.popitem(last=False)
            turn = line.popleft()
            self._count -= 1
            if line:
                self._waiting[address] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


# Shares of the processor: an address that asks without end gets a small part of it, so that the camera keeps the rest. A token
# bucket of seconds for every stranger's address, and one for all strangers together. An answer costs the seconds that a thread
# took to make it. A bucket may go below zero; requests then wait until it is above zero again.

ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL = 3.0, 0.08
"""Seconds that an address may spend at once, and seconds a second that it gets back: opening all pages costs 0.1 s."""
ALL_BUDGET_SECONDS, ALL_REFILL = 6.0, 0.25
"""Seconds that all strangers together may spend at once, and seconds a second that they get back."""
MAX_PURSES = 4096
"""Number of addresses that are remembered."""


@dataclass(slots=True)
class _Purse:
    holds: float
    since: float


class Shares:
    """The token buckets of strangers' addresses. Only for one thread. ``clock``: seconds, never going back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._all = _Purse(ALL_BUDGET_SECONDS, clock())
        self._own: dict[str, _Purse] = {}

    def wait(self, address: str) -> float:
        """Seconds until a request of this address may be answered; 0 when it may now."""
        own = self._own.get(address)
        debt = -self._filled(own, ADDRESS_BUDGET_SECONDS, ADDRESS_REFILL) / ADDRESS_REFILL if own is not None else 0.0
        return max(0.0, debt, -self._filled(self._all, ALL_BUDGET_SECONDS, ALL_REFILL) / ALL_REFILL)

    def spend(self, address: str, seconds: float) -> None:
        """Take the ``seconds`` of the processor that an answer has cost from the buckets of this address and of all strangers."""
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
