"""The whole HTTP API as one OpenAPI 3.1 document, `/api/openapi.json`. Each module beside says what one part of it answers.

`docs/http-api.md` has the same as tables: `tools/reference.py` writes them.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, current_app
from flask.typing import ResponseReturnValue

from companion.dashboard.encoding import encoded
from companion.dashboard.openapi import decks, organiser, pairing, phone_camera, season, setup, spectators
from companion.dashboard.openapi.document import document
from companion.dashboard.phone_camera import phone_door

SECTIONS = {
    "spectators": spectators.ENDPOINTS,
    "organiser": organiser.ENDPOINTS,
    "pairing": pairing.ENDPOINTS,
    "setup": setup.ENDPOINTS,
    "decks": decks.ENDPOINTS,
    "season": season.ENDPOINTS,
}
"""The addresses of the dashboard, by the section of the docs' page that has them."""

ENDPOINTS = tuple(one for section in SECTIONS.values() for one in section)

PHONE_CAMERA = phone_camera.ENDPOINTS
"""Those of the port over which a phone films."""

openapi = Blueprint("openapi", __name__)


def install(app: Flask) -> None:
    """Add `/api/openapi.json`."""
    app.register_blueprint(openapi)


@openapi.get("/api/openapi.json")
def told() -> ResponseReturnValue:
    """The document of the application that is asked."""
    app = current_app
    if "openapi" not in app.extensions:
        filming = PHONE_CAMERA if phone_door() is not None else ()
        app.extensions["openapi"] = encoded(document(app, ENDPOINTS, filming))
    return Response(app.extensions["openapi"], mimetype="application/json")
