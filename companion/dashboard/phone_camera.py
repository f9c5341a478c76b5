"""How a phone becomes the camera: a code that lets one phone in, a token with which it sends pictures, and the application that
takes them, served over HTTPS once an organiser chooses a phone."""

from __future__ import annotations

import math
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from flask import Flask, current_app, render_template, request
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeTimedSerializer
from jinja2 import DictLoader
from msgspec import DecodeError, Struct, json

from companion.assets import asset
from companion.dashboard import limits, locale, source, transfer
from companion.dashboard.answers import answer
from companion.dashboard.endpoint import JPEG, documented
from companion.dashboard.feed import Feed
from companion.dashboard.front.server import HttpsServer
from companion.dashboard.limits import unsigned
from companion.dashboard.network import certificate, reachable
from companion.dashboard.script_words import house_title
from companion.ledger import FilmingPhone, FilmingPhones
from companion.line.camera import Camera
from companion.line.phone_camera import MAX_BYTES, PHONE, PhoneCamera

# The application: the phone's page, where its pictures go, and nothing else of the house. Every request carries a token that only
# that page knows. There are no cookies, so no other site can make a browser send anything here.

_POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
_TEMPLATES = ("base.html", "camera.html")
_PHONE = re.compile(r"[0-9a-f]{32}")
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
_STATUS = {"kept": 200, "late": 200, "fast": 429, "other": 409, "bad": 415}


class Coming(Struct, frozen=True):
    """A phone that comes with a ``code``. ``phone``: how it calls itself, 32 hexadecimal digits that it has drawn by lot."""

    code: str
    phone: str


class Token(Struct, frozen=True):
    """What the phone sends with everything from now on."""

    token: str


Verdict = Literal["kept", "late", "unwanted", "fast", "other", "bad", "unpaired"]


class Said(Struct, frozen=True):
    """What became of what the phone sent: ``kept``, or why it was not."""

    said: Verdict


