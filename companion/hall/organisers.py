"""The organisers' phone of a hall: all tables and all their open questions in one list; an answer goes to the right table."""

from __future__ import annotations

import datetime
import time
from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template, url_for
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from companion.dashboard import limits, transfer
from companion.dashboard.answers import answer, posted, refused
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import csrf_token, organiser_only, paired_phone
from companion.dashboard.organiser.pairing import pairing_state, qr
from companion.hall import roles
from companion.hall.context import the_hall
from companion.hall.database import Connection
from companion.hall.held import JOINS
from companion.hall.messages import LangTexts, OpenQuestion
from companion.hall.overview import State, tables
from companion.hall.phones import HallPhones
from companion.table.language import Lang, catalogue

COMMAND_SECONDS = 30.0
"""Seconds for which a command is valid: after that the organiser no longer looks at it."""
SHOWN_SECONDS = 60.0
"""Seconds for which the phone shows what became of an answer."""
SKEW_SECONDS = 30.0
"""Seconds that a table's clock may be wrong before organisers are told."""

organisers = Blueprint("organiser", __name__)
organisers.after_request(limits.never_kept)


class BranchView(Struct, frozen=True):
    """One of several branches of a table's game, each played on from a copy of its ledger: the ``game``'s id in the hall, what it
    has come to, whether it is shown."""

    game: int
    text: str
    shown: bool


class SeatView(Struct, frozen=True):
    """A table for organisers. ``silent``: since when nothing was heard of it, a sentence; ``notes``: what organisers should know
    of it, a sentence each; ``branches``: of the game that it shows, the newest first; empty unless there are several."""

    id: int
    name: str
    state: State
    silent: str
    notes: tuple[str, ...]
    questions: int
    branches: tuple[BranchView, ...]


class ChoiceView(Struct, frozen=True):
    """An answer to choose; ``id`` None: "don't know"."""

    id: str | None
    text: str


class TableQuestion(Struct, frozen=True):
    """An open question of a table; ``sent``: an answer is on its way."""

    table: int
    name: str
    id: str
    n: int
    text: str
    choices: tuple[ChoiceView, ...]
    sent: bool


class OutcomeView(Struct, frozen=True):
    """What became of an answer. ``ok``: the table has done it; where it has not, ``text`` says why."""

    id: int
    name: str
    ok: bool
    text: str


class CallView(Struct, frozen=True):
    """A table that calls the referee: its ``id``, the token of the ``call``, and a sentence about it."""

    table: int
    call: str
    text: str


class PhoneView(Struct, frozen=True):
    """All that the organisers' page shows. ``calls``: the oldest first. ``code``: with which tables join, and the ``address``
    that its QR code leads to. ``referee``: the phone is a referee's, and gets neither ``code`` nor ``phones``."""

    tables: tuple[SeatView, ...]
    calls: tuple[CallView, ...]
    questions: tuple[TableQuestion, ...]
    outcomes: tuple[OutcomeView, ...]
    code: str
    address: str
    referee: bool
    phones: tuple[roles.PhoneRow, ...]


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a table's question. ``tap``: a token of the tap, so that an answer that is sent twice is done once."""

    table: int
    question: Annotated[str, Meta(max_length=200)]
    choice: Annotated[str, Meta(max_length=200)] | None
    tap: Annotated[str, Meta(min_length=8, max_length=64)]


