"""All tables of a hall at a glance: for programs, as `GET /api/hall` answers, and for the big screen.

It is read with the rights of spectators, from what `companion.hall.shown` has prepared for everybody. A table that was not heard
of for `SILENT_SECONDS` is never shown as live.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from companion.hall.database import Connection, Database
from companion.hall.shown import UPDATE
from companion.pages.view import Figure, RulingView
from companion.table.language import Lang, catalogue
from companion.tournament.acts import Ring
from companion.tournament.stu import PROPOSALS

SILENT_SECONDS = 8.0
"""Seconds of the hall's clock without a word from a table, after which it counts as silent."""
_TOMORROW_SECONDS = 20 * 3600.0

State = Literal["live", "silent", "over"]


class TableView(Struct, frozen=True):
    """A table for programs.

    Attributes:
        name: what people call it. game: the id, in its own ledger, of the game that it shows, 0: none. hand: as in the TV's view.
        version: of the game's log, as far as it is shown here. since_s: seconds since it was heard last, None: never.
        state: ``live``; ``silent``: not heard for `SILENT_SECONDS`; ``over``: its game is, and all of it is known.
        ruling: as in `/api/game`. questions: how many are open.
    """

    name: str
    game: int
    hand: int
    version: int
    since_s: float | None
    state: State
    ruling: RulingView | None
    questions: int


class HallView(Struct, frozen=True):
    """What `GET /api/hall` gives. ``round``: the number of the tournament's round that is on; None: none."""

    tables: tuple[TableView, ...]
    round: int | None


class PlayerTile(Struct, frozen=True):
    """A player on the big screen: the ``name``, what they have, whether they are out, and how the ruling changes what they
    have."""

    name: str
    has: str
    out: bool
    change: str


class Tile(Struct, frozen=True):
    """A table on the big screen. ``id``: of the hall, for its own page; ``silent``: a sentence, "" while it is live; ``waits``:
    what the table waits for; ``big``: what is to fill the screen, with a ``mark`` by which it is shown once; ``call``: by which
    its open call of the referee is rung once, "" for none."""

    id: int
    name: str
    state: State
    silent: str
    hand: str
    players: tuple[PlayerTile, ...]
    figures: tuple[Figure, ...]
    headline: tuple[str, ...]
    sure: bool
    waits: str
    questions: int
    big: str
    mark: str
    call: str


class Screen(Struct, frozen=True):
    """All that the big screen shows. ``final``: whether the round is the final; ``bell``: when the tournament's bell rang last,
    and what it proposes, "" while it has not; ``rang``: the same alone, with a mark by which it fills the screen once
    (``bell_mark``)."""

    tiles: tuple[Tile, ...]
    round: int | None
    final: bool
    bell: str
    rang: str
    bell_mark: str


class Won(NamedTuple):
    """A game that is over: the names of its ``people``, and its ``winner``."""

    people: tuple[str, ...]
    winner: str


class _Seat(Struct):
    name: str
    in_play: bool
    has: str = ""
    change: int | None = None
    amount: str = ""


class _Announcement(Struct):
    title: str
    names: tuple[str, ...]
    hand: int = 0
    kind: str = ""


class _View(Struct):
    """The keys that are read of a table's view; games add others, which are passed over."""

    hand: int = 0
    status: str = ""
    message: str = ""
    seats: tuple[_Seat, ...] = ()
    ruling: RulingView | None = None
    figures: tuple[Figure, ...] = ()
    announced: tuple[_Announcement, ...] = ()
    winner: str | None = None


class TableRow(Struct, frozen=True):
    """A table as the database has it: ``view`` is what a TV shows, as JSON, None while nothing is shown; ``called``: since when
    it calls the referee (Unix time of the hall, seconds), None: it does not."""

    id: int
    name: str
    heard: float | None
    shows: int | None
    game: int | None
    questions: int
    version: int
    over: bool
    problem: str
    view: str | None
    called: float | None


def tables(connection: Connection, lang: Lang, seat: int | None = None) -> tuple[TableRow, ...]:
    """Every table in order of joining, or only the one with the id ``seat``. ``connection``: with the rights of spectators."""
    rows = connection.execute(
        f"SELECT seen.id, name, heard, shows, seen.game, questions, coalesce(version, 0), coalesce(over, false),"  # nosec B608 # our columns
        f" coalesce(problem, ''), view_{lang}, called FROM table_seen AS seen LEFT JOIN shown ON shown.game = seen.game"
        " WHERE %(seat)s::bigint IS NULL OR seen.id = %(seat)s ORDER BY seen.id", {"seat": seat},
    ).fetchall()  # fmt: skip
    return tuple(TableRow(*row) for row in rows)


