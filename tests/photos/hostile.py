"""JPEG files that mean harm, and honest ones."""

from __future__ import annotations

import cv2
import numpy as np


def jpeg(width: int = 160, height: int = 120, progressive: bool = False) -> bytes:
    """A picture of noise, as OpenCV writes it."""
    image = np.random.default_rng(width).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)])[1].tobytes()


def many_scans(scans: int, width: int = 160, height: int = 120) -> bytes:
    """A progressive picture with this number of ``scans``: its last one is repeated."""
    data = jpeg(width, height, progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * (scans - data.count(b"\xff\xda")) + b"\xff\xd9"


def two_sizes(between: bytes, width: int = 160, height: int = 120) -> bytes:
    """A picture with ``between`` behind its first marker: what one reader takes for its head, another skips."""
    data = jpeg(width, height)
    return data[:2] + between + data[2:]


def frame(width: int, height: int, marker: int = 0xC0) -> bytes:
    """A frame header alone."""
    parts = b"\x01\x22\x00\x02\x11\x01\x03\x11\x01"
    return bytes((0xFF, marker)) + (17).to_bytes(2) + b"\x08" + height.to_bytes(2) + width.to_bytes(2) + b"\x03" + parts


def comment(text: bytes) -> bytes:
    return b"\xff\xfe" + (2 + len(text)).to_bytes(2) + text