class Withdraw(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to remove from the hall."""

    table: int


class Choose(Struct, frozen=True, forbid_unknown_fields=True):
    """The branch of a table's game to show, by the ``game``'s id in the hall."""

    table: int
    game: int


class Dealt(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's call of the referee that has been dealt with."""

    table: int
    call: Annotated[str, Meta(min_length=1, max_length=60)]


def _phones() -> HallPhones:
    found: HallPhones = current_app.extensions["phones"]
    return found


def address() -> str:
    """The URL at which tables find this hall: over HTTPS, or on this very machine."""
    state = pairing_state()
    return state.urls[0] if state.urls else f"http://127.0.0.1:{state.port}"


@organisers.get("/organiser")
@organiser_only
def page() -> ResponseReturnValue:
    """The organisers' page."""
    lang = chosen()
    values = {
        "strings": _words(lang), "api": url_for("organiser.view", lang=lang), "answer": url_for("organiser.say", lang=lang),
        "withdraw": url_for("organiser.withdraw", lang=lang), "dealt": url_for("organiser.dealt", lang=lang),
        "branch": url_for("organiser.branch", lang=lang), "role": url_for("organiser.role", lang=lang),
        "code": url_for("organiser.code"), "table": url_for("table", table=0, lang=lang), "csrf": csrf_token(),
        "joins": JOINS,
    }  # fmt: skip
    if roles.asks_as_referee(_phones()):
        return render_template("hall/organiser.html", page=values, referee=True)
    return render_template("hall/organiser.html", page=values, command=_command(), referee=False)


def _command() -> str:
    """The line by which a table joins."""
    return JOINS.format(address=address(), code=the_hall().code.text())


@organisers.get("/organiser/code.svg")
@organiser_only
def code() -> ResponseReturnValue:
    """The line by which a table joins, as a QR code; a referee gets none."""
    if roles.asks_as_referee(_phones()):
        abort(404)
    picture = qr(_command()).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)  # as a file of its own has it
    return Response(picture, mimetype="image/svg+xml")


@organisers.get("/api/hall/organiser")
@organiser_only
def view() -> ResponseReturnValue:
    """All tables and all open questions."""
    hall, lang, now = the_hall(), chosen(), time.time()
    transfer.secret()  # the code, beside names that anybody may have given
    with hall.database.organiser() as connection:
        told, calls, branches = _notes(connection, lang), _calls(connection, lang), _branches(connection, lang)
        rows = connection.execute("SELECT seat, name, body FROM question JOIN seat_at ON seat_at.id = seat WHERE NOT withdrawn"
                                  " ORDER BY seat, place").fetchall()  # fmt: skip
        sent = connection.execute(
            "SELECT command.id, seat, name, body, status, message, until FROM command JOIN seat_at ON seat_at.id = command.seat"
            " WHERE said > %s ORDER BY command.id DESC LIMIT 50", (now - SHOWN_SECONDS,),
        ).fetchall()  # fmt: skip
    waiting = {(seat, _question_of(body)) for _, seat, _, body, status, _, until in sent if status is None and until > now}
    questions = tuple(_question(seat, name, body, waiting, lang) for seat, name, body in rows)
    with hall.database.viewing() as connection:
        seats = tuple(
            SeatView(row.id, row.name, hall.overview.state(row), hall.overview.silent(row, lang), told.get(row.id, ()),
                     row.questions, branches.get(row.id, ()))
            for row in tables(connection, lang)
        )
    outcomes = tuple(_outcome(*row, now=now, lang=lang) for row in sent if row[4] is not None or row[6] <= now)
    referee = roles.asks_as_referee(_phones())
    code, phones = ("", ()) if referee else (hall.code.text(), roles.rows(_phones()))
    return answer(PhoneView(seats, calls, questions, outcomes, code, address(), referee, phones))


@organisers.post("/api/hall/answer")
@organiser_only
def say() -> ResponseReturnValue:
    """Send an answer to a table's question; the table does what it says or refuses, as with an answer of its own phones."""
    wish, phone = posted(Wish), paired_phone()
    with the_hall().database.organiser() as connection:
        error = _order(connection, wish, phone.name if phone is not None else "", time.time())
    return refused(*error) if error is not None else view()


