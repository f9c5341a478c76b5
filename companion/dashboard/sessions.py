"""Signed texts that outlive a clock that is put right, back or forward (`companion.clock`). A cookie that came over HTTPS goes
over nothing else, and a browser keeps one for each program of a host: cookies do not know ports."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flask import Flask, Request, Response, has_request_context, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

from companion.clock import CLOCK


def unsigned(serializer: URLSafeTimedSerializer, text: str, max_age: float) -> object:
    """What was signed. A text from the future was signed before the clock went back: it counts; so does one that is old only
    because the clock went forward while this program ran. Raises BadSignature, or SignatureExpired after ``max_age`` seconds."""
    value, signed = serializer.loads(text, return_timestamp=True)
    if CLOCK.age(signed.timestamp()) > max_age:
        raise SignatureExpired("signed too long ago", payload=text, date_signed=signed)
    return value


USUAL_PORT = 8000
"""Of `companion serve`; at any other port the cookie's name says it, and two programs of one machine have a cookie each."""
_MOST = 10
"""Cookies that are looked at: nobody has had more programs on a machine."""
_UNTIL = re.compile(r"; Expires=[^;]*")


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions, but for that; a browser counts their seconds by its own clock."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the session's cookie with how long it lasts, where Flask says until when: by a clock that may be wrong."""
        super().save_session(app, session, response)
        lasts = f"; Max-Age={app.permanent_session_lifetime.total_seconds():.0f}"
        cookies = response.headers.getlist("Set-Cookie")
        response.headers.remove("Set-Cookie")
        for cookie in cookies:
            own = cookie.startswith(f"{self.get_cookie_name(app)}=") and "Max-Age" not in cookie
            response.headers.add("Set-Cookie", _UNTIL.sub(lasts, cookie) if own else cookie)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie is for HTTPS alone: one that is given over it is."""
        return has_request_context() and request.is_secure

    def get_cookie_name(self, app: Flask) -> str:
        """What the cookie is called: as the configuration says, and the port behind it where that is not the usual one."""
        name, port = super().get_cookie_name(app), app.extensions["pairing"].port
        return f"{name}-{port}" if port not in (0, USUAL_PORT) else name

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of the request's cookie; an empty one where there is none that counts."""
        found = self.read(app, request.cookies)
        return None if found is None else self.session_class(found)

    def read(self, app: Flask, cookies: Mapping[str, str]) -> dict[str, object] | None:
        """What our cookie says; empty where there is none that counts; None while there is no key. Where the program had another
        port before, it is known by its signature: other programs of the host have other keys."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        own, plain = self.get_cookie_name(app), super().get_cookie_name(app)
        ours = sorted((name for name in cookies if name == plain or name.startswith(f"{plain}-")), key=lambda name: name != own)
        for name in ours[:_MOST]:
            try:
                found = unsigned(serializer, cookies[name], app.permanent_session_lifetime.total_seconds())
            except BadSignature:
                continue
            if isinstance(found, dict):
                return found
        return {}
