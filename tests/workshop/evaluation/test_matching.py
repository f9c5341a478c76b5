"""The figures of evaluation, on cases counted by hand."""

import math

import numpy as np
import pytest

from workshop.evaluation import matching

CARD = np.array([[0, 0], [50, 0], [50, 94], [0, 94]], dtype=np.float64)
FACE, BACK = 0, 1


def test_a_detection_takes_the_card_of_its_class_that_it_covers_best() -> None:
    found = np.stack([CARD + [2, 0], CARD + [200, 0], CARD + [204, 3]])
    truth = np.stack([CARD + [200, 0], CARD])
    matches = matching.match(
        found, np.array([FACE, BACK, BACK]), np.array([0.9, 0.6, 0.8]), truth, np.array([BACK, FACE]), np.ones(2)
    )
    assert matches.truth_of.tolist() == [1, -1, 0], "the surer back takes the card, the other one is a false alarm"


def test_a_wrong_class_is_no_match() -> None:
    matches = matching.match(CARD[None], np.array([BACK]), np.array([0.9]), CARD[None], np.array([FACE]), np.ones(1))
    assert matches.truth_of.tolist() == [-1]
    assert not matches.ignored.any()


def test_a_card_less_than_half_in_view_is_neither_asked_for_nor_a_false_alarm() -> None:
    for kind in (FACE, BACK):
        matches = matching.match(CARD[None], np.array([kind]), np.array([0.9]), CARD[None], np.array([FACE]), np.array([0.4]))
        assert matches.ignored.tolist() == [True]
        assert matches.asked.tolist() == [False]


def test_nothing_found_and_nothing_there() -> None:
    none, no_kinds = np.zeros((0, 4, 2)), np.zeros(0, dtype=np.int64)
    matches = matching.match(none, no_kinds, np.zeros(0), none, no_kinds, np.zeros(0))
    assert matches.truth_of.size == matches.asked.size == 0
    assert math.isnan(matching.average_precision(np.zeros(0), np.zeros(0, dtype=np.bool_), 0))
    assert matching.average_precision(np.zeros(0), np.zeros(0, dtype=np.bool_), 3) == 0


def test_corner_error_is_a_share_of_the_length_whatever_corner_comes_first() -> None:
    assert matching.corner_error(np.roll(CARD, 3, axis=0) + [0, 9.4], CARD) == pytest.approx(0.1)


def test_average_precision_counted_by_hand() -> None:
    # Right, wrong, right, of three cards: precision 1 up to a third, 2/3 up to two thirds, nothing after.
    area = matching.average_precision(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), 3)
    assert area == pytest.approx((1 + 2 / 3) / 3)


def test_calibration_error_of_honest_and_of_boastful_scores() -> None:
    rng = np.random.default_rng(1)
    promised = rng.random(20_000)
    kept = rng.random(20_000) < promised
    assert matching.calibration_error(promised, kept) < 0.02
    assert matching.calibration_error(np.full(100, 0.9), np.arange(100) % 2 == 0) == pytest.approx(0.4)


def test_platt_scaling_finds_the_slope_and_offset_that_made_the_data() -> None:
    rng = np.random.default_rng(2)
    raw = rng.uniform(0.02, 0.98, 40_000)
    features = np.stack([np.log(raw / (1 - raw)), rng.normal(0, 2, len(raw))], axis=1)
    logit = features @ (1.7, 0.4) - 0.6
    slope, second, offset = matching.platt(features, rng.random(len(raw)) < 1 / (1 + np.exp(-logit)))
    assert slope == pytest.approx(1.7, abs=0.08)
    assert second == pytest.approx(0.4, abs=0.08)
    assert offset == pytest.approx(-0.6, abs=0.08)


def test_a_rectangle_fits_a_card_seen_from_above_and_no_card_seen_from_the_side() -> None:
    assert matching.rectangle_error(CARD) == pytest.approx(0.0, abs=1e-6)
    receding = np.array([[40.0, 0.0], [60.0, 0.0], [100.0, 60.0], [0.0, 60.0]])
    assert matching.rectangle_error(receding) > 0.1
