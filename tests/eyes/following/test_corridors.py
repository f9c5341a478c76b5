"""What moves between two places, and what moves elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.change import MotionDetector, shrink
from companion.eyes.following.corridors import Corridors
from companion.eyes.sighting import Motion, Point
from companion.eyes.table import Seat, Table, TableMap

CARD = 0.08
PLACES = np.array([(0.2, 0.5), (0.5, 0.2), (0.8, 0.5)])
DECK, DECK_POINT = 3, (0.5, 0.55)
_X, _Y = np.meshgrid(np.arange(0.01, 1, 0.02), np.arange(0.01, 1, 0.02))
GROUND = np.stack([_X.ravel(), _Y.ravel()], axis=1)


def near(*points: Point, within: float = 0.05) -> NDArray[np.bool_]:
    """The ground around these points."""
    return np.asarray(np.any([np.linalg.norm(GROUND - np.array(point), axis=1) < within for point in points], axis=0))


def session(*moving: NDArray[np.bool_], deck: Point | None = DECK_POINT) -> Corridors:
    """Ten looks a second, with this moving in each."""
    corridors = Corridors(PLACES)
    for number, cells in enumerate(moving):
        corridors.step(number / 10, Motion(GROUND, cells), deck, CARD)
    return corridors


def middle(a: int, b: int) -> Point:
    x, y = (PLACES[a] + PLACES[b]) / 2
    return float(x), float(y)


def test_hands_between_two_places_are_told_from_hands_between_others() -> None:
    corridors = session(*[near(middle(0, 1))] * 6)
    assert corridors.stir((0, 1), 0, 1) > 0.1
    assert corridors.stir((1, 2), 0, 1) == 0
    assert corridors.busiest(0, 1, 0.05) == [(0, 1)]
    assert corridors.rival((1, 2), 0, 1) == corridors.stir((0, 1), 0, 1), "it shares place 1"
    assert corridors.rival((0, 1), 0, 1) == 0


def test_a_hand_that_reaches_from_place_to_place_is_in_every_part_of_the_corridor() -> None:
    here, there = (PLACES[0] + (middle(0, 1) - PLACES[0]) * 0.6, PLACES[1] + (middle(0, 1) - PLACES[1]) * 0.6)
    one = session(*[near(tuple(here), within=0.06)] * 6)
    assert one.stir((0, 1), 0, 1) > 0.05
    assert one.through((0, 1), 0, 1) == 0
    both = session(*[near(tuple(here), middle(0, 1), tuple(there), within=0.06)] * 6)
    assert both.through((0, 1), 0, 1) > 0.1


def test_that_nothing_moved_is_known_only_where_one_could_see_it() -> None:
    still = np.zeros(len(GROUND), bool)
    assert session(*[still] * 11).known((0, 1), 0, 1)
    assert not session(*[still] * 6).known((0, 1), 0, 1), "half of the time nobody looked"
    assert not session(*[~still] * 11).known((0, 1), 0, 1), "all of the picture flickers"
    assert not session(*[still] * 11, deck=None).known((0, DECK), 0, 1), "nobody knows where the deck lies"


def test_a_hand_over_its_own_place_moves_in_no_corridor() -> None:
    assert session(*[near(tuple(PLACES[0]), within=0.06)] * 6).busiest(0, 1, 1e-3) == []


def test_what_flickers_everywhere_is_nobodys_hand() -> None:
    corridors = session(*[np.ones(len(GROUND), bool)] * 6)
    assert corridors.busiest(0, 1, 1e-3) == []


def test_a_hand_at_the_deck_counts_once_it_is_known_where_the_deck_lies() -> None:
    draw = near(((0.8 + 0.5) / 2, 0.525), within=0.04)
    assert session(*[draw] * 6).busiest(0, 1, 0.05) == [(2, DECK)]
    assert (2, DECK) not in session(*[draw] * 6, deck=None).busiest(0, 1, 0.05)


def test_seconds_count_and_not_looks() -> None:
    """A slow machine looks a third as often and sees as much move."""
    fast, slow = Corridors(PLACES), Corridors(PLACES)
    for corridors, step in ((fast, 0.1), (slow, 0.3)):
        for t in np.arange(0, 3.001, step):
            corridors.step(float(t), Motion(GROUND, near(middle(0, 1))), None, CARD)
    assert fast.stir((0, 1), 0, 3) == pytest.approx(slow.stir((0, 1), 0, 3), rel=0.01)


def test_looks_without_known_motion_add_nothing() -> None:
    corridors = Corridors(PLACES)
    for number in range(10):
        corridors.step(number / 10, None, DECK_POINT, CARD)
    assert corridors.stir((0, 1), 0, 1) == 0
    assert corridors.busiest(0, 1, 0.0) in ([], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])


def test_motion_is_what_differs_from_the_picture_before() -> None:
    rng, motion = np.random.default_rng(1), MotionDetector()

    def picture(hand: int | None, light: float = 1.0) -> NDArray[np.float32]:
        image = np.full((180, 320, 3), 90.0)
        image[40:60, 40:80] = 200  # a card
        if hand is not None:
            image[90:120, hand : hand + 40] = 170
        return shrink(np.clip(image * light + rng.normal(0, 1, image.shape), 0, 255).astype(np.uint8))

    assert motion.step(picture(None)) is None, "nothing to compare the first with"
    for _ in range(5):
        still = motion.step(picture(None))
        assert still is not None
        assert not still.any()
    came = motion.step(picture(200))
    assert came is not None
    rows, columns = np.nonzero(came)
    assert 21 <= rows.min() <= rows.max() <= 30
    assert 49 <= columns.min() <= columns.max() <= 60
    rests = motion.step(picture(200))
    assert rests is not None
    assert not rests.any(), "a hand that rests does not move"
    assert motion.step(picture(200, light=1.6)) is None, "another light: nothing can be said"
    assert motion.step(shrink(np.zeros((90, 90, 3), np.uint8))) is None, "another camera"


def test_the_ground_is_the_table_and_a_little_around_it() -> None:
    corners = ((100, 100), (900, 100), (900, 400), (100, 400))
    seats = (Seat("Anna", (200, 200)), Seat("Bruno", (800, 200)))
    table = Table(1, (1000, 500), corners, seats)
    top = TableMap(table, (1000, 500))
    ground, near_it = top.ground((25, 50))
    assert near_it.sum() == len(ground)
    assert ground.min() > -0.11
    assert near_it[10, 25]
    assert not near_it[0, 0]
    assert top.ground((25, 50))[0] is ground, "always the same array"
    shifted = top.moved(np.array([[1.0, 0, 40], [0, 1, 0], [0, 0, 1]]))
    assert not np.array_equal(shifted.ground((25, 50))[1], near_it)
