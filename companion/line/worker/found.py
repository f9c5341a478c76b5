"""Whether the table of the game that is followed is where it was: asked of the first pictures whenever a camera is opened."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2

from companion.eyes.cameras import DEVICES, name_of
from companion.eyes.sighting import CameraMoved
from companion.eyes.source import Picture
from companion.line.appearance import Appearance, Recognition, seen_again
from companion.line.camera import Amiss
from companion.line.follow import Glimpse
from companion.line.sources.address import camera_number
from companion.line.sources.video import fits
from companion.line.tablefile import TableFile
from companion.table.errors import TableError

_log = logging.getLogger(__name__)

TRY_SECONDS: Final = 0.4
"""Seconds between two searches for a table that has not been found: one takes a tenth of a second."""
UNSEEN_SECONDS: Final = 2.0
"""Seconds of searching after which people are told: somebody may stand before the table."""
SETTLED_SECONDS: Final = 4.0
"""Seconds for which the table must be seen whole before its look is kept."""
RENEW_SECONDS: Final = 300.0
"""Seconds after which its look is kept again: the light changes over an evening."""


def camera_name(source: str) -> str:
    """What the system calls the camera; "" where it is none of this machine's."""
    number = camera_number(source) or source
    return name_of(Path(DEVICES, f"video{number}")) if number.isdecimal() else ""


class Found:
    """Lets pictures through once the table has been found in one as it looked before; those of another shape never.

    ``table``: as it was set up; later with its corners where they are now. Without a ``kept`` look pictures go through.
    """

    def __init__(self, kept: Appearance | None = None, table: TableFile | None = None, source: str = "") -> None:
        self._told, self._source = table, source
        self._recognition = _by(kept) if kept is not None else None
        self._sure = self._recognition is None
        self._shape: tuple[int, ...] | None = None
        self._fits = True
        self._began: float | None = None
        self._tried = -TRY_SECONDS
        self._now = 0.0
        self._table = table
        if kept is not None and kept.camera != (name := camera_name(source)):
            _log.warning("the camera is called %r, and was %r when the table was seen last", name, kept.camera)

    @property
    def table(self) -> TableFile:
        """The table, with its corners where they were found."""
        assert self._table is not None
        return self._table

    @property
    def amiss(self) -> Amiss:
        """The code of what is wrong with the pictures; "" where nothing is."""
        if not self._fits:
            return "other_shape"
        waited = not self._sure and self._began is not None and self._now - self._began >= UNSEEN_SECONDS
        return "elsewhere" if waited else ""

    def again(self) -> None:
        """The camera is opened again: it may be another one, or look elsewhere."""
        self._sure, self._began = self._recognition is None, None
        self._shape = None

    def keep(self, looks: Appearance) -> None:
        """The table looks so now."""
        self._recognition = Recognition(looks)

    def only(self, pictures: Iterator[Picture]) -> Iterator[Picture]:
        """The ``pictures`` from which something may be concluded."""
        for picture in pictures:
            if self._may(picture):
                yield picture

    def _may(self, picture: Picture) -> bool:
        self._now = picture.t
        size = picture.image.shape[1], picture.image.shape[0]
        if self._told is not None and picture.image.shape != self._shape:
            self._shape = picture.image.shape
            self._fits = fits(self._source, size, self._told.table.image_size)
        if not self._fits:
            return False
        if self._sure or self._recognition is None:
            return True
        self._began = picture.t if self._began is None else self._began
        if picture.t - self._tried < TRY_SECONDS and picture.t >= self._tried:
            return False
        self._tried = picture.t
        corners = self._recognition.found(picture.image)
        if corners is None:
            return False
        try:
            assert self._told is not None
            self._table = seen_again(self._told, corners, size)
        except TableError:  # no quadrilateral any more
            return False
        self._sure = True
        return True


def _by(kept: Appearance) -> Recognition | None:
    """What finds the table; None where what was kept is damaged: then it is as if nothing had been."""
    try:
        return Recognition(kept)
    except (ValueError, cv2.error) as error:
        _log.warning("how the table looked cannot be used: %s", error)
        return None


class Portrait:
    """When the look of the table is to be kept: it has been seen whole for a while, or was moved. ``source``: "" for a file:
    nothing is kept of one."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._camera = camera_name(source)
        self._clear: float | None = None
        self._kept: float | None = None

    def of(self, glimpse: Glimpse) -> Appearance | None:
        """How the table looks in this picture, where it is to be kept."""
        t, frame_quality = glimpse.picture.t, glimpse.frame_quality
        if any(isinstance(one, CameraMoved) for one in glimpse.sightings):
            self._kept = None
        if frame_quality.blind is not None or frame_quality.hidden:
            self._clear = None
            return None
        self._clear = t if self._clear is None else self._clear
        due = self._kept is None or t - self._kept >= RENEW_SECONDS
        if not (self._source and due and t - self._clear >= SETTLED_SECONDS):
            return None
        self._kept = t
        return Appearance.of(self._camera, glimpse.picture.image, glimpse.top.corners)
