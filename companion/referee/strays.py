"""Faces that the eyes report and that are none of a player's cards."""

from __future__ import annotations

import math
from typing import Final

from companion.eyes.sighting import Odds

STRAY, SUREST = 0.7, 1e-3
"""A face that the eyes could not read for sure is none of the player's cards so often; one of which they are sure at least so
often."""
_LEAST: Final = math.log(SUREST)


def left_out(odds: Odds) -> float:
    """Log-probability that a face laid open, with these kinds, is none of the player's cards: the eyes are seldom sure of what
    is none."""
    unsure = 1.0 - max((p for _, p in odds), default=0.0)
    return max(math.log(STRAY * unsure), _LEAST) if unsure > 0.0 else _LEAST
