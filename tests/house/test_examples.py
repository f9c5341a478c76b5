"""Each script under `examples/` runs as its first line says, and prints what it is for."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULINGS = ROOT / "tests" / "games" / "stu" / "rules" / "rulings"

EXAMPLES: dict[str, tuple[list[str], list[str]]] = {
    "rule_a_log": ([], ["Hand 1, dealt by Donato", "hand 2: Filomena -1 by matto, rule 12"]),
    "two_bots": (["1"], ["Hand 1, dealt by", "(rule 8)", "won: Anna has the pot of 400 cents"]),
    "read_a_photo": ([], ["gnao", "stack"]),
}
"""Name of each script → its arguments, and words that it prints."""


def run(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "examples" / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    runpy.run_path(str(path), run_name="__main__")


def test_there_are_no_others() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, words = EXAMPLES[name]
    first = (ROOT / "examples" / f"{name}.py").read_text("utf-8").splitlines()[0]
    assert f"python examples/{name}.py" in first
    run(name, arguments, monkeypatch)
    said = capsys.readouterr().out
    assert [word for word in words if word not in said] == []


def test_a_log_that_cannot_be_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    log = RULINGS / "bad-r18-acting-when-out.jsonl"
    with pytest.raises(SystemExit, match="is not in this hand"):
        run("rule_a_log", [str(log)], monkeypatch)
