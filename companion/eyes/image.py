"""Still pictures: reads files, turned as a viewer shows them, and encodes JPEG."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import MOST_PIXELS
from companion.files import read_bounded
from companion.table.errors import UnreadablePicture

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red."""

MAX_FILE_BYTES = 256 << 20
"""Bytes of a picture's file."""


def read_picture(path: Path) -> Image:
    """The picture in ``path`` as (H, W, 3) uint8 BGR, turned by its EXIF orientation; transparency is dropped.

    Raises:
        UnreadablePicture: the file is missing, unreadable, no picture, or has more than `MOST_PIXELS` pixels.
    """
    try:
        content = np.frombuffer(read_bounded(path, MAX_FILE_BYTES), dtype=np.uint8)
    except OSError as error:
        raise UnreadablePicture(f"{path}: {error.strerror or error}: give a picture file (JPEG, PNG, WebP, …)") from error
    # IMREAD_COLOR turns by EXIF and drops alpha; imdecode on bytes also takes paths that OpenCV's own reader cannot open.
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except cv2.error as error:
        if "MAX_IMAGE" in error.err:
            most = f"{MOST_PIXELS // 10**6} million pixels"
            raise UnreadablePicture(f"{path}: a picture of more than {most}: make it smaller") from error
        image = None
    if image is None:
        raise UnreadablePicture(f"{path}: not a picture that can be read (JPEG, PNG, WebP, …), or it is damaged")
    return np.asarray(image, dtype=np.uint8)


def encode_jpeg(image: Image, width: int | None = None, quality: int = 80) -> bytes:
    """``image`` as JPEG, shrunk to at most ``width`` pixels wide (None: as it is). ``quality``: 0 to 100, OpenCV's scale.

    Raises:
        ValueError: a picture that JPEG cannot hold.
    """
    if width is not None and image.shape[1] > width:
        size = width, max(1, round(image.shape[0] * width / image.shape[1]))
        # Averaging over areas takes several times as long, and shows only where a picture shrinks by much.
        way = cv2.INTER_AREA if image.shape[1] >= 2 * width else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError(f"a picture of shape {image.shape} cannot be written as JPEG: expected (H, W, 3), sides up to 65500")
    return np.asarray(data).tobytes()


def decode_jpeg(data: bytes) -> Image:
    """The picture in the JPEG that `encode_jpeg` has made: (H, W, 3) uint8 BGR."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def opened(picture: bytes) -> Image | None:
    """The picture in these bytes, (H, W, 3) uint8 BGR; None where they cannot be decoded as one."""
    try:
        found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) if picture else None
    except cv2.error:
        return None
    return None if found is None else np.asarray(found, np.uint8)


def opens(picture: bytes) -> bool:
    """Whether these bytes can be decoded as a picture."""
    return opened(picture) is not None
