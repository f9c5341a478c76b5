"""The second renderer: how cards come to rest, how much of them shows, what the path tracer is told and what it makes of it."""

import ast
import importlib.util
import os
import sys
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from workshop.cycles import WORKER, setting, settling, sight, solids
from workshop.cycles.make import Studio, develop
from workshop.cycles.settling import Block, Sheet, Support, settled
from workshop.cycles.shapes import Shot
from workshop.dataset.compose import Laid
from workshop.dataset.decks import Together
from workshop.dataset.make import Composed, Task, composed
from workshop.dataset.recipe import Recipe
from workshop.stage import camera as cam
from workshop.stage import cardshape
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Look, Prop, Scene, StackPose, Surface

BLENDER = os.environ.get("COMPANION_BLENDER", "")
RECIPE = Recipe(count=3, seed=11, size=(320, 192), length=(30, 120), usual_length=(40, 90), cards=10,
                overlap=0.8, raised=0.4, clutter=0.5)
ABOVE = Camera(640, 384, elevation=60, distance=700)


def card(name: str = "a", x: float = 0, y: float = 0, angle: float = 0, **more: object) -> CardPose:
    return CardPose(name, ("ramino", "7h"), x, y, angle, **more)  # type: ignore[arg-type]


def piled(cards: list[CardPose]) -> list[Sheet]:
    below: list[Support] = []
    for one in cards:
        below.append(settled(one, below))
    return [sheet for sheet in below if isinstance(sheet, Sheet)]


def lowest_gap(upper: Sheet, lower: Support) -> float:
    """The least height, mm, of the upper card's underside over what is below it, at many points."""
    width, length = upper.card.mm
    rng = np.random.default_rng(3)
    local = rng.uniform(-0.5, 0.5, (2000, 2)) * (width, length)
    points = upper.at(local)
    gaps = points[:, 2] - settling.THICK / 2 - lower.top(points[:, :2])
    return float(gaps.min())


def test_a_card_on_the_bare_table_lies_on_it() -> None:
    [sheet] = piled([card()])
    assert sheet.at(sheet.grid())[:, 2] == pytest.approx(settling.THICK / 2 + settling.AIR)


def test_a_card_half_on_another_leans_on_its_edge() -> None:
    lower, upper = piled([card("a"), card("b", 40, 0)])
    heights = upper.at(np.array([[-29.0, 0], [29.0, 0]]))[:, 2]
    assert heights[0] > heights[1] > 0
    assert heights[1] < settling.THICK, "its far edge is on the table"
    assert 0 <= lowest_gap(upper, lower) < 3 * settling.AIR


poses = st.builds(
    lambda x, y, angle, up, bend: (x, y, angle, up, bend),
    st.floats(-40, 40), st.floats(-40, 40), st.floats(0, 360), st.booleans(), st.floats(-1.5, 1.5),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(poses, min_size=2, max_size=6))
def test_no_card_cuts_into_one_below_it(told: list[tuple[float, float, float, bool, float]]) -> None:
    cards = [card(str(n), x, y, a, face_up=up, bend=bend) for n, (x, y, a, up, bend) in enumerate(told)]
    sheets = piled(cards)
    for n, upper in enumerate(sheets):
        assert float(upper.at(upper.grid())[:, 2].min()) > 0
        for lower in sheets[:n]:
            assert lowest_gap(upper, lower) > -0.12, "less than half a card's thickness, between two sampled points"


def test_a_card_lies_on_a_box_and_on_the_table_beside_it() -> None:
    box = Block(np.array([[0.0, -50], [60, -50], [60, 50], [0, 50]]), 3.0)
    sheet = settled(card(x=0), [box])
    assert lowest_gap(sheet, box) >= 0
    assert float(sheet.at(sheet.grid())[:, 2].min()) < 0.4


