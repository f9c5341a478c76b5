"""Cards side by side that were found as one: rulings on what takes its place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.detection import CLASSES, Detection
from companion.eyes.geometry import polygon_iou
from companion.eyes.reading import Reading
from companion.eyes.side_by_side import WIDE, apart

Quads = NDArray[np.float64]
SIZE = (1280, 720)
CARD = np.array([[0, 0], [60, 0], [60, 105], [0, 105]], np.float64)
LEFT, RIGHT = CARD + (500, 300), CARD + (560, 300)
BOTH = np.array([LEFT[0], RIGHT[1], RIGHT[2], LEFT[3]])
ALONE = [CARD + at for at in ((100, 100), (300, 120), (800, 500), (1000, 200), (200, 500))]


def seen(quad: Quads, side: str = "face", misfit: float = 0.2) -> Detection:
    return Detection(quad, CLASSES.index(side), 0.95, 0.8, 0.99, 1.0, misfit)


WIDE_ONE = seen(BOTH, misfit=WIDE + 1)
TABLE = [seen(quad) for quad in ALONE]


def reader(*known: Quads, surely: float = 0.97) -> Callable[[Quads], list[Lying]]:
    """Knows cards that lie at these quads."""

    def read(quads: Quads) -> list[Lying]:
        told = []
        for quad in quads:
            share = surely if any(polygon_iou(quad, one) > 0.85 for one in known) else 0.05
            told.append(Lying(quad, Reading("mine", share, (("hearts-13", 1.0),))))
        return told

    return read


def has(found: list[Detection], quad: Quads) -> bool:
    return any(polygon_iou(one.quad, quad) > 0.85 for one in found)


def test_two_cards_found_as_one_are_two_where_both_are_known() -> None:
    found = apart([*TABLE, WIDE_ONE], SIZE, reader(LEFT, RIGHT))
    assert len(found) == len(TABLE) + 2
    assert has(found, LEFT)
    assert has(found, RIGHT)
    assert not has(found, BOTH)
    assert all(one.name == "face" and one.score == WIDE_ONE.score for one in found[len(TABLE) :])


def test_one_of_them_that_is_known_takes_its_place() -> None:
    found = apart([*TABLE, WIDE_ONE], SIZE, reader(RIGHT))
    assert has(found, RIGHT)
    assert len(found) == len(TABLE) + 1


def test_a_card_that_was_found_besides_is_not_found_twice() -> None:
    found = apart([*TABLE, seen(RIGHT), WIDE_ONE], SIZE, reader(LEFT, RIGHT))
    assert len(found) == len(TABLE) + 2
    assert has(found, LEFT)


@pytest.mark.parametrize("surely", [0.0, 0.5, 0.79])
def test_what_the_reader_does_not_know_stays_as_it_was_found(surely: float) -> None:
    found = [*TABLE, WIDE_ONE]
    assert apart(found, SIZE, reader(LEFT, RIGHT, surely=surely)) == found


def test_backs_and_what_fits_the_plane_are_not_looked_at_again() -> None:
    def never(_: Quads) -> list[Lying]:
        raise AssertionError

    for one in (seen(BOTH, "back", WIDE + 1), seen(BOTH, misfit=WIDE - 0.1)):
        assert apart([*TABLE, one], SIZE, never) == [*TABLE, one]


def test_without_a_plane_nothing_is_taken_apart() -> None:
    found = [*TABLE[:2], WIDE_ONE]
    assert apart(found, SIZE, reader(LEFT, RIGHT)) == found
