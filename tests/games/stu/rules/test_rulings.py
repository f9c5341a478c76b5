"""Rulings as data: each log in `rulings/` gives what its `.expected.json` says, and each rule of the booklet has a case.

An expected file names only what its case is about: keys that it leaves out may have any value; lists must match entry by entry.
A `bad-` case is a log that cannot have happened: the line and, where one speaks of it, the rule.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games import stu
from companion.games.stu.rules.seats import seat_draw

RULINGS = Path(__file__).parent / "rulings"
LOGS = sorted(RULINGS.glob("*.jsonl"))
SEATS = sorted(RULINGS.glob("*.seats.json"))

WITHOUT_A_RULING = {1}
"""Rule 1 says that the aim is to have fun: nothing to compute."""


def expected_of(log: Path) -> Any:
    return json.loads(log.with_suffix(".expected.json").read_text("utf-8"))


def differences(expected: Any, got: Any, where: str = "") -> list[str]:
    """Where ``got`` does not say what ``expected`` says."""
    if isinstance(expected, dict) and isinstance(got, dict):
        missing = [f"{where}.{key} is missing" for key in expected if key not in got]
        return missing + [d for key in expected if key in got for d in differences(expected[key], got[key], f"{where}.{key}")]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [d for i, pair in enumerate(zip(expected, got, strict=True)) for d in differences(*pair, f"{where}[{i}]")]
    return [] if expected == got and type(expected) is type(got) else [f"{where}: expected {expected!r}, got {got!r}"]


def plain_report(log: Path) -> Any:
    return json.loads(json.dumps(stu.report(stu.replay_log(log.read_bytes())).to_dict()))


@pytest.mark.parametrize("log", [p for p in LOGS if not p.name.startswith("bad-")], ids=lambda p: p.stem)
def test_ruling(log: Path) -> None:
    got = plain_report(log)
    assert differences(expected_of(log), got) == []
    for said, expected in zip(got["hands"], expected_of(log).get("hands", got["hands"]), strict=True):
        for entry, payment in zip(said["payments"], expected.get("payments", said["payments"]), strict=True):
            assert entry == payment, "a payment has keys that it should not have"


@pytest.mark.parametrize("log", [p for p in LOGS if p.name.startswith("bad-")], ids=lambda p: p.stem)
def test_what_cannot_have_happened(log: Path) -> None:
    expected = expected_of(log)
    with pytest.raises(stu.GameError) as caught:
        stu.replay_log(log.read_bytes())
    assert {"line": caught.value.line, "rule": caught.value.rule} == {"rule": None} | expected
    assert str(caught.value).startswith(f"line {expected['line']}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("case", SEATS, ids=lambda p: p.stem)
def test_seat_draw(case: Path) -> None:
    expected = json.loads(case.read_text("utf-8"))
    seating = seat_draw(*expected["rounds"])
    assert list(seating.players) == expected["players"]
    assert seating.dealer == expected["dealer"]
    assert [list(group) for group in seating.again] == expected["again"]


def test_every_rule_has_a_case() -> None:
    names = [path.name.removeprefix("bad-") for path in (*LOGS, *SEATS)]
    covered = {int(name[1:3]) for name in names if name[0] == "r"}
    assert covered | WITHOUT_A_RULING == set(range(1, 25))


def test_every_case_has_its_answer() -> None:
    answers = {path.name.removesuffix(".expected.json") for path in RULINGS.glob("*.expected.json")}
    assert answers == {path.stem for path in LOGS}


def test_the_examples_of_the_log_format(shared: Path) -> None:
    logs = sorted((shared / "spec" / "examples").glob("*.jsonl"))
    assert logs
    for log in logs:
        expected = expected_of(log)
        if "exit" in expected:
            with pytest.raises(stu.GameError) as caught:
                stu.replay_log(log.read_bytes())
            assert caught.value.line == expected["line"], log.name
        else:
            assert plain_report(log) == expected, log.name
