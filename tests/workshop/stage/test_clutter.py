"""Hard negatives and the table tops that look like cards' backs: each is drawn, differs by seed, and is never in the truth."""

import numpy as np
import pytest

from workshop.stage import props, surfaces
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Look, Prop, PropKind, Scene, Surface

CAMERA = Camera(width=480, height=320, elevation=50, distance=450, focal=1.0)
DECK = {("stu", "1"): np.full((94, 50, 4), 255, np.uint8), ("stu", "back"): np.full((94, 50, 4), 90, np.uint8)}
PLAIN = Look(noise=0, drift=0)


def renderer() -> Renderer:
    return Renderer(CAMERA, Surface("laminate", 3, width=9000, depth=9000), DECK, PLAIN, 1)


@pytest.mark.parametrize("kind", props.CLUTTER)
def test_clutter_is_drawn_differs_by_seed_and_is_no_card(kind: PropKind) -> None:
    stage = renderer()
    empty = stage.frame(Scene()).image.astype(int)
    frames = [stage.frame(Scene(props=(Prop("p", kind, 0, 0, 20, seed=seed),))) for seed in (1, 2)]
    changed = [np.abs(frame.image.astype(int) - empty).max(2) > 8 for frame in frames]
    assert all(300 < np.count_nonzero(part) < 0.6 * part.size for part in changed)
    assert np.abs(frames[0].image.astype(int) - frames[1].image.astype(int)).max() > 30
    assert all(frame.truth == () for frame in frames)
    again = renderer().frame(Scene(props=(Prop("p", kind, 0, 0, 20, seed=2),)))
    assert np.array_equal(again.image, frames[1].image)


@pytest.mark.parametrize(("layer", "hidden"), [(0, False), (1, True)], ids=["under it", "on it"])
def test_a_chip_on_a_card_hides_its_part_of_it(layer: int, hidden: bool) -> None:
    card = CardPose("a", ("stu", "1"), 0, 0)
    seen = renderer().frame(Scene(cards=(card,), props=(Prop("p", "chip", 0, 0, seed=5, layer=layer),))).truth[0].visible
    area = np.pi * 20.5**2 / (50 * 94)
    assert seen == pytest.approx(1 - area, abs=0.12) if hidden else seen == pytest.approx(1, abs=0.01)


def test_stacks_of_chips_stand_higher_than_one_chip() -> None:
    low = Camera(width=480, height=320, elevation=25, distance=450, focal=1.0)
    sprites = [props.prop_sprite(low, PLAIN, Prop("p", "chip", 0, 0, seed=seed)) for seed in range(40)]
    tall = [int(np.any(one.mask, axis=1).sum()) for one in sprites if one is not None]
    assert len(tall) == 40
    assert max(tall) > 1.6 * min(tall)


@pytest.mark.parametrize("where", [(5000.0, 5000.0), (0.0, -440.0)], ids=["outside the picture", "at the lens"])
def test_clutter_that_cannot_be_seen_is_left_out(where: tuple[float, float]) -> None:
    near = Camera(width=480, height=320, elevation=20, distance=450, focal=1.0)
    for kind in props.CLUTTER:
        assert props.prop_sprite(near, PLAIN, Prop("p", kind, *where, seed=1)) is None


@pytest.mark.parametrize("kind", surfaces.ALL[len(surfaces.KINDS) :])
def test_new_table_tops_repeat_without_a_seam_and_differ_by_seed(kind: str) -> None:
    picture = surfaces.texture(kind, 3).levels[2].astype(float)
    inner = np.abs(np.diff(picture, axis=0)).mean(), np.abs(np.diff(picture, axis=1)).mean()
    seam = np.abs(picture[0] - picture[-1]).mean(), np.abs(picture[:, 0] - picture[:, -1]).mean()
    lines = [np.abs(np.diff(picture, axis=axis)).mean(tuple({0, 1, 2} - {axis})).max() for axis in (0, 1)]
    for across, (edge, usual, most) in enumerate(zip(seam, inner, lines, strict=True)):
        assert edge < max(most, 3 * usual) + 1, across
    assert np.abs(picture - surfaces.texture(kind, 4).levels[2]).mean() > 2
