"""The refiner's frames: what is cut out around a proposal, and how its corners come back."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.eyes import refiner
from companion.eyes.geometry import long_side_upright

UNIT = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])


def card(x: float, y: float, angle: float, length: float, ratio: float) -> NDArray[np.float64]:
    """A quad (1, 4, 2) turned by ``angle`` radians."""
    box = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (length * ratio, length)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((box @ turn + (x, y))[None])


cards = st.builds(card, st.floats(0, 900), st.floats(0, 500), st.floats(-7, 7), st.floats(15, 300), st.floats(0.2, 0.95))


@given(cards)
def test_a_flat_card_is_the_unit_square_of_its_own_frame(quad: NDArray[np.float64]) -> None:
    frame = refiner.frames(quad)
    assert np.allclose(refiner.to_frame(long_side_upright(quad), frame), UNIT, atol=1e-6)


@given(cards, st.lists(st.floats(-0.2, 0.2), min_size=8, max_size=8))
def test_pixels_and_frame_undo_one_another(quad: NDArray[np.float64], shifts: list[float]) -> None:
    frame = refiner.frames(quad)
    points = UNIT + np.array(shifts).reshape(1, 4, 2)
    assert np.allclose(refiner.to_frame(refiner.to_pixels(points, frame), frame), points, atol=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.6, np.pi / 2, 2.5])
def test_what_is_cut_out_shows_the_card_in_the_middle_and_the_table_around_it(angle: float) -> None:
    import cv2

    quad = card(160, 120, angle, 90, 0.6)
    image = np.zeros((240, 320, 3), dtype=np.uint8)
    cv2.fillConvexPoly(image, np.round(quad[0]).astype(np.int32), (255, 255, 255))
    crop = refiner.cut_out(image, refiner.frames(quad)[0])
    width, height = refiner.CROP
    inset = refiner.MARGIN / (1 + 2 * refiner.MARGIN)
    left, top = round(width * inset), round(height * inset)
    assert crop.shape == (height, width, 3)
    assert crop[top + 3 : -top - 3, left + 3 : -left - 3].min() == 255
    assert crop[: top - 3].max() == crop[:, : left - 3].max() == 0


def test_a_second_look_brings_a_displaced_card_closer_and_leaves_clear_nothing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import cv2

    from companion.assets import asset
    from workshop.deck.raster import draw, raster
    from workshop.deck.style import Style

    true = card(200, 150, 0.4, 120, 0.53)[0]
    image = np.full((300, 400, 3), (60, 110, 70), dtype=np.uint8)
    print_ = raster(draw(("stu", "gnao"), Style.standard()), 64, 120)
    corners = np.array([[0, 0], [64, 0], [64, 120], [0, 120]], np.float32) - 0.5
    laid = cv2.warpPerspective(print_, cv2.getPerspectiveTransform(corners, true.astype(np.float32)), (400, 300))
    alpha = laid[..., 3:] / 255
    image = np.asarray(image * (1 - alpha) + laid[..., :3] * alpha, np.uint8)
    shipped = refiner.Refiner(asset("models/refiner.onnx"))
    looks: list[int] = []
    once = shipped._look

    def counted(image: NDArray[np.uint8], quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        looks.append(len(quads))
        return once(image, quads)

    shipped._look = counted  # type: ignore[method-assign]
    monkeypatch.setattr(refiner, "NOTHING_PROBABILITY", 0.5)
    off, bare = true + (7, -6), card(60, 60, 0.0, 60, 0.6)[0]
    quads, shares = shipped.refine(image, [off, bare])
    assert shares[0, -1] < 0.3 < 0.5 < shares[1, -1]
    assert looks == [2, 1]
    assert np.allclose(shares.sum(axis=1), 1)

    def error(quad: NDArray[np.float64]) -> float:
        return min(float(np.abs(np.roll(quad, k, axis=0) - true).max()) for k in range(4))

    assert error(quads[0]) < 0.6 * error(off)


class Rightwards:
    """A network that moves every corner by a tenth of the card's width to where the crop grows brighter."""

    def __call__(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        way = [0.1 if crop[:, -8:].mean() > crop[:, :8].mean() else -0.1 for crop in crops]
        return np.array([[5.0, 0, 0, 0, *([step, 0.0] * 4)] for step in way], dtype=np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0])
def test_a_look_in_a_mirror_finds_the_same_corners(angle: float) -> None:
    image = np.tile(np.linspace(0, 255, 400)[None, :, None], (300, 1, 3)).astype(np.uint8)
    quad = card(200, 150, angle, 90, 0.6)
    looking = refiner.Refiner.__new__(refiner.Refiner)
    looking._run = Rightwards()  # type: ignore[method-assign]
    (plain, shares), (mirror, others) = (looking._look(image, quad, way) for way in (False, True))
    assert np.allclose(shares, others)
    assert np.allclose(plain, mirror, atol=1e-6)
    found, _ = looking.refine(image, list(quad), closely=True)
    assert np.allclose(sorted(map(tuple, found[0])), sorted(map(tuple, looking.refine(image, list(quad))[0][0])))


@pytest.mark.parametrize(("counts", "looked_at"), [(True, 5), (False, 2)], ids=["a card", "surely none"])
def test_only_what_may_be_a_card_is_looked_at_until_its_corners_stay(counts: bool, looked_at: int) -> None:
    image = np.tile(np.linspace(0, 255, 400)[None, :, None], (300, 1, 3)).astype(np.uint8)
    looking, looks = refiner.Refiner.__new__(refiner.Refiner), list[int]()

    def run(crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        looks.append(len(crops))
        return Rightwards()(crops)

    looking._run = run  # type: ignore[method-assign]
    looking.refine(image, list(card(200, 150, 0.0, 90, 0.6)), counts=lambda shares: np.full(len(shares), counts))
    assert len(looks) == looked_at
