"""What counts as found, and how figures are parted by the cards' length."""

from pathlib import Path

import numpy as np
import pytest

from companion.eyes.detection import CLASSES, Detection
from workshop.evaluation.detection import Tally, figures
from workshop.evaluation.labels import LabelledPicture

BACK = CLASSES.index("back")


def square(x: float, length: float) -> np.ndarray:
    return np.array([[x, 10], [x + length * 0.6, 10], [x + length * 0.6, 10 + length], [x, 10 + length]], dtype=np.float64)


def picture(*lengths: float) -> LabelledPicture:
    n = len(lengths)
    quads = np.array([square(200.0 * i, length) for i, length in enumerate(lengths)])
    return LabelledPicture(
        Path("none.jpg"), quads, np.full(n, BACK), np.ones(n), np.ones(n, dtype=np.bool_), (1000, 300), ("stu",) * n, (None,) * n
    )


def test_recall_and_precision_are_told_apart_by_length() -> None:
    counts = Tally()
    counts.add(
        [Detection(square(200.0, 81.0), BACK, 0.9, 0.9), Detection(square(700.0, 90.0), BACK, 0.8, 0.8)], picture(30.0, 80.0)
    )
    found = figures(counts, 0.5)
    assert found["recall"] == found["precision"] == pytest.approx(0.5)
    assert (found["recall_25_40px"], found["recall_60_1000px"]) == (0.0, 1.0)
    assert found["precision_60_1000px"] == pytest.approx(0.5)
    assert "precision_25_40px" not in found
    assert "recall_40_60px" not in found


def test_what_is_below_the_threshold_is_not_found() -> None:
    counts = Tally()
    counts.add([Detection(square(0.0, 50.0), BACK, 0.3, 0.3)], picture(50.0))
    assert figures(counts, 0.5)["recall"] == 0.0
    assert figures(counts, 0.2)["recall"] == 1.0
