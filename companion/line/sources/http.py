"""Streams over HTTP: what is no video is told apart, and JPEG pictures are taken as they come, however they are framed.

Cameras frame MJPEG in many ways: without a first boundary, with one that the pictures do not have, with a length that is wrong.
The pictures themselves say where they begin and end, so the frames are not looked at.
"""

from __future__ import annotations

import http.client
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

import numpy as np

from companion.eyes import source as eyes
from companion.eyes import source as live
from companion.eyes.image import opened
from companion.eyes.source import Due, Picture
from companion.line.sources import reasons
from companion.line.sources.address import plain
from companion.line.sources.rtsp import refused
from companion.photos.jpeg import NEXT_MARKER
from companion.table.errors import SourceError

MAX_PICTURE_BYTES: Final = 16 << 20
"""Bytes of one picture; what is longer is none."""
_BEGINS, _ENDS = b"\xff\xd8\xff", b"\xff\xd9"
_PAGES: Final = ("text/html", "application/xhtml+xml")


def http_pictures(source: str, per_second: float, start: float, going: Callable[[], bool]) -> Iterator[Picture] | None:
    """The newest picture each time, where the address gives MJPEG; None where it is another stream, or no HTTP at all.

    Raises:
        SourceError: nobody answers, or what answers is no video.
    """
    if urlsplit(source).scheme.lower() not in ("http", "https"):
        return None
    opening = _Opening(source)
    if not opening.waited(going):
        raise SourceError(eyes.NOT_OPENED, source=plain(source))
    if opening.error is not None:
        raise opening.error
    answer = opening.answer
    assert answer is not None
    kind = answer.headers.get_content_type()
    if kind in _PAGES:
        answer.close()
        onto = answer.geturl()
        if _without_user(onto) != _without_user(source):
            raise SourceError(reasons.REDIRECTED, source=plain(source), onto=plain(onto))
        raise SourceError(reasons.A_PAGE, source=plain(source))
    if kind != "multipart/x-mixed-replace":
        answer.close()
        return None
    return _newest(_Mjpeg(answer, Due(per_second), start), source, going)


class _Opening:
    """Asks for the address in a thread of its own: a camera may take its time, and another may be wanted meanwhile."""

    def __init__(self, source: str) -> None:
        self.answer: http.client.HTTPResponse | None = None
        self.error: SourceError | None = None
        self._source = source
        self._done = threading.Event()
        self._left = False
        threading.Thread(target=self._open, name="camera-http", daemon=True).start()

    def waited(self, going: Callable[[], bool]) -> bool:
        """Whether there is an answer, or an error, in time."""
        end = time.monotonic() + live.OPEN_SECONDS
        while going() and time.monotonic() < end:
            if self._done.wait(live.POLL_SECONDS):
                return True
        self._left = True
        return self._done.is_set()

    def _open(self) -> None:
        try:
            self.answer = _asked(self._source)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in (401, 403):
                self.error = refused(self._source)
            else:
                self.error = SourceError(reasons.NOT_THERE, source=plain(self._source), status=error.code)
        except (OSError, http.client.HTTPException, ValueError):
            self.error = SourceError(eyes.NOT_OPENED, source=plain(self._source))
        self._done.set()
        if self._left and self.answer is not None:
            self.answer.close()


def _asked(source: str) -> http.client.HTTPResponse:
    address = urlsplit(source)
    bare = _without_user(source)
    keys = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if address.username is not None:
        keys.add_password(None, bare, unquote(address.username), unquote(address.password or ""))
    # Only HTTP: a camera that sends on must not have files read. No proxy stands between the bar and its camera.
    opener = urllib.request.OpenerDirector()
    handlers: tuple[Any, ...] = (
        urllib.request.HTTPHandler(), urllib.request.HTTPSHandler(context=_any_certificate()),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDigestAuthHandler(keys), urllib.request.HTTPBasicAuthHandler(keys),
        urllib.request.HTTPDefaultErrorHandler(), urllib.request.HTTPErrorProcessor(), urllib.request.UnknownHandler(),
    )  # fmt: skip
    for handler in handlers:
        opener.add_handler(handler)
    answer = opener.open(bare, timeout=live.STALE_SECONDS)
    assert isinstance(answer, http.client.HTTPResponse)
    return answer


