"""Where the players' cards lie for a second camera, from one tap: whatever the table, however both cameras stand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.line.across import NotOnTheTable, across
from companion.line.camera import Lie, Point

SIZE = (1920, 1080)


def seen(points: NDArray[np.float64], round_it: float, steep: float) -> list[Point]:
    """Points (N, 2) of the table top, its middle at 0 and its half width 1, in the pictures of a camera that stands ``round_it``
    radians round it and looks down at ``steep`` degrees."""
    tilt = math.radians(steep)
    turned = points @ np.array([(math.cos(round_it), -math.sin(round_it)), (math.sin(round_it), math.cos(round_it))])
    away = np.array([0.0, -math.cos(tilt), math.sin(tilt)]) * 4.0
    forward, right = -away / 4.0, np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    space = np.column_stack([turned, np.zeros(len(turned))]) - away
    deep = space @ forward
    right_of, below = space @ right / deep, space @ down / deep
    return [(960 + 1500 * float(x), 540 + 1500 * float(y)) for x, y in zip(right_of, below, strict=True)]


def clockwise(corners: list[Point]) -> tuple[Point, Point, Point, Point]:
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    a, b, c, d = corners if area > 0 else corners[::-1]
    return a, b, c, d


def places(players: int, wide: float, deep: float) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * math.pi, players, endpoint=False) + 0.3
    return np.column_stack([0.8 * wide * np.cos(turn), 0.8 * deep * np.sin(turn)])


@given(
    players=st.integers(2, 20), deep=st.sampled_from([1.0, 0.6]), round_it=st.floats(0, 6.28), steep=st.floats(40, 70),
    named=st.integers(0, 19), first=st.integers(0, 3), off=st.tuples(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06)),
)  # fmt: skip
def test_of_a_rectangle_a_tap_near_one_card_tells_all_places(
    players: int, deep: float, round_it: float, steep: float, named: int, first: int, off: tuple[float, float]
) -> None:
    named %= players
    top = np.array([(-1, -deep), (1, -deep), (1, deep), (-1, deep)], np.float64)
    at = places(players, 1, deep)
    one = Lie(SIZE, clockwise(seen(top, 0.1, 50)), tuple(seen(at, 0.1, 50)), ())
    corners = clockwise(seen(np.roll(top, first, axis=0), round_it, steep))
    tap = seen(at[[named]] + np.array(off) * (1, deep), round_it, steep)[0]
    found = across(one, corners, named, tap, is_round=False)
    assert max(math.dist(a, b) for a, b in zip(found, seen(at, round_it, steep), strict=True)) < 1


@given(
    players=st.integers(3, 20), round_it=st.floats(0, 6.28), square=st.floats(0, 1.57), named=st.integers(0, 19),
    is_round=st.booleans(),
)  # fmt: skip
def test_of_a_round_table_it_tells_how_far_the_cameras_stand_apart(
    players: int, round_it: float, square: float, named: int, is_round: bool
) -> None:
    named %= players
    at = places(players, 1, 1)

    def around(angle: float) -> NDArray[np.float64]:
        turn = angle + np.arange(4) * math.pi / 2
        return math.sqrt(2) * np.column_stack([np.cos(turn), np.sin(turn)])

    one = Lie(SIZE, clockwise(seen(around(0.2), 0.1, 50)), tuple(seen(at, 0.1, 50)), ())
    corners = clockwise(seen(around(square), round_it, 55))
    found = across(one, corners, named, seen(at[[named]], round_it, 55)[0], is_round=is_round)
    wrong = max(math.dist(a, b) for a, b in zip(found, seen(at, round_it, 55), strict=True))
    long = math.dist(*seen(np.array([(0.0, 0.0), (1.0, 0.0)]), 0, 55))
    assert wrong < (2 if is_round else 0.4 * long), "without knowing that it is round, at most what a rectangle would explain"


def test_a_tap_beside_the_table_is_refused() -> None:
    one = Lie(SIZE, ((600, 300), (1300, 300), (1500, 900), (400, 900)), ((900, 800), (1000, 350)), ())
    with pytest.raises(NotOnTheTable):
        across(one, one.corners, 0, (30, 30), is_round=False)
