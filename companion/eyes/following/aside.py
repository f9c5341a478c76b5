"""Leaves out cards that were dealt to mark the players' places, and still lie there when the game begins: they are not the first
hand."""

from __future__ import annotations

from typing import Final

import numpy as np

from companion.eyes.seeing import Seen
from companion.eyes.sighting import CardSeen

REACH: Final = 1.5
"""Card lengths from a place within which a card lies before it."""
LEAST: Final = 2
"""Least number of places with a card for which the game waits until they are bare: one card may have been forgotten there."""
SETTLED_SECONDS: Final = 0.6
"""Seconds of looks in which those cards must have been seen: a hand may be over some."""
BARE_SECONDS: Final = 1.0
"""Seconds for which all places must be bare before cards count: while they are gathered, hands hide them."""


class Aside:
    """Leaves out all cards of a game's first looks until the places have been bare once. Looks come in order of time."""

    def __init__(self) -> None:
        self._lay = False
        self._over = False
        self._bare_since: float | None = None

    @property
    def waiting(self) -> bool:
        """Whether the cards that marked the places may still lie there."""
        return self._lay and not self._over

    def counted(self, seen: Seen) -> tuple[CardSeen, ...]:
        """The cards of this look that may belong to a hand. A pack may: it stays on the table when the others are gathered."""
        if self._over or seen.frame_quality.blind is not None:
            return seen.cards
        t, taken = seen.picture.t, _taken(seen)
        self._lay = self._lay or taken >= LEAST
        if taken or seen.frame_quality.hidden:
            self._bare_since = None
        elif self._bare_since is None:
            self._bare_since = t
        bare = 0.0 if self._bare_since is None else t - self._bare_since
        self._over = bare >= (BARE_SECONDS if self._lay else SETTLED_SECONDS)
        return tuple(card for card in seen.cards if card.side == "stack")


def _taken(seen: Seen) -> int:
    """The number of places that have a card."""
    loose = [card for card in seen.cards if card.side != "stack"]
    if not loose:
        return 0
    quads = seen.top.to_table([corner for card in loose for corner in card.quad]).reshape(-1, 4, 2)
    length = float(np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(axis=1)))
    apart = np.linalg.norm(seen.top.places[:, None] - quads.mean(axis=1)[None], axis=2)
    return int((apart.min(axis=1) <= REACH * length).sum())