def _any_certificate() -> ssl.SSLContext:
    """A camera has none that anybody has signed; FFmpeg asks for none, either."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _without_user(source: str) -> str:
    address = urlsplit(source)
    return urlunsplit((address.scheme, address.netloc.rpartition("@")[2], address.path or "/", address.query, ""))


class _Mjpeg:
    """Reads pictures in a thread of its own, and keeps the newest of those that are ``due``."""

    def __init__(self, answer: http.client.HTTPResponse, due: Due, start: float) -> None:
        self._answer, self._due = answer, due
        self._begun = time.monotonic() - start
        self._fresh = threading.Condition()
        self._newest: tuple[float, bytes] | None = None
        self._over = False
        threading.Thread(target=self._read, name="camera", daemon=True).start()

    def after(self, t: float, going: Callable[[], bool]) -> tuple[float, bytes] | None:
        """The newest picture later than ``t`` seconds, and its time; None where none comes."""
        end = time.monotonic() + live.STALE_SECONDS
        while going() and time.monotonic() < end:
            with self._fresh:
                self._fresh.wait_for(lambda: self._over or self._later(t), live.POLL_SECONDS)
                if self._later(t):
                    return self._newest
                if self._over:
                    return None
        return None

    def _later(self, t: float) -> bool:
        return self._newest is not None and self._newest[0] > t

    def stop(self) -> None:
        """Read no more."""
        self._over = True

    def _read(self) -> None:
        rest = bytearray()
        try:
            while not self._over:
                more = self._answer.read1(1 << 16)
                if not more:
                    break
                rest += more
                for picture in whole_pictures(rest):
                    t = time.monotonic() - self._begun
                    if not self._due.takes(t):
                        continue
                    with self._fresh:
                        self._newest = t, picture
                        self._fresh.notify_all()
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            self._answer.close()
            with self._fresh:
                self._over = True
                self._fresh.notify_all()


def whole_pictures(rest: bytearray) -> Iterator[bytes]:
    """The JPEG pictures that are whole in what has come; ``rest`` keeps what may become one."""
    while (begin := rest.find(_BEGINS)) >= 0:
        del rest[:begin]
        end = picture_end(rest)
        if end == 0 and len(rest) <= MAX_PICTURE_BYTES:
            return
        if end > 0:
            yield bytes(rest[:end])
        del rest[: max(end, 2)]
    del rest[:-2]  # no picture; a beginning may be cut in two


def picture_end(data: bytes | bytearray) -> int:
    """Where the picture ends with which this begins: behind its end, or where the next one begins instead. 0: its end has not
    come yet; -1: this is no picture. What lies in a segment, as a thumbnail, is passed over (ITU T.81, B.1)."""
    at, scanned = 2, False
    while at + 4 <= len(data):
        marker = data[at + 1]
        if data[at] != 0xFF:
            return -1
        if marker == 0xFF:  # a byte that fills
            at += 1
        elif marker in (0xD8, 0xD9):
            return at + (2 if marker == 0xD9 else 0) if scanned else -1
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            if marker == 0xDA:
                scanned = True
                following = NEXT_MARKER.search(data, at)
                if following is None:
                    return 0
                at = following.end() - 2
    return at + 2 if scanned and data[at : at + 2] == _ENDS else 0


def _newest(stream: _Mjpeg, source: str, going: Callable[[], bool]) -> Iterator[Picture]:
    t = -1.0
    try:
        while True:
            found = stream.after(t, going)
            if found is None:
                raise SourceError(eyes.SILENT, source=plain(source), seconds=live.STALE_SECONDS)
            t, data = found
            image = opened(data)
            if image is not None:
                yield Picture(t, np.asarray(image, np.uint8))
    finally:
        stream.stop()
