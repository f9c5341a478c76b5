"""Answers and refusals of the pages: JSON for scripts, a sentence or a page for people; why the game's rules or a page have
refused something; and the sentence for the table while nothing can be written to the disk."""

from __future__ import annotations

import datetime
import json
import logging
from typing import Any, TypeVar

import msgspec
from flask import Flask, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import UNSET, Struct, UnsetType
from werkzeug.exceptions import HTTPException

from companion.decks import italian, italian_words
from companion.ledger import Trouble, UnknownGame
from companion.table.errors import GameError, LedgerError, OnlyLookedAt
from companion.table.language import N_, Lang, catalogue, filled
from companion.table.money import Minor, money
from companion.table.text import sentence


def encoded(value: object) -> bytes:
    """The value (structs, dicts, lists, numbers) as JSON."""
    try:
        return msgspec.json.encode(value)
    except OverflowError:  # a sum may have more digits than older msgspec writes
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":")).encode()


def answer(value: object, status: int = 200) -> Response:
    """The answer to a request with this value as JSON; ``bytes`` are taken to be JSON already."""
    return Response(value if isinstance(value, bytes) else encoded(value), status, mimetype="application/json")


PAGE: dict[str, str] = {
    "stale": N_("Something has changed meanwhile: look again"),
    "changed": N_("What it does has changed meanwhile: look again"),
    "unshown": N_("The program fails at showing this, so it was not recorded: enter it in another way, and report it, please"),
    "gone": N_("This hand is no more"),
    "no_game": N_("No game yet: begin an evening at /setup"),
    "contradicted": N_("Nothing that was seen agrees with it: correct the hand line by line"),
    "not_asked": N_("The question is no longer open"),
    "nothing": N_("There is nothing to undo or redo"),
    "unpaired": N_("This phone is not paired (any more): it needs the PIN"),
    "machine": N_("This page opens only on the computer that the program runs on"),
    "csrf": N_("The page is out of date: load it again"),
    "malformed": N_("Not a valid request"),
    "no_video": N_("No video is kept: the program was started without"),
    "no_ruling": N_("Nobody has paid in this hand"),
    "not_filmed": N_("The camera did not see what decided this hand: there is no video of it"),
    "video_gone": N_("The video of this hand is gone: only the last minutes are kept, and not over a restart"),
    "no_voice": N_(
        "This computer cannot speak yet: the person who set it up installs the program espeak-ng once, with internet: "
        "sudo apt install espeak-ng"
    ),
    "ledger": N_("The evening's file cannot be read or written: the terminal of the program's computer says why"),
    "only_shown": N_("The game is only shown here: it is changed where the evening's program runs"),
    "unknown": N_("There is no such game"),
    "hall_down": N_("The hall’s database does not answer: it is started again by itself"),
    "not_kept": N_("This game can be looked at, but not gone on with"),
}
"""Code of a refusal → the sentence for it."""


def why_not(error: GameError, lang: Lang) -> str:
    """Why the rules forbid something, as a sentence with the number of its rule. A reason without a code has its words in English
    only; in Italian a general sentence takes their place."""
    _ = catalogue(lang).gettext
    text = error.reason if lang == "en" else _("It cannot have been so")
    if error.code:
        said = {key: _as_words(key, value, lang) for key, value in error.values.items()}
        text = filled(error.text, said, lang)
    rule = _(" (rule {rule})").format(rule=error.rule) if error.rule is not None else ""
    return sentence(text) + rule


def _as_words(key: str, value: object, lang: Lang) -> object:
    """The value for a blank of a reason as people say it: sums of money with their sign, cards of Italian decks by their
    names."""
    if isinstance(value, Minor):
        return _as_sum(value, lang)
    return italian_words.card(value, lang) if key == "card" and isinstance(value, str) and value in italian.NAMES else value


def _as_sum(minor: int, lang: Lang) -> str:
    return ("−" if minor < 0 else "") + money(abs(minor), lang)


Asked = TypeVar("Asked")


class Instead(Struct, frozen=True):
    """What could be done instead: a command, ``do``, and the later lines that it goes ``without``, as sentences."""

    do: Any
    without: tuple[str, ...]


class Refusal(Struct, frozen=True):
    """What was not done. ``error``: why, as a code; ``message``: for people; ``view``: how it stands by now; ``instead``: what
    could be done; ``line``: of a log, None where no line is to blame."""

    error: str
    message: str
    view: dict[str, Any] | UnsetType = UNSET
    instead: Instead | UnsetType = UNSET
    line: int | UnsetType | None = UNSET


def refused(error: str, status: int, message: str | None = None, **more: Any) -> Response:
    """The answer to a request that is refused: JSON with the ``error``'s code, a ``message`` for people, by default the one of
    `PAGE`, and the keys of ``more``."""
    return answer(Refusal(error, message or _(PAGE[error]), **more), status)


def posted(kind: type[Asked]) -> Asked:
    """The request's body, read from JSON as a value of this ``kind``. Where it is none, the request is refused as ``malformed``,
    status 400."""
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        abort(refused("malformed", 400))


_log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Let this application answer errors in this way. No answer names a file of this machine; the log in the terminal does."""

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
"""HTTP status → the sentence that people read; for a status that is not here they read that the request is invalid."""


def _page(error: HTTPException) -> Response:
    """The page that tells people of an error in their language, with the error's own headers."""
    code = error.code or 500
    message = WHY.get(code, PAGE["malformed"])
    text = _(message)
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
        "full": _("The disk is full: nothing has been saved since {time}."
                  " Make room, and leave the computer on; the game goes on"),
        "read_only": _("The disk cannot be written: nothing has been saved since {time}."
                       " Leave the computer on; the game goes on"),
        "failing": _("The disk fails: nothing has been saved since {time}. Leave the computer on; the game goes on"),
    }[trouble.what]
    return texts.format(time=since)


def _refusal(error: str, status: int) -> ResponseReturnValue:
    if _by_script():
        return refused(error, status)
    return Response(f"{_(PAGE[error])}\n", status, mimetype="text/plain")


def _by_script() -> bool:
    """Whether the request comes from a script, which reads JSON."""
    return request.path.startswith("/api/") or request.path.endswith(".json") or "X-CSRF-Token" in request.headers
