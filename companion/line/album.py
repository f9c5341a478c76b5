"""Pictures of the last minutes, so that somebody who is asked what happened can look again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

import numpy as np

from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.sighting import Point
from companion.eyes.source import Picture

EVERY_SECONDS = 0.4
"""Least time between two pictures that are kept."""
KEPT_SECONDS = 240.0
"""How long they are kept: a question about a hand is answered by the end of the next one, or never."""
NEAR_SECONDS = 2.0
"""A moment has a picture if one was kept this near to it in time."""
WIDTH = 1280
"""Greatest width in pixels: about 100 KB a picture as JPEG, 60 MB in all."""
LEAST_ROOM = 0.06
"""Least margin around a place, as a share of the picture's width."""


class Album:
    """Pictures of the last minutes, as JPEG. One thread fills it, any thread may read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[tuple[float, bytes]] = deque(maxlen=round(KEPT_SECONDS / EVERY_SECONDS))

    def put(self, picture: Picture) -> None:
        """Keep the picture unless the last one is too near in time. A picture earlier than the last one begins a new album."""
        with self._lock:
            if self._kept and picture.t < self._kept[-1][0]:
                self._kept.clear()
            if self._kept and picture.t - self._kept[-1][0] < EVERY_SECONDS:
                return
        data = encode_jpeg(picture.image, WIDTH, quality=80)
        with self._lock:
            self._kept.append((picture.t, data))

    def crop(self, t: float, points: Sequence[Point], size: tuple[int, int]) -> bytes | None:
        """The part around ``points`` (pixels of a picture of ``size``) at ``t`` seconds, as JPEG; None where no picture is
        near."""
        with self._lock:
            nearest = min(self._kept, key=lambda one: abs(one[0] - t), default=None)
        if nearest is None or abs(nearest[0] - t) > NEAR_SECONDS or not points:
            return None
        image = decode_jpeg(nearest[1])
        height, width = image.shape[:2]
        at = np.asarray(points, np.float64) * (width / size[0], height / size[1])
        low, high = at.min(axis=0), at.max(axis=0)
        room = max(LEAST_ROOM * width, 0.35 * float((high - low).max()))
        x0, y0 = np.clip(np.floor(low - room), 0, (width - 2, height - 2)).astype(int)
        x1, y1 = np.clip(np.ceil(high + room), (x0 + 2, y0 + 2), (width, height)).astype(int)
        return encode_jpeg(image[y0:y1, x0:x1], quality=85)
