"""Whether a source that somebody names can be one at all, before it is tried."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

from companion.eyes import source as eyes
from companion.eyes.cameras import DEVICES
from companion.eyes.source import opened_file
from companion.line.sources import reasons
from companion.line.sources.address import PORTS, camera_number, check_address, checked_name, is_link, without_scheme
from companion.line.sources.video import without_pictures
from companion.table.errors import SourceError

KNOCK_SECONDS = 1.5


def check_source(source: str, devices: Path = DEVICES) -> None:
    """Refuse what cannot be a source: a camera's number that this machine does not have, a file that is not there or is no video,
    an address that is none. A camera that is only silent, and a stream that is not up yet, pass.

    Raises:
        SourceError: with what to write instead.
    """
    checked_name(source)
    if is_link(source):
        if camera_number(source) is None:
            raise SourceError(reasons.NO_LINK, source=source)
    elif source.isdecimal():
        numbers = (path.name.removeprefix("video") for path in devices.glob("video[0-9]*"))
        there = sorted(int(number) for number in numbers if number.isdecimal())
        if int(source) not in there and there:
            raise SourceError(eyes.NO_SUCH_CAMERA, source=source, there=", ".join(map(str, there)))
        if int(source) not in there:
            raise SourceError(eyes.NO_CAMERA_AT_ALL, source=source)
    elif ":/" in source:
        check_address(source)
    else:
        _check_file(source, devices)


def answers(source: str) -> bool:
    """Whether somebody is at home at a stream's address; True where that cannot be found out by knocking."""
    address = urlsplit(source)
    port = address.port or PORTS.get(address.scheme.lower())
    if "://" not in source or not address.hostname or not port:
        return True
    try:
        socket.create_connection((address.hostname, port), KNOCK_SECONDS).close()
    except OSError:
        return False
    return True


def _check_file(source: str, devices: Path) -> None:
    path = Path(source)
    if path.parent == devices and path.name.startswith("video"):
        raise SourceError(eyes.BY_NUMBER, source=path, number=path.name.removeprefix("video"))
    if not path.exists() and (why := without_scheme(source)) is not None:
        raise why
    try:
        capture = opened_file(path)
        try:
            if not capture.grab():
                raise SourceError(eyes.NO_PICTURE, source=path)
        finally:
            capture.release()
    except SourceError as error:
        raise without_pictures(path, error) from None
