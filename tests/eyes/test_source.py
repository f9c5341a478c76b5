"""A file is looked at as often as was asked for, whatever its frame rate."""

import socket
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.eyes import source
from companion.eyes.source import Due, Picture, _ahead, newest, pictures
from companion.table.errors import SourceError

SECONDS = 4


@pytest.mark.parametrize("fps", [10, 12, 15, 20, 25, 30])
def test_pictures_come_at_most_so_often_and_hardly_less(fps: int, tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for _ in range(fps * SECONDS):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    times = [picture.t for picture in pictures(str(tmp_path / "clip.avi"), 10)]
    assert 10 * SECONDS - 2 <= len(times) <= 10 * SECONDS + 1
    assert min(np.diff(times)) >= 1 / fps - 1e-6
    assert max(np.diff(times)) <= 0.2 + 1e-6


def test_a_file_that_is_left_in_the_middle_leaves_no_thread_behind(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for shade in range(20):
        writer.write(np.full((48, 64, 3), 10 * shade, np.uint8))
    writer.release()
    before = set(threading.enumerate())
    read = pictures(str(tmp_path / "clip.avi"), 10)
    shades = [round(float(next(read).image.mean()) / 10) for _ in range(5)]
    assert shades == [0, 1, 2, 3, 4]
    read.close()  # type: ignore[attr-defined]
    assert set(threading.enumerate()) <= before


def test_a_signal_while_the_next_picture_is_asked_for_closes_the_file_after_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = threading.Event()

    def read() -> Generator[Picture, None, None]:
        try:
            yield Picture(0.0, np.zeros((2, 2, 3), np.uint8))
            time.sleep(0.2)
            yield Picture(0.1, np.zeros((2, 2, 3), np.uint8))
        finally:
            closed.set()

    submit = ThreadPoolExecutor.submit
    asked: list[object] = []

    def interrupted(pool: ThreadPoolExecutor, work: Callable[..., object], *of: object) -> object:
        asked.append(submit(pool, work, *of))
        if len(asked) == 2:
            pool._threads.clear()  # as when the signal arrives before the pool knows its thread, which nobody then waits for
            time.sleep(0.05)
            raise KeyboardInterrupt
        return asked[-1]

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(_ahead(read()))
    assert closed.is_set()


def a_film(path: Path, seconds: int = 10) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for shade in range(10 * seconds):
        writer.write(np.full((48, 64, 3), 2 * shade, np.uint8))
    writer.release()
    return path


def test_a_film_that_breaks_off_gives_what_it_has_and_then_says_so(tmp_path: Path) -> None:
    whole = a_film(tmp_path / "whole.avi")
    broken = tmp_path / "broken.avi"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    read = pictures(str(broken), 10)
    assert [round(next(read).t, 1) for _ in range(20)] == [number / 10 for number in range(20)]
    with pytest.raises(SourceError, match="damaged: its pictures end after"):
        list(read)
    assert len(list(pictures(str(whole), 10))) == 100


def test_a_film_of_gigantic_pictures_is_refused_before_one_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.eyes.source.MOST_PIXELS", 64 * 48 - 1)
    with pytest.raises(SourceError, match="64x48"):
        next(pictures(str(a_film(tmp_path / "giant.avi", 1)), 10))


def test_a_camera_whose_door_does_not_open_is_given_up_at_once_when_another_is_wanted() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        wanted = iter([True, True])
        with pytest.raises(SourceError, match="cannot be opened"):
            next(pictures(f"http://127.0.0.1:{silent.getsockname()[1]}/x.mjpg", 10, going=lambda: next(wanted, False)))
        assert next(wanted, None) is None, "it was given up when it was no longer wanted, and not asked for longer"


@given(fps=st.sampled_from([10, 15, 24, 25, 30, 50, 60]), uneven=st.floats(0, 0.4), seed=st.integers(0, 99))
def test_a_camera_s_pictures_are_decoded_as_often_as_they_are_wanted_and_no_oftener(fps: int, uneven: float, seed: int) -> None:
    """``uneven``: by how much of the time between two pictures each may come late."""
    late = np.random.default_rng(seed).uniform(0, uneven / fps, 10 * fps)
    due = Due(15)
    taken = [t for t in np.arange(10 * fps) / fps + late if due.takes(t)]
    assert len(taken) == pytest.approx(10 * min(fps, 15), rel=0.06)
    assert max(np.diff(taken)) <= 1 / min(fps, 15) + 1.5 / fps


def test_after_a_long_silence_the_first_picture_is_decoded_and_none_is_made_up_for() -> None:
    due = Due(15)
    assert [due.takes(t) for t in (0.0, 0.033, 9.0, 9.033, 9.066)] == [True, False, True, False, True]


class Film:
    """A camera of 30 pictures a second, by a clock that its pictures move; then it says nothing more."""

    def __init__(self, count: int) -> None:
        self.count, self.now, self.decoded = count, 100.0, 0

    def monotonic(self) -> float:
        return self.now

    def isOpened(self) -> bool:  # noqa: N802  as OpenCV calls it
        return True

    def grab(self) -> bool:
        self.now += 1 / 30
        self.count -= 1
        return self.count >= 0

    def retrieve(self) -> tuple[bool, object]:
        self.decoded += 1
        return True, np.full((2, 2, 3), self.decoded % 256, np.uint8)

    def release(self) -> None:
        self.released = True


def test_the_camera_s_thread_decodes_no_picture_that_is_not_due(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film(300)
    monkeypatch.setattr(source, "time", SimpleNamespace(monotonic=film.monotonic, sleep=lambda seconds: time.sleep(0.001)))
    read = newest("0", lambda: film, 15, 0.0, lambda: True)  # type: ignore[arg-type, return-value]
    times: list[float] = []
    with pytest.raises(SourceError, match="no picture for"):
        times.extend(picture.t for picture in read)
    assert times
    assert times == sorted(set(times))
    assert film.decoded == pytest.approx(150, abs=2)
    assert film.released
