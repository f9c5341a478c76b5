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
from companion.dashboard.endpoint import documented
from companion.dashboard.https import HttpsServer
from companion.dashboard.sessions import unsigned
from companion.ledger import FilmingPhone, FilmingPhones
from companion.line.camera import Camera
from companion.line.phone_camera import PHONE, PhoneCamera

TOKEN_SECONDS = 24 * 3600
"""Seconds for which a phone that was let in may send, also after a restart: an evening."""
MAX_INVITATIONS = 4
"""Number of codes that are valid at once: more than one organiser may look at one."""
CODE_SECONDS = 3600.0
"""Seconds after which a code that nobody has scanned is no longer taken."""


class PhoneDoor:
    """The way in for a phone's pictures: `open` serves `companion.dashboard.phone_app` over HTTPS.

    ``inbox``: where the pictures go. ``host`` and ``port`` (0: any free one): where HTTPS is served. ``file``: where its
    certificate is kept. ``app``: what it serves; None before `serves`. Any thread may ask. ``clock``: seconds, never going back.
    """

    def __init__(
        self, inbox: PhoneCamera, host: str, port: int, file: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.inbox = inbox
        self._host, self._port, self._file, self._clock = host, port, file, clock
        self._lock = threading.Lock()
        self.app: Flask | None = None
        self._signer = URLSafeTimedSerializer(secrets.token_bytes())
        self._https: HttpsServer | None = None
        self._invited: dict[str, float] = {}
        self._came: dict[str, str] = {}
        self._phones = FilmingPhones()
        self._chosen_again = False

    def serves(self, app: Flask, key: bytes, phones: FilmingPhones | None = None) -> None:
        """What is behind the door: an application made once, the key that signs the tokens, and where it is kept whose token
        counts; None: in memory."""
        self.app, self._signer = app, URLSafeTimedSerializer(key, salt="phone-camera")
        self._phones = phones or FilmingPhones()

    def chosen(self, *, films: bool) -> None:
        """An organiser chooses a phone as the camera: no token of before counts any more. ``films``: a phone is the camera
        already, and stays it until another one comes with the code that is shown now."""
        with self._lock:
            self._chosen_again = films
            if not films:
                self._phones.withdraw_all()
                self.inbox.shut_out()

    def admitted(self) -> tuple[FilmingPhone, ...]:
        """The phones that may film, who came last first."""
        return self._phones.all()

    def shut_out(self, id: str) -> None:
        """From now on nothing that this phone sends is taken; it needs a new code."""
        with self._lock:
            if (gone := self._phones.withdraw(id)) is not None:
                self.inbox.shut_out(gone.phone)
                self._invited = {code: made for code, made in self._invited.items() if self._came.get(code) != gone.phone}

    def open(self) -> int:
        """Serve from now on, with a certificate for the addresses that this machine has now; returns the port. Again: checks the
        certificate.

        Raises:
            CannotServe: the port is taken, or the certificate cannot be kept.
        """
        with self._lock:
            assert self.app is not None, "serves() comes first"
            urls = reachable(self._host, self._port)
            pem = certificate(self._file, [name for url in urls if (name := urlsplit(url).hostname)])
            if self._https is None:
                self._https = HttpsServer(self.app, self._host, self._port, pem, phone_app.Doorkeeper(self))
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
            for old in list(self._invited)[:-MAX_INVITATIONS]:
                del self._invited[old]
            self._came = {code: phone for code, phone in self._came.items() if code in self._invited}
            self.inbox.wait_for_another()
            return code

    def let_in(self, code: str, phone: str, kind: str = "") -> str | None:
        """The token of a phone that comes with a code; None where the code is no longer (or never was) good.

        A code is good for one phone. That one may come with it again, as an answer can get lost. ``kind``: such as "iPhone".
        """
        with self._lock:
            made = self._invited.get(code)
            if made is None or self._clock() - made >= CODE_SECONDS or self._came.setdefault(code, phone) != phone:
                return None
            alone = self._chosen_again and any(one.phone != phone for one in self._phones.all())
            admitted = self._phones.admit(phone, kind, alone=alone)
            if alone:
                self._chosen_again = False
                self.inbox.take_over(phone)
        self.inbox.joined()
        return str(self._signer.dumps([phone, admitted.id]))

    def who(self, token: str) -> str | None:
        """The phone whose token this is; None for nobody's, an old one, or one that was shut out."""
        try:
            signed = unsigned(self._signer, token, TOKEN_SECONDS)
        except BadData:
            return None
        admitted = self._phones.find(signed[1]) if isinstance(signed, list) and len(signed) == 2 else None
        return admitted.phone if admitted is not None and admitted.phone == signed[0] else None  # type: ignore[index]


def install(app: Flask, camera: Camera | None, door: PhoneDoor | None) -> None:
    """The door for this application, and the page that its code leads to first."""
    app.extensions["phone_door"] = door
    if door is not None and camera is not None:
        own = phone_app.create(door, app.extensions["dashboard"], lambda: camera.status().source == PHONE)
        door.serves(own, app.extensions["phones"].key(), FilmingPhones(app.extensions["ledger"]))

    @app.get("/camera")
    @documented()
    def before_camera() -> ResponseReturnValue:
        """What the filming phone's code leads to first: why its browser will warn, and the link to HTTPS."""
        found = phone_door()
        return render_template("camera_before.html", port=found.port if found is not None else None)


def phone_door() -> PhoneDoor | None:
    """That of the application that is being asked; None where a phone cannot be the camera."""
    found: PhoneDoor | None = current_app.extensions["phone_door"]
    return found
