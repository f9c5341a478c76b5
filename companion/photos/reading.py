"""The one reader of photos, whichever way they come in: `companion detect`, `companion enrol`, and from phones.

Phones' photos are read in a process of its own (`companion.photos.apart`); this is what runs there.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import MOST_PIXELS
from companion.files import read_bounded
from companion.photos import reasons
from companion.photos.jpeg import jpeg_head
from companion.table.errors import Reason, UnreadablePicture

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red."""

MAX_FILE_BYTES: Final = 256 << 20
"""Bytes of a picture's file."""

Kind = Literal["jpeg", "heic", "film", "other"]
"""JPEG; the High Efficiency format of phones; a video; anything else, which OpenCV may be able to read (PNG, WebP, AVIF, TIFF,
BMP, GIF, …)."""

_HEIC: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
_STILLS: Final = frozenset({b"avif", b"avis", b"mif1", b"msf1", b"jp2 ", b"jpx "})


class NotRead(UnreadablePicture):
    """A picture that cannot be read. ``reason``: why, for people. The message also names the file."""

    def __init__(self, reason: Reason, named: str = "") -> None:
        self.reason = reason
        super().__init__(f"{named}: {reason.text}" if named else reason.text)


def kind_of(data: bytes) -> Kind:
    """The kind of picture, by its first bytes; a file's name does not matter."""
    if data.startswith(b"\xff\xd8"):
        return "jpeg"
    if data[4:8] != b"ftyp":
        return "other"
    length = min(int.from_bytes(data[:4], "big"), 512)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, length, 4))}
    if brands & _HEIC:
        return "heic"
    return "other" if brands & _STILLS else "film"


def read_photo(path: Path) -> Image:
    """The picture in the file ``path``, as `photo_of` gives it.

    Raises:
        UnreadablePicture: the file is missing or cannot be read, or as of `photo_of`.
    """
    try:
        data = read_bounded(path, MAX_FILE_BYTES)
    except OSError as error:
        raise UnreadablePicture(f"{path}: {error.strerror or error}: give a picture file (JPEG, PNG, WebP, …)") from error
    return photo_of(data, str(path))


def photo_of(data: bytes, named: str = "") -> Image:
    """The picture in these bytes, (H, W, 3) uint8 BGR, turned as a viewer shows it; transparency is dropped.

    ``named``: its name in the message.

    Raises:
        NotRead: it cannot be read, or has more than `MOST_PIXELS` pixels.
    """
    kind = kind_of(data)
    if kind == "film":
        raise NotRead(reasons.FILM, named)
    if kind == "heic":
        return _heic(data, named)
    head = jpeg_head(data) if kind == "jpeg" else None
    if kind == "jpeg" and head is None:
        raise NotRead(reasons.BAD_JPEG, named)
    if head is not None and head.width * head.height > MOST_PIXELS:
        raise NotRead(reasons.TOO_LARGE, named)
    image = _decoded(data, named)
    if head is not None and sorted(image.shape[:2]) != sorted((head.width, head.height)):
        raise NotRead(reasons.BAD_JPEG, named)  # the decoder found another frame than the one that was told
    return image


def _decoded(data: bytes, named: str) -> Image:
    # IMREAD_COLOR turns by EXIF and drops alpha; imdecode on bytes also takes paths that OpenCV's own reader cannot open.
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error as error:
        raise NotRead(reasons.TOO_LARGE if "MAX_IMAGE" in error.err else reasons.NO_PICTURE, named) from error
    if image is None:
        raise NotRead(reasons.NO_PICTURE, named)
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise NotRead(reasons.TOO_LARGE, named)
    return np.asarray(image, np.uint8)


def _heic(data: bytes, named: str) -> Image:
    """Read a HEIC picture with pillow-heif, the extra ``heic``. Without it the error says what to do on the phone."""
    try:
        import pillow_heif
    except ImportError:
        raise NotRead(reasons.HEIC, named) from None
    try:
        found = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
        if found.size[0] * found.size[1] > MOST_PIXELS:
            raise NotRead(reasons.TOO_LARGE, named)
        pixels = np.asarray(found)  # turned already, as the file says
    except (ValueError, EOFError, OSError, RuntimeError, SyntaxError) as error:
        raise NotRead(reasons.NO_PICTURE, named) from error
    if pixels.ndim == 2:
        pixels = np.stack([pixels] * 3, axis=2)
    return np.ascontiguousarray(pixels[:, :, :3], np.uint8)
