"""The games of the ledger: listed, replayed step by step, downloaded, taken in from a file after the engine has checked it."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import PurePath
from typing import ParamSpec

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.clock import night_of
from companion.dashboard import recap
from companion.dashboard.answers import PAGE, answer, refused, why_not
from companion.dashboard.days import date_text, game_text
from companion.dashboard.endpoint import NUMBER, TABLE_LOG, VIEW, Form, documented, guarded_for
from companion.dashboard.feed import Feed, Snapshot, replay_step, replayed
from companion.dashboard.limits import FORM_BYTES, max_bytes
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.organiser.guard import paired_phone
from companion.dashboard.organiser.showable import Unshown, check_log
from companion.dashboard.past_games import BY_API, Archive, GameView, seen_text
from companion.dashboard.settings import DEFAULTS
from companion.dashboard.setup.state import page
from companion.games import game_of_log, replay_log
from companion.ledger import DELETED, Ledger
from companion.line.chains import games_before, last_parts, part_of, stands_before, went_on_as
from companion.referee.reasons import NAME_MISSING
from companion.table.errors import GameError, Malformed, Reason
from companion.table.language import LANGS, N_
from companion.table.log import Line, numbered, write_lines
from companion.table.renaming import names_of
from companion.table.text import plain_name

MAX_LOG_BYTES = 5_000_000
"""Bytes of a table log that is taken in: many times those of the longest evening."""

MAX_LOG_LINES = 20_000
"""Lines of a table log that is taken in: twice those of the longest evening, 150 hands with every card."""

P = ParamSpec("P")

archive = Blueprint("archive", __name__)


class Taken(msgspec.Struct, frozen=True):
    """A game that was taken in: its ``id`` in the ledger."""

    id: int


def install(app: Flask, ledger: Ledger) -> None:
    """Add the pages and the API of past games to this application."""
    app.extensions["archive"] = Archive(ledger)
    app.register_blueprint(archive)


def _archive() -> Archive:
    found: Archive = current_app.extensions["archive"]
    return found


def _ledger() -> Ledger:
    return _archive().ledger


def why_not_taken(error: GameError) -> str:
    """What is wrong with a file, and in which line. What has no words in the page's language becomes a general sentence."""
    why = str(error) if chosen() == "en" else why_not(error, chosen()) if error.code else _("this is no line of a table log")
    if error.line is None or chosen() == "en":
        return why
    return _("line {line}: {why}").format(line=error.line, why=why)


def take_in(ledger: Ledger, data: bytes, source: str) -> int:
    """Store a table log as a finished game of the ledger, and return its id. Raises GameError, which names the line, or Unshown
    where a page cannot show it; nothing is stored then."""
    if (count := sum(1 for line in data.split(b"\n") if line.strip())) > MAX_LOG_LINES:
        why = Reason("too_many_lines", N_("{count} lines are more than an evening has"))
        raise Malformed(why, expected=f"at most {MAX_LOG_LINES} lines", line=MAX_LOG_LINES + 1, count=count)
    lines, _ = replay_log(data)
    for (number, _raw), line in zip(numbered(data), lines, strict=True):
        if not all(map(plain_name, names_of(line.event))):
            raise Malformed(NAME_MISSING, expected="a name", line=number)
    if not (played := game_of_log(lines)).has_pages:
        raise Malformed(f"games of {played.id} are not kept here yet", expected="a log of a game that has pages")
    check_log(Snapshot(None, 0, played, replayed(played, lines), DEFAULTS), LANGS[0])
    return ledger.begin(lines, source=source, archived=True)


