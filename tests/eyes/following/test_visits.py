"""When a hand was over a pile, told by what moves there and elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eyes.following.visits import Visits
from companion.eyes.sighting import Motion

X, Y = np.meshgrid(np.arange(-0.5, 0.5, 0.02), np.arange(-0.5, 0.5, 0.02))
GROUND = np.stack([X.ravel(), Y.ravel()], axis=1)
AWAY = np.hypot(*GROUND.T)
LENGTH = 0.1


def watched(near: float, elsewhere: float, looks: int) -> Visits:
    """A second without motion, then ``looks`` looks, ten a second, with these shares of motion over the pile and elsewhere."""
    chance = np.random.default_rng(5).random(len(GROUND))
    moving = chance < np.where(AWAY <= LENGTH, near, elsewhere)
    visits = Visits()
    for number in range(30):
        here = moving if 10 <= number < 10 + looks else np.zeros(len(GROUND), bool)
        visits.step(number / 10, Motion(GROUND, here), (0.0, 0.0), LENGTH)
    return visits


@pytest.mark.parametrize(("near", "elsewhere", "looks", "a_hand"), [
    (0.4, 0.05, 5, True),
    (0.7, 0.35, 1, False),  # a key frame: a card's print changes more than a plain table
    (0.7, 0.18, 1, False),  # one of a darker picture
    (0.7, 0.35, 5, True),  # somebody lays a card while the camera looks for its focus
    (0.35, 0.35, 5, False),  # it looks for its focus, and nobody lays a card
    (0.6, 0.02, 1, True),  # a camera so slow that a hand is seen once
])  # fmt: skip
def test_a_hand_moves_what_is_over_the_pile_and_not_all_the_picture(
    near: float, elsewhere: float, looks: int, a_hand: bool
) -> None:
    visit = watched(near, elsewhere, looks).latest
    assert (visit is not None) == a_hand
    if visit is not None:
        assert (visit.start, visit.end) == pytest.approx((1.0, 1.0 + (looks - 1) / 10))
