"""When the cards of a hand have been gathered, as several views have it: each sees only some of the places bare."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.eyes.sighting import Sighting
from companion.referee.witnesses.agreeing import HOLD_SECONDS
from companion.referee.witnesses.testimony import Sights

PARTLY_SECONDS = 10.0
"""Seconds for which the word of a view is waited for that has seen cards where those that tell of bare places have seen none."""
OWN_SECONDS = 8.0
"""Seconds after the cards were gathered within which another view that sees the table bare speaks of the same."""


class Clearing:
    """``last``: when the cards were last gathered, seconds. ``owing``: views that have not told of it yet, and of no card
    since."""

    def __init__(self, sights: Sights) -> None:
        self._sights = sights
        self._agreed: dict[int, Sighting] = {}
        self._heard = 0.0
        self.last = -math.inf
        self.owing: set[int] = set()
        self._tellers: set[int] = set()

    def take(self, view: int, sighting: Sighting) -> None:
        """This ``view`` sees the table bare."""
        late = view in self.owing or (view not in self._tellers and sighting.t - self.last <= OWN_SECONDS)
        self.owing.discard(view)
        if late and not self._agreed:
            return
        self._heard = self._heard if self._agreed else self._sights.t
        self._agreed.setdefault(view, sighting)

    def begun(self, view: int, place: int, t: float) -> bool:
        """Whether a card that this ``view`` has seen in the place since ``t`` seconds is of the next hand, so that this one is
        over:
        it, or another that knew the card there, has seen the place bare before."""
        if t > self.last:
            self.owing.discard(view)
        views = self._sights.views
        return any(t > bare.t and (by == view or place in views[by].places) for by, bare in self._agreed.items())

    @property
    def settled(self) -> bool:
        """Whether some view tells that the cards were gathered, and none is waited for any more."""
        views, waited = self._sights.views, self._sights.t - self._heard
        bare = set().union(*(views[view].places for view in self._agreed))
        return bool(self._agreed) and all(
            view in self._agreed or waited >= (HOLD_SECONDS if views[view].places <= bare else PARTLY_SECONDS)
            for view in self._sights.others(-1)
        )

    def over(self) -> Sighting | None:
        """What the referee gets of it; None where no view has told."""
        if not self._agreed:
            return None
        first, t = next(iter(self._agreed.values())), max(one.t for one in self._agreed.values())
        self._tellers = set(self._agreed)
        self.owing = set(range(len(self._sights.views))) - self._tellers
        self._agreed, self.last = {}, t
        return first if first.t == t else replace(first, t=t)
