"""Faces that the eyes report and that are none of a player's cards."""

from __future__ import annotations

import math
from typing import Final

from companion.eyes.sighting import Odds

STRAY_SHARE: Final = 0.7
"""Share of the doubt about a face that goes to its being none of the player's cards."""
MIN_STRAY_PROBABILITY: Final = 1e-3
"""Least probability that a face is none of the player's cards, however sure it is."""


def left_out(odds: Odds) -> float:
    """Log-probability that a face laid open, with these kinds, is none of the player's cards: the eyes are seldom sure of what
    is none."""
    doubt = 1.0 - max((p for _, p in odds), default=0.0)
    return math.log(max(STRAY_SHARE * doubt, MIN_STRAY_PROBABILITY))
