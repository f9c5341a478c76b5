"""The report on hands that were not wholly seen: what counts as touched, and as wrong and sure."""

from __future__ import annotations

import msgspec
import pytest

from workshop.bench.stu.holes import Hole, HoledScore, markdown, wrong_and_sure
from workshop.bench.stu.scoring import ClipScore, HandScore

RIGHT = HandScore(1, 0.0, True, True, 0.99, latency=1.0)
WRONG = msgspec.structs.replace(RIGHT, number=2, right=False, latency=None, causes=("face misread",), differences=("Anna's 2",))
DOUBTED = msgspec.structs.replace(WRONG, confidence=0.94)


def holed(
    alone: tuple[HandScore, ...], asked: tuple[HandScore, ...], touched: tuple[int, ...] = (2,), made_up: tuple[float, ...] = ()
) -> HoledScore:
    return HoledScore("easy-01", Hole(10.0, 8.0, "cut"), ClipScore(alone, made_up), ClipScore(asked, ()), 2, touched)


@pytest.mark.parametrize(("score", "count"), [
    (holed((RIGHT, DOUBTED), (RIGHT, RIGHT)), 0),
    (holed((RIGHT, WRONG), (RIGHT, RIGHT)), 1),
    (holed((RIGHT, DOUBTED), (RIGHT, WRONG)), 1),
    (holed((RIGHT, WRONG), (RIGHT, WRONG)), 1),
    (holed((RIGHT, RIGHT), (RIGHT, RIGHT), made_up=(0.99, 0.5)), 1),
], ids=["unsure", "sure", "sure once answered", "sure in both, once", "a hand that nobody played"])  # fmt: skip
def test_a_wrong_ruling_counts_where_nobody_would_look_at_it_again(score: HoledScore, count: int) -> None:
    assert wrong_and_sure(score) == count


def test_rates_are_of_the_hands_that_the_hole_touches_and_failures_are_named() -> None:
    text = markdown([holed((RIGHT, DOUBTED), (RIGHT, DOUBTED))], "companion evaluate holes")
    (row,) = [line for line in text.split("\n") if line.startswith("| cut, 8 s |")]
    assert row.startswith("| cut, 8 s | 1 | 0.0 % (0 of 1)")
    assert row.endswith("| 0 | 2 |")
    assert "Of all 2 hands of these clips, touched or not, 50.0 % (1 of 2)" in text
    assert "- `easy-01`, cut from 10.0 s for 8 s: hand 2: Anna's 2" in text
