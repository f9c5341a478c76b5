"""Small faults that are put into the program: which test files are asked whether they see one."""

from __future__ import annotations

from pathlib import Path

import mutants
import pytest
from inputs import ROOT

pytestmark = pytest.mark.house


def test_those_of_the_modules_own_room_come_first_and_a_game_that_is_imported_by_its_name_counts() -> None:
    tests = mutants.tests_for("companion.games.stoppa.pages.laying", mutants.modules())
    own = [test.startswith("tests/games/stoppa/") for test in tests]
    assert own == sorted(own, reverse=True)
    assert "tests/games/test_contract_told.py" in tests, "it names the game on the command line alone"
    assert "tests/games/test_toy_with_eyes.py" in mutants.tests_for("companion.referee.plain", mutants.modules())[:4]


def test_cheap_files_are_asked_first_until_the_time_is_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "seconds.json").write_text('{"near": 30, "next": 1, "far": 2}')
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    every = ["near", "next", "new", "far"]
    assert mutants.affordable(every, 40) == ["next", "far", "near", "new"]
    assert mutants.affordable(every, 33) == ["next", "far", "near"]


def test_a_fault_changes_what_a_module_does_in_one_place() -> None:
    before = (ROOT / "companion/games/stoppa/pages/laying.py").read_text()
    found = list(mutants.faults_of(ROOT / "companion/games/stoppa/pages/laying.py"))
    assert len(found) > 10
    for fault in found:
        assert fault.was in before
        assert fault.was != fault.now
