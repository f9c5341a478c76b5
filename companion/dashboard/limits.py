"""Limits of every request and answer: security headers, signed cookies, the size of a body."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from flask import Flask, Request, Response, abort, has_request_context, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, Map

from companion.clock import CLOCK

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
"""Content security policy: nothing from elsewhere, no script in a page. A player's name that is markup stays a name."""

LARGEST_ID = 2**63 - 1
"""The largest id that the ledger can give."""

NO_SOURCES = "default-src 'none'"
"""The policy of answers that are no pages."""

PLAIN = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with less, a browser's own forms would come from "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""The security headers that are the same for every answer."""


class Id(IntegerConverter):
    """A number in an address. One that is larger than any id of the ledger leads to no page (404)."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=LARGEST_ID)


def never_kept(response: Response) -> Response:
    """Forbid the browser to store an answer: it holds the session's token, something that only organisers may see, or the name of
    somebody who may have to be forgotten."""
    response.headers["Cache-Control"] = "no-store"
    return response


def never_kept_of_api(response: Response) -> Response:
    """Forbid the browser to store answers of the API, but for those that say themselves how long they may be kept."""
    return never_kept(response) if request.path.startswith("/api/") and "Cache-Control" not in response.headers else response


def kept_a_second(response: Response) -> Response:
    """Let any cache keep for a second an answer that is the same for everybody: of however many people look at a final on the
    internet, the program then answers one a second."""
    response.headers["Cache-Control"] = "public, max-age=1"
    return response


def install(app: Flask, policy: str = POLICY, **other: str) -> None:
    """Put the security headers on every answer of an application. ``policy``: of content; ``other``: more headers by name, with
    an underscore for a hyphen."""
    headers = {**PLAIN, "Content-Security-Policy": policy, **{name.replace("_", "-"): value for name, value in other.items()}}

    @app.after_request
    def secured(response: Response) -> Response:
        response.headers.update(headers)
        return response


# Signed texts that outlive a clock that is put right, back or forward (`companion.clock`). A cookie that came over HTTPS goes
# over nothing else, and a browser keeps one for each program of a host: cookies do not know ports.

def unsigned(serializer: URLSafeTimedSerializer, text: str, max_age: float) -> object:
    """The value that was signed. A text from the future is valid: the clock was put back since. So is one that is older than
    ``max_age`` seconds only because the clock was put forward while this program ran. Raises BadSignature, SignatureExpired."""
    value, signed = serializer.loads(text, return_timestamp=True)
    if CLOCK.age(signed.timestamp()) > max_age:
        raise SignatureExpired("signed too long ago", payload=text, date_signed=signed)
    return value


USUAL_PORT = 8000
"""The default port of `companion serve`. At any other port the cookie's name holds the port, so that two programs of one machine
have a cookie each."""
_MAX_COOKIES = 10
"""Number of cookies that are looked at: nobody has had more programs on a machine."""
_UNTIL = re.compile(r"; Expires=[^;]*")


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions, in cookies that survive a change of the clock, one for each program of a machine. A cookie tells its
    lifetime in seconds, which the browser counts by its own clock."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the session's cookie with its lifetime (Max-Age), where Flask would send the time of its end by a clock that may
        be wrong."""
        super().save_session(app, session, response)
        lasts = f"; Max-Age={app.permanent_session_lifetime.total_seconds():.0f}"
        cookies = response.headers.getlist("Set-Cookie")
        response.headers.remove("Set-Cookie")
        for cookie in cookies:
            own = cookie.startswith(f"{self.get_cookie_name(app)}=") and "Max-Age" not in cookie
            response.headers.add("Set-Cookie", _UNTIL.sub(lasts, cookie) if own else cookie)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie is for HTTPS alone: it is where this request came over HTTPS."""
        return has_request_context() and request.is_secure

    def get_cookie_name(self, app: Flask) -> str:
        """The cookie's name from the configuration, followed by the port where that is not `USUAL_PORT`."""
        name, port = super().get_cookie_name(app), app.extensions["pairing"].port
        return f"{name}-{port}" if port not in (0, USUAL_PORT) else name

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session in the request's cookie; an empty one where no cookie is valid."""
        found = self.read(app, request.cookies)
        return None if found is None else self.session_class(found)

    def read(self, app: Flask, cookies: Mapping[str, str]) -> dict[str, object] | None:
        """The values in this program's cookie; empty where no cookie is valid, None while there is no key. A cookie that the
        program set at another port is recognised by its signature, as other programs of the host have other keys."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        own, plain = self.get_cookie_name(app), super().get_cookie_name(app)
        ours = sorted((name for name in cookies if name == plain or name.startswith(f"{plain}-")), key=lambda name: name != own)
        for name in ours[:_MAX_COOKIES]:
            try:
                found = unsigned(serializer, cookies[name], app.permanent_session_lifetime.total_seconds())
            except BadSignature:
                continue
            if isinstance(found, dict):
                return found
        return {}


# A body may have 64 kB, or what its view allows with `max_bytes`, and that from paired phones only. It is enforced twice: by the
# front, which reads nothing that is longer, and by Flask.

P = ParamSpec("P")
Returned = TypeVar("Returned")

MAX_BYTES = 64 * 1024
"""The most bytes of a request's body: of every stranger's, and of a paired phone's unless the view allows more."""
FORM_BYTES = 64 * 1024
"""Bytes of a form, without the file in it."""
_NAME = "most_bytes"


def max_bytes(most: int) -> Callable[[Callable[P, Returned]], Callable[P, Returned]]:
    """A view that takes a body of at most ``most`` bytes from a paired phone. A larger one gets 413, unread."""

    def decorate(view: Callable[P, Returned]) -> Callable[P, Returned]:
        setattr(view, _NAME, most)  # wrappers made with functools.wraps carry it on
        return view

    return decorate


def room_for(app: Flask, method: str, path: str, *, known: bool) -> int:
    """The most bytes that a request's body may have. ``path``: as in WSGI's PATH_INFO; ``known``: a paired phone asks."""
    if not known:
        return MAX_BYTES
    try:
        endpoint, _ = app.url_map.bind("").match(path.encode("latin-1").decode(errors="replace"), method)
    except HTTPException:
        return MAX_BYTES
    return int(getattr(app.view_functions[str(endpoint)], _NAME, MAX_BYTES))


def limit(app: Flask, known: Callable[[], bool], refusal: Callable[[], ResponseReturnValue]) -> None:
    """Have Flask limit the bodies of this application's requests. ``known``: whether a paired phone asks, whose body is refused
    at once where it is too large; a stranger's is when a view reads it. ``refusal``: makes the answer, where a blueprint has no
    other."""

    @app.before_request
    def bounded() -> None:
        friend = bool(request.content_length) and known()
        view = app.view_functions.get(request.endpoint or "")
        request.max_content_length = int(getattr(view, _NAME, MAX_BYTES)) if friend else MAX_BYTES
        if friend and (request.content_length or 0) > request.max_content_length:
            abort(413)

    @app.errorhandler(413)
    def too_large(error: Exception) -> ResponseReturnValue:
        return refusal()
