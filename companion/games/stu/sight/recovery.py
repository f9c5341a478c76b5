"""The table before and after a time in which nothing of it could be seen: which cards still lie as they lay."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.eyes.sighting import Point, Unseen
from companion.games.stu.sight.place import Place, middle_turn
from companion.games.stu.sight.places import Places
from companion.games.stu.sightings import Appeared, Resumed, Shown, Sighting

MIN_LOOKS = 3
"""Looks at a card, at least, that tell how it lies."""
MAX_LATEST_LOOKS = 5
"""Looks, the latest ones, that tell how a card lay."""
LATE_SECONDS = 2.0
"""Seconds before a card was last seen beyond which looks do not tell how it lay then."""
SAME_SHIFT, SAME_TURN = 0.04, 4.0
"""Card lengths, and degrees, within which a card lies as before. On the bench, 60 % of the cards that nobody had touched for 3 to
8 s did, and 1 in 20 of those that were newly dealt."""
MAX_NEAREST_SHARE = 0.7
"""Share of the distance from the deck to the second nearest place, below which the nearest one is where the deck is."""


@dataclass(frozen=True, slots=True)
class _Lie:
    """How a card lies: its middle (table coordinates), its turn (degrees, 0 to 180), and the kind of its face; None: its back."""

    at: Point
    turn: float
    face: str | None


class Recovery:
    """Compares the table of ``places`` before and after. ``before``: sightings of the hand that is already in progress, where
    nothing else is known of the table before the first picture."""

    def __init__(self, places: Places, before: tuple[Sighting, ...] = ()) -> None:
        self._places = places
        self._before: dict[int, _Lie | None] = {}
        self._told = _as_told(before)
        self._deck: int | None = None
        self._since: float | None = None

    def lost(self) -> None:
        """Nothing can be seen for a while: how the table lies now is what it is compared with."""
        self._before = {number: _lie(place) for number, place in enumerate(self._places.places)}
        self._deck = self._beside()

    def unseen(self) -> None:
        """Nothing was seen until now; the next look is the first one after it."""
        self._since = None
        self._places.out_of_sight(bool(self._told))

    def step(self, t: float) -> None:
        """The table is seen at ``t`` seconds of seeing time."""
        if self._since is None:
            self._since = t

    def resumed(self, span: Unseen) -> Resumed:
        """How the table lies after ``span``, compared with how it lay before it."""
        after = {number: _lie(place, self._since) for number, place in enumerate(self._places.places)}
        pairs = [(number, old, new) for number, new in after.items() if (old := self._before.get(number)) and new]
        same = tuple(number for number, old, new in pairs if self._alike(old, new))
        moved = tuple(number for number, *_ in pairs if number not in same)
        backs = tuple(number for number, new in after.items() if new and new.face is None)
        up = {number: kind for number, kind in self._told.items() if kind is not None}
        up |= {number: old.face for number, old in self._before.items() if old and old.face is not None}
        self._told = {}
        faces = tuple(number for number, new in after.items() if new and new.face is not None)
        others = tuple(number for number, new in after.items() if new and number in up and new.face != up[number])
        return Resumed(span.t, span.until, same, moved, backs, faces, others, (self._deck, self._beside()))

    def _alike(self, old: _Lie, new: _Lie) -> bool:
        turn = abs(old.turn - new.turn)
        near = math.dist(old.at, new.at) <= SAME_SHIFT * self._places.card_length
        return near and min(turn, 180 - turn) <= SAME_TURN and old.face == new.face

    def _beside(self) -> int | None:
        """The place that the deck is beside; None where it is beside none, or out of view."""
        deck = self._places.deck
        if deck is None or self._places.deck_away_since is not None:
            return None
        distances = np.linalg.norm(self._places.centres - np.array(deck), axis=1)
        first, second = np.argsort(distances)[:2]
        return int(first) if distances[first] < MAX_NEAREST_SHARE * distances[second] else None


def _lie(place: Place, since: float | None = None) -> _Lie | None:
    """How the card in this place lies by the latest looks, none of them before ``since``; None where that is not known."""
    looks = list(place.trail)[-MAX_LATEST_LOOKS:]
    looks = [look for look in looks if look[0] >= (looks[-1][0] - LATE_SECONDS if since is None else since)]
    if not place.lying or len(looks) < MIN_LOOKS:
        return None
    x, y = np.median([middle for _, middle, _ in looks], axis=0)
    face = place.face.alternatives()[0][0] if place.face is not None else None
    return _Lie((float(x), float(y)), middle_turn([turn for *_, turn in looks]), face)


def _as_told(before: tuple[Sighting, ...]) -> dict[int, str | None]:
    """Place → the kind of the face that lies there, None for a back, as these sightings have it."""
    told: dict[int, str | None] = {}
    for seen in sorted(before, key=lambda one: one.t):
        if isinstance(seen, Appeared | Shown):
            told[seen.place] = seen.alternatives[0][0] if isinstance(seen, Shown) else None
    return told
