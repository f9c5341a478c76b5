"""The security headers that every answer has."""

from __future__ import annotations

from flask import Flask, Response

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
"""Content security policy: nothing from elsewhere, no script in a page. A player's name that is markup stays a name."""

NOTHING = "default-src 'none'"
"""The policy of answers that are no pages."""

PLAIN = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with less, a browser's own forms would come from "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Those that do not depend on what is answered."""


def never_kept(response: Response) -> Response:
    """Nothing of a page is kept by the browser: it holds the session's token, what only organisers may see, or somebody who may
    be forgotten by then."""
    response.headers["Cache-Control"] = "no-store"
    return response


def install(app: Flask, policy: str = POLICY, **other: str) -> None:
    """These headers on every answer of an application; ``other`` values by name, with an underscore for a hyphen."""
    headers = {**PLAIN, "Content-Security-Policy": policy, **{name.replace("_", "-"): value for name, value in other.items()}}

    @app.after_request
    def secured(response: Response) -> Response:
        response.headers.update(headers)
        return response
