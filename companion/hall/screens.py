"""Pages for everybody: the big screen with all tables, one table in full, and the same as JSON."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, abort, g, render_template, request, url_for
from msgspec.structs import replace

from companion.dashboard import limits
from companion.dashboard.answers import answer, encoded
from companion.dashboard.endpoint import EVENTS, TABLE_LOG, documented
from companion.dashboard.feed import Snapshot
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import guard
from companion.dashboard.organiser.pairing import pairing_state, qr
from companion.dashboard.script_words import own_file, roles, spectator_words
from companion.dashboard.season.context import theme as theme_asked
from companion.dashboard.settings import Shows
from companion.dashboard.spectators import Beat
from companion.dashboard.stream import Broadcasts, Follower, Frame, data_of, event, followed
from companion.games import GAMES, Game, first_game
from companion.hall.overview import HallView, Screen, TableRow
from companion.table.language import Lang, catalogue

if TYPE_CHECKING:
    from companion.hall.app import Hall

LOOK_SECONDS = 1.0
"""Seconds between two looks whether a table has fallen silent."""
PAUSE_SECONDS = 0.2
"""Seconds, at least, between two frames of a stream: thirty tables record faster than anybody looks."""
BIG_SECONDS = 5.0
"""Seconds for which a big moment fills the screen."""
FRESH_SECONDS = 0.5
"""Seconds for which what was looked at last holds, unless the bell was rung since."""
GONE = "gone"
"""Mark of a table that is none of the hall's any more."""
_NO_SHOWS = Shows(odds=False, moviola_after_s=0.0, played=0)


class _Source:
    """A stream's source (`companion.dashboard.stream.Source`) that looks again when the hall's bell is rung."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._heard = 0
        self._looked: dict[Lang, tuple[int, float]] = {}

    def look(self, lang: Lang, before: Frame | None) -> Frame:
        """The stream's next frame; the database is asked once the bell was rung, or for some time was not."""
        rung, now = self._hall.bell.count, time.monotonic()
        heard, looked = self._looked.get(lang, (-1, 0.0))
        if before is not None and heard == rung and now - looked < FRESH_SECONDS:
            return before
        self._heard, self._looked[lang] = rung, (rung, now)
        mark, data, notices = self._now(lang)
        same = before is not None and before.mark == mark
        view = before.view if before is not None and same else event("view", data(), mark)
        return Frame(mark, notices, view, event("beat", encoded(Beat(list(notices), _NO_SHOWS))))

    def wait(self, before: Frame, seconds: float) -> bool:
        """Wait until the bell is rung, at most this many ``seconds`` and `LOOK_SECONDS`. False: the server stops."""
        time.sleep(PAUSE_SECONDS)
        self._hall.bell.wait(self._heard, min(seconds, LOOK_SECONDS))
        return not self._hall.feed.stopped

    def _now(self, lang: Lang) -> tuple[str, Callable[[], bytes], tuple[str, ...]]:
        """A mark that differs where the view does, a function that gives the view as JSON, and the notices beside it."""
        raise NotImplementedError


class ScreenSource(_Source):
    """The source of the big screen."""

    def _now(self, lang: Lang) -> tuple[str, Callable[[], bytes], tuple[str, ...]]:
        data = encoded(self._hall.overview.screen(lang))
        return hashlib.sha256(data).hexdigest()[:16], lambda: data, ()


class TableSource(_Source):
    """The source of one table's page."""

    def __init__(self, hall: Hall, seat: int) -> None:
        super().__init__(hall)
        self._seat = seat

    def _now(self, lang: Lang) -> tuple[str, Callable[[], bytes], tuple[str, ...]]:
        row = self._hall.overview.table(self._seat, lang)
        if row is None:
            return GONE, lambda: _no_game(self._hall, lang, ""), ()
        silent = self._hall.overview.silent(row, lang)
        return _mark(row), lambda: _view(self._hall, row, lang), (silent,) if silent else ()


def _mark(row: TableRow) -> str:
    return f"{row.game or 0}.{row.version}.{row.problem}"


def _view(hall: Hall, row: TableRow, lang: Lang) -> bytes:
    if row.problem:
        return _no_game(hall, lang, catalogue(lang).gettext("The hall's program is older than this table's: update it"))
    return row.view.encode() if row.view is not None else _no_game(hall, lang, "")


def _no_game(hall: Hall, lang: Lang, message: str) -> bytes:
    view = Snapshot(None, 0, first_game(), (), hall.settings).view(lang)
    return encoded(replace(view, message=message) if message else view)


def game_of_view(row: TableRow) -> Game:
    """The game that a table plays; the first of `GAMES` where nothing is shown of it yet."""
    game_id = row.view.partition('"wing":"')[2].partition('"')[0] if row.view is not None else ""
    return GAMES.get(game_id, first_game())


