"""The logistic regression gives the weights that Newton's method, written out, gave before it; and says when it cannot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.evaluation.matching import platt
from workshop.logistic import CannotFit, fitted, probabilities
from workshop.streams.stu.traffic import CONSTANT_PENALTY, PENALTY, fit

SEEN = np.array(
    [(-2.0, 0.5), (-1.5, -1.0), (-1.0, 2.0), (-0.5, 0.0), (-0.2, 1.5), (0.1, -0.5), (0.4, 1.0), (0.8, -2.0), (1.2, 0.3),
     (1.9, -0.7), (2.5, 1.1), (3.0, -0.4)]
)  # fmt: skip
TRUE = np.array([0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1], np.bool_)


def test_platt_scaling_as_before() -> None:
    assert platt(SEEN, TRUE) == pytest.approx((0.527449235264, 0.031324611215, -0.204676666312), abs=1e-8)


def test_a_ridge_on_each_weight_as_before() -> None:
    with_constant = np.column_stack([np.ones(len(SEEN)), SEEN])
    weights = fitted(with_constant, TRUE.astype(np.float64), np.array([CONSTANT_PENALTY, PENALTY, PENALTY]))
    assert weights == pytest.approx((-0.269543340061, 0.715430913396, 0.0392985403479), abs=1e-8)


def test_separable_data_have_an_answer_with_platts_targets() -> None:
    slope, offset = platt(np.linspace(-3, 3, 40)[:, None], np.arange(40) >= 20)
    assert slope == pytest.approx(1.93587827, abs=1e-6)
    assert offset == pytest.approx(0.0, abs=1e-6)


@given(seed=st.integers(0, 10**6), rows=st.integers(3, 200), columns=st.integers(1, 6), ridge=st.floats(1e-3, 10))
@settings(max_examples=30)
def test_no_step_aside_is_likelier(seed: int, rows: int, columns: int, ridge: float) -> None:
    rng = np.random.default_rng(seed)
    features, target = rng.normal(0, 3, (rows, columns)), rng.random(rows)
    weights = fitted(features, target, ridge)

    def loss(at: np.ndarray) -> float:
        said = features @ at
        return float((np.logaddexp(0, said) - target * said).sum() + 0.5 * ridge * (at**2).sum())

    steps = rng.normal(0, 1e-2, (20, columns))
    assert all(loss(weights) <= loss(weights + step) + 1e-9 for step in steps)


def test_probabilities_of_far_evidence_neither_overflow_nor_warn() -> None:
    assert probabilities(np.array([[-5000.0], [0.0], [5000.0]]), np.array([1.0])).tolist() == [0.0, 0.5, 1.0]


def test_nothing_to_fit_is_refused() -> None:
    with pytest.raises(CannotFit, match="no rows"):
        fit([], deck=True)
