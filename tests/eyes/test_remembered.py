"""A heap that was worked out a moment ago: rulings on when what was told of it is told again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.remembered import MAX_REUSES, Remembered

QUADS = np.array([[[100, 100], [160, 100], [160, 200], [100, 200]], [[130, 102], [190, 102], [190, 202], [130, 202]]], np.float64)


def picture(seed: int, *, light: float = 0.0, hand: bool = False) -> NDArray[np.uint8]:
    """Noise on what lies there; brighter by ``light`` levels; with a ``hand`` over a corner of it."""
    ground = np.tile(np.linspace(60, 180, 400, dtype=np.float32)[None, :, None], (300, 1, 3))
    shown = ground + light + np.random.default_rng(seed).normal(0, 5, ground.shape)
    if hand:
        shown[180:230, 150:260] = 90.0
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


class Teller:
    """Tells each heap's cards, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked, self.heaps = 0, Remembered[str]()

    def of(self, image: NDArray[np.uint8], quads: NDArray[np.float64] = QUADS) -> list[str]:
        return list(self.heaps.told(image, quads, lambda: self._tell(quads)))

    def _tell(self, quads: NDArray[np.float64]) -> list[str]:
        self.asked += 1
        return [*(f"card at {quad[0, 0]:.0f}" for quad in quads), "one that was not found"]


def test_a_heap_in_which_nothing_has_changed_is_not_worked_out_again() -> None:
    teller = Teller()
    first = teller.of(picture(1))
    assert teller.of(picture(2), QUADS + 1.5) == first
    assert teller.asked == 1


def test_whichever_card_was_found_first_each_is_told_as_it_was() -> None:
    teller = Teller()
    teller.of(picture(1))
    assert teller.of(picture(2), QUADS[::-1]) == ["card at 130", "card at 100", "one that was not found"]
    assert teller.asked == 1


@pytest.mark.parametrize(
    ("image", "quads"),
    [
        (picture(2, hand=True), QUADS),
        (picture(2), QUADS + (9, 0)),
        (picture(2), QUADS[:1]),
        (picture(2), np.stack([QUADS[0], QUADS[0] + 1])),
        (picture(2)[:250], QUADS),
    ],
    ids=["a hand over it", "it lies elsewhere", "a card less", "another card", "another picture's size"],
)
def test_a_heap_in_which_something_has_changed_is(image: NDArray[np.uint8], quads: NDArray[np.float64]) -> None:
    teller = Teller()
    teller.of(picture(1))
    teller.of(image, quads)
    assert teller.asked == 2


def test_each_heap_is_remembered_beside_the_others() -> None:
    teller = Teller()
    for hand in (False, True, True):
        teller.of(picture(1), QUADS + (150, -50))
        teller.of(picture(1, hand=hand))
    assert teller.asked == 3


def test_light_that_changes_over_all_of_it_changes_nothing() -> None:
    teller = Teller()
    teller.of(picture(1))
    teller.of(picture(2, light=25.0))
    assert teller.asked == 1


def test_what_was_told_is_told_so_often_and_then_another_picture_is_asked() -> None:
    teller = Teller()
    for seed in range(MAX_REUSES + 2):
        teller.of(picture(seed))
    assert teller.asked == 2


def test_a_heap_that_has_changed_is_forgotten_as_it_was() -> None:
    teller = Teller()
    for hand in (False, True, False):
        teller.of(picture(1, hand=hand))
    assert teller.asked == 3
