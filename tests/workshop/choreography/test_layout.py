"""People sit anticlockwise, and everything they own lies on the table and beside, not on, their neighbours' things."""

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.choreography.layout import (
    CARD_LENGTH,
    CARD_WIDTH,
    LEAST_LENGTH,
    TOKEN_LENGTH,
    TOKEN_WIDTH,
    pick_camera,
    plan_table,
    shortest,
    surface_of,
)
from workshop.stage import camera as cam


def plan(count: int, seed: int):  # type: ignore[no-untyped-def]
    return plan_table(tuple(f"P{n}" for n in range(count)), Random(seed))


tables = st.builds(plan, st.integers(2, 20), st.integers(0, 10_000))


def rectangle(x: float, y: float, angle: float, width: float, length: float) -> np.ndarray:
    a = math.radians(angle)
    axes = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return np.array([x, y]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, length / 2] @ axes


def apart(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether a side of one of two convex polygons keeps them apart (separating axis theorem)."""
    for shape in (one, two):
        for edge in np.roll(shape, -1, 0) - shape:
            normal = np.array([-edge[1], edge[0]])
            if (one @ normal).max() <= (two @ normal).min() or (two @ normal).max() <= (one @ normal).min():
                return True
    return False


@given(tables)
def test_players_sit_anticlockwise_seen_from_above(table) -> None:  # type: ignore[no-untyped-def]
    turns = [math.atan2(seat.edge[1], seat.edge[0]) for seat in table.seats]
    steps = [(b - a) % (2 * math.pi) for a, b in zip(turns, (*turns[1:], turns[0]), strict=True)]
    assert sum(steps) == pytest.approx(2 * math.pi)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_places_and_pedine_do_not_overlap_and_lie_on_the_table(table) -> None:  # type: ignore[no-untyped-def]
    areas = []
    for seat in table.seats:
        areas.append(rectangle(*seat.place, seat.facing, CARD_WIDTH, CARD_LENGTH))
        fan = 2 * seat.token_step
        middle = seat.local(seat.token_side * (CARD_WIDTH / 2 + 16 + TOKEN_WIDTH / 2 + fan / 2), -14)
        areas.append(rectangle(*middle, seat.facing, TOKEN_WIDTH + fan, TOKEN_LENGTH))
    for corner in np.concatenate(areas):
        if table.shape == "round":
            assert np.hypot(*corner) < table.width / 2
        else:
            assert (np.abs(corner) < [table.width / 2, table.depth / 2]).all()
    for one, two in itertools.combinations(areas, 2):
        assert apart(one, two)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 20), st.integers(0, 10_000))
def test_the_camera_sees_the_whole_table_from_a_tripods_height(count: int, seed: int) -> None:
    table = plan(count, seed)
    camera = pick_camera(table, Random(seed), (1280, 720))
    rim = cam.project(camera, cam.outline(surface_of(table, "wood", 0)))
    assert (rim >= 0).all()
    assert (rim <= [1280, 720]).all()
    assert 35 <= camera.elevation <= 71
    if count <= 6:
        assert shortest(table, camera) >= LEAST_LENGTH * 1280
