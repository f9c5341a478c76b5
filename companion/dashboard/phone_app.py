"""What the phone that is the camera gets over HTTPS, and nothing else of the house: its page, and where its pictures go.

Every request carries a token that only the phone's page knows. There are no cookies, so no other site can make a browser send
anything here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from flask import Flask, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue
from msgspec import DecodeError, Struct, json

from companion.assets import asset
from companion.dashboard import bodies, locale, secure, source
from companion.dashboard.encoding import answer
from companion.dashboard.endpoint import JPEG, documented
from companion.dashboard.feed import Feed
from companion.dashboard.wings import house_title
from companion.line.phone_camera import MOST_BYTES

if TYPE_CHECKING:
    from companion.dashboard.phone_camera import PhoneDoor

_POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
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


def create(door: PhoneDoor, feed: Feed, wanted: Callable[[], bool]) -> Flask:
    """The application. ``wanted``: whether the phone is the camera that was chosen."""
    web = asset("web")
    app = Flask(__name__, template_folder=str(web / "templates"), static_folder=str(web / "static"))
    app.extensions["dashboard"] = feed
    app.context_processor(lambda: {"house": house_title()})
    locale.install(app, remembers=False)

    secure.install(app, _POLICY, Referrer_Policy="no-referrer", Permissions_Policy="camera=(self), microphone=(), geolocation=()")

    app.after_request(secure.never_kept)

    def phone() -> str | None:
        return _bearer(door, request.headers.get("Authorization", ""))

    bodies.install(app, lambda: phone() is not None, lambda: _answer("bad", 413))

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
    @bodies.max_bytes(MOST_BYTES)
    def picture() -> ResponseReturnValue:
        """A JPEG picture, 2 MB and 4096 pixels a side at most. `X-Taken`: when it was taken, in milliseconds of a clock of the
        page that never goes back; `X-Page`: the page, told apart from earlier ones. Answers below."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        if not wanted():
            return _answer("unwanted", 200)
        verdict = door.inbox.put(who, *_when(), request.get_data())
        return _answer(verdict, _STATUS[verdict])

    @app.post("/take")
    @documented(answer=Said, refusal=Said, who="token")
    def take() -> ResponseReturnValue:
        """This phone is the camera from now on, whichever was before."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        door.inbox.take_over(who)
        return _answer("kept", 200)

    @app.post("/away")
    @documented(answer=Said, refusal=Said, who="token")
    def away() -> ResponseReturnValue:
        """The page is hidden or closed; headers as above: what was taken before does not count any more."""
        who = phone()
        if who is None:
            return _answer("unpaired", 401)
        door.inbox.away(who, *_when())
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
        return send_from_directory(web / "cards", name)

    return app


class Doorkeeper:
    """Who brings the token of a phone that was let in (`companion.dashboard.front.gate.Doorkeeper`)."""

    def __init__(self, door: PhoneDoor) -> None:
        self._door = door

    def claims(self, environ: Mapping[str, Any]) -> bool:
        """Whether there is such a token."""
        return _bearer(self._door, environ.get("HTTP_AUTHORIZATION", "")) is not None

    def knows(self, environ: Mapping[str, Any]) -> bool:
        """The same: a token counts until it is old."""
        return self.claims(environ)


def _bearer(door: PhoneDoor, header: str) -> str | None:
    """The phone whose token stands in this header."""
    scheme, _, token = header.partition(" ")
    return door.who(token) if scheme == "Bearer" else None


def _kind() -> str:
    """What sort of device asks, as far as it says so."""
    agent = request.headers.get("User-Agent", "")
    return next((kind for kind in _KINDS if kind in agent), "")


def _answer(verdict: Verdict, status: int) -> ResponseReturnValue:
    return answer(Said(verdict)), status


def _when() -> tuple[str, float]:
    """The page that sends this, and when by its clock, in seconds; nan where it says no number."""
    try:
        taken = float(request.headers.get("X-Taken", "")) / 1000
    except ValueError:
        taken = math.nan
    return request.headers.get("X-Page", "")[:64], taken
