"""The requests of tables to a hall: `POST /api/hall/table/pair`, `hello`, `send`, `leave` and `kept`, over HTTPS or from
this very machine."""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Callable

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec.structs import replace

from companion.dashboard.answers import answer, posted, refused
from companion.dashboard.limits import max_bytes
from companion.hall.context import the_hall
from companion.hall.intake import Unwelcome
from companion.hall.messages import MAX_BODY_BYTES, PROTOCOL, WHY, Fetch, Hello, Leave, Left, Pair, Send
from companion.hall.seats import NotLetIn, Seat

tables = Blueprint("tables", __name__)


def _no(code: str, status: int) -> Response:
    return refused(code, status, _(WHY[code]))


def _token() -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def _private() -> bool:
    """Whether nobody on the way can read the request."""
    try:
        return request.is_secure or ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def of_table(view: Callable[[Seat], ResponseReturnValue]) -> Callable[[], ResponseReturnValue]:
    """A view that gets the table whose token the request carries. Requests over plain HTTP from elsewhere get 403, those without
    a table's token 401, too many of them 429."""

    @functools.wraps(view)
    def guarded() -> ResponseReturnValue:
        if not _private():
            return _no("https", 403)
        token = _token()
        seat = the_hall().seats.find(token) if token else None
        if seat is None:
            return _no("taken_over" if the_hall().seats.taken_over(token) else "unknown_table", 401)
        if the_hall().seats.asks_too_often(seat):
            abort(429)
        try:
            return view(seat)
        except Unwelcome as unwelcome:
            return _no(unwelcome.code, 400 if unwelcome.code == "torn" else 409)

    return guarded


@tables.post("/api/hall/table/pair")
def pair() -> ResponseReturnValue:
    """A table joins with the hall's code."""
    if not _private():
        return _no("https", 403)
    wish, hall = posted(Pair), the_hall()
    if not hall.code.opens(wish.code):
        return _no("wrong_code", 403)
    try:
        paired = hall.seats.pair(wish, goes_on=hall.intake.keeps_all, own=_token())
    except ValueError:
        return _no("torn", 400)
    except NotLetIn as taken:
        return _no(taken.code, 409)
    hall.bell.ring()
    return answer(paired)


@tables.post("/api/hall/table/hello")
@of_table
def hello(seat: Seat) -> ResponseReturnValue:
    """A sender begins; the answer says what the hall has."""
    said = posted(Hello)
    if said.protocol > PROTOCOL:
        return _no("update", 409)
    welcome = the_hall().intake.welcome(seat, said)
    the_hall().bell.ring()
    return answer(welcome)


@tables.post("/api/hall/table/send")
@max_bytes(MAX_BODY_BYTES)
@of_table
def send(seat: Seat) -> ResponseReturnValue:
    """Take in the next rows; the answer holds the commands for the table."""
    hall = the_hall()
    taken = hall.intake.take(seat, posted(Send))
    if taken.games:
        hall.showing.changed(taken.games)
    elif taken.other:
        hall.bell.ring()
    return answer(replace(taken.sent, bell=hall.tournament.rung()))


@tables.post("/api/hall/table/leave")
@of_table
def leave(seat: Seat) -> ResponseReturnValue:
    """A table leaves, so that nobody waits for it."""
    posted(Leave)
    the_hall().seats.leave(seat)
    the_hall().bell.ring()
    return answer(Left())


@tables.post("/api/hall/table/kept")
@of_table
def kept(seat: Seat) -> ResponseReturnValue:
    """The next part of the game of a table whose machine was lost."""
    return answer(the_hall().intake.fetched(seat, posted(Fetch)))
