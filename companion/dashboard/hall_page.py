"""The page on which an organiser lets this table join a hall, or leave it. Nothing of the hall is known here: who can do it is
given to the application (`HallDoor`), where there is somebody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from flask import Blueprint, Flask, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard import limits
from companion.dashboard.endpoint import Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import csrf_token, organiser_only
from companion.table.errors import CompanionError
from companion.table.language import Lang

hall_page = Blueprint("hall_page", __name__)
hall_page.after_request(limits.never_kept)
DOOR = "hall_door"
"""Name of the application's extension that is its `HallDoor`; set by the program that runs the evening."""


@dataclass(frozen=True)
class ToJoin:
    """What the form to join a hall begins with. ``why``: the table plays without the hall that it was to join; "" for none."""

    url: str = ""
    code: str = ""
    name: str = ""
    why: str = ""


class HallDoor(Protocol):
    """Joins a hall for one table. Any thread may ask; raises LedgerError."""

    def membership_text(self, lang: Lang) -> tuple[str, str] | None:
        """Which hall the table has joined, and how that stands, a sentence each; None where it has joined none."""
        ...

    def to_join(self, lang: Lang) -> ToJoin | None:
        """What the form to join a hall begins with; None where the table is in one that takes what it sends."""
        ...

    def enter(self, url: str, code: str, name: str) -> None:
        """Join the hall at ``url``. Raises CompanionError where that cannot be."""
        ...

    def leave(self) -> None:
        """Belong to no hall any more."""
        ...

    def call_referee(self, wanted: bool) -> None:
        """Call the referee of the hall; or withdraw the call."""
        ...

    def called(self, lang: Lang) -> str:
        """How the call of the referee stands, a sentence; "" where there is none."""
        ...


def install(app: Flask) -> None:
    """Add the page."""
    app.register_blueprint(hall_page)


def _door() -> HallDoor | None:
    found: HallDoor | None = current_app.extensions.get(DOOR)
    return found


@hall_page.get("/organiser/hall")
@documented()
@organiser_only
def hall() -> ResponseReturnValue:
    """Which [hall](hall.md) the table has joined, and how that stands; the form to join one."""
    return _page("")


@hall_page.post("/organiser/hall")
@documented(body=Form(("url", "code", "name", "leave", "referee")), also=(422,))
@organiser_only
def say() -> ResponseReturnValue:
    """Form: `url`, `code` and `name` to join a hall; or `leave`; or `referee`, `call` or `withdraw`. Redirects.
    422: it cannot be joined, and why."""
    door = _door()
    if door is None:
        return _page(_("This program follows no evening: no hall can be joined here")), 422
    if request.form.get("leave"):
        door.leave()
    elif referee := request.form.get("referee"):
        door.call_referee(referee == "call")
    else:
        try:
            door.enter(*(request.form.get(key, "").strip() for key in ("url", "code", "name")))
        except CompanionError as error:
            return _page(_worded(error)), 422
    return redirect(url_for("hall_page.hall"))


def _worded(error: CompanionError) -> str:
    """Why not, in the page's language where the error can say it."""
    sentence: Callable[[Lang], str] | None = getattr(error, "sentence", None)
    return sentence(chosen()) if sentence is not None else str(error)


def _page(problem: str) -> str:
    door = _door()
    told = door.membership_text(chosen()) if door is not None else None
    called = door.called(chosen()) if door is not None else ""
    to_join = door.to_join(chosen()) if door is not None else ToJoin()
    if to_join is not None and request.form:
        to_join = replace(to_join, **{key: request.form.get(key, "") for key in ("url", "code", "name")})
    problem = problem or (to_join.why if to_join is not None else "")
    return render_template("hall_join.html", told=told, called=called, problem=problem, csrf=csrf_token(), to_join=to_join)