def _order(connection: Connection, wish: Wish, by: str, now: float) -> tuple[str, int] | None:
    """Leave the answer for its table, as the phone called ``by`` has sent it. Returns the code and the HTTP status where it is
    refused."""
    if connection.execute("SELECT 1 FROM command WHERE tap = %s", (wish.tap,)).fetchone() is not None:
        return None  # it came before; the table has perhaps done it, and asks no more
    row = connection.execute("SELECT body FROM question WHERE seat = %s AND id = %s", (wish.table, wish.question)).fetchone()
    if row is None:
        return "not_asked", 409
    asked = msgspec.json.decode(row[0], type=OpenQuestion)
    if wish.choice not in (choice.id for choice in asked.choices):
        return "malformed", 400
    body: dict[str, Any] = {
        "game": asked.game, "version": asked.version, "said": asked.said, "tap": wish.tap,
        "do": {"what": "answer", "question": asked.id, "choice": wish.choice},
    }  # fmt: skip
    connection.execute(
        "INSERT INTO command (seat, epoch, tap, by_phone, said, until, body)"
        " VALUES (%s, (SELECT epoch FROM hall), %s, %s, %s, %s, %s) ON CONFLICT (tap) DO NOTHING",
        (wish.table, wish.tap, by, now, now + COMMAND_SECONDS, msgspec.json.encode(body).decode()),
    )  # fmt: skip
    return None


@organisers.post("/api/hall/withdraw")
@organiser_only
def withdraw() -> ResponseReturnValue:
    """Remove this table from the hall."""
    the_hall().seats.withdraw(posted(Withdraw).table)
    the_hall().bell.ring()
    return view()


@organisers.post("/api/hall/dealt")
@organiser_only
def dealt() -> ResponseReturnValue:
    """Close a table's call of the referee, and let the table know."""
    done = posted(Dealt)
    with the_hall().database.organiser() as connection:
        connection.execute("UPDATE seat_at SET called = NULL WHERE id = %s AND call = %s", (done.table, done.call))
    the_hall().bell.ring()
    return view()


@organisers.post("/api/hall/branch")
@organiser_only
def branch() -> ResponseReturnValue:
    """Show this branch of a table's game until the table sends new rows."""
    wish, hall = posted(Choose), the_hall()
    with hall.database.organiser() as connection:
        connection.execute("UPDATE game SET chosen = (id = %s), told = true WHERE (ledger, number) ="
                           " (SELECT ledger, number FROM game WHERE id = %s AND seat = %s AND NOT gone)",
                           (wish.game, wish.game, wish.table))  # fmt: skip
    hall.bell.ring()
    return view()


@organisers.post("/api/hall/role")
@organiser_only
def role() -> ResponseReturnValue:
    """Make a phone a referee's, or an organiser's."""
    return view() if roles.give(_phones(), posted(roles.Role)) else refused("malformed", 400)


class _Come(Struct):
    """The part of a table's view that `_branches` reads."""

    hand: int = 0


def _branches(connection: Connection, lang: Lang) -> dict[int, tuple[BranchView, ...]]:
    """The branches of each table's game, where there are several."""
    _ = catalogue(lang).gettext
    rows = connection.execute(
        "SELECT seen.id, game.id, game.last, shown.view_it, game.id = seen.game"
        " FROM table_seen AS seen JOIN seat_at AS seat ON seat.id = seen.id"
        " JOIN game ON game.ledger = seat.ledger AND game.number = seen.shows AND NOT game.gone"
        " LEFT JOIN shown ON shown.game = game.id"
        " WHERE EXISTS (SELECT 1 FROM game AS more"
        " WHERE more.ledger = seat.ledger AND more.number = seen.shows AND more.branch > 0)"
        " ORDER BY seen.id, game.branch DESC"
    ).fetchall()
    found: dict[int, tuple[BranchView, ...]] = {}
    for seat, game, last, told, is_shown in rows:
        hand = (msgspec.json.decode(told, type=_Come | None) or _Come()).hand if told else 0
        text = _("Hand {n}, {versions} versions").format(n=hand, versions=last)
        found[seat] = (*found.get(seat, ()), BranchView(game, text, is_shown))
    return found