def install(app: Flask, hall: Hall) -> None:
    """Add the pages for everybody."""
    screen = Broadcasts(ScreenSource(hall), hall.settings.heartbeat)
    streams: dict[int, Broadcasts] = {}
    lock = threading.Lock()

    def theme() -> str:
        return theme_asked() or "dark"

    def table_or_404(table: int) -> TableRow:
        g.table = table
        row = hall.overview.table(table, chosen())
        if row is None:
            abort(404, "no such table")
        return row

    @app.url_defaults
    def of_this_table(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "game" and "table" in g:
            values.setdefault("table", g.table)

    @app.get("/")
    @documented()
    def tv() -> Response:
        """The big screen: all tables at a glance."""
        lang, urls = chosen(), pairing_state().urls
        page = {
            "strings": _words(lang), "stream": url_for("screen_stream", lang=lang), "now": url_for("screen_now", lang=lang),
            "table": url_for("table", table=0,
                             lang=lang), "patience_s": hall.settings.patience, "big_s": BIG_SECONDS, "shows": {},
        }  # fmt: skip
        invitation = {"address": urls[0], "code": qr(f"{urls[0]}/organiser")} if urls else None
        return Response(render_template("hall/screen.html", page=page, theme=theme(), invitation=invitation))

    @app.get("/api/hall")
    @documented(answer=HallView)
    def api_hall() -> Response:
        """All tables, for programs."""
        return answer(hall.overview.view(chosen()))

    @app.get("/api/hall/stream")
    @documented(answer=EVENTS, also=(503,))
    def screen_stream() -> Response:
        """What the big screen shows, as server-sent events."""
        follower = Follower(request.headers.get("Last-Event-ID", ""))
        return followed(screen.of(chosen()), follower, hall.places, hall.settings.retry, own=guard.on_this_machine())

    @app.get("/api/hall/now")
    @documented(answer=Screen)
    def screen_now() -> Response:
        """What that stream would say, for pages that find no place there. With `?lang=` it is the same for everybody, and may be
        kept for a second."""
        return _now(screen, chosen())

    @app.get("/tables/<int:table>")
    @documented(also=(404,))
    def table(table: int) -> Response:
        """One table in full, as its own TV shows it."""
        row, lang = table_or_404(table), chosen()
        game, settings = game_of_view(row), hall.settings
        page = {
            "wing": game.id, "clockwise": game.pages.clockwise,
            "strings": {**spectator_words(lang), "roles": roles(lang), **game.pages.tv_words(lang)},
            "stream": url_for("table_stream", table=table, lang=lang), "now": url_for("table_now", table=table, lang=lang),
            "moviola": None, "var": None, "calls": None, "chances": None, "shows": {"odds": False, "moviola_after_s": 0,
                                                                                    "played": 0},
            "cards": url_for("card", name="CARD.svg"), "patience_s": settings.patience, "live_interval_s": settings.live_interval,
            "corrected_s": settings.corrected, "moment_s": settings.moment, "moviola_step_s": settings.moviola_step,
            "rest_s": settings.rest, "began": None,
        }  # fmt: skip
        name = catalogue(lang).gettext("Table {name}").format(name=row.name)
        return Response(render_template(
            "tv.html", page=page, title=f"{game.pages.title} · {name}", clockwise=game.pages.clockwise, charts=False, live=False,
            theme=theme(), invitation=None, own_script=own_file(game.id, "tv.js"), own_style=own_file(game.id, "tv.css"),
            all_tables=url_for("tv", lang=lang),
        ))  # fmt: skip

    def stream_of(table: int) -> Broadcasts:
        with lock:
            if table in streams:
                return streams[table]
        table_or_404(table)
        with lock:
            return streams.setdefault(table, Broadcasts(TableSource(hall, table), hall.settings.heartbeat))

    @app.get("/api/tables/<int:table>/game")
    @documented(also=(404,))
    def game(table: int) -> Response:
        """A table's game as its TV shows it."""
        return answer(_view(hall, table_or_404(table), chosen()))

    @app.get("/api/tables/<int:table>/stream")
    @documented(answer=EVENTS, also=(404, 503))
    def table_stream(table: int) -> Response:
        """The same as server-sent events."""
        table_or_404(table)
        follower = Follower(request.headers.get("Last-Event-ID", ""))
        broadcast = stream_of(table).of(chosen())
        return followed(broadcast, follower, hall.places, hall.settings.retry, own=guard.on_this_machine())

    @app.get("/api/tables/<int:table>/now")
    @documented(also=(404,))
    def table_now(table: int) -> Response:
        """What that stream would say; kept as `/api/hall/now`."""
        return _now(stream_of(table), chosen())

    @app.get("/api/tables/<int:table>/log")
    @documented(answer=TABLE_LOG, also=(404,))
    def table_log(table: int) -> Response:
        """A table's log as everybody has seen the game."""
        row = table_or_404(table)
        if row.game is None:
            abort(404, "no game yet")
        return Response(hall.overview.log(row.game), mimetype="application/x-ndjson")


def _now(broadcasts: Broadcasts, lang: Lang) -> Response:
    frame = broadcasts.of(lang).newest()
    if frame.mark == GONE:
        abort(404, "no such table")
    view = data_of(frame.view) if request.args.get("seen") != frame.mark else b"null"
    said = answer(b'{"id":"%s","view":%s,"beat":%s}' % (str(frame.mark).encode(), view, data_of(frame.beat)))
    return limits.kept_a_second(said) if request.args.get("lang") == lang else said  # else it is a cookie's language


def _words(lang: Lang) -> dict[str, str]:
    """The texts that the script of the big screen shows."""
    _ = catalogue(lang).gettext
    return {
        "table": _("Table {name}"), "over": _("over"), "silent": _("silent"), "unsure": _("? Not sure: please check"),
        "waiting": _("No game yet"), "questions": _("Questions: {n}"), "none": _("No table has joined yet"),
        "out": _("out"), "round": _("Round {n}"), "final": _("Final"), "bell": _("The bell"),
        "calls": _("Calls the referee"), "sound_on": _("Sound for calls: off"), "sound_off": _("Sound for calls: on"),
    }  # fmt: skip
