"""Cards found in the wrong size: rulings on what takes their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.detection import CLASSES, INFERRED_PROBABILITY, Detection
from companion.eyes.geometry import polygon_iou
from companion.eyes.plane import Plane
from companion.eyes.reading import Reading
from companion.eyes.wrong_size import MIN_WIDE_MISFIT, apart, plane_of_sure, whole

Quads = NDArray[np.float64]
SIZE = (1280, 720)
CARD = np.array([[0, 0], [60, 0], [60, 105], [0, 105]], np.float64)
LEFT, RIGHT = CARD + (500, 300), CARD + (560, 300)
BOTH = np.array([LEFT[0], RIGHT[1], RIGHT[2], LEFT[3]])
ALONE = [CARD + at for at in ((100, 100), (300, 120), (800, 500), (1000, 200), (200, 500))]


def seen(quad: Quads, side: str = "face", misfit: float = 0.2) -> Detection:
    return Detection(quad, CLASSES.index(side), 0.95, 0.8, 0.99, 1.0, misfit)


WIDE_ONE = seen(BOTH, misfit=MIN_WIDE_MISFIT + 1)
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
    assert all(one.name == "face" and one.score == max(WIDE_ONE.score, INFERRED_PROBABILITY) for one in found[len(TABLE) :])


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

    for one in (seen(BOTH, "back", MIN_WIDE_MISFIT + 1), seen(BOTH, misfit=MIN_WIDE_MISFIT - 0.1)):
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
    assert all(one.score == INFERRED_PROBABILITY for one in found[len(TABLE) :])


def test_what_is_too_doubtful_for_a_card_is_none_where_it_holds_none() -> None:
    doubtful = replace(WIDE_ONE, score=0.2, doubtful=True)
    assert apart([*TABLE, doubtful], PLANE, reader()) == TABLE
    assert apart([*TABLE, doubtful], None, reader(LEFT, RIGHT)) == TABLE


def test_a_card_that_is_cut_out_twice_is_one() -> None:
    """Both places overlap, and the same kind is read at each."""
    quad = np.array([LEFT[0], RIGHT[1], RIGHT[2], LEFT[3]]) - [[0, 0], [20, 0], [20, 0], [0, 0]]
    narrow = seen(quad, misfit=MIN_WIDE_MISFIT + 1)
    found = apart([*TABLE, narrow], PLANE, lambda quads: [Lying(quad, Reading("mine", 0.97, (("hearts-13", 1.0),)))
                                                          for quad in quads])  # fmt: skip
    assert len(found) == len(TABLE) + 1


COVER = CARD + (545, 302)
"""A card that lies on the right edge of LEFT, a quarter of its width."""
SHOWS = np.array([LEFT[0], COVER[0] + (0, -2), COVER[3] + (0, -2), LEFT[3]])


def test_a_card_that_was_found_as_far_as_it_shows_reaches_under_the_one_that_hides_the_rest() -> None:
    assert PLANE is not None
    found = whole(np.array([SHOWS, COVER]), [0], PLANE)
    assert polygon_iou(found[0], LEFT) > 0.95
    assert (found[1] == COVER).all()


def test_half_a_card_under_the_end_of_another_is_grown_lengthwise() -> None:
    assert PLANE is not None
    cover, half = CARD + (502, 355), np.array([LEFT[0], LEFT[1], LEFT[1] + (0, 55), LEFT[0] + (0, 55)])
    found = whole(np.array([half, cover]), [0], PLANE)
    assert polygon_iou(found[0], LEFT) > 0.95


@pytest.mark.parametrize(
    ("quads", "unsure"), [([SHOWS, CARD + (100, 100)], [0]), ([SHOWS, COVER], []), ([LEFT, COVER], [0])],
    ids=["beside which nothing lies", "that is known", "that is whole"],
)  # fmt: skip
def test_a_card_stays_as_it_was_found(quads: list[Quads], unsure: list[int]) -> None:
    assert PLANE is not None
    assert (whole(np.array(quads), unsure, PLANE) == np.array(quads)).all()
