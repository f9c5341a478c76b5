"""A source's pictures, whatever it is: `companion.eyes.source`, and what it gets wrong put right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from companion.eyes import source as eyes
from companion.eyes.source import Picture
from companion.line.sources import reasons
from companion.line.sources.address import camera_number, check_address, checked_name, is_file, is_link, plain, without_scheme
from companion.line.sources.http import http_pictures
from companion.line.sources.rtsp import why_not
from companion.line.sources.video import file_pictures, is_interlaced_stream, woven_stream
from companion.table.errors import Reason, SourceError

SAME_SECONDS: Final = 1.0
"""Seconds for which a stream's first pictures must be the very same so that it is checked for interlacing."""


def pictures(
    source: str, per_second: float, start: float = 0.0, going: Callable[[], bool] = lambda: True
) -> Iterator[Picture]:
    """As `companion.eyes.source.pictures`; a camera may also be named by its link in `/dev/v4l/by-id`. No message has a password
    in it. Raises SourceError."""
    checked_name(source)
    if is_link(source):
        number = camera_number(source)
        if number is None:
            raise SourceError(reasons.NO_LINK, source=source)
        yield from eyes.pictures(number, per_second, start, going)
    elif is_file(source):
        if not Path(source).exists() and (why := without_scheme(source)) is not None:
            raise why
        yield from file_pictures(Path(source), per_second, start)
    elif "://" in source:
        yield from _stream(source, per_second, start, going)
    else:
        yield from eyes.pictures(source, per_second, start, going)


def _stream(source: str, per_second: float, start: float, going: Callable[[], bool]) -> Iterator[Picture]:
    check_address(source)
    given = False
    try:
        found = http_pictures(source, per_second, start, going)
        for picture in found if found is not None else _decoded(source, per_second, start, going):
            given = True
            yield picture
    except SourceError as error:
        better = why_not(source) if not given and going() else None
        if better is not None:
            raise better from error
        if "source" in error.values:
            raise SourceError(Reason("", error.text), **{**error.values, "source": plain(source)}) from error
        raise


def _decoded(source: str, per_second: float, start: float, going: Callable[[], bool]) -> Iterator[Picture]:
    """The newest picture each time of a stream that OpenCV decodes. It converts no interlaced picture, and gives again and again
    what was in the memory, to the last bit; such a stream is opened once more, and its lines are woven together."""
    plainly = eyes.pictures(source, per_second, start, going)
    first = next(plainly)
    picture = first
    while np.array_equal(picture.image, first.image) and picture.t - first.t < SAME_SECONDS:
        picture = next(plainly)
    silence = eyes.STALE_SECONDS
    if np.array_equal(picture.image, first.image) and is_interlaced_stream(source, silence):
        plainly.close()
        plainly = eyes.newest(source, lambda: woven_stream(source, silence), per_second, picture.t, going)
    else:
        yield picture
    yield from plainly
