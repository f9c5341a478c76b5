"""Signed texts that outlive a clock that goes back: a machine without a battery wakes up in the past."""

from __future__ import annotations

import time

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer


def unsigned(serializer: URLSafeTimedSerializer, text: str, max_age: float) -> object:
    """What was signed. A text from the future was signed before the clock went back: it counts. Raises BadSignature, or
    SignatureExpired after ``max_age`` seconds."""
    value, signed = serializer.loads(text, return_timestamp=True)
    if time.time() - signed.timestamp() > max_age:
        raise SignatureExpired("signed too long ago", payload=text, date_signed=signed)
    return value


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions, but for that."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of the request's cookie; an empty one where there is none that counts."""
        found = self.read(app, request.cookies.get(self.get_cookie_name(app)))
        return None if found is None else self.session_class(found)

    def read(self, app: Flask, cookie: str | None) -> dict[str, object] | None:
        """What a cookie says; empty where it says nothing that counts; None while there is no key."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        try:
            found = unsigned(serializer, cookie, app.permanent_session_lifetime.total_seconds()) if cookie else {}
        except BadSignature:
            return {}
        return found if isinstance(found, dict) else {}
