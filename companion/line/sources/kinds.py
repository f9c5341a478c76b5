"""What a source is, by its name alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from companion.line.sources import reasons
from companion.table.errors import SourceError

MAX_LENGTH: Final = 2000
"""Letters of a source: an address with a signature in it has a few hundred."""
LINKS: Final = Path("/dev/v4l")
"""Where the system names cameras by what they are, and by where they are plugged in: links to `/dev/video…`."""


def is_file(source: str) -> bool:
    """Whether this names a video file, not a camera or a stream."""
    return not (source.isdigit() or "://" in source or is_link(source))


def is_link(source: str) -> bool:
    """Whether this names a camera of this machine by a name that stays: `/dev/v4l/by-id/…`."""
    return source.startswith(f"{LINKS}/")


def camera_number(source: str) -> str | None:
    """The number of the camera that a link leads to now; None where it leads to none, or this is no link."""
    name = Path(os.path.realpath(source)).name if is_link(source) else ""
    number = name.removeprefix("video")
    return number if name.startswith("video") and number.isdecimal() else None


def checked_name(source: str) -> None:
    """Raises SourceError where this can name nothing at all."""
    if len(source) > MAX_LENGTH:
        raise SourceError(reasons.TOO_LONG, source=source[:40])
    if not is_file(source):
        return
    try:
        Path(source).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # a name that could be one
    except (OSError, ValueError) as error:  # a part too long for a name, links that lead in circles, a null character
        raise SourceError(reasons.NO_NAME, source=source[:200].encode("utf-8", "replace").decode().replace("\0", "?")) from error
