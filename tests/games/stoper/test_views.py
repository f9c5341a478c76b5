"""What the TV shows, as data (`views.txt`): each log in short, and what stands on the page after any of its lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rulings import read_cases, rules_shown
from stoper_cases import events, first_line
from tv_shown import check_shown

CASES = read_cases(Path(__file__).parent / "views.txt")


@pytest.mark.parametrize("name", CASES)
def test_the_tv_shows(name: str) -> None:
    check_shown("stoper", CASES[name], first_line, lambda line, first, begun: map(json.dumps, events(line, begun + 1)))


def test_every_rule_of_play_is_shown() -> None:
    assert rules_shown(CASES) == set(range(1, 18))
