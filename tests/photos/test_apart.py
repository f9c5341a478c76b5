"""A photo that would hang, crash or fill the program costs a process that nobody misses."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest
from hostile import jpeg, many_scans

from companion.photos import reasons
from companion.photos.apart import PhotoReader
from companion.photos.reading import NotRead


@pytest.fixture(scope="module")
def one() -> Iterator[PhotoReader]:
    made = PhotoReader()
    yield made
    made.close()


def why(reader: PhotoReader, data: bytes) -> object:
    with pytest.raises(NotRead) as caught:
        reader.read(data)
    return caught.value.reason


def test_photos_come_as_they_are_or_smaller_and_a_bad_one_spoils_none_after_it(one: PhotoReader) -> None:
    assert one.read(jpeg(640, 480)).shape == (480, 640, 3)
    assert why(one, b"hello") == reasons.NO_PICTURE
    assert why(one, many_scans(700)) == reasons.BAD_JPEG
    begun = one.pid
    assert one.read(jpeg(640, 480), longest=64).shape == (48, 64, 3)
    assert one.pid == begun


def test_a_photo_that_takes_too_long_ends_the_process_and_the_next_one_is_read(one: PhotoReader) -> None:
    one.read(jpeg())
    begun = one.pid
    assert begun is not None
    os.kill(begun, signal.SIGSTOP)  # as a decoder that does not come back
    one._seconds, before = 0.2, one._seconds
    assert why(one, jpeg()) == reasons.TOO_SLOW
    one._seconds = before
    assert one.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(begun, 0)
    assert one.read(jpeg()).shape == (120, 160, 3)


def test_a_process_that_has_ended_meanwhile_is_started_again(one: PhotoReader) -> None:
    before = one.read(jpeg())
    assert one.pid is not None
    os.kill(one.pid, signal.SIGKILL)
    assert np.array_equal(one.read(jpeg()), before)