@pytest.mark.parametrize("z", [1.5, 4.0])
def test_a_raised_card_stands_off_as_far_as_its_pose_says(z: float) -> None:
    lower, upper = piled([card("a"), card("b", 20, 5, 10, z=z)])
    assert float(upper.at(upper.grid())[:, 2].min()) == pytest.approx(z)
    assert lowest_gap(upper, lower) > 0


@pytest.mark.parametrize("up", [True, False])
def test_a_card_alone_has_the_corners_of_the_drawn_renderer(up: bool) -> None:
    pose = card(x=40, y=-30, angle=33, face_up=up)
    [sheet] = piled([pose])
    assert settling.shows_face(ABOVE, sheet) == up
    assert settling.quad(ABOVE, sheet) == pytest.approx(cardshape.quad(ABOVE, pose), abs=0.5)


def test_what_shows_of_a_card_is_what_nothing_nearer_hides() -> None:
    square = np.array([[-30.0, -30, 0], [30, -30, 0], [30, 30, 0], [-30, 30, 0]])
    half = square * [0.5, 1, 1] + [15, 0, 1]
    whole, under = sight.shares(ABOVE, [[square + [150, 0, 0]], [square]], [half])
    assert whole == pytest.approx(1, abs=0.03)
    assert under == pytest.approx(0.5, abs=0.04)
    away = sight.shares(ABOVE, [[square + [0, 0, -1]]], [square])
    assert away[0] < 0.03


def test_shares_agree_with_the_drawn_renderer_where_cards_lie_flat() -> None:
    textures = {("ramino", side): np.full((88, 58, 3), 200, np.uint8) for side in ("7h", "back")}
    cards = (card("a"), card("b", 20, 4, 12), card("c", 120, 60, 70), card("d", 130, 40, 40, face_up=False))
    scene = Scene(cards, stacks=(StackPose("k", ("ramino", "7h"), -150, 40, 20),))
    surface = Surface()
    drawn = {one.id: one for one in Renderer(ABOVE, surface, textures).frame(scene).truth}
    rested = setting.settle(Laid(ABOVE, surface, scene, scene), np.random.default_rng(1))
    seen = [solids.stack_solid(stack, low, "", 0.5) for stack, low in rested.stacks]
    cards_too = [solids.card_solid(sheet, "", "", 0.5) for sheet in rested.cards]
    found = {one.id: one for one in setting.truth(rested, [*cards_too, *seen])}
    assert found.keys() == drawn.keys()
    for name, one in found.items():
        assert (one.side, one.key) == (drawn[name].side, drawn[name].key)
        assert one.quad == pytest.approx(drawn[name].quad, abs=1.5), name
        assert one.visible == pytest.approx(drawn[name].visible, abs=0.05), name


def test_a_glass_does_not_hide_a_card_and_a_bottle_does() -> None:
    for kind, hides in (("glass", False), ("bottle", True)):
        solid, clear = solids.round_prop(Prop("p", kind, 0, 0, seed=2), 0.0)  # type: ignore[arg-type]
        assert bool(clear) != hides
        assert bool(solid) or not hides


def test_the_worker_is_told_whole_meshes_and_every_print_is_there(tmp_path: Path) -> None:
    for one in composed(Task(RECIPE, 0, 3, None, None, None)):
        rng = np.random.default_rng(0)
        rested = setting.settle(one.laid, rng)
        seen = setting.seen(one.laid, rested, Together(one.decks), one.look, None, solids.Prints(tmp_path), rng)
        shot = msgspec.json.decode(msgspec.json.encode(seen.shot(tmp_path / "0.hdr", 4, 1)), type=Shot)
        assert len(shot.solids) >= len(rested.cards) + len(rested.stacks) + 1
        for solid in shot.solids:
            assert len(solid.faces) == len(solid.uv) == len(solid.slots)
            assert max(max(face) for face in solid.faces) < len(solid.vertices)
            assert max(solid.slots) < len(solid.materials)
            assert all(len(face) == len(uv) for face, uv in zip(solid.faces, solid.uv, strict=True))
            assert all(cv2.imread(one.image) is not None for one in solid.materials if one.image)


