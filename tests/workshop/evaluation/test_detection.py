"""What counts as found, and how figures are parted by the cards' length."""

from pathlib import Path

import numpy as np
import pytest

from companion.eyes.detection import CLASSES, Detection
from workshop.evaluation.detection import Tally, figures
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.report import shown, words

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


def test_false_cards_are_counted_in_a_hundred_pictures_without_any() -> None:
    empty, other = Tally(), Tally()
    empty.add([Detection(square(0.0, 50.0), BACK, score, score) for score in (0.95, 0.6, 0.4)], picture())
    empty.add([Detection(square(0.0, 50.0), BACK, 0.9, 0.9)], picture(50.0))
    other.add([Detection(square(0.0, 50.0), BACK, 0.5, 0.5)], picture())
    other.add([], picture())
    other.add([], picture())
    empty.extend(other)
    found = figures(empty, 0.5)
    assert (found["pictures"], found["cardless"]) == (5, 4)
    assert (found["false_half_hundred"], found["false_sure_hundred"]) == (75.0, 25.0)
    assert words("false_half_hundred") == "false cards there with 0.5 and more"
    assert shown("false_half_hundred", 75.0) == "75.0 a hundred pictures"


def test_pictures_that_all_show_cards_have_no_figure_of_false_cards_without_any() -> None:
    counts = Tally()
    counts.add([Detection(square(700.0, 50.0), BACK, 0.9, 0.9)], picture(50.0))
    assert not [name for name in figures(counts, 0.5) if "false" in name or name == "cardless"]
