"""The last minutes of video: how much is kept, for how long, and what a restart finds."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hostile import jpeg, many_scans, two_sizes

from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.eyes.table import Seat, Table, TableMap
from companion.line.footage import MAX_WIDTH, SETTLED_SECONDS, Footage

SIZE = (160, 90)
TABLE = Table(1, SIZE, ((30, 10), (130, 10), (150, 85), (10, 85)), (Seat("Anna", (50, 60)), Seat("Bruno", (110, 60))))
TOP = TableMap(TABLE, SIZE)
CARD = CardSeen(((40, 50), (60, 50), (60, 70), (40, 70)), "stu", "back", 0.9)


def image(detail: float = 0.0) -> np.ndarray:
    """Dark on the left, bright on the right; ``detail``: how much noise there is in it."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    picture[:, 80:] = 200
    return np.clip(picture + detail * np.random.default_rng(1).normal(size=picture.shape), 0, 255).astype(np.uint8)


def filled(footage: Footage, seconds: float, game: int = 1, every: float = 1.0, start: float = 0.0) -> Footage:
    for t in np.arange(start, start + seconds, every):
        footage.put(game, Picture(float(t), image()), (CARD,), TOP)
    return footage


def times(footage: Footage, game: int = 1) -> list[float]:
    return [still.t for still in footage.between(game, 0, 1e9)]


def test_what_is_too_long_ago_is_forgotten() -> None:
    footage = filled(Footage(60), 300)
    assert min(times(footage)) == 239
    assert max(times(footage)) == 298, "the newest is not given out yet"


def test_of_a_game_that_is_erased_nothing_is_kept_also_on_the_disk(tmp_path: Path) -> None:
    footage = filled(Footage(60, tmp_path), 5)
    footage.erase(2)
    assert len(times(footage)) == 4
    footage.erase(1)
    assert (times(footage), footage.held, footage.looked(1)) == ([], 0, -1.0)
    filled(footage, 3, game=2)
    footage.close()
    assert {msgspec.msgpack.decode(path.read_bytes())[1] for path in tmp_path.glob("*.still")} == {2}


def test_all_pictures_together_stay_below_their_bound() -> None:
    most = 40_000
    footage = Footage(1e6, most_bytes=most)
    for t in range(200):
        footage.put(1, Picture(float(t), image(detail=40)), (), TOP)
        assert footage.held <= most
    assert footage.held == sum(len(still.jpeg) for still in footage._kept)
    assert 1 < len(times(footage)) < 100


def test_of_fifteen_pictures_a_second_every_second_one_is_kept_with_the_looks_of_all() -> None:
    footage = filled(Footage(60), 10, every=1 / 15)
    kept = footage.between(1, 0, 10)
    assert 65 <= len(kept) <= 75
    looks = [look.t for still in kept for look in still.looks]
    assert looks == sorted(set(looks))
    assert len(looks) >= 2 * len(kept) - 1


def test_the_newest_pictures_are_kept_back_until_it_is_known_what_came_after_them() -> None:
    footage = filled(Footage(60), 5, every=0.2)
    assert max(times(footage)) <= 4.8 - SETTLED_SECONDS + 1e-6


def test_a_clip_that_goes_on_a_little_before_where_it_was_left_keeps_what_was_before_that() -> None:
    footage = filled(filled(Footage(60), 20), 5, start=17)
    assert times(footage) == [float(t) for t in range(21)]
    numbers = [still.number for still in footage.between(1, 0, 1e9)]
    assert numbers == sorted(numbers)


def test_another_game_and_a_clip_that_begins_again_start_the_ring_again() -> None:
    footage = filled(Footage(60), 20)
    filled(footage, 10, game=2, start=100)
    assert times(footage, game=1) == []
    assert min(times(footage, game=2)) == 100
    filled(footage, 10, game=2, start=3)
    assert max(times(footage, game=2)) < 13
    assert footage.held == sum(len(still.jpeg) for still in footage._kept)


