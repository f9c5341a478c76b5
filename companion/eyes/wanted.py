"""Whether a source that somebody names can be one at all, before it is tried."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

from companion.eyes import reasons
from companion.eyes.cameras import DEVICES
from companion.eyes.source import opened_file
from companion.table.errors import SourceError

PORTS = {
    "rtsp": 554, "rtsps": 322, "http": 80, "https": 443, "rtmp": 1935, "rtmps": 443, "rtp": None, "udp": None, "tcp": None,
    "srt": None,
}  # fmt: skip
"""How addresses of streams begin, and the port to knock at where an address names none; None: there is no door to knock at."""
KNOCK_SECONDS = 1.5


def check_source(source: str, devices: Path = DEVICES) -> None:
    """Refuse what cannot be a source: a camera's number that this machine does not have, a file that is not there or is no video,
    an address that is none. A camera that is only silent, and a stream that is not up yet, pass.

    Raises:
        SourceError: with what to write instead.
    """
    if source.isdecimal():
        numbers = (path.name.removeprefix("video") for path in devices.glob("video[0-9]*"))
        there = sorted(int(number) for number in numbers if number.isdecimal())
        if int(source) not in there and there:
            raise SourceError(reasons.NO_SUCH_CAMERA, source=source, there=", ".join(map(str, there)))
        if int(source) not in there:
            raise SourceError(reasons.NO_CAMERA_AT_ALL, source=source)
    elif ":/" in source:
        _check_address(source)
    else:
        _check_file(Path(source), devices)


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


def _check_address(source: str) -> None:
    try:
        address = urlsplit(source)
        port_is_one = address.port is None or 0 < address.port < 65536
    except ValueError:  # of a port that is no number, a bracket that is not closed
        raise SourceError(reasons.BAD_ADDRESS, source=source) from None
    blank = any(letter.isspace() for letter in source)
    if "://" not in source or address.scheme.lower() not in PORTS or not address.hostname or not port_is_one or blank:
        raise SourceError(reasons.BAD_ADDRESS, source=source)


def _check_file(path: Path, devices: Path) -> None:
    if path.parent == devices and path.name.startswith("video"):
        raise SourceError(reasons.BY_NUMBER, source=path, number=path.name.removeprefix("video"))
    capture = opened_file(path)
    try:
        if not capture.grab():
            raise SourceError(reasons.NO_PICTURE, source=path)
    finally:
        capture.release()
