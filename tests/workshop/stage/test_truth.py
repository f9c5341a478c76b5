"""The truth beside a picture: quads on the printed edge, which side shows, what share of a card can be seen."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.eyes.geometry import signed_area
from workshop.stage import camera as cam
from workshop.stage import cardshape
from workshop.stage.cards import Textures, card_sprite
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, FingersPose, Look, Prop, Scene, StackPose, Surface

PLAIN = Look(ambient=1.0, glare=0, vignette=0, blur=0, noise=0, drift=0, shadow=0, falloff=0)
ABOVE = Camera(width=400, height=300, elevation=90, distance=400, focal=1.0)
"""One pixel is one millimetre; pixel (199.5, 149.5) is the table's middle."""


def deck() -> dict[tuple[str, str], np.ndarray]:
    """White faces with a black quarter at the printed top left, red backs; no round corners."""
    face = np.full((188, 100, 4), 255, np.uint8)
    face[:94, :50, :3] = 0
    back = np.full((188, 100, 4), 255, np.uint8)
    back[..., :2] = 0
    return {("stu", "1"): face, ("stu", "back"): back}


def renderer(camera: Camera = ABOVE, look: Look = PLAIN) -> Renderer:
    return Renderer(camera, Surface("laminate", 3, width=5000, depth=5000), deck(), look, 1)


def card(name: str = "a", x: float = 0, y: float = 0, **more: float) -> CardPose:
    return CardPose(name, ("stu", "1"), x, y, **more)  # type: ignore[arg-type]


poses = st.builds(
    CardPose,
    id=st.just("a"),
    key=st.just(("stu", "1")),
    x=st.floats(-150, 150),
    y=st.floats(-100, 100),
    angle=st.floats(-180, 180),
    z=st.floats(0, 60),
    face_up=st.booleans(),
    tilt=st.floats(-80, 80),
    tilt_axis=st.floats(0, 180),
    bend=st.floats(-4, 4),
)


@settings(max_examples=40)
@given(poses, st.floats(30, 90), st.floats(-180, 180))
def test_quads_run_clockwise_and_cards_never_sink_into_the_table(pose: CardPose, elevation: float, azimuth: float) -> None:
    camera = Camera(elevation=elevation, azimuth=azimuth)
    rows = cardshape.rows(pose)
    assert rows[..., 2].min() == pytest.approx(pose.z)
    if pose.bend == 0 and abs(pose.tilt) < 10:
        assert signed_area(cardshape.quad(camera, pose)) > 0


@pytest.mark.parametrize(
    ("pose", "first"),
    [
        (card(), (-25, 47)),
        (card(angle=180), (25, -47)),
        (card(angle=90), (-47, -25)),
        (card(face_up=False), (-25, 47)),
    ],
    ids=["upright", "upside down", "quarter turn to the left", "a back's top left is its own"],
)
def test_the_first_corner_is_the_printed_top_left_of_the_side_that_shows(pose: CardPose, first: tuple[float, float]) -> None:
    quad = renderer().frame(Scene(cards=(pose,))).truth[0].quad
    assert quad[0] == pytest.approx(cam.project(ABOVE, [first])[0], abs=1e-6)


@pytest.mark.parametrize("elevation", [35, 60, 90])
@pytest.mark.parametrize("angle", [0, 33, 141])
@pytest.mark.parametrize("distance", [250, 800, 1600], ids=["large", "middle", "small"])
def test_what_is_drawn_has_the_quad_s_area_and_middle(elevation: float, angle: float, distance: float) -> None:
    """To a hundredth of a pixel: the drawn alpha's moments are those of the quad."""
    camera = Camera(width=800, height=600, elevation=elevation, azimuth=15, distance=distance, focal=1.0)
    pose = card(x=3.3, angle=angle)
    drawn = card_sprite(camera, PLAIN, Textures(deck()), pose)
    assert drawn is not None
    alpha = cv2.moments((255 - drawn.keep[..., 0]).astype(np.float32) / 255)
    quad = cv2.moments(cardshape.quad(camera, pose).astype(np.float32).reshape(-1, 1, 2))
    assert alpha["m00"] == pytest.approx(quad["m00"], rel=0.002)
    assert alpha["m10"] / alpha["m00"] + drawn.x == pytest.approx(quad["m10"] / quad["m00"], abs=0.01)
    assert alpha["m01"] / alpha["m00"] + drawn.y == pytest.approx(quad["m01"] / quad["m00"], abs=0.01)


@pytest.mark.parametrize("angle", [0, 90, 200])
def test_the_printed_corner_is_drawn_at_the_quad_s_first(angle: float) -> None:
    frame = renderer().frame(Scene(cards=(card(angle=angle),)))
    quad = frame.truth[0].quad
    inwards = [quad[n] + 0.25 * (quad[(n + 2) % 4] - quad[n]) for n in range(4)]
    tones = [int(frame.image[round(y), round(x)].mean()) for x, y in inwards]
    assert tones[0] < 20
    assert min(tones[1:]) > 180


