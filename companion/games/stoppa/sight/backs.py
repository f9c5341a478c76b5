"""Packets of backs that come to lie before the places, and are taken up again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from companion.games.stoppa.sightings import Dealt

LYING_SECONDS, LOOKS = 0.25, 3
"""Backs seen for so long, and in so many looks, lie there."""
BARE_SECONDS = 0.7
"""A place where none were seen for so long is bare."""


@dataclass(slots=True)
class _Place:
    """``seen``: times (seconds) of the looks since the place was last bare; ``lying``: it has been reported."""

    seen: list[float] = field(default_factory=list)
    lying: bool = False


class Backs:
    """Watches so many ``places``."""

    def __init__(self, places: int) -> None:
        self._places = [_Place() for _ in range(places)]

    def step(self, t: float, found: Collection[int], hidden: Collection[int] = ()) -> tuple[Dealt, ...]:
        """The packets that became sure with this look. ``found``: places before which backs lie in it; ``hidden``: those out of
        sight."""
        dealt = []
        for number, place in enumerate(self._places):
            if number in found:
                place.seen.append(t)
                if not place.lying and len(place.seen) >= LOOKS and t - place.seen[0] >= LYING_SECONDS:
                    place.lying = True
                    dealt.append(Dealt(place.seen[0], number))
            elif place.seen and t - place.seen[-1] > BARE_SECONDS and number not in hidden:
                place.seen, place.lying = [], False
        return tuple(dealt)

    @property
    def lying(self) -> tuple[int, ...]:
        """The places before which backs lie."""
        return tuple(number for number, place in enumerate(self._places) if place.lying)
