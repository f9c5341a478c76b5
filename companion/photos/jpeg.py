"""The head of a JPEG, parsed before the picture is decoded (ITU T.81, annex B).

A decoder skips what it does not understand, so that a file may say one size to a hasty reader and another to the decoder. Here
nothing is skipped: markers must follow one another without a byte between them, each must be one that cameras and phones write,
and there must be one frame header. Some valid JPEGs are refused by this, but none that a camera or a phone makes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_SCANS: Final = 100
"""Greatest number of scans of a progressive picture: encoders write about ten. Each costs the decoder a pass over all pixels."""

_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
"""Baseline, extended and progressive, all Huffman coded: what libjpeg writes by default."""
_TABLES: Final = frozenset({0xC4, 0xDB, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Huffman and quantisation tables, restart interval, comment, applications' segments."""
_START_OF_SCAN, _END = 0xDA, 0xD9
NEXT_MARKER = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]", re.DOTALL)
"""After a scan's data: what is neither a stuffed byte nor a restart marker, with fill bytes before it."""


@dataclass(frozen=True, slots=True)
class JpegHead:
    """The size of a JPEG: ``width`` and ``height`` in pixels as coded, before EXIF turns the picture; ``scans``: number of passes
    over it."""

    width: int
    height: int
    scans: int


def jpeg_head(data: bytes, most_scans: int = MAX_SCANS) -> JpegHead | None:
    """The head of the JPEG in ``data``; None where that is no JPEG, is cut short, or has more than ``most_scans`` scans. What
    follows its end is ignored: phones append a film or a second picture there."""
    if data[:2] != b"\xff\xd8":
        return None
    at, size, scans = 2, None, 0
    while at + 2 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == _END:
            return JpegHead(*size, scans) if size is not None and scans else None
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        segment = data[at + 4 : at + 2 + length]
        if length < 2 or len(segment) != length - 2:
            return None
        at += 2 + length
        if marker in _FRAMES:
            if size is not None or (size := _frame(segment)) is None:
                return None
        elif marker == _START_OF_SCAN:
            scans += 1
            following = NEXT_MARKER.search(data, at)
            if size is None or following is None or scans > most_scans:
                return None
            at = following.end() - 2
        elif marker not in _TABLES:
            return None
    return None


def _frame(segment: bytes) -> tuple[int, int] | None:
    """Width and height in a frame header; None where it is malformed."""
    if len(segment) < 6 or segment[0] != 8 or segment[5] not in (1, 3, 4) or len(segment) != 6 + 3 * segment[5]:
        return None
    height, width = int.from_bytes(segment[1:3], "big"), int.from_bytes(segment[3:5], "big")
    return (width, height) if width and height else None
