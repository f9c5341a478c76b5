"""Tells Italian cards from others among the cards found, and measures a card's length."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.decks.italian import KINDS
from companion.eyes.sighting import CardSeen

WHOLE_LENGTHS = (0.78, 1.25)
"""Least and greatest length of a whole card, in card lengths: others are a part of one, or two taken for one."""
FIRST_LENGTH_SHARE = 0.28
"""Share of the way from a place to the middle: a card's assumed length before the first card was seen."""
_KINDS = frozenset(KINDS)


def is_italian(card: CardSeen) -> bool:
    """Whether this may be a card of an Italian game: a face of the Italian list, or a back that belongs to no other list's
    deck."""
    if card.side == "face" and card.alternatives:
        return card.alternatives[0][0] in _KINDS
    return card.deck not in ("stu", "ramino")


class CardLength:
    """The length of a card in table coordinates: the median over many looks, and before the first card a guess from the places at
    ``centres`` (N, 2)."""

    def __init__(self, centres: NDArray[np.float64]) -> None:
        self._seen: deque[float] = deque(maxlen=400)
        self.now = FIRST_LENGTH_SHARE * float(np.median(np.linalg.norm(centres - centres.mean(axis=0), axis=1)))

    def step(self, lengths: Iterable[float]) -> float:
        """The length after a look that found cards of these ``lengths``."""
        self._seen.extend(lengths)
        self.now = float(np.median(self._seen)) if self._seen else self.now
        return self.now

    def is_whole(self, length: float) -> bool:
        """Whether a card of this ``length`` is one whole card."""
        return WHOLE_LENGTHS[0] <= length / self.now <= WHOLE_LENGTHS[1]
