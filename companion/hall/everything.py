"""Notes and reports of a game, which a hall that keeps all has besides its log. The game of a lost table is made again of the
three.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TypeVar

import msgspec

from companion.hall.database import Connection
from companion.hall.messages import MAX_ROWS, ROWS_BYTES, Fetch, Fetched, GameKept, SentReport, SentRow
from companion.hall.seats import Seat

Sent = TypeVar("Sent", SentRow, SentReport)

def keep(connection: Connection, ledger: str, kept: GameKept) -> int | None:
    """Store these reports and notes where they follow the reports that the hall has. Returns how many reports the newest branch
    of the game then has; None where the hall has no such game, or has it in other words."""
    found = connection.execute("SELECT id, rewritten FROM game WHERE ledger = %s AND number = %s ORDER BY branch DESC LIMIT 1",
                               (ledger, kept.game)).fetchone()  # fmt: skip
    if found is None or found[1] != kept.rewritten:
        return None
    count = reported(connection, found[0])
    if kept.after != count:
        return count
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO report (game, number, text, recorded) VALUES (%s, %s, %s, %s)",
            [(found[0], number, one.text, one.recorded) for number, one in enumerate(kept.reports, start=count + 1)],
        )
        if kept.notes is not None:
            cursor.execute("DELETE FROM note WHERE game = %s", (found[0],))
            cursor.executemany("INSERT INTO note (game, name, text) VALUES (%s, %s, %s)",
                               [(found[0], *one) for one in kept.notes.items()])  # fmt: skip
    return count + len(kept.reports)


def reported(connection: Connection, game: int) -> int:
    """How many reports the hall has of ``game``, one of its own ids."""
    (count,), = connection.execute("SELECT count(*) FROM report WHERE game = %s", (game,)).fetchall()
    return int(count)


def of_ledger(connection: Connection, ledger: str) -> dict[int, int]:
    """The table's id of each game of this ledger → how many reports the hall has of the game's newest branch."""
    rows = connection.execute("SELECT DISTINCT ON (number) number, (SELECT count(*) FROM report WHERE report.game = game.id)"
                              " FROM game WHERE ledger = %s ORDER BY number, branch DESC", (ledger,)).fetchall()  # fmt: skip
    return dict(rows)


def fetched(connection: Connection, seat: Seat, fetch: Fetch) -> Fetched:
    """The next rows, reports and notes of the game that the table showed last, of at most one message; no rows and no reports
    where it has all."""
    game = connection.execute(
        "SELECT game.id, number, started, rewritten FROM game"
        " JOIN seat_at AS seat ON seat.ledger = game.ledger AND seat.shows = game.number WHERE seat.id = %s"
        " AND NOT gone ORDER BY chosen DESC, branch DESC LIMIT 1", (seat.id,),
    ).fetchone()  # fmt: skip
    if game is None:
        return Fetched(0, 0.0)
    rows = connection.execute("SELECT number, recorded, head, tail, lines FROM version WHERE game = %s AND number > %s"
                              " ORDER BY number LIMIT %s", (game[0], fetch.rows, MAX_ROWS)).fetchall()  # fmt: skip
    more = connection.execute("SELECT text, recorded FROM report WHERE game = %s AND number > %s ORDER BY number LIMIT %s",
                              (game[0], fetch.reports, MAX_ROWS)).fetchall()  # fmt: skip
    notes = connection.execute("SELECT name, text FROM note WHERE game = %s", (game[0],)).fetchall()
    _, number, started, rewritten = game
    next_rows, next_reports = tuple(SentRow(*row) for row in rows), tuple(SentReport(*one) for one in more)
    return Fetched(number, started, rewritten, _within(next_rows), _within(next_reports), dict(notes))


def _within(found: tuple[Sent, ...]) -> tuple[Sent, ...]:
    """As many of the first as fit into `ROWS_BYTES`, but at least one."""
    sizes = accumulate(len(msgspec.json.encode(one)) for one in found)
    return tuple(one for place, (one, size) in enumerate(zip(found, sizes, strict=True)) if not place or size <= ROWS_BYTES)
