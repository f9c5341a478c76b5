"""A file is there whole or not at all, whatever stops its writer and however many programs write it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from companion.files import write_whole, written_whole


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_as_readable_as_any_file_that_this_program_writes(tmp_path: Path) -> None:
    write_whole(tmp_path / "whole", b"")
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_the_old_file_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"old")
    with written_whole(path) as scratch:
        assert scratch.parent == tmp_path
        assert scratch.suffix == ".mp4"
        scratch.write_bytes(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [ValueError("half way"), KeyboardInterrupt()])
def test_a_writer_that_fails_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"old")

    def fail() -> None:
        with written_whole(path) as scratch:
            scratch.write_bytes(b"half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_refused_before_the_work_begins_by_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "log.jsonl"
    with pytest.raises(FileNotFoundError) as refused, written_whole(path):
        pytest.fail("the block must not begin")
    assert refused.value.filename == str(path)


def test_of_two_that_write_at_once_the_one_that_ends_last_is_read(tmp_path: Path) -> None:
    path = tmp_path / "seen.msgpack"
    with written_whole(path) as first:
        with written_whole(path) as second:
            assert first != second
            second.write_bytes(b"second")
            first.write_bytes(b"first")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole = [bytes([digit]) * 300_000 for digit in b"01"]
    write_whole(path, whole[0])
    writers = [threading.Thread(target=lambda data=data: [write_whole(path, data) for _ in range(30)]) for data in whole]
    for writer in writers:
        writer.start()
    read = [path.read_bytes() for _ in range(60)]
    for writer in writers:
        writer.join()
    assert set(read) <= set(whole)
    assert os.listdir(tmp_path) == ["log.jsonl"]
