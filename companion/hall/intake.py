"""Takes in what tables send, every row once and in order, even where messages come twice, torn or late; and gives out the
commands that wait for a table. `companion.hall.decision` decides what becomes of a game's rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from psycopg.errors import DataError

from companion.hall import everything
from companion.hall.database import Connection, Database
from companion.hall.decision import continued, fate
from companion.hall.messages import (
    Done,
    Fetch,
    Fetched,
    GameRows,
    Have,
    Hello,
    OpenQuestion,
    Send,
    Sent,
    SentRow,
    TableCommand,
    Welcome,
)
from companion.hall.seats import Seat
from companion.ledger.outbox import Row

AGAIN_SECONDS = 0.4
"""Seconds after which a table asks again for commands, where there are few tables."""
ASKED_A_SECOND = 150.0
"""The most requests a second that all tables together make by asking for commands."""
MAX_AGAIN_SECONDS = 4.0
HEARD_SECONDS = 1.0
"""Seconds between two times that the hall writes down that it has heard from a table."""


class Unwelcome(Exception):
    """A message that is refused. ``code`` says why: ``replaced``, ``other_ledger``, ``hello``, ``torn``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Taken:
    """What a message has changed. ``games``: the hall's ids of games with new or other rows; ``other``: whether anything else
    that pages show has changed."""

    sent: Sent
    games: frozenset[int]
    other: bool


class Intake:
    """Takes messages into one database. Any thread may ask; raises HallDown, Unwelcome. ``clock``: Unix time, seconds;
    ``keeps_all``: notes and reports are kept, too."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time, *, keeps_all: bool = False) -> None:
        self._database, self._clock, self.keeps_all = database, clock, keeps_all

    def welcome(self, seat: Seat, hello: Hello) -> Welcome:
        """Let a sender begin; what an earlier one of this table still sends is refused from now on."""
        if hello.ledger != seat.ledger:
            raise Unwelcome("other_ledger")
        now = self._clock()
        skew = round(hello.clock - now, 1)
        with self._database.taking() as connection:
            connection.execute("UPDATE seat_at SET sender = %s, heard = %s, skew_s = %s WHERE id = %s",
                               (hello.sender, now, skew, seat.id))  # fmt: skip
            rows = connection.execute("SELECT DISTINCT ON (number) number, last, chain, rewritten FROM game WHERE ledger = %s"
                                      " ORDER BY number, branch DESC", (seat.ledger,)).fetchall()  # fmt: skip
            reports = everything.of_ledger(connection, seat.ledger) if self.keeps_all else {}
        return Welcome(seat.name, {row[0]: Have(*row[1:]) for row in rows}, skew, self.keeps_all, reports)

    def fetched(self, seat: Seat, fetch: Fetch) -> Fetched:
        """The next part of a lost table's game, as `companion.hall.everything.fetched`."""
        with self._database.taking() as connection:
            return everything.fetched(connection, seat, fetch) if self.keeps_all else Fetched(0, 0.0)

    def take(self, seat: Seat, send: Send) -> Taken:
        """Take in one message, all of it or nothing."""
        now = self._clock()
        try:
            with self._database.taking() as connection:
                return self._take(connection, seat, send, now)
        except DataError as error:  # such as a NUL in a text
            raise Unwelcome("torn") from error

    def _take(self, connection: Connection, seat: Seat, send: Send, now: float) -> Taken:
        small = not send.games and send.questions is None and not send.done and send.kept is None
        if small:
            connection.execute("SET LOCAL synchronous_commit = off")  # that it was heard may be lost
        if not small:
            connection.execute("SELECT 1 FROM seat_at WHERE id = %s FOR UPDATE", (seat.id,))
        row = connection.execute("SELECT sender, shows, heard, ledger::text, call, called IS NOT NULL FROM seat_at"
                                 " WHERE id = %s AND NOT withdrawn", (seat.id,)).fetchone()  # fmt: skip
        if row is None or row[0] != send.sender:
            raise Unwelcome("hello" if row is None or not row[0] else "replaced")
        if row[3] != seat.ledger:
            raise Unwelcome("other_ledger")
        other, called = row[1] != send.shows or row[4] != send.call, bool(row[5])
        if row[4] != send.call:
            called = bool(send.call)
            connection.execute("UPDATE seat_at SET call = %s, called = %s WHERE id = %s",
                               (send.call, now if called else None, seat.id))  # fmt: skip
        if other or row[2] is None or not 0 <= now - row[2] < HEARD_SECONDS:
            connection.execute("UPDATE seat_at SET shows = %s, heard = %s WHERE id = %s", (send.shows, now, seat.id))
        has, changed = dict[int, Have](), set[int]()
        for game in send.games:
            has[game.game], touched = _take_game(connection, seat, game, now)
            changed |= touched
        reports = everything.keep(connection, seat.ledger, send.kept) if send.kept is not None and self.keeps_all else None
        if send.questions is not None:
            _keep_questions(connection, seat.id, send.questions)
        for done in send.done:
            _keep_answer(connection, seat.id, done)
        (count,), = connection.execute("SELECT count(*) FROM seat_at WHERE NOT withdrawn").fetchall()
        again = min(max(AGAIN_SECONDS, count / ASKED_A_SECOND), MAX_AGAIN_SECONDS)
        sent = Sent(has, _commands(connection, seat.id, now), again, called, reports)
        return Taken(sent, frozenset(changed), other or send.questions is not None or bool(send.done))


