"""People who sit at the table are solid: they hide what is behind them, and the table hides what of them is under it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workshop.stage import camera as cam
from workshop.stage.physique import bones
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, FingersPose, Look, Prop, Scene, SitterPose, Surface
from workshop.stage.sitters import shadow_sprite, sitter_sprite

TABLE = Surface("laminate", 3, width=1400, depth=900)
NEAR = cam.fit(Camera(640, 360, elevation=45), TABLE)
FAR = cam.fit(Camera(640, 360, elevation=45, azimuth=180), TABLE)
AT_THE_NEAR_EDGE = SitterPose("sitter.0", (0, -710, -255), (0, -640, 240), (0, -600, 430), angle=0, gaze=0)
DECK = {("stu", "1"): np.full((188, 100, 4), 255, np.uint8), ("stu", "back"): np.full((188, 100, 4), 90, np.uint8)}
PLACE = CardPose("place.0", ("stu", "back"), 0, -345)


def renderer(camera: Camera) -> Renderer:
    return Renderer(camera, TABLE, DECK, Look(noise=0), 1)


def seen(camera: Camera, scene: Scene) -> dict[str, float]:
    return {entry.id: entry.visible for entry in renderer(camera).frame(scene).truth}


def test_who_sits_with_the_back_to_the_camera_hides_the_place_that_the_opposite_camera_sees() -> None:
    scene = Scene(sitters=(AT_THE_NEAR_EDGE,), places=(PLACE,))
    assert seen(NEAR, scene)["place.0"] < 0.2
    assert seen(FAR, scene)["place.0"] == pytest.approx(1, abs=0.03)


def test_the_truth_of_a_card_knows_who_sits_before_it() -> None:
    card = replace(PLACE, id="gnao.0", key=("stu", "1"))
    scene = Scene(cards=(card,), sitters=(AT_THE_NEAR_EDGE,), places=(PLACE,))
    for camera in (NEAR, FAR):
        shares = seen(camera, scene)
        assert shares["gnao.0"] == pytest.approx(shares["place.0"], abs=0.05)


def test_a_place_is_no_less_in_view_for_the_card_that_lies_in_it() -> None:
    card = replace(PLACE, id="gnao.0", key=("stu", "1"), x=10, angle=20)
    assert seen(FAR, Scene(cards=(card,), places=(PLACE,)))["place.0"] == pytest.approx(1, abs=0.03)


def test_a_hand_or_a_bottle_on_a_place_hides_it() -> None:
    hand = FingersPose("hand.0.right", 0, -310)
    bottle = Prop("thing.0", "bottle", 0, -345)
    assert seen(FAR, Scene(fingers=(hand,), places=(PLACE,)))["place.0"] < 0.8
    assert seen(FAR, Scene(props=(bottle,), places=(PLACE,)))["place.0"] < 0.8


def test_the_table_hides_what_is_under_it() -> None:
    under = SitterPose("sitter.0", (0, 50, -450), (0, 50, -250), (0, 50, -130))
    drawn = sitter_sprite(cam.fit(replace(NEAR, elevation=75), TABLE), Look(), TABLE, under)
    assert drawn is not None
    assert not drawn.mask.any()
    assert not drawn.add.any()


def test_a_shadow_hides_nothing() -> None:
    drawn = shadow_sprite(NEAR, Look(shadow=0.6), AT_THE_NEAR_EDGE)
    assert drawn is not None
    assert not drawn.mask.any()
    assert drawn.keep.min() < 235


def test_who_faces_the_camera_sits_behind_the_card_that_they_hold_up() -> None:
    held = CardPose("gnao.0", ("stu", "1"), 0, -440, 180, z=60, face_up=False, tilt=-64, tilt_axis=90)
    assert seen(FAR, Scene(cards=(held,), sitters=(AT_THE_NEAR_EDGE,)))["gnao.0"] > 0.95


def test_a_head_is_above_a_trunk_that_looks_the_way_it_faces() -> None:
    points = np.array([bone.b for bone in bones(AT_THE_NEAR_EDGE)])
    head = points[points[:, 2] > 350]
    nose = head[np.argmax(head[:, 1])]
    assert nose[1] > AT_THE_NEAR_EDGE.head[1] + 60
    assert nose == pytest.approx(AT_THE_NEAR_EDGE.head, abs=130)


def test_people_look_different() -> None:
    pictures = [renderer(FAR).frame(Scene(sitters=(replace(AT_THE_NEAR_EDGE, seed=seed),))).image for seed in range(4)]
    assert all(np.abs(one.astype(int) - other).mean() > 0.3 for n, one in enumerate(pictures) for other in pictures[:n])
