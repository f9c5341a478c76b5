"""Places at the stream: how many pages may follow it, shared fairly among network addresses."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

MAX_RESERVED_PER_ADDRESS = 8
"""Number of reserved places that one address gets: several phones may share an address, and this machine has few screens."""


@dataclass(slots=True, eq=False)
class Place:
    """A place at the stream. ``own``: it is a reserved one; ``lost``: it was given to another page since."""

    address: str
    own: bool
    lost: bool = False


class Places:
    """``most`` places, ``reserved`` ones among them for paired phones and this machine's own browser. Any thread may ask.

    When all others are taken, a newcomer gets the newest place of the address that has most, if that has at least two more than
    the newcomer's: so a laptop with a thousand connections takes no place from a phone that has one.
    """

    def __init__(self, most: int, reserved: int) -> None:
        self._most, self._strangers = most, most - min(reserved, most // 2)
        self._lock = threading.Lock()
        self._taken: dict[Place, None] = {}  # in the order in which they came

    def enter(self, address: str, *, own: bool = False) -> Place | None:
        """A place, which must be given back with `leave`; None: there is none."""
        with self._lock:
            reserved = sum(one.own and one.address == address for one in self._taken)
            own = own and reserved < MAX_RESERVED_PER_ADDRESS
            place = Place(address, own)
            strangers = [one for one in self._taken if not one.own]
            full = len(self._taken) >= self._most if own else len(strangers) >= self._strangers or len(self._taken) >= self._most
            if full and not self._make_room(place, strangers):
                return None
            self._taken[place] = None
            return place

    def leave(self, place: Place) -> None:
        """Give it back; once it is lost, or twice, does nothing."""
        with self._lock:
            self._taken.pop(place, None)

    def __len__(self) -> int:
        return len(self._taken)

    def _make_room(self, place: Place, strangers: list[Place]) -> bool:
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
