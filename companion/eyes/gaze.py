"""Where to look in the next picture of a source, and how closely: only where something happens, cards elsewhere are kept.

The detector's input is scaled so that cards have the length it finds best, whether the whole picture is looked at or a crop.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from companion.eyes.change import Memory, compare, looked_at, remember, shrink
from companion.eyes.crops import Crop, cells_in, crops_of, whole
from companion.eyes.detector import OVERLAP
from companion.eyes.geometry import card_length, suppress
from companion.eyes.look import Eyes
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture

COMFORTABLE = 40.0
"""Card length in pixels of the detector's input that it finds well; larger inputs cost time and find no more."""
WIDTHS = (640, 1280)
"""The least and the greatest input width in pixels, for a whole picture."""
STEP = 64
"""Widths change in steps of so many pixels."""
UNIT = 32
"""Crops' sides are multiples of so many pixels of the input."""
SETTLING_SECONDS = 0.6
"""Where something happened it is looked at again for so long: a card that has come to lie there is seen several times …"""
SETTLING_STEP = 0.17
"""… but not more often than so many seconds apart, as long as nothing moves: looks at the same picture err alike."""
REFRESH_SECONDS = 6.0
"""Within this time every part of the picture is looked at, whether anything changed or not: stripe by stripe."""
STRIPES = 3
"""Upright stripes of the picture, refreshed in turn."""
ROOM = 0.65
"""A crop's margin in lengths of a long card: half its diagonal, and a little."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What is known after a picture at ``t`` seconds.

    ``changed`` and ``seen``: float64 (rows, columns), when each cell was last found changed, and last looked at, seconds.
    """

    t: float
    memory: Memory
    changed: NDArray[np.float64]
    seen: NDArray[np.float64]
    cards: tuple[CardSeen, ...]


class Gaze:
    """Eyes on one source. The first pictures are looked at closely; then as closely as its cards ask for, where it changes."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._lengths: deque[float] = deque(maxlen=200)
        self._kept: Kept | None = None

    def look(self, picture: Picture) -> tuple[CardSeen, ...]:
        """Cards in the next picture of the source, surest first; those where nothing changed as they were seen last."""
        grey = shrink(picture.image)
        kept, size = self._kept, (picture.image.shape[1], picture.image.shape[0])
        if kept is None or kept.memory.grey.shape != grey.shape or not 0 < picture.t - kept.t < REFRESH_SECONDS:
            return self._look_anew(picture, remember(grey))
        change = compare(kept.memory, grey)
        if change.everywhere:
            return self._look_anew(picture, remember(grey))
        changed = np.where(change.cells, picture.t, kept.changed)
        settling = (picture.t - changed <= SETTLING_SECONDS) & (picture.t - kept.seen >= SETTLING_STEP)
        due = change.cells | settling | stripe_due(kept.t, picture.t, settling.shape)
        crops = crops_of(due, size, [card.quad for card in kept.cards], self._margin(), self._unit(size[0]))
        cards = merged(kept.cards, self._see(picture, crops), crops)
        for crop in crops:
            due |= cells_in(crop, due.shape)
        seen = np.where(due, picture.t, kept.seen)
        self._kept = Kept(picture.t, looked_at(change.memory, grey, due), changed, seen, cards)
        return cards

    def width(self, available: int) -> int:
        """The input width in pixels for a picture ``available`` pixels wide: multiples of `STEP` within `WIDTHS`."""
        least, greatest = WIDTHS
        if not self._lengths:
            return min(greatest, max(least, available))
        wanted = available * COMFORTABLE / median(self._lengths)
        return int(min(greatest, max(least, -(-wanted // STEP) * STEP)))

    def _look_anew(self, picture: Picture, memory: Memory) -> tuple[CardSeen, ...]:
        """Look at all of the picture; nothing that was known holds."""
        size = picture.image.shape[1], picture.image.shape[0]
        cards = self._see(picture, (whole(size),))
        now = np.full(memory.noise.shape, picture.t)
        self._kept = Kept(picture.t, memory, now, now, cards)
        return cards

    def _see(self, picture: Picture, crops: tuple[Crop, ...]) -> tuple[CardSeen, ...]:
        cards = self._eyes.look(picture.image, self.width(picture.image.shape[1]), crops) if crops else ()
        self._lengths.extend(float(card_length(card.quad)) for card in cards)
        return cards

    def _margin(self) -> float:
        """Pixels of the picture."""
        return ROOM * float(np.quantile(self._lengths, 0.9)) if self._lengths else np.inf

    def _unit(self, available: int) -> float:
        """`UNIT` in pixels of the picture."""
        return UNIT * available / self.width(available)


def stripe_due(before: float, now: float, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The cells (rows, columns) of the stripes whose turn came between the pictures at ``before`` and ``now`` seconds."""
    step = REFRESH_SECONDS / STRIPES
    due = np.zeros(shape, np.bool_)
    for turn in range(int(before // step) + 1, int(now // step) + 1):
        columns = np.array_split(np.arange(shape[1]), STRIPES)[turn % STRIPES]
        due[:, columns] = True
    return due


def merged(kept: tuple[CardSeen, ...], seen: tuple[CardSeen, ...], crops: tuple[Crop, ...]) -> tuple[CardSeen, ...]:
    """The cards ``kept``, less those in the ``crops``' cores, and those ``seen`` there, surest first.

    Where a card that was seen lies on one that was kept, it is the one that was seen.
    """
    quads = [card.quad for card in kept]
    gone = np.any([crop.owns(quads) for crop in crops], axis=0) if crops and kept else np.zeros(len(kept), np.bool_)
    cards = [*(card for card, over in zip(kept, gone, strict=True) if not over), *seen]
    first = [card.score for card in cards[: len(cards) - len(seen)]] + [1 + card.score for card in seen]
    left = [cards[i] for i in suppress([card.quad for card in cards], first, OVERLAP)]
    return tuple(sorted(left, key=lambda card: -card.score))
