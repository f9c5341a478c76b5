"""The cards' plane: what is as large as the others there is a card, whatever the camera's tilt."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.eyes.geometry import polygon_iou
from companion.eyes.plane import MIN_CARDS, Plane

SIZE = (1280, 720)
CARD = np.array([[-5.0, -9.4], [5.0, -9.4], [5.0, 9.4], [-5.0, 9.4]])
TILTS = {
    "from above": [[200, 60], [1080, 60], [1080, 680], [200, 680]],
    "from a tripod": [[380, 200], [900, 200], [1150, 650], [130, 650]],
    "from a low corner": [[500, 260], [960, 300], [1100, 640], [150, 540]],
}


def seen(tilt: list[list[int]], cards: np.ndarray) -> np.ndarray:
    """Cards (n, 4, 2) of a table 140 wide and 90 deep, in pixels."""
    table = np.array([[0, 0], [140, 0], [140, 90], [0, 90]], np.float32)
    homography = cv2.getPerspectiveTransform(table, np.array(tilt, np.float32))
    return cv2.perspectiveTransform(cards.reshape(1, -1, 2), homography).reshape(-1, 4, 2)


def laid(rng: np.random.Generator, count: int, shape: tuple[float, float] = (1.0, 1.0)) -> np.ndarray:
    """Cards anywhere, turned anyhow; ``shape``: by how much wider and longer than others."""
    turn = rng.uniform(0, np.pi, count)
    way = np.stack([np.stack([np.cos(turn), -np.sin(turn)], -1), np.stack([np.sin(turn), np.cos(turn)], -1)], 1)
    return (CARD * shape) @ way.transpose(0, 2, 1) + rng.uniform((15, 15), (125, 75), (count, 1, 2))


@pytest.mark.parametrize("tilt", TILTS.values(), ids=TILTS)
def test_cards_lie_on_their_plane_and_what_is_wider_does_not(tilt: list[list[int]]) -> None:
    rng = np.random.default_rng(4)
    known, more = seen(tilt, laid(rng, 9)), seen(tilt, laid(rng, 20))
    plane = Plane.through(known + rng.normal(0, 0.5, known.shape), [0.9] * 9, SIZE)
    assert plane is not None
    assert np.median(plane.misfit(more)) < 1.4
    for shape in ((1.5, 1.0), (0.6, 1.0), (1.0, 1.5), (1.4, 1.4)):
        assert np.median(plane.misfit(seen(tilt, laid(rng, 20, shape)))) > 2.5


def test_what_lies_on_no_plane_does_not_bend_it() -> None:
    rng = np.random.default_rng(5)
    known = np.concatenate([seen(TILTS["from a tripod"], laid(rng, 8)), seen(TILTS["from a tripod"], laid(rng, 2, (1.8, 1.0)))])
    plane = Plane.through(known, [0.9] * 10, SIZE)
    assert plane is not None
    off = plane.misfit(known)
    assert off[:8].max() < off[8:].min()


def test_a_quad_may_begin_with_any_corner() -> None:
    rng = np.random.default_rng(6)
    known = seen(TILTS["from a tripod"], laid(rng, 8))
    plane = Plane.through(known, [1.0] * 8, SIZE)
    turned = Plane.through(np.roll(known, 1, axis=1), [1.0] * 8, SIZE)
    assert plane is not None
    assert turned is not None
    assert turned.misfit(known) == pytest.approx(plane.misfit(np.roll(known, 1, axis=1)), abs=1e-3)


def test_few_cards_tell_of_no_plane() -> None:
    known = seen(TILTS["from above"], laid(np.random.default_rng(7), MIN_CARDS))
    assert Plane.through(known[1:], [1.0] * (MIN_CARDS - 1), SIZE) is None
    assert Plane.through(known, [1.0] * MIN_CARDS, SIZE) is not None


@pytest.mark.parametrize("tilt", TILTS.values(), ids=TILTS)
@pytest.mark.parametrize("count", [2, 3])
def test_a_quad_as_wide_as_several_cards_holds_them_side_by_side(tilt: list[list[int]], count: int) -> None:
    rng = np.random.default_rng(8)
    plane = Plane.through(seen(tilt, laid(rng, 9)), [0.9] * 9, SIZE)
    assert plane is not None
    row = np.stack([CARD + (10.0 * n + 60, 45) for n in range(count)])
    whole = np.array([row[0][0], row[-1][1], row[-1][2], row[0][3]])
    true, (wide,) = seen(tilt, row), seen(tilt, whole[None])
    for first in range(4):
        found = plane.side_by_side(np.roll(wide, first, axis=0))
        for card in true:
            assert max(polygon_iou(card, one) for one in found) > 0.85


def test_a_quad_as_large_as_a_card_holds_no_others() -> None:
    rng = np.random.default_rng(9)
    tilt = TILTS["from a tripod"]
    plane = Plane.through(seen(tilt, laid(rng, 9)), [0.9] * 9, SIZE)
    assert plane is not None
    for shape in ((1.0, 1.0), (0.6, 1.0), (1.1, 1.1), (1.0, 3.0), (4.0, 1.0)):
        assert not [one for quad in seen(tilt, laid(rng, 5, shape)) for one in plane.side_by_side(quad)]
