"""The benchmarks of the games' rules run; what they measure is no matter here."""

from __future__ import annotations

import pytest

from benchmarks import bench_stoper, bench_stoppa, peer


@pytest.mark.parametrize("bench", [bench_stoppa, bench_stoper])
def test_they_run_small_without_the_peer(
    bench: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peer, "pokerkit", None)
    bench.main(pairs=1, seeds=1, hands=2)  # type: ignore[attr-defined]
    rows = [row for row in capsys.readouterr().out.splitlines() if not row.startswith("|---")]
    assert len(rows) == 5
    assert all(row.count("|") == 3 for row in rows)
