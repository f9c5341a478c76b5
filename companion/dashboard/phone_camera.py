"""How a phone becomes the camera: a code that lets it in once, a token that lets it send, and HTTPS, opened when asked for."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, current_app, render_template
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeTimedSerializer

from companion.dashboard import phone_app
from companion.dashboard.addresses import reachable
from companion.dashboard.certificate import certificate
from companion.dashboard.https import HttpsServer
from companion.dashboard.sessions import unsigned
from companion.line.camera import Camera
from companion.line.phone_camera import PHONE, PhoneCamera

TOKEN_SECONDS = 24 * 3600
"""A phone that was let in may send for an evening, also after a restart."""
INVITATIONS = 4
"""Codes that may be open at once: more than one organiser may look at one."""
CODE_SECONDS = 3600.0
"""A code that nobody has scanned for so long is no longer taken."""


class PhoneDoor:
    """The way in for a phone's pictures: `open` serves `companion.dashboard.phone_app` over HTTPS.

    ``inbox``: where the pictures go. ``host`` and ``port`` (0: any free one): where HTTPS is served. ``file``: where its
    certificate is kept. Any thread may ask. ``clock``: seconds, never going back.
    """

    def __init__(
        self, inbox: PhoneCamera, host: str, port: int, file: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.inbox = inbox
        self._host, self._port, self._file, self._clock = host, port, file, clock
        self._lock = threading.Lock()
        self._app: Flask | None = None
        self._signer = URLSafeTimedSerializer(secrets.token_bytes())
        self._https: HttpsServer | None = None
        self._invited: dict[str, float] = {}
        self._came: dict[str, str] = {}

    def serves(self, app: Flask, key: bytes) -> None:
        """What is behind the door: an application made once, and the key that signs the tokens."""
        self._app, self._signer = app, URLSafeTimedSerializer(key, salt="phone-camera")

    def open(self) -> int:
        """Serve from now on, with a certificate for the addresses that this machine has now; returns the port. Again: checks the
        certificate.

        Raises:
            CannotServe: the port is taken, or the certificate cannot be kept.
        """
        with self._lock:
            assert self._app is not None, "serves() comes first"
            urls = reachable(self._host, self._port)
            pem = certificate(self._file, [name for url in urls if (name := urlsplit(url).hostname)])
            if self._https is None:
                self._https = HttpsServer(self._app, self._host, self._port, pem, phone_app.Doorkeeper(self))
            else:
                self._https.certified(pem)
            return self._https.port

    @property
    def port(self) -> int | None:
        """Where HTTPS is served; None before it is."""
        return self._https.port if self._https is not None else None

    def close(self) -> None:
        """Serve no more."""
        with self._lock:
            if self._https is not None:
                self._https.close()
                self._https = None

    def invitation(self) -> str:
        """A code for one phone: the newest that nobody has come with yet, else a new one."""
        with self._lock:
            now = self._clock()
            self._invited = {code: made for code, made in self._invited.items() if now - made < CODE_SECONDS}
            waiting = [code for code in self._invited if code not in self._came]
            if waiting:
                return waiting[-1]
            code = secrets.token_urlsafe(16)
            self._invited[code] = now
            for old in list(self._invited)[:-INVITATIONS]:
                del self._invited[old]
            self._came = {code: phone for code, phone in self._came.items() if code in self._invited}
            self.inbox.wait_for_another()
            return code

    def let_in(self, code: str, phone: str) -> str | None:
        """The token of a phone that comes with a code; None where the code is no longer (or never was) good.

        A code is good for one phone. That one may come with it again, as an answer can get lost.
        """
        with self._lock:
            made = self._invited.get(code)
            if made is None or self._clock() - made >= CODE_SECONDS or self._came.setdefault(code, phone) != phone:
                return None
        self.inbox.joined()
        return str(self._signer.dumps(phone))

    def who(self, token: str) -> str | None:
        """The phone whose token this is; None for nobody's, or an old one."""
        try:
            phone = unsigned(self._signer, token, TOKEN_SECONDS)
        except BadData:
            return None
        return phone if isinstance(phone, str) else None


def install(app: Flask, camera: Camera | None, door: PhoneDoor | None) -> None:
    """The door for this application, and the page that its code leads to first."""
    app.extensions["phone_door"] = door
    if door is not None and camera is not None:
        own = phone_app.create(door, app.extensions["dashboard"], lambda: camera.status().source == PHONE)
        door.serves(own, app.extensions["phones"].key())

    @app.get("/camera")
    def before_camera() -> ResponseReturnValue:
        """What will happen on the phone, before its browser warns of a certificate that nobody vouches for."""
        found = phone_door()
        return render_template("camera_before.html", port=found.port if found is not None else None)


def phone_door() -> PhoneDoor | None:
    """That of the application that is being asked; None where a phone cannot be the camera."""
    found: PhoneDoor | None = current_app.extensions["phone_door"]
    return found