def test_pictures_about_which_nothing_can_be_said_are_not_kept() -> None:
    footage = Footage(60)
    for t in range(10):
        footage.put(1, Picture(float(t), image()), None if 3 <= t < 6 else (), TOP)
    assert times(footage) == [0, 1, 2, 6, 7, 8]


def test_nothing_is_kept_where_nobody_wants_it() -> None:
    footage = filled(Footage(0), 10)
    assert not footage.keeps
    assert times(footage) == []
    assert footage.crop(1, 3.0, [0]) is None


def test_a_still_is_found_by_its_number_as_long_as_it_is_kept() -> None:
    footage = filled(Footage(5), 20)
    first = footage.between(1, 0, 100)[0]
    assert footage.find(1, first.number) == first
    assert footage.find(2, first.number) is None
    assert footage.find(1, first.number - 1) is None
    assert footage.find(1, 10**9) is None


def test_looks_of_a_camera_that_saw_the_table_elsewhere_say_nothing_of_a_picture() -> None:
    footage = Footage(60)
    for lie, since in enumerate((0.0, 5.0)):
        corners = tuple((x + 20 * lie, y) for x, y in TABLE.corners)
        for t in np.arange(since, since + 5, 0.2):
            footage.keep(1, float(t), (CARD,), SIZE, corners, ((50, 60), (110, 60)), jpeg)
    assert {one.t >= 5 for one in footage.looks(1, 4.9, 3)} == {False}
    assert {one.t >= 5 for one in footage.looks(1, 5.1, 3)} == {True}


def test_the_places_of_a_question_are_cut_out_of_the_picture_of_that_moment() -> None:
    footage = filled(Footage(300), 300)
    dark, bright = (footage.crop(1, 280.0, [place]) for place in (0, 1))
    assert brightness(dark) < 60 < 140 < brightness(bright)
    assert footage.crop(1, 400.0, [0]) is None, "no picture is near"
    assert footage.crop(2, 280.0, [0]) is None, "another game"
    assert footage.crop(1, 280.0, []) is None


@pytest.mark.parametrize("broken", [b"", b"\x93\x01", b"no still"], ids=["empty", "cut off", "something else"])
def test_on_the_disk_it_outlives_a_restart_and_what_cannot_be_read_is_passed_over(tmp_path: Path, broken: bytes) -> None:
    footage = filled(Footage(60, tmp_path), 30)
    before = footage.between(1, 0, 1e9)
    footage.close()
    (tmp_path / "000000000003.still").write_bytes(broken)
    again = Footage(60, tmp_path)
    assert again.between(1, 0, 1e9) == tuple(still for still in before if still.number != 3)
    filled(again, 5, start=30)
    assert [still.number for still in again.between(1, 28, 1e9)] == [28, 29, 30, 31, 32, 33]
    again.close()


@pytest.mark.parametrize("picture", [many_scans(700), two_sizes(b"\xff\x01"), jpeg(MAX_WIDTH + 8, 8), jpeg()[:-40]])
def test_a_still_that_would_keep_the_decoder_busy_is_not_taken_up(tmp_path: Path, picture: bytes) -> None:
    footage = filled(Footage(60, tmp_path), 5)
    kept = footage.between(1, 0, 1e9)[3]
    footage.close()
    path = tmp_path / "000000000003.still"
    path.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(kept, jpeg=picture)))
    again = Footage(60, tmp_path)
    assert 3 not in {still.number for still in again.between(1, 0, 1e9)}
    again.close()
    assert not path.exists()


def test_what_is_forgotten_is_gone_from_the_disk_too(tmp_path: Path) -> None:
    footage = filled(Footage(5, tmp_path), 30)
    footage.close()
    assert len(list(tmp_path.iterdir())) == len(footage._kept) == 6
    again = filled(Footage(5, tmp_path), 2, game=2)
    again.close()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_costs_only_the_restart(tmp_path: Path) -> None:
    footage = Footage(60, tmp_path / "video")
    (tmp_path / "video").rmdir()
    filled(footage, 5)
    footage.close()
    assert times(footage) == [0, 1, 2, 3]


def brightness(jpeg: bytes | None) -> float:
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return float(picture.mean())