class Overview:
    """The tables of one database. Any thread may ask; raises HallDown. ``clock``: Unix time, seconds; ``round``: gives the number
    of the tournament's current round, None for none; ``bell``: the last ring of its bell, None for none; ``final``: whether that
    round is the final."""

    def __init__(
        self, database: Database, round: Callable[[], int | None] = lambda: None, clock: Callable[[], float] = time.time,
        bell: Callable[[], Ring | None] = lambda: None, final: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._database, self._round, self._clock, self._bell = database, round, clock, bell
        self._final = final

    def view(self, lang: Lang) -> HallView:
        """All tables for programs, as `GET /api/hall` answers."""
        now = self._clock()
        return HallView(tuple(self._table(row, now) for row in self._rows(lang)), self._round())

    def screen(self, lang: Lang) -> Screen:
        """All tables for the big screen."""
        now, rung, _ = self._clock(), self._bell(), catalogue(lang).gettext
        tiles, round = tuple(self._tile(row, now, lang) for row in self._rows(lang)), self._round()
        if rung is None:
            return Screen(tiles, round, self._final(), "", "", "")
        then, proposed = datetime.datetime.fromtimestamp(rung.at), _(PROPOSALS[rung.proposes])
        told = _("Bell at {time}: {proposal}").format(time=f"{then:%H:%M}", proposal=proposed)
        return Screen(tiles, round, self._final(), told, proposed, f"bell.{rung.at}.{rung.proposes}")

    def table(self, seat: int, lang: Lang) -> TableRow | None:
        """The table with the id ``seat``; None where the hall has none, or no longer."""
        with self._database.viewing() as connection:
            found = tables(connection, lang, seat)
        return found[0] if found else None

    def log(self, game: int) -> str:
        """The table log of ``game`` (the hall's id), as everybody has seen it; "" where nothing is shown of it."""
        with self._database.viewing() as connection:
            row = connection.execute("SELECT log FROM shown WHERE game = %s", (game,)).fetchone()
        return str(row[0]) if row is not None else ""

    def winners(self) -> tuple[Won, ...]:
        """Of each table whose game is over, and was surely won: who played, and who has won."""
        found = (_read(row) for row in self._rows("en") if _state(row, self._clock()) == "over")
        return tuple(Won(tuple(seat.name for seat in view.seats), view.winner) for view in found if view.winner)

    def silent(self, row: TableRow, lang: Lang) -> str:
        """Since when nothing was heard of a table, as a sentence; "" where it is live, or its game is over."""
        return self._silent(row, self._clock(), lang)

    def state(self, row: TableRow) -> State:
        """The table's state now, as in `TableView`."""
        return _state(row, self._clock())

    def states(self) -> tuple[State, ...]:
        """The states of all tables, which differ once one falls silent."""
        now = self._clock()
        return tuple(_state(row, now) for row in self._rows("en"))

    def _rows(self, lang: Lang) -> tuple[TableRow, ...]:
        with self._database.viewing() as connection:
            return tables(connection, lang)

    def _table(self, row: TableRow, now: float) -> TableView:
        view = _read(row)
        since = round(max(now - row.heard, 0.0), 1) if row.heard is not None else None
        game = row.shows or 0
        return TableView(row.name, game, view.hand, row.version, since, _state(row, now), view.ruling, row.questions)

    def _tile(self, row: TableRow, now: float, lang: Lang) -> Tile:
        _ = catalogue(lang).gettext
        view = _read(row)
        players = tuple(
            PlayerTile(seat.name, seat.has, not seat.in_play, seat.amount or (f"{seat.change:+d}" if seat.change else ""))
            for seat in view.seats
        )
        ruling = view.ruling
        hand = _("Hand {n}").format(n=view.hand) if view.hand else ""
        waits = _("The hall's program is older than this table's: update it") if row.problem == UPDATE else view.message
        state = _state(row, now)
        large = [one for one in view.announced if one.kind != "card"]  # a card is for those who sit at the table
        big = large[-1] if large and state != "silent" else None  # a game that was won is over
        told = f"{big.title} {', '.join(big.names)}" if big is not None else ""
        mark = f"{row.id}.{row.game}.{big.hand}.{told}" if big is not None else ""
        return Tile(
            row.id, row.name, state, self._silent(row, now, lang), hand, players, view.figures,
            ruling.headline if ruling is not None else (), ruling is None or ruling.sure, waits, row.questions, told, mark,
            f"{row.id}.{row.called}" if row.called is not None else "",
        )  # fmt: skip

    def _silent(self, row: TableRow, now: float, lang: Lang) -> str:
        _ = catalogue(lang).gettext
        if _state(row, now) != "silent":
            return ""
        if row.heard is None:
            return _("Table {name}: nothing so far").format(name=row.name)
        then = datetime.datetime.fromtimestamp(row.heard)
        if now - row.heard > _TOMORROW_SECONDS:
            return _("Table {name}: nothing since {day}").format(name=row.name, day=f"{then:%d/%m %H:%M}")
        return _("Table {name}: nothing since {time}").format(name=row.name, time=f"{then:%H:%M}")


def _state(row: TableRow, now: float) -> State:
    if row.over and not row.problem:
        return "over"
    return "live" if row.heard is not None and abs(now - row.heard) < SILENT_SECONDS else "silent"


def _read(row: TableRow) -> _View:
    return msgspec.json.decode(row.view, type=_View) if row.view is not None and not row.problem else _View()


