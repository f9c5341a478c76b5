"""Still pictures from files, turned as a viewer shows them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.errors import UnreadablePicture

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red."""


def read_picture(path: Path) -> Image:
    """The picture in ``path`` as (H, W, 3) uint8 BGR, turned by its EXIF orientation; transparency is dropped.

    Raises:
        UnreadablePicture: the file is missing, unreadable or no picture.
    """
    try:
        content = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise UnreadablePicture(f"{path}: {error.strerror or error}: give a picture file (JPEG, PNG, WebP, …)") from error
    # IMREAD_COLOR turns by EXIF and drops alpha; imdecode on bytes also takes paths that OpenCV's own reader cannot open.
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except cv2.error:
        image = None
    if image is None:
        raise UnreadablePicture(f"{path}: this is no picture that can be read (JPEG, PNG, WebP, …), or it is damaged")
    return np.asarray(image, dtype=np.uint8)
