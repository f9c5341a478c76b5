"""The benchmark of Stoppa runs; what it measures is no matter here."""

from __future__ import annotations

import pytest

from benchmarks import bench_stoppa, peer


def test_it_runs_small(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(peer, "pokerkit", None)
    bench_stoppa.main(pairs=1, seeds=1, hands=2)
    rows = [row for row in capsys.readouterr().out.splitlines() if not row.startswith("|---")]
    assert len(rows) == 5
    assert all(row.count("|") == 3 for row in rows)
