"""Quads: what must hold for every card that a camera can show."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.eyes import geometry

Quad = NDArray[np.float64]


@st.composite
def cards(draw: st.DrawFn) -> Quad:
    """A rectangle as a tilted camera shows it: clockwise, any corner first."""
    length = draw(st.floats(20, 250))
    half = np.array([length / draw(st.floats(1.4, 1.9)), length]) / 2
    angle = draw(st.floats(0, 2 * math.pi))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    turned = corners @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    turned[:, 1] *= math.sin(math.radians(draw(st.floats(30, 90))))
    turned *= 1 + draw(st.floats(0, 0.0005)) * turned[:, 1:]
    return np.roll(turned + [draw(st.floats(-500, 2000)), draw(st.floats(-500, 2000))], draw(st.integers(0, 3)), axis=0)


def around(quad: Quad, other: Quad) -> float:
    """The least distance between the corners of two quads, over all corners that may come first."""
    return min(float(np.abs(np.roll(quad, shift, axis=0) - other).max()) for shift in range(4))


@given(cards())
def test_cards_run_clockwise_and_are_convex(quad: Quad) -> None:
    assert geometry.signed_area(quad) > 0
    assert geometry.is_convex(quad)
    assert not geometry.is_convex(quad[::-1])
    assert not geometry.is_convex(quad[[0, 2, 1, 3]])


@given(cards(), st.integers(0, 3))
def test_a_quad_overlaps_itself_wholly_whatever_corner_comes_first(quad: Quad, shift: int) -> None:
    assert geometry.polygon_iou(quad, np.roll(quad, shift, axis=0)) == pytest.approx(1, abs=1e-3)


@example(
    np.array([[4.62519231, -5.65242348], [12.20422739, 0.24940042], [-4.62519231, 5.65242348], [-12.20422739, -0.24940042]]),
    np.array([[4.55540766, -5.70676505], [12.27401203, 0.30374199], [-4.55540766, 5.70676505], [-12.27401203, -0.30374199]]),
)
@given(cards(), cards())
def test_overlap_is_symmetric_and_a_share(first: Quad, second: Quad) -> None:
    there, back = geometry.polygon_iou(first, second), geometry.polygon_iou(second, first)
    assert 0 <= there <= 1
    assert there == pytest.approx(back, abs=1e-3)


@given(cards(), st.floats(0.05, 0.95))
def test_a_card_moved_along_itself_overlaps_by_what_is_left(quad: Quad, share: float) -> None:
    square = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], dtype=np.float64)
    assert geometry.polygon_iou(square, square + [100 * share, 0]) == pytest.approx((1 - share) / (1 + share), abs=1e-4)


@given(cards())
def test_naming_by_compass_does_not_ask_which_corner_comes_first(quad: Quad) -> None:
    named, steady = geometry.compass_order(quad)
    again, _ = geometry.compass_order(np.roll(quad, 2, axis=0))
    assert around(named[:4], quad) < 1e-9
    assert around(named[4:], quad) < 1e-9
    assert steady.max() > math.cos(math.radians(24))
    best = 4 * int(steady.argmax())
    assert np.allclose(named[best : best + 4], again[best : best + 4])


@given(cards(), st.floats(-1, 1))
def test_the_steady_naming_does_not_jump_when_the_card_turns_a_little(quad: Quad, degrees: float) -> None:
    named, steady = geometry.compass_order(quad)
    best = 4 * int(steady.argmax())
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    middle = quad.mean(axis=0)
    turned, _ = geometry.compass_order((quad - middle) @ turn + middle)
    assert np.abs(turned[best : best + 4] - named[best : best + 4]).max() < 0.03 * geometry.card_length(quad)


@given(st.lists(cards(), min_size=1, max_size=5))
def test_the_named_points_give_the_quad_back(quads: list[Quad]) -> None:
    named = np.stack([geometry.compass_order(quad)[0] for quad in quads])
    found, agreement = geometry.pick_compass(named)
    assert all(around(one, quad) < 1e-6 for one, quad in zip(found, quads, strict=True))
    assert agreement == pytest.approx(1)


@given(cards(), st.integers(0, 2**32 - 1))
def test_a_naming_torn_at_its_jump_is_not_taken(quad: Quad, seed: int) -> None:
    named, steady = geometry.compass_order(quad)
    torn = 4 * int(steady.argmin())
    length = float(geometry.card_length(quad))
    named[torn : torn + 4] = quad.mean(axis=0) + np.random.default_rng(seed).normal(0, 0.01 * length, (4, 2))
    if not geometry.is_convex(named[torn : torn + 4]):
        found, agreement = geometry.pick_compass(named[None])
        assert around(found[0], quad) < 1e-6
        assert agreement[0] < 1


@given(cards())
def test_upright_means_a_short_side_first(quad: Quad) -> None:
    upright = geometry.long_side_upright(quad)[0]
    length = geometry.sides(upright)
    assert length[0] + length[2] <= length[1] + length[3] + 1e-9
    assert around(upright, quad) < 1e-9
    assert geometry.card_length(quad) == pytest.approx((length[1] + length[3]) / 2)


def is_part(part: Quad, whole: Quad) -> bool:
    """Whether one quad lies almost wholly within the other, clearly larger one."""
    small, large = sorted((abs(float(geometry.signed_area(part))), abs(float(geometry.signed_area(whole)))))
    return small < 0.7 * large and geometry.shared_area(part, whole) > 0.9 * small


@given(st.lists(cards(), max_size=8), st.integers(0, 2**32 - 1))
def test_suppression_keeps_the_best_of_each_heap_and_nothing_twice(quads: list[Quad], seed: int) -> None:
    scores = np.random.default_rng(seed).random(len(quads))
    kept = geometry.suppress(quads, scores, 0.6)
    assert [scores[i] for i in kept] == sorted((scores[i] for i in kept), reverse=True)
    for i, quad in enumerate(quads):
        better = [k for k in kept if scores[k] >= scores[i]]
        rivals = [k for k in better if geometry.polygon_iou(quads[k], quad) > 0.6 or (k != i and is_part(quads[k], quad))]
        assert (i in kept) == (rivals in ([], [i]))


def test_cards_of_a_fan_are_not_one_card() -> None:
    card = np.array([[0, 0], [50, 0], [50, 94], [0, 94]], dtype=np.float64)
    fan = [card + [shift, 0] for shift in (0, 18, 36)]
    assert sorted(geometry.suppress(fan, [0.9, 0.8, 0.7], 0.6)) == [0, 1, 2]


def test_a_part_of_a_card_is_no_second_card() -> None:
    card = np.array([[0, 0], [50, 0], [50, 94], [0, 94]], dtype=np.float64)
    half = card * [1, 0.5] + [0, 10]
    assert geometry.suppress([card, half], [0.9, 0.8], 0.6) == [0]
    assert geometry.suppress([card, half], [0.8, 0.9], 0.6) == [1]
    assert sorted(geometry.suppress([card, half + [30, 0]], [0.9, 0.8], 0.6)) == [0, 1]


@given(cards().filter(lambda quad: bool(geometry.card_length(quad) > 40)))
def test_straightening_brings_each_corner_to_its_place(quad: Quad) -> None:
    quad = quad - quad.min(axis=0) + 5
    width, height = (int(v) + 10 for v in quad.max(axis=0))
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    middle = quad.mean(axis=0)
    spot = (quad[0] * 0.7 + middle * 0.3).round().astype(int)  # a mark near corner 0
    reach = max(2, round(float(geometry.sides(quad).min()) * 0.08))
    cv2.circle(picture, (int(spot[0]), int(spot[1])), reach, (255, 255, 255), -1)
    crop = geometry.straighten(picture, quad, 64, 112)
    ys, xs = np.nonzero(crop[..., 0] > 100)
    assert crop.shape == (112, 64, 3)
    assert len(xs)
    assert xs.mean() < 32
    assert ys.mean() < 56


def test_straightening_a_quad_out_of_the_picture_repeats_its_edge() -> None:
    picture = np.full((40, 40, 3), 200, dtype=np.uint8)
    crop = geometry.straighten(picture, [[20, 20], [120, 20], [120, 200], [20, 200]], 64, 112)
    assert crop.min() >= 199


def test_a_border_round_a_card_runs_along_it_and_the_outline_of_its_shadow_does_not() -> None:
    card = np.array([[420, 503], [693, 582], [556, 1109], [256, 1016]], float)
    shadow = np.array([[422, 382], [796, 612], [626, 1160], [164, 1044]], float)
    assert geometry.skew(geometry.grown(card, 0.12, 0.1), card) < 1e-3
    assert geometry.skew(shadow, card) > 0.2
