"""Cards side by side that were found as one: rulings on what takes its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.detection import CLASSES, INFERRED, Detection
from companion.eyes.geometry import polygon_iou
from companion.eyes.plane import Plane
from companion.eyes.reading import Reading
from companion.eyes.side_by_side import WIDE, apart, plane_of_sure

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
PLANE = Plane.through(ALONE, [1.0] * len(ALONE), SIZE)


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
    found = apart([*TABLE, WIDE_ONE], PLANE, reader(LEFT, RIGHT))
    assert len(found) == len(TABLE) + 2
    assert has(found, LEFT)
    assert has(found, RIGHT)
    assert not has(found, BOTH)
    assert all(one.name == "face" and one.score == max(WIDE_ONE.score, INFERRED) for one in found[len(TABLE) :])


def test_one_of_them_that_is_known_takes_its_place() -> None:
    found = apart([*TABLE, WIDE_ONE], PLANE, reader(RIGHT))
    assert has(found, RIGHT)
    assert len(found) == len(TABLE) + 1


def test_a_card_that_was_found_besides_is_not_found_twice() -> None:
    found = apart([*TABLE, seen(RIGHT), WIDE_ONE], PLANE, reader(LEFT, RIGHT))
    assert len(found) == len(TABLE) + 2
    assert has(found, LEFT)


@pytest.mark.parametrize("surely", [0.0, 0.5, 0.79])
def test_what_the_reader_does_not_know_stays_as_it_was_found(surely: float) -> None:
    found = [*TABLE, WIDE_ONE]
    assert apart(found, PLANE, reader(LEFT, RIGHT, surely=surely)) == found


def test_backs_and_what_fits_the_plane_are_not_looked_at_again() -> None:
    def never(_: Quads) -> list[Lying]:
        raise AssertionError

    for one in (seen(BOTH, "back", WIDE + 1), seen(BOTH, misfit=WIDE - 0.1)):
        assert apart([*TABLE, one], PLANE, never) == [*TABLE, one]


def test_without_a_plane_nothing_is_taken_apart() -> None:
    found = [*TABLE[:2], WIDE_ONE]
    assert plane_of_sure(found, SIZE) is None
    assert apart(found, None, reader(LEFT, RIGHT)) == found


def test_cards_of_the_picture_say_where_the_plane_is_only_where_something_is_wide() -> None:
    plane = plane_of_sure([*TABLE, WIDE_ONE], SIZE)
    assert plane is not None
    assert plane.misfit(ALONE).max() < 1
    assert plane_of_sure(TABLE, SIZE) is None


def test_what_is_too_doubtful_for_a_card_may_hold_several() -> None:
    doubtful = replace(WIDE_ONE, score=0.2, doubtful=True)
    found = apart([*TABLE, doubtful], PLANE, reader(LEFT, RIGHT))
    assert has(found, LEFT)
    assert has(found, RIGHT)
    assert all(one.score == INFERRED for one in found[len(TABLE) :])


def test_what_is_too_doubtful_for_a_card_is_none_where_it_holds_none() -> None:
    doubtful = replace(WIDE_ONE, score=0.2, doubtful=True)
    assert apart([*TABLE, doubtful], PLANE, reader()) == TABLE
    assert apart([*TABLE, doubtful], None, reader(LEFT, RIGHT)) == TABLE


def test_a_card_that_is_cut_out_twice_is_one() -> None:
    """Both places overlap, and the same kind is read at each."""
    narrow = seen(np.array([LEFT[0], RIGHT[1], RIGHT[2], LEFT[3]]) - [[0, 0], [20, 0], [20, 0], [0, 0]], misfit=WIDE + 1)
    found = apart([*TABLE, narrow], PLANE, lambda quads: [Lying(quad, Reading("mine", 0.97, (("hearts-13", 1.0),)))
                                                          for quad in quads])  # fmt: skip
    assert len(found) == len(TABLE) + 1
