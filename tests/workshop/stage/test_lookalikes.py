"""Printed things that look like cards: each kind is drawn, lies or stands where it should, and is never in the truth."""

import cv2
import numpy as np
import pytest

from workshop.stage import camera as cam
from workshop.stage import props
from workshop.stage.lookalikes import TAUGHT
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Look, Lookalike, Scene, Surface
from workshop.stage.unseen import HELD_OUT, PAINTERS

CAMERA = Camera(width=480, height=320, elevation=40, distance=900, focal=1.0)
DECK = {("stu", "1"): np.full((94, 50, 4), 255, np.uint8), ("stu", "back"): np.full((94, 50, 4), 90, np.uint8)}
PLAIN = Look(noise=0, drift=0)


def changed(*things: Lookalike, surface: Surface | None = None) -> np.ndarray:
    """The pixels that these things change."""
    stage = Renderer(CAMERA, surface or Surface("felt", 3, width=9000, depth=9000), DECK, PLAIN, 1)
    empty = stage.frame(Scene()).image.astype(int)
    shown = stage.frame(Scene(props=things))
    assert shown.truth == ()
    return np.asarray(np.abs(shown.image.astype(int) - empty).max(2) > 8)


def test_what_is_measured_on_is_not_taught() -> None:
    assert not set(TAUGHT) & set(HELD_OUT)
    assert set(PAINTERS) == {*TAUGHT, *HELD_OUT}
    assert not set(PAINTERS) & {*props.USUAL, *props.CLUTTER}


@pytest.mark.parametrize("kind", PAINTERS)
def test_each_kind_is_painted_in_any_size_and_differs_by_seed(kind: str) -> None:
    for width, height in ((24, 24), (60, 400), (420, 170)):
        first, again, other = (PAINTERS[kind](np.random.default_rng(seed), width, height) for seed in (1, 1, 2))
        assert first.shape == (height, width, 3)
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


@pytest.mark.parametrize("stands", [None, 0.0], ids=["lies", "stands"])
@pytest.mark.parametrize("kind", ["page", "laptop"])
def test_a_thing_is_as_large_as_it_says(kind: str, stands: float | None) -> None:
    small, large = (
        np.count_nonzero(changed(Lookalike("l", kind, 0, 0, seed=3, mm=mm, stands=stands)))  # type: ignore[arg-type]
        for mm in ((60.0, 90.0), (120.0, 180.0))
    )
    assert 3 < large / small < 5.5


def test_a_box_is_higher_than_a_sheet() -> None:
    flat, thick = (changed(Lookalike("l", "carton", 0, 0, seed=3, mm=(90, 90), thick=thick)) for thick in (1.0, 60.0))
    assert np.flatnonzero(thick.any(1))[0] < np.flatnonzero(flat.any(1))[0] - 10


def test_the_table_hides_the_lower_part_of_what_stands_behind_it() -> None:
    table = Surface("felt", 3, width=700, depth=500)
    behind = Lookalike("l", "book", 0, 300, seed=3, mm=(300, 900), stands=-700.0, layer=-120)
    rim = np.round(cam.project(CAMERA, cam.outline(table))).astype(int)
    top = cv2.fillPoly(np.zeros((320, 480), np.uint8), [rim], 1)
    inner = cv2.erode(top, np.ones((7, 7), np.uint8)).astype(bool)
    seen = changed(behind, surface=table)
    assert np.count_nonzero(seen & ~top.astype(bool)) > 500
    assert not np.any(seen & inner)


def test_cards_lie_on_sheets() -> None:
    stage = Renderer(CAMERA, Surface("felt", 3, width=9000, depth=9000), DECK, PLAIN, 1)
    sheet = Lookalike("l", "page", 0, 0, seed=3, mm=(200, 280), layer=-1)
    seen = stage.frame(Scene(cards=(CardPose("a", ("stu", "1"), 0, 0),), props=(sheet,))).truth
    assert [card.visible for card in seen] == [pytest.approx(1, abs=0.01)]


@pytest.mark.parametrize("where", [(9000.0, 9000.0), (0.0, -700.0)], ids=["outside the picture", "at the lens"])
def test_what_cannot_be_seen_is_left_out(where: tuple[float, float]) -> None:
    low = Camera(width=480, height=320, elevation=5, distance=700, focal=1.0)
    for stands in (None, 0.0):
        thing = Lookalike("l", "page", *where, seed=1, mm=(60, 90), stands=stands)
        assert props.prop_sprite(low, PLAIN, thing, Surface()) is None