def unless_open(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view of past games, which paired phones may see, and everybody while an organiser has opened them."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if paired_phone() is None and not _archive().book.open:
            return refused("unpaired", 401)
        return view(*args, **kwargs)

    return guarded_for("phone", guarded)


@archive.get("/api/games")
@documented(answer=list[GameView])
@unless_open
def api_games() -> ResponseReturnValue:
    """[The games of the ledger](#past-games), the newest first. For everybody while an organiser has opened them.

    Nothing in it that spectators may not know.
    """
    return answer(_archive().public_json())


@archive.get("/api/games/<int:game>/log")
@documented(answer=TABLE_LOG)
@unless_open
def api_log(game: int) -> ResponseReturnValue:
    """The table log of one of them, as everybody at the table has seen it; for everybody while an organiser has
    opened the past games. 404: no such game."""
    snapshot = _snapshot(game, None)
    return _download(game, snapshot.game.id, snapshot.log())


@archive.get("/api/games/<int:game>/view")
@documented(answer=VIEW, query={"step": NUMBER})
@unless_open
def api_view(game: int) -> ResponseReturnValue:
    """What the TV showed after `?step=N` lines (from 1; the last where it is left out), as `/api/game`. 404 as above."""
    return answer(_snapshot(game, request.args.get("step", type=int)).view(chosen()))


@archive.post("/api/games")
@documented(body=TABLE_LOG, answer=Taken, also=(400, 422))
@max_bytes(MAX_LOG_BYTES)
@organiser_only
def api_take_in() -> ResponseReturnValue:
    """Takes in the table log that is the request's body, 5 MB at most, into the archive: `{"id": 2}`. 400: it cannot have
    happened, with `error` and `line`. 422: the pages cannot show it."""
    data = request.get_data(cache=False) if (request.content_length or 0) <= MAX_LOG_BYTES else b""
    if not data:
        return _no_log(400)
    try:
        return answer(Taken(take_in(_ledger(), data, BY_API)))
    except GameError as error:
        return refused(str(error), 400, why_not_taken(error), line=error.line)
    except Unshown:
        return refused("unshown", 422)


def _no_log(status: int) -> ResponseReturnValue:
    return refused(why := "expected a table log of at most 5 MB as the request's body", status, why)


@archive.get("/setup/games")
@documented()
@organiser_only
def listing() -> ResponseReturnValue:
    """Past games."""
    return _listing()


def _listing(problem: str | None = None, status: int = 400) -> ResponseReturnValue:
    games, gone = _archive().games(), _archive().deleted()
    seen_by = {game.id: seen_text(game.source) for game in games}
    nights = [(day, tuple(of_night)) for day, of_night in groupby(games, _night)]
    parts = went_on_as(_ledger())
    parts = {game.id: parts[game.id] for game in games if game.id in parts and not game.over}
    listed = {game.id: game for game in games}
    last = last_parts(_ledger(), (game.id for game in games if not game.over))
    lasts = {game: listed[part] for game, part in last.items() if part in listed}

    def many(of_night: Iterable[GameView]) -> int:
        """How many games these are, those in parts as one."""
        return len({part_of(parts, game.id) or game.id for game in of_night})

    return page("setup/games", status if problem else 200, nights=nights, went_on=parts, lasts=lasts, many=many, when=_when,
                date_text=date_text, seen_by=seen_by, problem=problem, gone=gone, open=_archive().book.open, recap=recap.kept(),
                 deleted=session.pop("deleted", None))  # fmt: skip


def _night(game: GameView) -> datetime.date:
    return night_of(datetime.datetime.fromisoformat(game.started).timestamp())


def _when(game: GameView) -> str:
    return game_text(datetime.datetime.fromisoformat(game.started).timestamp(), chosen())


@archive.post("/setup/games/open")
@documented(body=Form(("open",)))
@organiser_only
def open_past() -> ResponseReturnValue:
    """`open`: 1 opens past games to everybody in the network, otherwise they are for paired phones."""
    _archive().book.open_past(to_all=request.form.get("open") == "1")
    return redirect(url_for("archive.listing"))


@archive.errorhandler(413)
def too_large(error: Exception) -> ResponseReturnValue:
    """A file that is larger than a game can be: nothing of it is read."""
    if request.path.startswith("/api/"):
        return _no_log(413)
    return _listing(_("The file is too large for a game."), 413)


@archive.post("/setup/games")
@documented(body=Form(files=("log",)), also=(400,))
@max_bytes(MAX_LOG_BYTES + FORM_BYTES)
@organiser_only
def upload() -> ResponseReturnValue:
    """Form with a file `log`: takes a table log in."""
    file = request.files.get("log")
    if file is None or not file.filename:
        return _listing(_("Choose a file."))
    with file.stream as stream:
        data = stream.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        return _listing(_("The file is too large for a game."))
    try:
        game = take_in(_ledger(), data, PurePath(file.filename.replace("\\", "/")).name)
    except GameError as error:
        return _listing(_("The file will not do: {why}").format(why=why_not_taken(error)))
    except Unshown:
        message = PAGE["unshown"]
        return _listing(_(message), 422)
    session["notice"] = _("The game is sound: it is in the archive.")
    return redirect(url_for("archive.replay_page", game=game))


@archive.get("/setup/games/<int:game>")
@documented(query={"step": NUMBER})
@organiser_only
def replay_page(game: int) -> ResponseReturnValue:
    """A game step by step, as it was after `?step=N` lines. Lines that stand in for what nobody told are no steps."""
    whole = _snapshot(game, None)
    snapshot, step, lines = replay_step(whole, request.args.get("step", type=int))

    def at(step: int) -> str:
        return url_for("archive.replay_page", game=game, step=lines[step - 1])

    return page("setup/replay", game=game, view=snapshot.view(chosen()), step=step, steps=len(lines), at=at)


@archive.get("/setup/games/<int:game>/log")
@documented(answer=TABLE_LOG)
@organiser_only
def full_log(game: int) -> ResponseReturnValue:
    """Its table log with everything that is known."""
    lines = _lines(game)
    return _download(game, game_of_log(lines).id, write_lines(lines))


def _lines(game: int) -> tuple[Line, ...]:
    lines = _ledger().lines(game)
    if not lines or DELETED in _ledger().notes(game):
        abort(404, "nothing is recorded of this game")
    return lines


def _snapshot(game: int, step: int | None) -> Snapshot:
    lines = _lines(game)
    upto = len(lines) if step is None else min(max(step, 1), len(lines))
    feed: Feed = current_app.extensions["dashboard"]
    played = game_of_log(lines)
    before = games_before(_ledger(), stands_before(_ledger(), game), feed.settings.view.sure_from)
    return Snapshot(game, upto, played, replayed(played, lines[:upto]), feed.settings, before=before)


def _download(game: int, game_id: str, log: bytes) -> Response:
    response = Response(log, mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="{game_id}-{game}.jsonl"'
    response.headers["Cache-Control"] = "no-store"
    return response
