"""Which request is answered next: one of each address in turn, so that one that asks a thousand times delays only itself."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

MAX_WAITING = 1000
"""Number of requests that may wait; one more is answered with 503."""
MAX_WAITING_PER_ADDRESS = 400
"""The same of one address."""


class Busy(Exception):
    """Too many wait already."""


class Turns:
    """``slots`` requests at a time; those that wait go by address in turn. For one event loop alone."""

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
        """The turn is over: the next address has the next one."""
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
