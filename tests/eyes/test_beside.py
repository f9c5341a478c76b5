"""Cards that were found a little beside where they lie: rulings on where they are moved to, and what is left as it was found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from test_covered import KINDS, MINE, UPRIGHT, puzzled, table

from companion.eyes.beside import moved
from companion.eyes.geometry import polygon_iou
from companion.eyes.reading import Reading
from companion.eyes.remembered import Remembered

Quads = NDArray[np.float64]
WHERE_IT_LIES = 0.85
"""Polygon IoU with the card from which on the reader of these tests knows it."""


class Knowing:
    """A reader that knows the king at `UPRIGHT` where it is cut out straight, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, quads: Quads) -> Sequence[Reading]:
        self.asked += len(quads)
        return [
            Reading("mine", 0.97, KINDS, ("", 0.0), KINDS) if polygon_iou(quad, UPRIGHT) > WHERE_IT_LIES else puzzled(0.02)
            for quad in quads
        ]


@pytest.mark.parametrize("off", [(5, 0), (-6, 3), (0, -7), (4, 6)], ids=str)
def test_a_card_that_was_found_beside_where_it_lies_is_moved_there_and_read(off: tuple[int, int]) -> None:
    found = UPRIGHT[None] + off
    (told,) = moved(table(("hearts-13", UPRIGHT)), found, [puzzled()], MINE, Knowing(), Remembered())
    assert told.reading.card == "hearts-13"
    assert polygon_iou(told.quad, UPRIGHT) > 0.9


def test_a_card_that_is_known_no_better_elsewhere_stays_where_it_was_found() -> None:
    found = UPRIGHT[None] + (40, 0)
    before = puzzled()
    (told,) = moved(table(), found, [before], MINE, Knowing(), Remembered())
    assert told.reading is before
    assert np.array_equal(told.quad, found[0])


def test_a_card_that_is_read_for_sure_is_not_looked_at_again() -> None:
    reader = Knowing()
    sure = Reading("mine", 0.97, KINDS, ("", 0.0), KINDS)
    (told,) = moved(table(("hearts-13", UPRIGHT)), UPRIGHT[None], [sure], MINE, reader, Remembered())
    assert told.reading is sure
    assert not reader.asked


def test_a_card_of_a_deck_without_pictures_is_compared_with_the_only_deck_that_has_some() -> None:
    strange = Reading("ramino", 0.1, (), ("", 0.0), KINDS)
    found = UPRIGHT[None] + (5, 0)
    (told,) = moved(table(("hearts-13", UPRIGHT)), found, [strange], MINE, Knowing(), Remembered())
    assert told.reading.card == "hearts-13"


def test_with_two_decks_that_have_pictures_it_is_left_as_it_was_read() -> None:
    strange, reader = Reading("ramino", 0.1, (), ("", 0.0), KINDS), Knowing()
    two = {**MINE, "yours": MINE["mine"]}
    (told,) = moved(table(("hearts-13", UPRIGHT)), UPRIGHT[None] + (5, 0), [strange], two, reader, Remembered())
    assert told.reading is strange
    assert not reader.asked
