"""Rulings as data (`rulings.txt`): each log comes to what its case says, and each rule has a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rulings import check_case, check_worked_logs, read_cases, rules_shown
from stoper_cases import events, first_line

from companion.games import stoper

CASES = read_cases(Path(__file__).parent / "rulings.txt")
RULES = 17


def report_of(data: bytes) -> Any:
    return json.loads(json.dumps(stoper.report(stoper.replay_log(data)).to_dict()))


@pytest.mark.parametrize("name", CASES)
def test_ruling(name: str) -> None:
    check_case(CASES[name], first_line, events, report_of)


def test_every_rule_has_a_case() -> None:
    assert rules_shown(CASES) == set(range(1, RULES + 1))


def test_the_worked_logs_come_out_to_the_letter(shared: Path) -> None:
    check_worked_logs(shared / "spec" / "examples" / "stoper", report_of)
