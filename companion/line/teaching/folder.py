"""A folder of photos as `companion enrol` takes it, read as strictly as a phone's photos, and in the same formats."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from companion.eyes.detector import Detector
from companion.eyes.enrol import enrol_folder
from companion.eyes.enrol.deck import Cohort
from companion.eyes.enrol.folder import Findings, photos_in
from companion.eyes.enrol.photo import Refusal
from companion.eyes.reader import Reader
from companion.files import read_bounded
from companion.photos import reasons
from companion.photos.jpeg import jpeg_head
from companion.photos.reading import MAX_FILE_BYTES, NotRead, kind_of, photo_of
from companion.table.errors import Reason


def enrol_photos(
    folder: Path, detector: Detector, reader: Reader, cohort: Cohort,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> Findings:  # fmt: skip
    """As `companion.eyes.enrol.enrol_folder`, also of photos in formats that OpenCV does not read. Raises CannotEnrol."""
    photos = photos_in(folder)
    with tempfile.TemporaryDirectory(prefix="companion-photos-") as scratch:
        why = {path.name: reason for path in photos if (reason := _prepared(path, Path(scratch, path.name))) is not None}
        found = enrol_folder(Path(scratch), detector, reader, cohort, progress)
    return replace(found, refused=tuple((name, Refusal(why[name]) if name in why else said) for name, said in found.refused))


def _prepared(photo: Path, here: Path) -> Reason | None:
    """Puts the ``photo`` at ``here``, as OpenCV reads it; why it cannot be read, and nothing is there, else None."""
    try:
        data = read_bounded(photo, MAX_FILE_BYTES)
    except OSError:  # it is named as one that cannot be read, with the others
        here.touch()
        return reasons.NO_PICTURE
    kind = kind_of(data)
    if kind == "other" or (kind == "jpeg" and jpeg_head(data) is not None):
        here.symlink_to(photo.absolute())
        return None
    try:
        here.write_bytes(cv2.imencode(".png", photo_of(data), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())
    except NotRead as error:
        here.touch()
        return error.reason
    return None
