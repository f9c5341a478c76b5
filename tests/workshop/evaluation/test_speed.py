"""What the speed figures say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.workshop.evaluation.speed import CannotMeasure, Run, figures, length, still_clip, watched


def test_the_ratio_is_that_of_frames_per_second_and_of_processor_time() -> None:
    play, idle, rival = Run(600, 20, 24, 250), Run(500, 5, 6, 300), Run(100, 20, 32)
    found = figures(play, idle, rival)
    assert found["play_fps"] == pytest.approx(30)
    assert found["play_times"] == pytest.approx(6)
    assert found["play_cpu_times"] == pytest.approx(8)
    assert found["idle_fps"] == pytest.approx(100)
    assert found["resident_mb"] == 300


def test_without_ultralytics_nothing_is_compared() -> None:
    assert not [name for name in figures(Run(1, 1, 1), Run(1, 1, 1), None) if "ultralytics" in name or "times" in name]


def test_a_clip_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes(b"no clip")
    with pytest.raises(CannotMeasure, match=r"broken\.mp4"):
        watched(tmp_path / "broken.mp4", tmp_path / "table.json", tmp_path)


def test_an_idle_clip_is_one_picture_with_fresh_noise(tmp_path: Path) -> None:
    video = pytest.importorskip("companion.workshop.clip.video", reason="needs the extra `workshop`")
    picture = np.full((96, 128, 3), 120, np.uint8)
    video.write_clip(tmp_path / "play.mp4", (picture for _ in range(10)), (128, 96), 25.0)
    still_clip(tmp_path / "play.mp4", 0.2, 0.4, tmp_path / "idle.mp4", (256, 192))
    assert length(tmp_path / "idle.mp4") == 10


def test_a_watch_that_fails_says_why(tmp_path: Path) -> None:
    video = pytest.importorskip("companion.workshop.clip.video", reason="needs the extra `workshop`")
    video.write_clip(tmp_path / "play.mp4", (np.zeros((96, 128, 3), np.uint8) for _ in range(3)), (128, 96), 25.0)
    with pytest.raises(CannotMeasure, match="no-table"):
        watched(tmp_path / "play.mp4", tmp_path / "no-table.json", tmp_path)
