"""Who may change something: a paired phone, from a page of this very server.

The phone's token is in a signed cookie that scripts cannot read; the ledger has its digest. A request that changes something also
carries the session's CSRF token, which no other site can know, and its Origin, where the browser sends one, is this site.
"""

from __future__ import annotations

import functools
import ipaddress
import secrets
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec
from urllib.parse import urlsplit

from flask import Flask, current_app, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.http import parse_cookie

from companion.dashboard import transfer
from companion.dashboard.answers import refused
from companion.dashboard.endpoint import guarded_for
from companion.dashboard.limits import Sessions
from companion.ledger import Phone, Phones

P = ParamSpec("P")
_SAFE = ("GET", "HEAD", "OPTIONS")
_TOKEN, _CSRF = "phone", "csrf"
_BETWEEN = ("x-forwarded", "forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-original-")
"""The beginnings of the names of headers that a proxy adds."""


def organiser_only(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view for paired phones alone, whose changes must come from a page of this program.

    Others are sent to `/pair`, and back afterwards; under `/api` they get 401. A change (any method but GET, HEAD, OPTIONS)
    without the session's `csrf_token` in the header ``X-CSRF-Token`` or the form's field ``csrf`` gets 403.
    """

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if paired_phone() is None:
            if request.path.startswith("/api/"):
                return refused("unpaired", 401)
            return redirect(url_for("pairing.pair", next=request.full_path.rstrip("?")))
        if request.method not in _SAFE and not from_our_page():
            return refused("csrf", 403)
        return view(*args, **kwargs)

    return guarded_for("phone", guarded)


def machine_only(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view for a browser on this very machine, under a name that only it has, such as localhost; others get 403. Changes are
    guarded as by `organiser_only`."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if not on_this_machine():
            return refused("machine", 403)
        if request.method not in _SAFE and not from_our_page():
            return refused("csrf", 403)
        return view(*args, **kwargs)

    return guarded_for("machine", guarded)


def paired_phone() -> Phone | None:
    """The phone that asks, None for everybody else. Raises LedgerError."""
    if "phone" not in g:
        phones: Phones = current_app.extensions["phones"]
        token = session.get(_TOKEN)
        g.phone = phones.find(token) if isinstance(token, str) else None
    phone: Phone | None = g.phone
    return phone


class Doorkeeper:
    """Recognises paired phones by their cookie, for the front (`companion.dashboard.front.gate.Doorkeeper`)."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._sessions = app.session_interface
        self._phones: Phones = app.extensions["phones"]

    def claims(self, environ: Mapping[str, Any]) -> bool:
        """Whether the request's cookie was signed by this program."""
        return self._token(environ) is not None

    def knows(self, environ: Mapping[str, Any]) -> bool:
        """Whether the phone of the cookie is still paired. Raises LedgerError."""
        token = self._token(environ)
        return token is not None and self._phones.find(token) is not None

    def _token(self, environ: Mapping[str, Any]) -> str | None:
        assert isinstance(self._sessions, Sessions)
        text = environ.get("HTTP_COOKIE", "")
        token = (self._sessions.read(self._app, parse_cookie(text)) or {}).get(_TOKEN) if text else None
        return token if isinstance(token, str) else None


def remember(token: str) -> None:
    """Store this token in the cookie of the phone that asks."""
    session.clear()
    session.permanent = True
    session[_TOKEN] = token


def forget() -> None:
    """Remove the token from the cookie of the phone that asks."""
    session.clear()


def csrf_token() -> str:
    """The session's CSRF token, which this program's pages send with every change; made when it is first asked for."""
    transfer.secret()
    if not isinstance(session.get(_CSRF), str):
        session[_CSRF] = secrets.token_urlsafe(32)
    return str(session[_CSRF])


def from_our_page() -> bool:
    """Whether the request carries the session's CSRF token, and comes from this site as far as the browser says."""
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    own = session.get(_CSRF)
    return from_this_site() and isinstance(own, str) and secrets.compare_digest(sent.encode(), own.encode())


def from_this_site() -> bool:
    """Whether the request's Origin is this site, or missing."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def on_this_machine() -> bool:
    """Whether a browser on this machine asks: from a loopback address, without a proxy, and under the name localhost or a
    loopback address."""
    if _carried():
        return False
    name = urlsplit(f"//{request.host}").hostname or ""
    return (name == "localhost" or _is_loopback(name)) and _is_loopback(request.remote_addr or "")


def _carried() -> bool:
    """Whether a proxy has sent the request: its headers say so, or it speaks as no browser does (HTTP/1.0, one request a
    connection)."""
    forwarded = any(name.lower().startswith(_BETWEEN) for name, _ in request.headers)
    once = "close" in request.headers.get("Connection", "").lower()
    return forwarded or once or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
