"""What the speed figures say, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.eyes.crops import Crop
from companion.eyes.image import Image
from companion.eyes.look import Known
from companion.eyes.sighting import CardSeen
from workshop.evaluation.speed import CannotMeasure, Run, agreement, figures, length, still_clip, watched


def test_the_ratio_is_that_of_frames_per_second_and_of_processor_time() -> None:
    play, idle, rival = Run(600, 20, 24, 250), Run(500, 5, 6, 300), Run(100, 20, 32)
    found = figures(play, idle, rival, 0.99)
    assert found["play_fps"] == pytest.approx(30)
    assert found["play_times"] == pytest.approx(6)
    assert found["play_cpu_times"] == pytest.approx(8)
    assert found["idle_fps"] == pytest.approx(100)
    assert found["resident_mb"] == 300
    assert found["found_as_looking_at_everything"] == 0.99


def test_without_ultralytics_nothing_is_compared() -> None:
    assert not [name for name in figures(Run(1, 1, 1), Run(1, 1, 1), None, 1.0) if "ultralytics" in name or "times" in name]


def test_a_clip_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes(b"no clip")
    with pytest.raises(CannotMeasure, match=r"broken\.mp4"):
        watched(tmp_path / "broken.mp4", tmp_path / "table.json", tmp_path)


def test_an_idle_clip_is_one_picture_with_fresh_noise(tmp_path: Path) -> None:
    video = pytest.importorskip("workshop.clip.video", reason="needs the extra `workshop`")
    picture = np.full((96, 128, 3), 120, np.uint8)
    video.write_clip(tmp_path / "play.mp4", (picture for _ in range(10)), (128, 96), 25.0)
    still_clip(tmp_path / "play.mp4", 0.2, 0.4, tmp_path / "idle.mp4", (256, 192))
    assert length(tmp_path / "idle.mp4") == 10


class Blinkered:
    """In the place of `Eyes`: finds its cards, each only in looks that are as large as it asks."""

    def __init__(self, *cards: tuple[float, float, float]) -> None:
        self.cards, self.first = cards, True

    def look(self, image: Image, width: int, crops: Sequence[Crop], known: Known | None = None) -> tuple[CardSeen, ...]:
        """``cards``: middle and whether the very first look, the incremental detector's, misses it."""
        first, self.first = self.first, False
        return tuple(CardSeen(((x - 9, y - 12), (x + 9, y - 12), (x + 9, y + 12), (x - 9, y + 12)), "stu", "back", 0.9)
                     for x, y, missed in self.cards if not (missed and first))  # fmt: skip


def test_the_gaze_agrees_with_a_look_at_everything_as_far_as_it_knows_the_tables_cards(tmp_path: Path) -> None:
    video = pytest.importorskip("workshop.clip.video", reason="needs the extra `workshop`")
    video.write_clip(tmp_path / "play.mp4", (np.full((96, 128, 3), 120, np.uint8) for _ in range(10)), (128, 96), 25.0)
    seats = [{"name": name, "place": [x, 40]} for name, x in (("Ada", 30), ("Bo", 90))]
    (tmp_path / "table.json").write_text(json.dumps({
        "v": 1, "image_size": [128, 96], "corners": [[5, 5], [123, 5], [123, 70], [5, 70]], "players": seats, "stake": 100,
        "currency": "EUR", "dealer": "Ada",
    }))  # fmt: skip
    eyes = Blinkered((30, 30, 0), (60, 50, 0), (100, 40, 1), (60, 85, 1))  # the last lies beyond the table
    found = agreement(tmp_path / "play.mp4", tmp_path / "table.json", 0.3, eyes)  # type: ignore[arg-type]
    assert found == pytest.approx(2 / 3)


def test_a_watch_that_fails_says_why(tmp_path: Path) -> None:
    video = pytest.importorskip("workshop.clip.video", reason="needs the extra `workshop`")
    video.write_clip(tmp_path / "play.mp4", (np.zeros((96, 128, 3), np.uint8) for _ in range(3)), (128, 96), 25.0)
    with pytest.raises(CannotMeasure, match="no-table"):
        watched(tmp_path / "play.mp4", tmp_path / "no-table.json", tmp_path)