def _calls(connection: Connection, lang: Lang) -> tuple[CallView, ...]:
    """The tables that call the referee."""
    _ = catalogue(lang).gettext
    rows = connection.execute("SELECT id, call, name, called FROM seat_at WHERE called IS NOT NULL AND NOT withdrawn"
                              " ORDER BY called, id").fetchall()  # fmt: skip
    said = _("Table {name} calls the referee, since {time}")
    return tuple(
        CallView(id, call, said.format(name=name, time=f"{datetime.datetime.fromtimestamp(called):%H:%M}"))
        for id, call, name, called in rows
    )


def _question(seat: int, name: str, body: str, waiting: set[tuple[int, str]], lang: Lang) -> TableQuestion:
    asked = msgspec.json.decode(body, type=OpenQuestion)
    choices = tuple(ChoiceView(one.id, _in(one.text, lang)) for one in asked.choices)
    return TableQuestion(seat, name, asked.id, asked.n, _in(asked.text, lang), choices, (seat, asked.id) in waiting)


def _question_of(body: str) -> str:
    return str(msgspec.json.decode(body)["do"].get("question", ""))


def _in(texts: LangTexts, lang: Lang) -> str:
    return texts.get(lang, "") or next(iter(texts.values()), "")


def _outcome(
    id: int, seat: int, name: str, body: str, status: int | None, message: str, until: float, *, now: float, lang: Lang
) -> OutcomeView:
    _ = catalogue(lang).gettext
    if status == 200:
        return OutcomeView(id, name, True, _("Table {name}: done").format(name=name))
    if status is None:
        return OutcomeView(id, name, False, _("Table {name} did not hear it in time: it is not done").format(name=name))
    why = _in(msgspec.json.decode(message, type=LangTexts), lang) or _("it was refused")
    return OutcomeView(id, name, False, _("Table {name}: {why}").format(name=name, why=why))


def _notes(connection: Connection, lang: Lang) -> dict[int, tuple[str, ...]]:
    """What organisers should know of a table, as sentences: that its clock is wrong, that a copy of its ledger was played on
    with."""
    _ = catalogue(lang).gettext
    found: dict[int, tuple[str, ...]] = {}
    for seat, skew, branches in connection.execute(
        "SELECT seat.id, skew_s, (SELECT count(*) FROM game WHERE game.seat = seat.id AND NOT told AND game.number = seat.shows)"
        " FROM seat_at AS seat WHERE NOT withdrawn"
    ).fetchall():
        texts = []
        if abs(skew) > SKEW_SECONDS:
            minutes = round(abs(skew) / 60) or 1
            ahead = _("Its clock is {minutes} min ahead") if skew > 0 else _("Its clock is {minutes} min behind")
            texts.append(ahead.format(minutes=minutes))
        if branches:
            texts.append(_("It went on with a copy of its ledger: what came after the copy was made counts for nothing here"))
        found[seat] = tuple(texts)
    return found


def _words(lang: Lang) -> dict[str, str]:
    """The texts that the script of the organisers' page shows."""
    _ = catalogue(lang).gettext
    return {
        "table": _("Table {name}"), "hand": _("Hand {n}"), "none": _("No open questions"), "sent": _("On its way to the table…"),
        "live": _("live"), "silent": _("silent"), "over": _("over"), "withdraw": _("Remove"),
        "really": _("Really remove it? It has to join again"), "failed": _("It did not arrive: try again"),
        "no_table": _("No table has joined yet"), "dealt": _("Dealt with"),
        "referee": _("Referee"), "organiser": _("Organiser"), "own": _("this phone"),
        "to_referee": _("Make it a referee’s"), "to_organiser": _("Make it an organiser’s"),
        "sound_on": _("Sound for calls: off"), "sound_off": _("Sound for calls: on"),
        "show": _("Show this one"), "shown": _("shown"),
    }  # fmt: skip
