"""Every benchmark finds what it measures: they are run seldom, and what they import is moved meanwhile."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = sorted(path.stem for path in (Path(__file__).parents[2] / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_can_be_imported(name: str) -> None:
    importlib.import_module(f"benchmarks.{name}")


def test_a_short_evening_is_measured_to_its_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of its last hand is a tap: more may be asked for than it has."""
    monkeypatch.setattr(sys, "argv", ["bench_evening", "--players", "4", "--hands", "6", "--runs", "60"])
    importlib.import_module("benchmarks.bench_evening").main()
    assert {"tap", "TV's view", "restart"} <= {row[:14].strip() for row in capsys.readouterr().out.splitlines()}
