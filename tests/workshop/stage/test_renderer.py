"""The renderer: the same seed gives the same frame, and redrawing only what changed gives what drawing all would."""

from dataclasses import replace

import numpy as np
import pytest

from workshop.stage import light, surfaces
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, FingersPose, Frame, Look, Prop, Scene, StackPose, Surface

CAMERA = Camera(width=480, height=300, elevation=50, distance=900, azimuth=15)
WHITE = {("stu", name): np.full((94, 50, 3), 230, np.uint8) for name in ("1", "back")}


def scene(t: float) -> Scene:
    """A card and a hand that move between and over things that lie still."""
    still = tuple(CardPose(f"s{n}", ("stu", "1"), -200 + 90 * n, 30, 20 * n, bend=2.0 * (n == 2)) for n in range(5))
    moving = CardPose("m", ("stu", "1"), -180 + 300 * t, 10, 40 * t, z=20 * t, tilt=120 * t)
    fingers = FingersPose("h", -180 + 300 * t, -20, grip="slide", seed=4)
    props = (Prop("glass", "glass", 120, 60, seed=2), Prop("mat", "coaster", -60, -80, seed=3))
    stack = StackPose("deck", ("stu", "1"), 40, -70, 15)
    return Scene((still[0], moving, *still[1:]), (fingers,), props, (stack,), t)


def renderer(seed: int = 5, look: Look | None = None, kind: str = "checks") -> Renderer:
    return Renderer(CAMERA, Surface(kind, 2, "round", 900), WHITE, look or light.LOOKS["lamp"], seed)


def same(a: Frame, b: Frame) -> bool:
    truths = all(
        s.id == t.id and s.visible == t.visible and np.array_equal(s.quad, t.quad) for s, t in zip(a.truth, b.truth, strict=True)
    )
    return truths and np.array_equal(a.image, b.image)


def test_same_seed_same_frame_other_seed_another() -> None:
    assert same(renderer().frame(scene(0.3)), renderer().frame(scene(0.3)))
    assert not np.array_equal(renderer().frame(scene(0.3)).image, renderer(seed=6).frame(scene(0.3)).image)


def test_redrawing_what_changed_equals_drawing_all() -> None:
    running = renderer()
    previous = None
    for t in (0.0, 0.2, 0.5, 0.55, 0.1, 1.0):
        frame = running.frame(scene(t), previous)
        assert same(frame, renderer().frame(scene(t), previous))
        previous = scene(t)


def test_taking_all_away_leaves_the_empty_table() -> None:
    running = renderer()
    running.frame(scene(0.4))
    assert np.array_equal(running.frame(Scene(t=1)).image, renderer().frame(Scene(t=1)).image)


def test_swapping_two_overlapping_cards_redraws_them() -> None:
    a, b = CardPose("a", ("stu", "1"), 0, 0), CardPose("b", ("stu", "back"), 10, 0, 30, face_up=False)
    running = renderer()
    running.frame(Scene((a, b)))
    assert same(running.frame(Scene((b, a))), renderer().frame(Scene((b, a))))


def test_what_moves_is_blurred_along_its_way_and_its_truth_is_not() -> None:
    look = replace(light.LOOKS["bright"], noise=0.0, blur=0.0)
    here, there = Scene((CardPose("a", ("stu", "1"), 0, 0),)), Scene((CardPose("a", ("stu", "1"), -60, 0),))
    sharp, blurred = renderer(look=look, kind="felt").frame(here), renderer(look=look, kind="felt").frame(here, there)
    assert np.array_equal(sharp.truth[0].quad, blurred.truth[0].quad)
    steepest = [np.abs(np.diff(frame.image.astype(int).sum(2), axis=1))[140:160].max() for frame in (sharp, blurred)]
    assert steepest[1] < steepest[0]


def test_exposure_wanders_with_time_but_not_by_chance() -> None:
    look = replace(light.LOOKS["bright"], noise=0.0, drift=1.0)
    means = [float(renderer(look=look).frame(Scene(t=t)).image.mean()) for t in (0, 0, 3, 8)]
    assert means[0] == means[1]
    assert len(set(means)) == 3
    assert max(means) / min(means) < 1.4


@pytest.mark.parametrize("kind", surfaces.KINDS)
def test_every_surface_repeats_without_a_seam(kind: str) -> None:
    picture = surfaces.texture(kind, 1).levels[3].astype(float)
    inner = np.abs(np.diff(picture, axis=0)).mean(axis=(1, 2))
    seam = np.abs(picture[0] - picture[-1]).mean()
    assert seam <= inner.max() * 1.6 + 3


def test_an_unknown_surface_and_a_card_without_picture_say_what_there_is() -> None:
    with pytest.raises(ValueError, match="no surface 'lava': there are wood, felt"):
        Renderer(CAMERA, Surface("lava"), WHITE)
    with pytest.raises(KeyError, match="no picture of card"):
        renderer().frame(Scene((CardPose("a", ("stu", "gnao"), 0, 0),)))


def test_what_is_almost_at_the_camera_or_flies_past_it_is_left_out() -> None:
    near = Camera(width=320, height=200, elevation=90, distance=200)
    running = Renderer(near, Surface("felt", 1), WHITE, light.LOOKS["bright"])
    flying = CardPose("a", ("stu", "1"), 0, 0, z=190)
    fingers = FingersPose("h", 0, 0, z=150)
    frame = running.frame(Scene((flying,), (fingers,)), Scene((replace(flying, x=4000),), (replace(fingers, y=-9000),)))
    assert frame.truth == ()
