"""The camera: projection and homography agree, and a fitted camera sees the whole table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.stage import camera as cam
from workshop.stage.scene import Camera, Surface

cameras = st.builds(
    Camera,
    width=st.integers(320, 1920),
    height=st.integers(200, 1080),
    elevation=st.floats(30, 90),
    azimuth=st.floats(-180, 180),
    distance=st.floats(900, 4000),
    roll=st.floats(-30, 30),
    focal=st.floats(0.6, 1.3),
    target=st.tuples(st.floats(-300, 300), st.floats(-300, 300)),
)
spots = st.tuples(st.floats(-300, 300), st.floats(-300, 300))


@settings(max_examples=40)
@given(cameras, spots, st.floats(0, 80))
def test_a_table_point_comes_back_from_its_pixel(camera: Camera, spot: tuple[float, float], z: float) -> None:
    pixel = cam.project(camera, [[*spot, z]])
    assert cam.unproject(camera, pixel, z)[0] == pytest.approx(spot, abs=1e-6)


@settings(max_examples=40)
@given(cameras, spots)
def test_homography_and_projection_agree_on_the_plane(camera: Camera, spot: tuple[float, float]) -> None:
    image = cam.homography(camera) @ [*spot, 1]
    assert image[:2] / image[2] == pytest.approx(cam.project(camera, [[*spot, 0]])[0], abs=1e-6)


@settings(max_examples=40)
@given(cameras)
def test_the_target_is_in_the_middle_of_the_picture(camera: Camera) -> None:
    assert cam.project(camera, [camera.target])[0] == pytest.approx([(camera.width - 1) / 2, (camera.height - 1) / 2], abs=1e-6)


def test_right_is_right_and_far_is_up() -> None:
    middle, right, far, high = cam.project(Camera(elevation=45), [[0, 0, 0], [100, 0, 0], [0, 100, 0], [0, 0, 100]])
    assert right[0] > middle[0]
    assert right[1] == pytest.approx(middle[1])
    assert far[1] < middle[1]
    assert high[1] < middle[1]


@pytest.mark.parametrize("surface", [Surface(), Surface(shape="round", width=1200)], ids=["rectangular", "round"])
@pytest.mark.parametrize("elevation", [30, 55, 90])
def test_a_fitted_camera_sees_the_whole_table_and_fills_the_picture(surface: Surface, elevation: float) -> None:
    camera = cam.fit(Camera(elevation=elevation, azimuth=25, roll=3), surface, 0.05)
    seen = cam.project(camera, cam.outline(surface))
    size = np.array([camera.width, camera.height])
    assert np.all(seen > 0.045 * size)
    assert np.all(seen < 0.955 * size)
    assert np.max((seen.max(0) - seen.min(0)) / size) > 0.88


def test_a_polygon_that_runs_behind_the_camera_is_cut_off_before_it() -> None:
    camera = Camera(elevation=30, distance=500)
    wide = np.array([[-9000, -9000, 0], [9000, -9000, 0], [9000, 9000, 0], [-9000, 9000, 0]], float)
    seen = cam.project_polygon(camera, wide)
    assert len(seen) >= 4
    horizon = camera.height / 2 - np.tan(np.radians(30)) * camera.focal * camera.width
    assert seen[:, 1].min() >= horizon - 1
