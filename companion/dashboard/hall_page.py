"""The page on which an organiser lets this table join a hall, or leave it. It imports nothing of the hall: the application gets a
`HallDoor` that can do it, where the program has one."""

from __future__ import annotations

import re
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
    """The values to begin the form for joining a hall with. ``why``: a sentence that the table plays without the hall that it was
    told to join; "" where it was told to join none."""

    url: str = ""
    code: str = ""
    name: str = ""
    why: str = ""


class HallDoor(Protocol):
    """Lets one table join a hall and leave it. Any thread may ask; raises LedgerError."""

    def membership_text(self, lang: Lang) -> tuple[str, str] | None:
        """Two sentences: which hall the table has joined, and how the connection is; None where it has joined none."""
        ...

    def to_join(self, lang: Lang) -> ToJoin | None:
        """The values to begin the form for joining a hall with; None where the table is in a hall that takes what it sends."""
        ...

    def enter(self, url: str, code: str, name: str) -> None:
        """Join the hall at ``url``. Raises CompanionError where that is not possible."""
        ...

    def leave(self) -> None:
        """Leave the hall."""
        ...

    def call_referee(self, wanted: bool) -> None:
        """Call the hall's referee (``wanted``), or withdraw the call."""
        ...

    def called(self, lang: Lang) -> str:
        """Whether the hall has the call of the referee, as a sentence; "" where no call is open."""
        ...


def install(app: Flask) -> None:
    """Add the page to this application."""
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
        url, code, name = (request.form.get(key, "").strip() for key in ("url", "code", "name"))
        try:
            door.enter(*pasted(url, code), name)
        except CompanionError as error:
            return _page(_worded(error)), 422
    return redirect(url_for("hall_page.hall"))


def pasted(url: str, code: str) -> tuple[str, str]:
    """The hall's address and its code, also where the line that the hall shows was pasted whole in place of the address.

    >>> pasted("companion serve --host 0.0.0.0 --hall https://192.168.1.10:8101 --code ABCD-EFGH", "")
    ('https://192.168.1.10:8101', 'ABCD-EFGH')
    """
    found = {key: match[1] for key in ("hall", "code") if (match := re.search(rf"(?:--|—){key}[ =]+(\S+)", url))}
    return found.get("hall", url), found.get("code", code)


def _worded(error: CompanionError) -> str:
    """The error's message, in the page's language where it is translated."""
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
