"""Modules that people are told to run with `python -m` explain themselves with `--help`, and do nothing else then."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"python -m ((?:benchmarks|workshop)\.[\w.]*\w)")
MEASURED = "workshop.bench."
"""Modules whose text is part of the hash of kept results: they stay as they are."""
PLACES = ("docs", "benchmarks", "workshop", "datasets", "tools", "README.md", "CONTRIBUTING.md", "Makefile")


def documented() -> set[str]:
    """The modules that pages, docstrings and the Makefile tell to run, by name."""
    texts = [file for place in PLACES for file in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"))]
    texts = [file for file in texts if file.suffix in (".md", ".py", ".yaml", "")]
    found = {name for file in texts if file.is_file() for name in COMMAND.findall(file.read_text("utf-8", "replace"))}
    return {name for name in found if not name.startswith(MEASURED)}


def test_the_documented_modules_are_found() -> None:
    assert {"workshop.deck.publish", "benchmarks.bench_stu"} <= documented()


@pytest.mark.parametrize("name", sorted(documented()))
def test_help_says_what_it_is_for_and_writes_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(name, run_name="__main__")
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out
    assert not [*tmp_path.iterdir()]