@pytest.mark.parametrize(
    ("turned", "side"),
    [({}, "face"), ({"face_up": False}, "back"), ({"tilt": 100}, "back"), ({"tilt": 180, "face_up": False}, "face")],
)
def test_the_side_that_shows_follows_the_turn(turned: dict[str, float], side: str) -> None:
    assert renderer().frame(Scene(cards=(card(**turned),))).truth[0].side == side


def test_a_turning_card_is_foreshortened() -> None:
    flat, turning = (cardshape.quad(ABOVE, card(tilt=tilt)) for tilt in (0, 60))
    width = [np.linalg.norm(quad[0] - quad[1]) for quad in (flat, turning)]
    assert width[1] == pytest.approx(width[0] / 2, rel=0.1)  # the raised edge is nearer


@pytest.mark.parametrize(
    ("over", "visible"),
    [
        ((), 1.0),
        ((card("b", x=25),), 0.5),
        ((card("b", y=-47),), 0.5),
        ((card("b", x=25, y=47),), 0.75),
        ((card("b", x=25), card("c", x=-25)), 0.0),
        ((card("b", x=120),), 1.0),
    ],
    ids=["alone", "right half", "lower half", "a quarter", "two halves", "another far away"],
)
def test_visible_share_under_other_cards(over: tuple[CardPose, ...], visible: float) -> None:
    truth = renderer().frame(Scene(cards=(card(), *over))).truth
    assert truth[0].visible == pytest.approx(visible, abs=0.015)
    assert truth[-1].visible == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize(
    ("x", "y", "visible"),
    [(-200, 0, 0.5), (200, 150, 0.25), (0, 150, 0.5), (400, 0, 0.0)],
    ids=["left", "corner", "top", "outside"],
)
def test_visible_share_at_the_picture_s_edge(x: float, y: float, visible: float) -> None:
    assert renderer().frame(Scene(cards=(card(x=x, y=y),))).truth[0].visible == pytest.approx(visible, abs=0.02)


@settings(max_examples=25)
@given(st.floats(-40, 40), st.floats(-60, 60), st.floats(0, 360), st.floats(6, 60))
def test_share_equals_the_exact_area_also_for_small_quads(dx: float, dy: float, angle: float, size: float) -> None:
    a = np.radians(angle)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    quad = np.array([[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]]) * size / 2 @ turn.T + 100
    over = np.array([[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]]) * size / 2 + [100 + dx * size / 60, 100 + dy * size / 60]
    shared = cv2.intersectConvexConvex(quad.astype(np.float32), over.astype(np.float32))[0]
    assert cardshape.share(quad, [over], 200, 200) == pytest.approx(1 - shared / (size * size / 2), abs=0.035)


def test_stack_hides_what_lies_under_it_and_its_quad_is_the_top_card_s() -> None:
    under = card("under", layer=-1)
    scene = Scene(cards=(under,), stacks=(StackPose("deck", ("stu", "1"), 0, 0, count=40),))
    truth = {t.id: t for t in renderer().frame(scene).truth}
    assert truth["under"].visible < 0.02
    assert truth["deck"].side == "stack"
    assert truth["deck"].visible == pytest.approx(1, abs=0.01)
    top = cam.project(ABOVE, [[-25, 47, 40 * 0.32]])[0]
    assert truth["deck"].quad[0] == pytest.approx(top, abs=1e-6)


def test_hands_and_cups_hide_cards_but_a_coaster_lies_under_them() -> None:
    fingers = FingersPose("h", 0, 60, z=4, grip="rest")
    shares = {}
    for name, scene in {
        "hand": Scene(cards=(card(),), fingers=(fingers,)),
        "cup": Scene(cards=(card(),), props=(Prop("p", "cup", 0, 0),)),
        "coaster": Scene(cards=(card(),), props=(Prop("p", "coaster", 0, 0),)),
    }.items():
        shares[name] = next(t for t in renderer().frame(scene).truth if t.id == "a").visible
    assert shares["hand"] < 0.5
    assert shares["cup"] < 0.5
    assert shares["coaster"] == pytest.approx(1, abs=0.01)


def test_a_held_card_lies_between_fingers_and_thumb() -> None:
    fingers = FingersPose("h", 0, 20, z=4, grip="hold", holds="a")
    held = renderer().frame(Scene(cards=(card(z=20),), fingers=(fingers,))).truth[0].visible
    free = renderer().frame(Scene(cards=(card(z=20),), fingers=(FingersPose("h", 0, 20, z=4, grip="hold"),))).truth[0].visible
    assert free < held < 1
