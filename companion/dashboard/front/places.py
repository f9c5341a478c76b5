"""Places at the stream: some are reserved, and the others go round by address."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

SHARE = 8
"""So many of the reserved places one address gets: several phones may share one, and this machine has not so many screens."""


@dataclass(slots=True, eq=False)
class Place:
    """A place that was given. ``lost``: it was given to somebody else since."""

    address: str
    own: bool
    lost: bool = False


class Places:
    """So many may follow. Any thread may ask.

    ``most``: in all, of which ``reserved`` only for who is of the house (a paired phone, this machine's own browser). When the
    others' are taken, who comes gets the newest place of the address that has most, if that has two more than theirs: so a
    laptop with a thousand connections takes no place from a phone that has one.
    """

    def __init__(self, most: int, reserved: int) -> None:
        self._most, self._strangers = most, most - min(reserved, most // 2)
        self._lock = threading.Lock()
        self._taken: dict[Place, None] = {}  # in the order in which they came

    def enter(self, address: str, *, own: bool = False) -> Place | None:
        """A place, which must be given back with `leave`; None: there is none."""
        with self._lock:
            place = Place(address, own and sum(one.own and one.address == address for one in self._taken) < SHARE)
            own = place.own
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