def test_the_camera_that_the_worker_is_told_is_the_cameras_own() -> None:
    view = setting._view(ABOVE, np.random.default_rng(0))
    rotation = np.array([view.right, view.down, view.forward])
    rng = np.random.default_rng(4)
    points = rng.uniform(-100, 100, (20, 3))
    local = (points - view.at) @ rotation.T
    pixels = local[:, :2] / local[:, 2:] * view.focal * view.width + [(view.width - 1) / 2, (view.height - 1) / 2]
    assert pixels == pytest.approx(cam.project(ABOVE, points))


def test_a_picture_is_exposed_by_itself_whatever_the_light() -> None:
    light = np.random.default_rng(0).uniform(0.1, 1, (48, 64, 3)).astype(np.float32)
    dark, bright = (develop(light * gain, Look(noise=0, drift=0), 3) for gain in (0.01, 50))
    assert np.abs(dark.astype(int) - bright).max() <= 2
    assert 90 < bright.mean() < 220


def test_the_worker_needs_nothing_but_blender() -> None:
    tree = ast.parse(WORKER.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) == {"bpy", "mathutils"}


@pytest.mark.parametrize("python", ["here", "nowhere"])
def test_where_blender_is_missing_one_line_says_how_to_get_it(python: str, tmp_path: Path) -> None:
    if python == "here" and importlib.util.find_spec("bpy") is not None:
        pytest.skip("this environment has bpy")
    blender = sys.executable if python == "here" else str(tmp_path / "python")
    recipe = tmp_path / "r.yaml"
    recipe.write_text("count: 1\nseed: 1\n")
    told = ["--recipe", str(recipe), "--out", str(tmp_path / "out"), "--blender", blender]
    result = CliRunner().invoke(main, ["dataset", "cycles", *told])
    assert result.exit_code == 2
    assert "pip install bpy" in result.output
    assert "--blender" in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists(), "nothing is written"


@pytest.mark.parametrize("told", ["640", "640x", "10x10", "9999x400"])
def test_a_size_that_is_none_is_refused(told: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["dataset", "cycles", "--recipe", "r.yaml", "--out", str(tmp_path / "o"), "--size", told])
    assert result.exit_code == 2
    assert "640x384" in result.output


@pytest.mark.slow
@pytest.mark.skipif(not BLENDER, reason="needs a Python with bpy, named by COMPANION_BLENDER")
def test_cycles_sees_cards_where_the_truth_says() -> None:
    """White cards on black felt: nearly all that is bright lies in the quads, and nearly all of them is bright."""
    white = {("ramino", side): np.full((88, 58, 3), 255, np.uint8) for side in ("7h", "back")}
    cards = (card("a", -80, 0, 20), card("b", -60, 10, 35), card("c", 100, 30, 140))
    scene = Scene(cards)
    laid = Laid(Camera(320, 192, elevation=55, distance=600), Surface("felt", 4, "rect", 5000, 5000), scene, scene)

    class White:
        name, scanned, strange, textures = "ramino", False, False, solids.Textures(white)

    with Studio(BLENDER, 8, 1) as studio:
        made = studio.picture(Composed(0, laid, [White()], Look(noise=0, jpeg=0, blur=0.2), 5, None))  # type: ignore[list-item]
    inside = np.zeros((192, 320), np.uint8)
    for one in made.truth:
        cv2.fillConvexPoly(inside, np.round(one.quad * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    grey = cv2.cvtColor(made.image, cv2.COLOR_BGR2GRAY)
    _, bright = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    both, either = np.count_nonzero(inside & bright), np.count_nonzero(inside | bright)
    assert both / either > 0.9
    assert [one.visible for one in made.truth][2] > 0.97
    assert made.truth[0].visible < 0.75
