"""The table's plane as it is known from picture to picture: by all cards that were read for sure, wherever they have lain since.

In one look there are often too few cards to tell what size one has there (`companion.eyes.plane`).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.eyes.plane import Plane
from companion.eyes.sighting import CardSeen

Quad = NDArray[np.float64]
"""(4, 2) float64, pixels."""
STRANGE = "unknown"
"""The deck of cards that are of none of the game's."""
MIN_SCORE = 0.8
"""Least score of a card from which the plane is learnt."""
MAX_CARDS, MIN_CARDS = 40, 6
"""Number of a deck's cards that are remembered at most, and that must be known before the plane is."""
SAME_PLACE_PIXELS = 3.0
"""Pixels by which the corners of a card that lies still differ from look to look, at most."""
STANDS_PIXELS = 2.0
"""Pixels by which the table's corners are found elsewhere while the camera stands still, at most."""


class KnownPlane:
    """Of one source, while its camera stands still; the light, and how sharp the picture is, may change.

    The deck with most named faces says where the plane is; cards of other decks, such as pedine, say how large those are.
    """

    def __init__(self) -> None:
        self._named: dict[str, deque[Quad]] = defaultdict(_few)
        self._nameless: dict[str, deque[Quad]] = defaultdict(_few)
        self._plane: Plane | None = None
        self._deck = ""
        """The deck that says where the plane is."""
        self._top: NDArray[np.float64] | None = None

    def moved(self, top: NDArray[np.float64] | None) -> bool:
        """Whether the camera has moved, by where the table's corners lie in the next picture: ``top`` (4, 2), pixels; None: not
        known. Then nothing is known any more."""
        before, self._top = self._top, self._top if top is None else np.array(top)
        if top is None or before is None or np.abs(top - before).max() <= STANDS_PIXELS:
            return False
        self._named.clear()
        self._nameless.clear()
        self._plane = None
        return True

    def learn(self, cards: Iterable[CardSeen]) -> None:
        """These cards lie on the table."""
        for card in cards:
            if card.score < MIN_SCORE or card.deck == STRANGE:
                continue
            known = (self._named if card.card is not None else self._nameless)[card.deck]
            quad = np.array(card.quad)
            if not any(np.abs(quad - one).max() < SAME_PLACE_PIXELS for one in known):
                known.append(quad)
                if card.card is not None or card.deck != self._deck:  # its own backs, on their way, say nothing
                    self._plane = None

    def of(self, size: tuple[int, int]) -> Plane | None:
        """The plane in pictures of a ``size`` (width, height; pixels); None where too few cards are known."""
        if self._plane is None and self._named:
            self._deck, cards = max(self._named.items(), key=lambda one: len(one[1]))
            plane = Plane.through(list(cards), [1.0] * len(cards), size) if len(cards) >= MIN_CARDS else None
            self._plane = plane and replace(plane, others=self._sizes(plane))
        return self._plane

    def _sizes(self, plane: Plane) -> NDArray[np.float64]:
        """How large cards of other decks are, (n, 2): as of `Plane.others`."""
        others = [list(cards) for name, cards in self._nameless.items() if name != self._deck and len(cards) >= MIN_CARDS]
        return np.array([np.median(plane.sizes(cards), axis=0) for cards in others]).reshape(-1, 2)


def _few() -> deque[Quad]:
    return deque(maxlen=MAX_CARDS)
