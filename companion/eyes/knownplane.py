"""The table's plane as it is known from picture to picture: by all cards that were read for sure, wherever they have lain since.

In one look there are often too few cards to tell what size one has there (`companion.eyes.plane`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.eyes.plane import Plane
from companion.eyes.sighting import CardSeen

SURE = 0.8
"""Score of a named card that says where the plane is."""
REMEMBERED, LEAST = 40, 6
"""So many of these cards are remembered, and so many must be known."""
SAME_PLACE = 3.0
"""Pixels by which corners of the same card differ from look to look."""
STANDS = 2.0
"""Pixels by which a table's corners are found elsewhere though the camera stands still."""


class KnownPlane:
    """Of one source, while its camera stands still; the light, and how sharp the picture is, may change."""

    def __init__(self) -> None:
        self._cards: deque[NDArray[np.float64]] = deque(maxlen=REMEMBERED)
        self._plane: Plane | None = None
        self._top: NDArray[np.float64] | None = None

    def moved(self, top: NDArray[np.float64] | None) -> bool:
        """Whether the camera has moved, by where the table's corners lie in the next picture: ``top`` (4, 2), pixels; None: not
        known. Then nothing is known any more."""
        before, self._top = self._top, self._top if top is None else np.array(top)
        if top is None or before is None or np.abs(top - before).max() <= STANDS:
            return False
        self._cards.clear()
        self._plane = None
        return True

    def learn(self, cards: Iterable[CardSeen]) -> None:
        """These cards lie on the table."""
        for card in cards:
            quad = np.array(card.quad)
            known = any(np.abs(quad - one).max() < SAME_PLACE for one in self._cards)
            if card.card is not None and card.score >= SURE and not known:
                self._cards.append(quad)
                self._plane = None

    def of(self, size: tuple[int, int]) -> Plane | None:
        """The plane in pictures of a ``size`` (width, height; pixels); None where too few cards are known."""
        if self._plane is None and len(self._cards) >= LEAST:
            self._plane = Plane.through(list(self._cards), [1.0] * len(self._cards), size)
        return self._plane
