"""The table top is found on tables of any make, from any side; and no table is made up."""

import cv2
import numpy as np
import pytest

from companion.eyes.corners import find_table, square_around
from companion.eyes.table import rectangle_aspect

evaluation = pytest.importorskip("workshop.evaluation.corners", reason="needs the extra `workshop`")

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def surroundings() -> np.ndarray:
    noise = np.random.default_rng(1).normal(90, 12, (SIZE[1], SIZE[0], 3))
    return np.clip(cv2.GaussianBlur(noise, (0, 0), 2), 0, 255).astype(np.uint8)


def test_a_rectangular_table_is_found_to_the_pixel(surroundings: np.ndarray) -> None:
    true = np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]], np.float64)
    picture = surroundings.copy()
    cv2.fillConvexPoly(picture, true.astype(np.int32), (60, 110, 30), cv2.LINE_AA)
    found = find_table(picture)
    assert found is not None
    assert found.shape == "rect"
    assert np.linalg.norm(found.quad - true, axis=1).max() < 3


def test_arms_over_the_rim_and_glasses_do_not_move_it(surroundings: np.ndarray) -> None:
    true = np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]], np.float64)
    picture = surroundings.copy()
    cv2.fillConvexPoly(picture, true.astype(np.int32), (60, 110, 30), cv2.LINE_AA)
    cv2.line(picture, (640, 719), (600, 450), (120, 150, 200), 60)
    cv2.circle(picture, (1080, 380), 45, (200, 200, 210), -1)
    found = find_table(picture)
    assert found is not None
    assert np.linalg.norm(found.quad - true, axis=1).max() < 6


@pytest.mark.workshop
def test_an_even_wall_is_no_table(surroundings: np.ndarray) -> None:
    assert find_table(np.full((720, 1280, 3), 128, np.uint8)) is None
    assert find_table(surroundings) is None
    assert find_table(np.zeros((90, 160, 3), np.uint8)) is None


@pytest.mark.parametrize("elevation", [36, 50, 64])
def test_the_square_around_a_round_table_is_square_on_the_table(elevation: float) -> None:
    from workshop.stage import camera as cam
    from workshop.stage.scene import Camera, Surface

    table = Surface(shape="round", width=1200)
    camera = cam.fit(Camera(elevation=elevation, azimuth=20, roll=2), table)
    square = square_around(cam.project(camera, cam.outline(table)), SIZE, focal=camera.focal)
    assert square is not None
    on_table = cam.unproject(camera, square)
    sides = np.linalg.norm(on_table - np.roll(on_table, -1, axis=0), axis=1)
    assert sides == pytest.approx([1200] * 4, rel=0.01)
    assert np.abs(on_table.mean(axis=0)).max() < 6
    assert rectangle_aspect(square, SIZE) == pytest.approx(1, abs=0.15)


@pytest.mark.thorough
def test_drawn_evenings_of_every_kind_are_found_near_enough_to_drag() -> None:
    """Twelve tables at half size; the figure over many is `companion evaluate corners`."""
    pictures = list(evaluation.staged(range(12), size=(640, 360)))
    assert {true.shape for true in pictures} == {"rect", "round"}
    found = evaluation.figures(iter(pictures))
    assert found["found"] >= 0.9
    assert found["median_error_px"] < 12
    assert found["within_20_px"] >= 0.7


def test_the_figure_counts_a_table_that_is_off(surroundings: np.ndarray) -> None:
    """The measure itself: moved by five pixels, it says five."""
    from companion.eyes.corners import FoundTable

    corners = np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]], np.float64)
    for shape in ("rect", "round"):
        true = evaluation.Staged(surroundings, shape, "felt", corners)
        assert evaluation.error(FoundTable(corners, shape, 1.0), true) == pytest.approx(0, abs=1e-3)
        assert evaluation.error(FoundTable(corners + [3, 4], shape, 1.0), true) == pytest.approx(5, abs=0.01)