def _take_game(connection: Connection, seat: Seat, sent: GameRows, now: float) -> tuple[Have, set[int]]:
    """Take in the rows of one game. Returns what the hall now has of it, and the hall's ids of the games that have changed."""
    changed = set[int]()
    found = connection.execute(
        "SELECT id, branch, last, chain, rewritten, gone, missed, counts, goes_on_from FROM game"
        " WHERE ledger = %s AND number = %s ORDER BY branch DESC LIMIT 1 FOR UPDATE", (seat.ledger, sent.game),
    ).fetchone()  # fmt: skip
    has = Have(*found[2:5]) if found is not None else None
    match fate(has, sent):
        case "said":
            return has or Have(), changed
        case "other_words":  # nothing of the old ones is left
            changed |= _forgotten(connection, seat, sent.game)
            found = None
        case "branch":
            found = _begun(connection, seat, sent, found[1] + 1 if found is not None else 0)
    game, branch, last, reached, _, *before = found or _begun(connection, seat, sent, 0)
    if (further := continued(last, reached, sent)) is not None:
        last, reached = further
        _insert(connection, game, sent.rows, now)
        if branch and sent.rows:  # what the table shows now is shown here, too
            connection.execute("UPDATE game SET chosen = false WHERE ledger = %s AND number = %s AND chosen",
                               (seat.ledger, sent.game))  # fmt: skip
        connection.execute(
            "UPDATE game SET last = %s, chain = %s, gone = %s, missed = %s, counts = %s, goes_on_from = %s WHERE id = %s",
            (last, reached, sent.gone, sent.missed, sent.counts, sent.goes_on_from, game),
        )
        if sent.rows or before != [sent.gone, sent.missed, sent.counts, sent.goes_on_from]:
            changed |= {game, *_went_on_as(connection, seat, sent.game)}
        if sent.goes_on_from and (found is None or before[0] != sent.gone):  # others that go on from the same one count alone now
            changed |= {*_went_on_as(connection, seat, sent.goes_on_from)}
    return Have(last, reached, sent.rewritten), changed


def _begun(connection: Connection, seat: Seat, sent: GameRows, branch: int) -> tuple[Any, ...]:
    row = connection.execute(
        "INSERT INTO game (ledger, number, branch, seat, started, rewritten, gone, missed, counts, told, goes_on_from) VALUES"
        " (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
        " RETURNING id, branch, last, chain, rewritten, gone, missed, counts, goes_on_from",
        (seat.ledger, sent.game, branch, seat.id, sent.started, sent.rewritten, sent.gone, sent.missed, sent.counts,
         branch == 0, sent.goes_on_from),
    ).fetchone()
    assert row is not None
    return row


def _went_on_as(connection: Connection, seat: Seat, number: int) -> Iterator[int]:
    """The hall's ids of the games that this one of the table's ledger went on as: their accounts have what was won in it."""
    rows = connection.execute(
        "WITH RECURSIVE later AS (SELECT id, number FROM game WHERE ledger = %s AND goes_on_from = %s"
        " UNION SELECT game.id, game.number FROM game JOIN later ON game.goes_on_from = later.number WHERE game.ledger = %s)"
        " SELECT id FROM later", (seat.ledger, number, seat.ledger),
    ).fetchall()  # fmt: skip
    yield from (row[0] for row in rows)


def _forgotten(connection: Connection, seat: Seat, number: int) -> set[int]:
    """Remove every branch of a game. Returns the hall's ids of what was removed."""
    rows = connection.execute("SELECT id FROM game WHERE ledger = %s AND number = %s", (seat.ledger, number)).fetchall()
    ids = [row[0] for row in rows]
    for table in ("shown", "version", "came_to", "note", "report"):
        connection.execute(f"DELETE FROM {table} WHERE game = ANY(%s)", (ids,))  # nosec B608 # our names
    connection.execute("DELETE FROM game WHERE id = ANY(%s)", (ids,))
    return set(ids)


def _insert(connection: Connection, game: int, rows: Sequence[SentRow], now: float) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO version (game, number, recorded, came, head, tail, lines) VALUES (%s, %s, %s, %s, %s, %s, %s)",
                [(game, row.number, row.recorded, now, row.head, row.tail, row.lines) for row in rows],
            )


def _keep_questions(connection: Connection, seat: int, questions: Sequence[OpenQuestion]) -> None:
    connection.execute("DELETE FROM question WHERE seat = %s", (seat,))
    if questions:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO question (seat, place, id, body) VALUES (%s, %s, %s, %s)",
                [(seat, place, one.id, msgspec.json.encode(one).decode()) for place, one in enumerate(questions)],
            )


def _keep_answer(connection: Connection, seat: int, done: Done) -> None:
    connection.execute("UPDATE command SET status = %s, message = %s WHERE id = %s AND seat = %s AND status IS NULL",
                       (done.status, msgspec.json.encode(done.message).decode(), done.command, seat))  # fmt: skip


def _commands(connection: Connection, seat: int, now: float) -> tuple[TableCommand, ...]:
    """The commands that wait for this table, without those that are too old or were given before the database was restored."""
    rows = connection.execute(
        "SELECT id, body, by_phone, until FROM command WHERE seat = %s AND status IS NULL AND until > %s"
        " AND epoch = (SELECT epoch FROM hall) ORDER BY id LIMIT 20", (seat, now),
    ).fetchall()  # fmt: skip
    return tuple(TableCommand(id, msgspec.Raw(body.encode()), by, round(until - now, 3)) for id, body, by, until in rows)


def rows_of(connection: Connection, game: int, after: int = 0) -> tuple[Row, ...]:
    """The rows of ``game`` (the hall's id) after this number."""
    rows = connection.execute("SELECT number, recorded, head, tail, lines FROM version WHERE game = %s AND number > %s"
                              " ORDER BY number", (game, after)).fetchall()  # fmt: skip
    return tuple(Row(*row) for row in rows)

