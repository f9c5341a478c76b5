"""The benchmarks run, with the peer and without; what they measure is no matter here."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("beside_peer", [False, True])
def test_they_run_small(beside_peer: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import bench_simulate, bench_stu, peer  # here: pokerkit takes half a second, and is wanted by no other test

    if beside_peer:
        pytest.importorskip("pokerkit", reason="extra bench")
    monkeypatch.setattr(peer, "pokerkit", peer.pokerkit if beside_peer else None)
    bench_stu.main(pairs=1, seeds=1, hands=2)
    bench_simulate.main(pairs=1, seeds=1, samples=100)
    rows = [row for row in capsys.readouterr().out.splitlines() if not row.startswith("|---")]
    assert len(rows) == 10
    assert all(row.count("|") == (4 if "pokerkit" in row or " to " in row else 3) for row in rows)
    assert any(" to " in row for row in rows) == beside_peer
