"""Why a camera that speaks RTSP gives no pictures (RFC 2326): FFmpeg only says that it cannot be opened."""

from __future__ import annotations

import re
import socket
from typing import Final
from urllib.parse import urlsplit

from companion.line.sources import reasons
from companion.line.sources.address import PORTS, plain
from companion.table.errors import SourceError

ANSWER_SECONDS: Final = 2.0


def why_not(source: str) -> SourceError | None:
    """What the camera at this address answers when it is asked for its stream without a password; None where that says nothing.
    A camera that wants one, and was given one, has refused it."""
    address = urlsplit(source)
    if address.scheme.lower() != "rtsp" or not address.hostname:
        return None
    asked = f"rtsp://{address.netloc.rpartition('@')[2]}{address.path or '/'}{'?' + address.query if address.query else ''}"
    try:
        with socket.create_connection((address.hostname, address.port or PORTS["rtsp"] or 0), ANSWER_SECONDS) as camera:
            camera.settimeout(ANSWER_SECONDS)
            camera.sendall(f"DESCRIBE {asked} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
            said = re.match(rb"RTSP/1\.\d (\d{3})", camera.recv(64))
    except (OSError, UnicodeError):
        return None
    status = int(said[1]) if said is not None else 0
    if status in (401, 403):
        return refused(source)
    return SourceError(reasons.NOT_THERE, source=plain(source), status=status) if status in (404, 454) else None


def refused(source: str) -> SourceError:
    """The camera wants a password, or another one."""
    address = urlsplit(source)
    if address.username is None:
        return SourceError(reasons.NEEDS_PASSWORD, source=plain(source), scheme=address.scheme)
    return SourceError(reasons.WRONG_PASSWORD, source=plain(source))
