"""After a knock the table is found again to within a tenth of a card, or it is said that it cannot be."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.eyes.registration import Reference, mapped
from companion.eyes.table import Seat, Table, TableMap
from workshop.choreography.troubles import Knock
from workshop.deck import raster
from workshop.stage import camera as cam
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Image, Look, Scene, Surface

Floats = NDArray[np.float64]
SIZE = (640, 360)
PLACES = np.array([(0.0, -330.0), (480.0, 0.0), (0.0, 330.0), (-480.0, 0.0)])
CARDS = tuple(CardPose(str(n), ("stu", "back"), x, y, angle=90.0 * n) for n, (x, y) in enumerate(PLACES))
TENTH = 0.1
"""Of a card's length: places are told apart by half of one."""


@lru_cache(maxsize=16)
def picture(kind: str, camera: Camera, seed: int = 3, moved: bool = False) -> Image:
    """A table with four cards; ``moved``: one of them lies elsewhere, and the light has drifted."""
    renderer = Renderer(camera, Surface(kind, seed), raster.drawn(), Look(noise=3.0, glare=0.2), seed)
    cards = (*CARDS[:3], CardPose("3", ("stu", "back"), -300, 60, angle=40)) if moved else CARDS
    return renderer.frame(Scene(cards, t=40.0 if moved else 0.0)).image


def standing(elevation: float = 52.0, azimuth: float = 5.0) -> Camera:
    return cam.fit(Camera(*SIZE, elevation=elevation, azimuth=azimuth), Surface(), 0.04)


def wrong_by(found: Floats, before: Camera, after: Camera) -> float:
    """The worst error of a place, in lengths of the card that lies there."""
    there = cam.project(after, PLACES)
    lengths = [cam.scale(after, x, y) * 94 for x, y in PLACES]
    return float((np.linalg.norm(mapped(found, cam.project(before, PLACES)) - there, axis=1) / lengths).max())


@pytest.mark.parametrize("kind", ["felt", "checks", "marble", "laminate", "linen", pytest.param("wood",
                                                                                                marks=pytest.mark.networks)])
def test_the_table_is_found_again_on_patterned_and_on_plain_tops(kind: str) -> None:
    before = standing()
    after = Knock(0, 0.6, (35, -20), 1.2, -1.5, 1.0, 1.015).moved(before, 1.0)
    found = Reference(picture(kind, before), cam.corners(before, Surface())).register(picture(kind, after, moved=True))
    assert found is not None
    assert wrong_by(found.homography, before, after) < TENTH
    assert found.moved > 5


@settings(max_examples=12)
@given(
    far=st.floats(0, 60), way=st.floats(0, 6.28), turns=st.tuples(*[st.floats(-2, 2)] * 3), nearer=st.floats(0.97, 1.03)
)
def test_any_knock_is_registered_right_or_not_at_all(
    far: float, way: float, turns: tuple[float, float, float], nearer: float
) -> None:
    before = standing()
    after = Knock(0, 0.6, (far * np.cos(way), far * np.sin(way)), *turns, nearer).moved(before, 1.0)
    found = Reference(picture("wood", before), cam.corners(before, Surface())).register(picture("wood", after))
    assert found is None or wrong_by(found.homography, before, after) < 2 * TENTH


def test_a_camera_that_stands_has_not_moved() -> None:
    before = standing()
    found = Reference(picture("felt", before), cam.corners(before, Surface())).register(picture("felt", before, moved=True))
    assert found is not None
    assert found.moved < 2
    assert found.alike > 0.8


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda image: np.full_like(image, 128), id="nothing-but-grey"),
        pytest.param(lambda image: np.zeros_like(image), id="no-light"),
        pytest.param(lambda image: np.ascontiguousarray(image[::-1]), id="upside-down"),
        pytest.param(lambda image: np.random.default_rng(1).integers(0, 255, image.shape, np.uint8), id="only-noise"),
        pytest.param(lambda _: picture("checks", standing(46, -40), 9), id="another-table"),
        pytest.param(
            lambda image: cv2.ellipse(image.copy(), (320, 190), (270, 160), 15, 0, 360, (60, 70, 110), -1),
            id="somebody-in-the-way",
        ),
    ],
)
def test_what_cannot_be_registered_is_reported(spoil) -> None:  # type: ignore[no-untyped-def]
    before = standing()
    reference = Reference(picture("wood", before), cam.corners(before, Surface()))
    assert reference.register(np.asarray(spoil(picture("wood", before)), np.uint8)) is None


def test_a_camera_that_was_carried_elsewhere_is_not_a_knock() -> None:
    before, after = standing(), standing(65, 60)
    assert Reference(picture("wood", before), cam.corners(before, Surface())).register(picture("wood", after)) is None


def test_a_picture_of_another_size_is_refused() -> None:
    before = standing()
    with pytest.raises(ValueError, match="320 x 180"):
        Reference(picture("wood", before), cam.corners(before, Surface())).register(np.zeros((180, 320, 3), np.uint8))


@given(st.tuples(*[st.floats(-0.05, 0.05)] * 4), st.floats(-40, 40), st.floats(-40, 40))
def test_places_stay_where_they_are_on_the_table_when_its_picture_moves(
    turn: tuple[float, float, float, float], dx: float, dy: float
) -> None:
    a, b, c, d = turn
    motion = np.array([[1 + a, b, dx], [c, 1 + d, dy], [0, 0, 1.0]])
    seats = tuple(Seat(name, place) for name, place in (("Anna", (200.0, 250.0)), ("Bruno", (440.0, 240.0))))
    corners = ((150.0, 60.0), (480.0, 70.0), (600.0, 330.0), (40.0, 320.0))
    top = TableMap(Table(1, SIZE, corners, seats), SIZE)
    after = top.moved(motion)
    pixels = np.array([seat.place for seat in seats])
    assert after.to_table(mapped(motion, pixels)) == pytest.approx(top.to_table(pixels), abs=1e-6)
    assert after.to_pixels(after.places) == pytest.approx(mapped(motion, pixels), abs=1e-3)
    assert after.corners == pytest.approx(mapped(motion, top.corners))
