"""What a source is, by its name alone, and addresses of streams: what is wrong with one that was typed, and how one is shown to
people."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from companion.eyes import source as eyes
from companion.line.sources import reasons
from companion.table.errors import SourceError

PORTS: Final = {
    "rtsp": 554, "rtsps": 322, "http": 80, "https": 443, "rtmp": 1935, "rtmps": 443, "rtp": None, "udp": None, "tcp": None,
    "srt": None,
}  # fmt: skip
"""How addresses of streams begin, and the port to knock at where an address names none; None: there is no door to knock at."""

HIDDEN: Final = "…"
_SECRET = re.compile(
    r"([?&;][^=&;?]*(?:pass|pwd|psw|usr|user|login|token|auth|key|secret|sign)[^=&;?]*=)[^&;#]*", re.IGNORECASE
)
_NAKED = re.compile(r"(?:[\w-]+\.)+[\w-]+(?::\d{1,5})?(?:/.*)?|[\w-]+:\d{1,5}(?:/.*)?|[^@/\s]+@[\w.-]+(?::\d{1,5})?(?:/.*)?")
_HOST = re.compile(r"(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:[/?]|$)")
_RTSP_PORTS: Final = frozenset({554, 8554, 10554})


def plain(source: str) -> str:
    """The source as pages, logs and messages may show it: without the name and the password in an address."""
    scheme, there, rest = source.partition("://")
    if not there:
        return source
    # The last @ ends the password, also where letters stand in it that should have been escaped.
    at = rest.rfind("@")
    if at >= 0 and ("@" in re.split(r"[/?#]", rest)[0] or _HOST.match(rest, at + 1)):
        rest = f"{HIDDEN}@{rest[at + 1 :]}"
    return f"{scheme}://{_SECRET.sub(lambda key: key[1] + HIDDEN, rest)}"


def check_address(source: str) -> None:
    """Raises SourceError where this is no stream's address; it says what to write instead."""
    scheme, there, rest = source.partition("://")
    if HIDDEN in source:  # as pages show one
        raise SourceError(reasons.HIDDEN_PASSWORD, source=plain(source), hidden=HIDDEN)
    letter = _badly_written(rest) if there else None
    if letter is not None:
        raise SourceError(reasons.BARE_LETTER, source=plain(source), letter=letter, code=quote(letter, safe=""))
    try:
        address = urlsplit(source)
        port_is_one = address.port is None or 0 < address.port < 65536
    except ValueError:  # of a port that is no number, a bracket that is not closed
        raise SourceError(eyes.BAD_ADDRESS, source=plain(source)) from None
    blank = any(letter.isspace() for letter in source)
    if not there or scheme.lower() not in PORTS or not address.hostname or not port_is_one or blank:
        raise SourceError(eyes.BAD_ADDRESS, source=plain(source))


def without_scheme(source: str) -> SourceError | None:
    """What to write where this, which is no file, looks like an address without its beginning."""
    if _NAKED.fullmatch(source) is None:
        return None
    port = re.search(r":(\d{1,5})(?=/|$)", source)
    if port is None and not re.match(r"(?:\d{1,3}\.){3}\d{1,3}(?:/|$)", source) and "@" not in source:
        return None  # a film's name with a dot in it
    scheme = "rtsp" if port is not None and int(port[1]) in _RTSP_PORTS else "http"
    return SourceError(reasons.NO_SCHEME, source=plain(f"{scheme}://{source}"), scheme=scheme)


def _badly_written(rest: str) -> str | None:
    """The letter of a name or a password that ends an address before its time, in what follows the scheme: #, / or ?."""
    end = re.search(r"[/?#]", rest)
    if end is None or "@" in rest[: end.start()] or "@" not in rest:
        return None
    _, colon, port = rest[: end.start()].partition(":")
    # name:password that breaks off: what stands behind the colon is no port.
    broken = bool(colon) and not port.isdecimal() and _HOST.match(rest, rest.rindex("@") + 1) is not None
    return end.group() if broken else None


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


def same_camera(one: str, other: str) -> bool:
    """Whether two sources are one camera of this machine, or one address; a password or another name makes no difference."""
    return bool(one) and (camera_number(one) or plain(one)) == (camera_number(other) or plain(other))


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
