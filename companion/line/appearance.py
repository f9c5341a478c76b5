"""How the table looked, kept beside it: after a start, a reconnection or another camera the first pictures are held against it.

A camera may have been turned, mirrored, or be another one under the same number. From a picture in which the table is not found
where it was, or not where a knock could have put it, nothing is concluded.
"""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import Image, encode_jpeg, opened
from companion.eyes.registration import Reference, mapped, shrunk_grey, smooth
from companion.eyes.sighting import Point
from companion.eyes.trouble import MOVED_WIDTHS
from companion.line.sources.video import same_shape
from companion.line.tablefile import TableFile
from companion.photos.jpeg import jpeg_head

MAX_WIDTH: Final = 640
"""Pixels: in such a picture the eyes look for the table again."""
JPEG_QUALITY: Final = 70


class Appearance(msgspec.Struct, frozen=True):
    """A picture ``jpeg`` of the table, at most `MAX_WIDTH` wide, the table's ``corners`` in its pixels, and the ``camera``'s
    name in the system, "" where it has none."""

    camera: str
    jpeg: bytes
    corners: tuple[Point, ...]

    @staticmethod
    def of(camera: str, image: Image, corners: NDArray[np.float64]) -> Appearance:
        """How the table looks in a picture (H, W, 3) with its ``corners`` there."""
        scale = min(1.0, MAX_WIDTH / image.shape[1])
        small = tuple((round(float(x) * scale, 2), round(float(y) * scale, 2)) for x, y in corners)
        return Appearance(camera, encode_jpeg(image, MAX_WIDTH, JPEG_QUALITY), small)


def decoded(text: str) -> Appearance | None:
    """What the ledger keeps; None where it keeps none, or none that can be used."""
    try:
        kept = msgspec.json.decode(text, type=Appearance) if text else None
    except msgspec.MsgspecError:
        return None
    head = jpeg_head(kept.jpeg, most_scans=1) if kept is not None else None
    return kept if head is not None and head.width <= MAX_WIDTH and kept is not None and len(kept.corners) == 4 else None


class Recognition:
    """Finds the table again by how it looked. Raises ValueError where what was kept is no picture of a table."""

    def __init__(self, kept: Appearance) -> None:
        image = opened(kept.jpeg)
        if image is None:
            raise ValueError("a picture that cannot be decoded")
        self._image = image
        self._corners = np.asarray(kept.corners, np.float64)
        self._reference = Reference(image, self._corners)

    def found(self, image: Image) -> NDArray[np.float64] | None:
        """Where the table's corners (4, 2) are in the picture (H, W, 3), pixels; None where it is not seen as it was."""
        size, own = (image.shape[1], image.shape[0]), self._reference.size
        if not same_shape(size, own):
            return None
        small = np.asarray(cv2.resize(image, own, interpolation=cv2.INTER_AREA), np.uint8)
        registered = self._reference.register(small)
        if registered is None or self._mirrored(small, registered.homography):
            return None
        still = registered.moved <= MOVED_WIDTHS * own[0]
        corners = self._corners if still else mapped(registered.homography, self._corners)
        return np.asarray(corners * (np.array(size) / own), np.float64)

    def _mirrored(self, small: Image, homography: NDArray[np.float64]) -> bool:
        """Whether the whole picture, the room too, looks more like what was kept when it is turned over: a table alone may look
        the same from both sides."""
        back = cv2.warpPerspective(small, homography, self._reference.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        now, before = (_plain(one) for one in (np.asarray(back, np.uint8), self._image))
        return bool(max(float((now[over] * before).mean()) for over in _OVER) >= float((now * before).mean()))


_OVER: Final = (np.s_[:, ::-1], np.s_[::-1, :], np.s_[::-1, ::-1])
"""Left to right, top to bottom, and both."""


def _plain(image: Image) -> NDArray[np.float64]:
    """The picture small and grey, of mean 0 and deviation 1."""
    grey = smooth(shrunk_grey(image, MAX_WIDTH)[0]).astype(np.float64)
    return np.asarray((grey - grey.mean()) / max(float(grey.std()), 1e-6), np.float64)


def seen_again(table: TableFile, corners: NDArray[np.float64], size: tuple[int, int]) -> TableFile:
    """The ``table`` with its ``corners`` where they are now in a picture of this ``size``. Raises TableError."""
    return table.with_corners([(float(x), float(y)) for x, y in corners], size)
