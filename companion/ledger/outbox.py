"""A ledger as a durable, ordered outbox: which it is, how far each game has come, and the rows of a game's log since a number.

Rows are given as they are kept, undecoded. `chain` says in one text what all rows up to a number were: two ledgers, or a ledger
and a copy elsewhere, have the same rows up to there where their chains are the same.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.ledger.entries import ARCHIVED, DELETED
from companion.ledger.schema import checksum
from companion.ledger.statements import keep_notes
from companion.ledger.versions import damaged
from companion.table.errors import LedgerError

if TYPE_CHECKING:
    from companion.ledger.file import Writing
    from companion.ledger.store import Ledger

_IDENTITY = "identity"
_REWRITTEN = "rewritten."
"""Names in the table `secret`; behind the second stands the game's id."""
HALL = "hall"
"""Name in that table of what says which hall the table has joined."""
EMPTY_CHAIN = ""
"""The chain of no rows."""


class Row(NamedTuple):
    """One version of a game's log, as the difference to the one before: how many lines it keeps from its ``head`` and its
    ``tail``, and the new ``lines`` between them, each ended by a line feed. ``recorded``: Unix time, seconds."""

    number: int
    recorded: float
    head: int
    tail: int
    lines: str


class Outgoing(NamedTuple):
    """How far a game has come. ``started``: Unix time, seconds; ``version``: number of its newest row; ``rewritten``: how often
    all its rows were written in other words; ``gone``: it was deleted, and counts no more; ``counts``: it is one of the season's
    evenings."""

    game: int
    started: float
    version: int
    rewritten: int
    gone: bool
    counts: bool


def identity(ledger: Ledger) -> str:
    """The ledger's UUID: made once, the first time that it is opened to be written, and copied with every copy of it. "" where it
    has none yet: it was only looked at, or its disk took nothing. Raises LedgerError."""
    with ledger.reading() as connection:
        found = connection.execute("SELECT value FROM secret WHERE name = ?", (_IDENTITY,)).fetchone()
    return bytes(found[0]).decode() if found is not None else ""


def belongs(ledger: Ledger) -> bool:
    """Whether this ledger's table has joined a hall (`companion.hall.table.membership`). Raises LedgerError."""
    with ledger.reading() as connection:
        return connection.execute("SELECT 1 FROM secret WHERE name = ?", (HALL,)).fetchone() is not None


def name_it(ledger: Ledger) -> None:
    """Give the ledger its identity where it has none. Where the disk takes nothing, it gets it the next time."""
    with suppress(LedgerError):
        if not identity(ledger):
            with ledger.writing() as writing:
                made = str(uuid.uuid4()).encode()
                writing.execute("INSERT OR IGNORE INTO secret (name, value) VALUES (?, ?)", (_IDENTITY, made))


def count_rewriting(writing: Writing, game: int) -> None:
    """Note that all rows of a game are written in other words: what was sent of it before is to be thrown away."""
    name = f"{_REWRITTEN}{game}"
    found = writing.execute("SELECT value FROM secret WHERE name = ?", (name,)).fetchone()
    count = int(bytes(found[0])) + 1 if found is not None else 1
    writing.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (name, str(count).encode()))


def outgoing(ledger: Ledger) -> tuple[Outgoing, ...]:
    """How far each game has come, in order of their ids; deleted ones too. Raises LedgerError."""
    with ledger.reading() as connection:
        rows = connection.execute(
            "SELECT id, started, coalesce((SELECT max(number) FROM version WHERE game = id), 0),"
            " coalesce((SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM secret WHERE name = ? || id), 0),"
            " EXISTS (SELECT 1 FROM note WHERE game = id AND name = ?),"
            " coalesce((SELECT counts FROM season_evening WHERE game = id),"
            " NOT EXISTS (SELECT 1 FROM note WHERE game = id AND name = ?)) FROM game ORDER BY id",
            (_REWRITTEN, DELETED, ARCHIVED),
        ).fetchall()
    return tuple(Outgoing(row[0], row[1], row[2], row[3], bool(row[4]), bool(row[5])) for row in rows)


def rows(ledger: Ledger, game: int, after: int, most: int) -> tuple[Row, ...]:
    """The rows of a game after this number, at most ``most``, as they are kept. Raises LedgerError, also where one is damaged or
    missing."""
    with ledger.reading() as connection:
        found = connection.execute(
            "SELECT number, recorded, head, tail, lines, crc FROM version WHERE game = ? AND number > ? ORDER BY number LIMIT ?",
            (game, after, most),
        ).fetchall()
    for place, (number, _, head, tail, lines, crc) in enumerate(found, start=after + 1):
        if number != place or crc not in (None, checksum(head, tail, lines)):
            raise damaged(ledger.name, game, f"version {place} of its log")
    return tuple(Row(*row[:5]) for row in found)


def reports(ledger: Ledger, game: int, after: int, most: int) -> tuple[tuple[str, float | None], ...]:
    """What was reported of a game behind the first ``after`` reports, at most ``most``, and when (Unix time, seconds; None: by an
    older program). Raises LedgerError."""
    with ledger.reading() as connection:
        return tuple(connection.execute("SELECT text, recorded FROM report WHERE game = ? AND number > ? ORDER BY number LIMIT ?",
                                        (game, after, most)).fetchall())  # fmt: skip


def put_in(
    ledger: Ledger, identity: str, game: int, started: float, rewritten: int, rows: Sequence[Row],
    reports: Sequence[tuple[str, float | None]], notes: Mapping[str, str],
) -> None:  # fmt: skip
    """Put a game into a ledger that has none, as another one had it, which was called ``identity``: from now on this one is.
    ``started``, ``rewritten``: as in `Outgoing`. All of it or nothing; raises LedgerError."""
    with ledger.writing() as writing:
        if rewritten:
            value = str(rewritten).encode()
            writing.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (f"{_REWRITTEN}{game}", value))
        writing.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (_IDENTITY, identity.encode()))
        first = rows[0].lines.partition("\n")[0]
        writing.execute("INSERT INTO game (id, started, source, first) VALUES (?, ?, '', ?)", (game, started, first))
        writing.executemany(
            "INSERT INTO version (game, number, recorded, head, tail, lines, crc) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(game, *row, checksum(row.head, row.tail, row.lines)) for row in rows],
        )
        writing.executemany(
            "INSERT INTO report (game, number, text, crc, recorded) VALUES (?, ?, ?, ?, ?)",
            [(game, number, text, checksum(text), at) for number, (text, at) in enumerate(reports, start=1)],
        )
        keep_notes(writing, game, notes)


def chain(before: str, row: Row) -> str:
    """The chain up to this row, given the one up to the row ``before``: 32 hexadecimal digits."""
    said = f"{before}\n{row.number}\n{row.head}\n{row.tail}\n{row.lines}"
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def chained(before: str, more: Sequence[Row]) -> str:
    """The chain up to the last of these rows."""
    for row in more:
        before = chain(before, row)
    return before