def create(door: PhoneDoor, feed: Feed, wanted: Callable[[int], bool]) -> Flask:
    """The application that takes pictures from phones. ``wanted``: whether an organiser has chosen a phone as the camera with
    this number, from 1."""
    web = asset("web")
    app = Flask(__name__, static_folder=None)
    # Its own pages alone: those of the house need filters and words that this application does not have.
    app.jinja_loader = DictLoader({name: (web / "templates" / name).read_text("utf-8") for name in _TEMPLATES})
    transfer.install(app, web / "static")
    app.extensions["dashboard"] = feed
    app.context_processor(lambda: {"house": house_title()})
    locale.install(app, remembers=False)

    limits.install(app, _POLICY, Referrer_Policy="no-referrer", Permissions_Policy="camera=(self), microphone=(), geolocation=()")

    app.after_request(limits.never_kept)

    def phone() -> str | None:
        return _bearer(door, request.headers.get("Authorization", ""))

    limits.limit(app, lambda: phone() is not None, lambda: _answer("bad", 413))

    @app.get("/")
    @documented()
    def page() -> ResponseReturnValue:
        """The camera's page. It begins with the code in its fragment, which no request carries."""
        return render_template("camera.html", source_at=source.ARCHIVE)

    @app.post("/join")
    @documented(body=Coming, answer=Token, also=(400, 401), refusal=Said)
    def join() -> ResponseReturnValue:
        """`{"code": …, "phone": …}` → `{"token": …}`. `code`: of the QR code, good for one phone and an hour. `phone`: 32
        hexadecimal digits that the phone has drawn by lot. 401: no such code (any more). The token is good for a day, also after
        a restart."""
        try:
            coming = json.decode(request.get_data(), type=Coming)
        except DecodeError:
            return _answer("bad", 400)
        token = door.let_in(coming.code, coming.phone, _kind()) if _PHONE.fullmatch(coming.phone) else None
        return answer(Token(token)) if token is not None else _answer("unpaired", 401)

    @app.post("/picture")
    @documented(body=JPEG, answer=Said, also=(409, 415, 429), refusal=Said, who="token")
    @limits.max_bytes(MAX_BYTES)
    def picture() -> ResponseReturnValue:
        """A JPEG picture, 2 MB and 4096 pixels a side at most. `X-Taken`: when it was taken, in milliseconds of a clock of the
        page that never goes back; `X-Page`: the page, told apart from earlier ones. Answers below."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        if not wanted(door.view_of(who)):
            return _answer("unwanted", 200)
        verdict = door.inbox_of(who).put(who, *_when(), request.get_data())
        return _answer(verdict, _STATUS[verdict])

    @app.post("/take")
    @documented(answer=Said, refusal=Said, who="token")
    def take() -> ResponseReturnValue:
        """This phone is the camera from now on, whichever was before."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        door.inbox_of(who).take_over(who)
        return _answer("kept", 200)

    @app.post("/away")
    @documented(answer=Said, refusal=Said, who="token")
    def away() -> ResponseReturnValue:
        """The page is hidden or closed; headers as above: what was taken before does not count any more."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        door.inbox_of(who).away(who, *_when())
        return _answer("kept", 200)

    @app.get(source.ARCHIVE)
    @documented(answer="application/zip")
    def archive() -> ResponseReturnValue:
        """The source of the program that answers."""
        return source.archive()

    @app.get("/cards/<name>")
    @documented(answer="image/svg+xml")
    def card(name: str) -> ResponseReturnValue:
        """A drawing."""
        return transfer.sent(web / "cards", name, max_age=0)

    return app


class Doorkeeper:
    """Recognises phones that film by their token, for the front (`companion.dashboard.front.gate.Doorkeeper`)."""

    def __init__(self, door: PhoneDoor) -> None:
        self._door = door

    def claims(self, environ: Mapping[str, Any]) -> bool:
        """Whether the request carries the valid token of a phone."""
        return _bearer(self._door, environ.get("HTTP_AUTHORIZATION", "")) is not None

    def knows(self, environ: Mapping[str, Any]) -> bool:
        """As `claims`, which has checked everything."""
        return self.claims(environ)


def _bearer(door: PhoneDoor, header: str) -> str | None:
    """The phone whose valid token is in this Authorization header; None for none."""
    scheme, _, token = header.partition(" ")
    return door.who(token) if scheme == "Bearer" else None


def _kind() -> str:
    """The kind of device that asks, such as "iPhone", from its User-Agent; "" where that names none."""
    agent = request.headers.get("User-Agent", "")
    return next((kind for kind in _KINDS if kind in agent), "")


def _answer(verdict: Verdict, status: int) -> ResponseReturnValue:
    return answer(Said(verdict)), status


def _when() -> tuple[str, float]:
    """The id of the page that sends a picture, and when it was taken, in seconds of the page's clock; nan where the header holds
    no number."""
    try:
        taken = float(request.headers.get("X-Taken", "")) / 1000
    except ValueError:
        taken = math.nan
    return request.headers.get("X-Page", "")[:64], taken


TOKEN_SECONDS = 24 * 3600
"""Seconds for which a phone that was let in may send, also after a restart: an evening."""
MAX_INVITATIONS = 4
"""Number of codes that are valid at once: more than one organiser may look at one."""
CODE_SECONDS = 3600.0
"""Seconds after which a code that nobody has scanned is no longer taken."""


class PhoneDoor:
    """Lets phones in and takes their pictures: `open` serves the application of `create` over HTTPS. Any thread may ask.
    ``inbox``: takes the first camera's pictures, ``further``: those of a second and a third camera; ``host``, ``port`` (0: any
    free one): where HTTPS is served; ``file``: holds its certificate; ``clock``: seconds, never going back; ``app``: what is
    served, None before `serves`."""

    def __init__(
        self, inbox: PhoneCamera, host: str, port: int, file: Path, clock: Callable[[], float] = time.monotonic,
        further: Sequence[PhoneCamera] = (),
    ) -> None:  # fmt: skip
        self.inbox, self._inboxes = inbox, (inbox, *further)
        self._host, self._port, self._file, self._clock = host, port, file, clock
        self._lock = threading.Lock()
        self.app: Flask | None = None
        self._signer = URLSafeTimedSerializer(secrets.token_bytes())
        self._https: HttpsServer | None = None
        self._invited: dict[str, tuple[float, int]] = {}
        """Code → when it was made, and for which camera."""
        self._came: dict[str, str] = {}
        self._phones = FilmingPhones()
        self._chosen_again = set[int]()

    def serves(self, app: Flask, key: bytes, phones: FilmingPhones | None = None) -> None:
        """Set what `open` serves: the application ``app``, with the key that signs the tokens; ``phones``: keeps the phones whose
        tokens are valid, None: in memory alone."""
        self.app, self._signer = app, URLSafeTimedSerializer(key, salt="phone-camera")
        self._phones = phones or FilmingPhones()

    def chosen(self, *, films: bool, view: int = 1) -> None:
        """Take in that an organiser has chosen a phone as the camera with the number ``view``: the tokens given for it so far
        become invalid. ``films``: a phone is that camera already, and stays so until another one comes with the code that is
        shown now."""
        with self._lock:
            self._chosen_again = self._chosen_again | {view} if films else self._chosen_again - {view}
            if not films:
                self._phones.withdraw_all(view)
                self.inbox_for(view).shut_out()

    def admitted(self) -> tuple[FilmingPhone, ...]:
        """The phones that may film, the last one to come first."""
        return self._phones.all()

    def shut_out(self, id: str) -> None:
        """Refuse all that this phone sends from now on, until it comes with a new code."""
        with self._lock:
            if (gone := self._phones.withdraw(id)) is not None:
                self.inbox_for(gone.view).shut_out(gone.phone)
                self._invited = {code: made for code, made in self._invited.items() if self._came.get(code) != gone.phone}

    def inbox_for(self, view: int) -> PhoneCamera:
        """What takes the pictures of the camera with this number, from 1."""
        return self._inboxes[min(view, len(self._inboxes)) - 1]

    def view_of(self, phone: str) -> int:
        """The number of the camera that this phone is, from 1."""
        return next((one.view for one in self._phones.all() if one.phone == phone), 1)

    def inbox_of(self, phone: str) -> PhoneCamera:
        """What takes this phone's pictures."""
        return self.inbox_for(self.view_of(phone))

    def open(self) -> int:
        """Serve from now on, with a certificate for the addresses that this machine has now; returns the port. Called again, it
        only renews the certificate where the addresses have changed.

        Raises:
            CannotServe: the port is taken, or the certificate cannot be kept.
        """
        with self._lock:
            assert self.app is not None, "serves() comes first"
            urls = reachable(self._host, self._port)
            pem = certificate(self._file, [name for url in urls if (name := urlsplit(url).hostname)])
            if self._https is None:
                self._https = HttpsServer(self.app, self._host, self._port, pem, Doorkeeper(self))
            else:
                self._https.certified(pem)
            return self._https.port

    @property
    def port(self) -> int | None:
        """The port at which HTTPS is served; None before `open`."""
        return self._https.port if self._https is not None else None

    def close(self) -> None:
        """Stop serving."""
        with self._lock:
            if self._https is not None:
                self._https.close()
                self._https = None

    def invitation(self, view: int = 1) -> str:
        """A code with which one phone becomes the camera with the number ``view``: the newest that no phone has used yet, else a
        new one."""
        with self._lock:
            now = self._clock()
            self._invited = {code: made for code, made in self._invited.items() if now - made[0] < CODE_SECONDS}
            waiting = [code for code, (_, of) in self._invited.items() if code not in self._came and of == view]
            if waiting:
                return waiting[-1]
            code = secrets.token_urlsafe(16)
            self._invited[code] = now, view
            for old in list(self._invited)[:-MAX_INVITATIONS]:
                del self._invited[old]
            self._came = {code: phone for code, phone in self._came.items() if code in self._invited}
            self.inbox_for(view).wait_for_another()
            return code

    def let_in(self, code: str, phone: str, kind: str = "") -> str | None:
        """The token for a phone that comes with a code; None where the code is not valid, or not any more.

        A code lets one phone in. That phone may come with it again, as the answer can get lost. ``kind``: of device, such as
        "iPhone".
        """
        with self._lock:
            made = self._invited.get(code)
            if made is None or self._clock() - made[0] >= CODE_SECONDS or self._came.setdefault(code, phone) != phone:
                return None
            view = made[1]
            others = any(one.phone != phone and one.view == view for one in self._phones.all())
            admitted = self._phones.admit(phone, kind, alone=view in self._chosen_again and others, view=view)
            if view in self._chosen_again and others:
                self._chosen_again = self._chosen_again - {view}
                self.inbox_for(view).take_over(phone)
        self.inbox_for(view).joined()
        return str(self._signer.dumps([phone, admitted.id]))

    def who(self, token: str) -> str | None:
        """The phone that this token was given to; None where the token is none, is too old, or the phone was shut out."""
        try:
            signed = unsigned(self._signer, token, TOKEN_SECONDS)
        except BadData:
            return None
        admitted = self._phones.find(signed[1]) if isinstance(signed, list) and len(signed) == 2 else None
        return admitted.phone if admitted is not None and admitted.phone == signed[0] else None  # type: ignore[index]


def install(app: Flask, camera: Camera | None, door: PhoneDoor | None) -> None:
    """Add the door to this application, and the page that the code in its QR code leads to first."""
    app.extensions["phone_door"] = door
    if door is not None and camera is not None:
        def wanted(view: int) -> bool:
            viewing = {1: camera, **{one.number: one for one in camera.further}}.get(view)
            return viewing is not None and viewing.status().source == PHONE

        own = create(door, app.extensions["dashboard"], wanted)
        door.serves(own, app.extensions["phones"].key(), FilmingPhones(app.extensions["ledger"]))

    @app.get("/camera")
    @documented()
    def before_camera() -> ResponseReturnValue:
        """What the filming phone's code leads to first: why its browser will warn, and the link to HTTPS."""
        found = phone_door()
        return render_template("camera_before.html", port=found.port if found is not None else None)


def phone_door() -> PhoneDoor | None:
    """The `PhoneDoor` of the current application; None where a phone cannot be the camera."""
    found: PhoneDoor | None = current_app.extensions["phone_door"]
    return found
