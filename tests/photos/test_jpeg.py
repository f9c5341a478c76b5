"""A JPEG's head is read as the decoder reads it, or not at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hostile import comment, frame, jpeg, many_scans, two_sizes
from hypothesis import given
from hypothesis import strategies as st

from companion.photos.jpeg import MAX_SCANS, JpegHead, jpeg_head

HONEST = jpeg()


@pytest.mark.parametrize(
    ("data", "head"),
    [
        pytest.param(HONEST, JpegHead(160, 120, 1), id="baseline"),
        pytest.param(jpeg(progressive=True), JpegHead(160, 120, 10), id="progressive"),
        pytest.param(two_sizes(comment(frame(7900, 7900))), JpegHead(160, 120, 1), id="a frame in a comment"),
        pytest.param(HONEST + b"a film follows", JpegHead(160, 120, 1), id="something behind its end"),
        pytest.param(many_scans(MAX_SCANS), JpegHead(160, 120, MAX_SCANS), id="as many scans as may be"),
    ],
)
def test_the_size_and_the_scans_are_those_of_the_picture(data: bytes, head: JpegHead) -> None:
    assert jpeg_head(data) == head
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (head.height, head.width, 3)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(many_scans(700), id="700 scans"),
        pytest.param(two_sizes(b"\xff"), id="a fill byte"),
        pytest.param(two_sizes(b"\xff\x01"), id="a marker that stands alone"),
        pytest.param(two_sizes(b"\xff\xd0"), id="a restart before the frame"),
        pytest.param(two_sizes(b"junk"), id="bytes between markers"),
        pytest.param(two_sizes(frame(160, 100)), id="two frames"),
        pytest.param(two_sizes(comment(b"")[:3] + b"\x01"), id="a segment of no length"),
        pytest.param(HONEST.replace(b"\xff\xc0", b"\xff\xc9"), id="arithmetic coding"),
        pytest.param(HONEST[:-2], id="no end"),
        pytest.param(HONEST[: len(HONEST) // 2], id="half of it"),
        pytest.param(b"\xff\xd8" + frame(160, 120) + b"\xff\xd9", id="no scan"),
        pytest.param(b"\xff\xd8\xff\xd9", id="nothing between"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + HONEST, id="a PNG"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_a_decoder_may_take_for_another_picture_is_refused(data: bytes) -> None:
    assert jpeg_head(data) is None


@given(st.lists(st.tuples(st.integers(2, 700), st.binary(max_size=4), st.integers(0, 4)), max_size=4))
def test_whatever_is_put_into_its_head_the_decoder_finds_the_size_that_was_told(changes: list[tuple[int, bytes, int]]) -> None:
    data = HONEST
    for at, put, gone in changes:
        data = data[:at] + put + data[at + gone :]
    head = jpeg_head(data)
    try:
        found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        found = None
    assert head is None or found is None or found.shape[:2] == (head.height, head.width)
