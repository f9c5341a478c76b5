"""Whether a card that is laid before the camera lies still, and is another than the one before. Pure: looks in, a verdict out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import card_length

MIN_LOOKS: Final = 3
"""Number of equal looks in a row after which a card lies still, …"""
MIN_STILL_SECONDS: Final = 0.7
"""… and the seconds that they must span."""
MAX_STILL_SHIFT: Final = 0.03
"""Greatest shift of a still card's corners from look to look, as a share of its length."""
MIN_SAME_COSINE: Final = 0.9
"""Cosine similarity from which on two looks show the same card."""

Verdict = Literal["none", "moving", "still", "before"]
"""No card; not yet still; still; still the card that was taken before: lift it first."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A card seen at ``t`` seconds: its ``quad`` (4, 2) in pixels and its embedding either way up, ``points`` (2, d)."""

    t: float
    quad: NDArray[np.float64]
    points: NDArray[np.float32]

    def lies_as(self, other: Glance) -> bool:
        """Whether both show the same card in the same place, whichever corner comes first."""
        reach = MAX_STILL_SHIFT * float(card_length(self.quad))
        turned = (np.roll(other.quad, turn, axis=0) for turn in range(4))
        there = min(float(np.abs(self.quad - quad).max()) for quad in turned) < reach
        return there and closeness(self.points, other.points) > MIN_SAME_COSINE


def closeness(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The cosine of two cards' embeddings (2, d), whichever way up each was."""
    return float((one[0] @ other.T).max())


class Stillness:
    """Follows what lies before the camera, look by look."""

    def __init__(self) -> None:
        self._row: list[Glance] = []
        self._taken: Glance | None = None

    def saw(self, glance: Glance | None) -> Verdict:
        """What the next look shows; None: no card alone."""
        if glance is None:
            self._row, self._taken = [], None
            return "none"
        row = self._row
        kept = bool(row) and glance.lies_as(row[-1])
        self._row = [*row, glance] if kept else [glance]
        if self._taken is not None:
            if glance.lies_as(self._taken):
                return "before"
            self._taken = None
        still = len(self._row) >= MIN_LOOKS and glance.t - self._row[0].t >= MIN_STILL_SECONDS
        return "still" if still else "moving"

    def pause(self) -> None:
        """Nobody has watched for a while: looks of before that tell nothing of those that follow."""
        self._row = []

    def took(self) -> None:
        """The card that lies there was taken: it has to go before another one is."""
        self._taken = self._row[-1] if self._row else None
        self._row = []
