"""Where a card lies on the table's plane, by the quad that was found of it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eyes import geometry
from companion.eyes.cardview import CardView
from companion.eyes.plane import Plane

FLAT = Plane((1280, 720), np.array([0.0, 0.9, -0.9, 0.0]), np.log([0.025, 0.044]))
"""A table seen at a flat angle: far away, a card that lies lengthwise is wider than long in the picture."""
BLANK = np.zeros((720, 1280, 3), np.uint8)


def lying(turn: float) -> CardView:
    """A card at the far side of the table; ``turn``: degrees from lengthwise."""
    quad = np.array([[620, 120], [660, 120], [660, 150], [620, 150]], np.float64)
    return CardView.of(BLANK, FLAT, quad).moved(0, 0, np.radians(turn))


@pytest.mark.parametrize("turn", [0, 30, 90, 150])
@pytest.mark.parametrize("first", range(4))
def test_a_card_lies_where_it_was_found_however_flat_it_is_seen(turn: float, first: int) -> None:
    quad = lying(turn).quad
    again = CardView.of(BLANK, FLAT, np.roll(quad, first, axis=0)).quad
    assert geometry.polygon_iou(again, quad) > 0.99
    assert min(np.abs(np.roll(again, n, axis=0) - quad).max() for n in (0, 2)) < 0.5, "either way up, and never sideways"


def test_there_the_long_side_may_look_the_shorter() -> None:
    across, along = np.linalg.norm(np.diff(lying(0).quad[:3], axis=0), axis=1)
    assert along < across
