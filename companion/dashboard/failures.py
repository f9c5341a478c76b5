"""What is answered when something cannot be had: JSON for scripts, a sentence for people; and what the table is told of a disk
that takes nothing more."""

from __future__ import annotations

import datetime
import logging

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.exceptions import HTTPException

from companion.dashboard.organiser.guard import refused
from companion.dashboard.organiser.reasons import PAGE
from companion.ledger import Trouble, UnknownGame
from companion.table.errors import LedgerError, OnlyLookedAt
from companion.table.language import N_, Lang, catalogue

_log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Answers for this application. No answer names a file of this machine: the program's terminal does."""

    @app.errorhandler(LedgerError)
    def not_recorded(error: LedgerError) -> ResponseReturnValue:
        if isinstance(error, OnlyLookedAt):
            return _refusal("only_shown", 409)
        _log.error("%s", error)
        return _refusal("ledger", 503)

    @app.errorhandler(UnknownGame)
    def unknown(error: UnknownGame) -> ResponseReturnValue:
        return _refusal("unknown", 404)

    @app.errorhandler(OverflowError)
    def no_such_number(error: OverflowError) -> ResponseReturnValue:
        if "SQLite" not in str(error):
            raise error
        return _refusal("unknown", 404)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        if error.response is not None:
            return error
        if not _by_script():
            return _page(error)
        code = error.name.lower().replace(" ", "_")
        answer = refused(code, error.code or 500, error.description)
        for name, value in error.get_headers():
            if name not in ("Content-Type", "Content-Length"):
                answer.headers[name] = value
        return answer


WHY = {
    404: N_("There is no such page"),
    405: N_("This page cannot be asked in this way"),
    429: N_("Too much at once: wait a moment"),
    500: N_("The program has failed at this: its terminal says why"),
    503: N_("The program cannot answer now: try again in a moment"),
}
"""What people are told of a status; of any other that it was no valid request."""


def _page(error: HTTPException) -> Response:
    """What people are told, on a page in their language, with the error's own headers."""
    code = error.code or 500
    message = WHY.get(code, PAGE["malformed"])
    text = gettext(message)
    answer = Response(render_template("refused.html", said=text, code=code), code)
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers[name] = value
    return answer


def trouble_text(trouble: Trouble, lang: Lang) -> str:
    """What the table is told while the disk takes nothing."""
    _ = catalogue(lang).gettext
    since = datetime.datetime.fromtimestamp(trouble.since).strftime("%H:%M")
    texts = {
        "full": _("The disk is full: nothing is saved since {time}. Make room, and leave the computer on; the game goes on"),
        "read_only": _("The disk cannot be written: nothing is saved since {time}. Leave the computer on; the game goes on"),
        "failing": _("The disk fails: nothing is saved since {time}. Leave the computer on; the game goes on"),
    }[trouble.what]
    return texts.format(time=since)


def _refusal(error: str, status: int) -> ResponseReturnValue:
    if _by_script():
        return refused(error, status)
    return Response(f"{gettext(PAGE[error])}\n", status, mimetype="text/plain")


def _by_script() -> bool:
    """Whether a script asks, which reads JSON."""
    return request.path.startswith("/api/") or request.path.endswith(".json") or "X-CSRF-Token" in request.headers
