"""What the TV shows, as data (`views.txt`): each log in short, and what stands on the page after any of its lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulings import read_cases
from stoppa_cases import first_line, lines_of
from tv_shown import check_shown

CASES = read_cases(Path(__file__).parent / "views.txt")


@pytest.mark.parametrize("name", CASES)
def test_the_tv_shows(name: str) -> None:
    check_shown("stoppa", CASES[name], first_line, lambda line, first, begun: lines_of(line, len(first["players"])))


def test_every_rule_of_play_is_shown() -> None:
    assert {int(name[1:3]) for name in CASES} >= {*range(3, 13), *range(15, 20)}
