"""SQL that several acts of the ledger say, on its own tables (`companion.ledger.schema`).

`rewrite` says all texts of a game in other words, and `erase` removes them, in every table that keeps something of the game.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.ledger.entries import ARCHIVED, DELETED, TAKEN_UP, Stand, UnknownGame
from companion.ledger.file import Writing
from companion.ledger.schema import checksum

if TYPE_CHECKING:
    from companion.ledger.store import Ledger

_PLACE_STEP = 1_000_000
"""A game's place is its id times this. A game that is taken up again stands one behind the last place: so a million games can be
taken up between two that are begun."""


def stand_of(connection: sqlite3.Connection | Writing, game_id: int, name: str) -> Stand:
    """How far the game has come. Raises UnknownGame, in which the ledger has this ``name``."""
    row = connection.execute(
        "SELECT (SELECT max(number) FROM version WHERE game = id), (SELECT max(number) FROM report WHERE game = id)"
        " FROM game WHERE id = ?",
        (game_id,),
    ).fetchone()
    if row is None:
        raise UnknownGame(f"{name}: no game {game_id}")
    return Stand(int(row[0] or 0), int(row[1] or 0))


def last_game(connection: sqlite3.Connection | Writing) -> tuple[int, int] | None:
    """The newest game that is neither archived nor deleted, and its place among all games."""
    row = connection.execute(
        "SELECT game.id, coalesce(CAST(text AS INTEGER), game.id * ?1) AS place"
        " FROM game LEFT JOIN note ON note.game = game.id AND note.name = ?2"
        " WHERE game.id NOT IN (SELECT game FROM note WHERE name IN (?3, ?4)) ORDER BY place DESC LIMIT 1",
        (_PLACE_STEP, TAKEN_UP, ARCHIVED, DELETED),
    ).fetchone()
    return None if row is None else (int(row[0]), int(row[1]))


def keep_notes(writing: Writing, game_id: int, notes: Mapping[str, str]) -> None:
    """Keep texts with a game, name → text, each in the place of the one of its name."""
    writing.executemany(
        "INSERT OR REPLACE INTO note (game, name, text) VALUES (?, ?, ?)",
        [(game_id, name, text) for name, text in notes.items()],
    )


def add_version(writing: Writing, game_id: int, version: int, head: int, tail: int, middle: Sequence[str]) -> None:
    """Keep the next version of a game's log: it has ``head`` first lines and ``tail`` last lines in common with the version
    before, and ``middle`` between them."""
    text = "".join(line + "\n" for line in middle)
    writing.execute(
        "INSERT INTO version (game, number, recorded, head, tail, lines, crc) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (game_id, version, time.time(), head, tail, text, checksum(head, tail, text)),
    )
    if not head and middle:
        writing.execute("UPDATE game SET first = ? WHERE id = ?", (middle[0], game_id))


def empty_games(connection: sqlite3.Connection | Writing) -> tuple[int, ...]:
    """Games that are not archived and have nothing recorded at all: an older program that was killed could leave them."""
    rows = connection.execute(
        "SELECT id FROM game WHERE id NOT IN (SELECT game FROM version UNION SELECT game FROM report)"
        " AND id NOT IN (SELECT game FROM note WHERE name = ?)",
        (ARCHIVED,),
    ).fetchall()
    return tuple(row[0] for row in rows)


_OF_A_GAME = ("version", "report", "hand", "note", "season_evening", "season_figures")


class Rewrite(NamedTuple):
    """What becomes of each text that is kept of a game: a ``line`` of its log, a ``report``, a ``hand`` (None: it is not kept any
    more, and decoded again), a ``note`` (its name, its text) and the ``source``."""

    line: Callable[[str], str]
    report: Callable[[str], str]
    hand: Callable[[str], str | None]
    note: Callable[[str, str], str]
    source: Callable[[str], str]


def rewrite(writing: Writing, game_id: int, how: Rewrite) -> None:
    """Write all that is kept of a game in other words. What was worked out of it goes."""
    rows = writing.execute("SELECT number, head, tail, lines FROM version WHERE game = ?", (game_id,)).fetchall()
    for number, head, tail, text in rows:
        said = "".join(how.line(line) + "\n" for line in text.split("\n")[:-1])
        writing.execute("UPDATE version SET lines = ?, crc = ? WHERE game = ? AND number = ?",
                        (said, checksum(head, tail, said), game_id, number))  # fmt: skip
    for number, text in writing.execute("SELECT number, text FROM report WHERE game = ?", (game_id,)).fetchall():
        said = how.report(text)
        writing.execute("UPDATE report SET text = ?, crc = ? WHERE game = ? AND number = ?",
                        (said, checksum(said), game_id, number))  # fmt: skip
    hands = [(number, place, how.hand(text)) for number, place, text
             in writing.execute("SELECT id, place, text FROM hand WHERE game = ?", (game_id,)).fetchall()]  # fmt: skip
    writing.execute("DELETE FROM hand WHERE game = ?", (game_id,))
    if all(said is not None for _, _, said in hands):
        kept = [(game_id, number, place, said, checksum(place, str(said))) for number, place, said in hands]
        writing.executemany("INSERT INTO hand (game, id, place, text, crc) VALUES (?, ?, ?, ?, ?)", kept)
    notes = writing.execute("SELECT name, text FROM note WHERE game = ?", (game_id,)).fetchall()
    keep_notes(writing, game_id, {name: how.note(name, text) for name, text in notes})
    (source, first), = writing.execute("SELECT source, first FROM game WHERE id = ?", (game_id,)).fetchall()
    writing.execute("UPDATE game SET source = ?, first = ? WHERE id = ?",
                    (how.source(source), None if first is None else how.line(first), game_id))  # fmt: skip
    writing.execute("DELETE FROM season_figures WHERE game = ?", (game_id,))


def texts(ledger: Ledger, game_id: int) -> tuple[frozenset[str], frozenset[str]]:
    """The lines of all versions of a game's log, and all that was reported of it, as they are kept."""
    with ledger.reading() as connection:
        versions = connection.execute("SELECT lines FROM version WHERE game = ?", (game_id,)).fetchall()
        reports = connection.execute("SELECT text FROM report WHERE game = ?", (game_id,)).fetchall()
    lines = frozenset(line for (text,) in versions for line in text.split("\n")[:-1])
    return lines, frozenset(text for (text,) in reports)


def every_game(ledger: Ledger) -> tuple[int, ...]:
    """The ids of all games, deleted ones among them."""
    with ledger.reading() as connection:
        return tuple(game for (game,) in connection.execute("SELECT id FROM game ORDER BY id").fetchall())


def noted(ledger: Ledger, note: str) -> dict[int, str]:
    """The games that have this note, and what it says."""
    with ledger.reading() as connection:
        return dict(connection.execute("SELECT game, text FROM note WHERE name = ?", (note,)).fetchall())


def erase(writing: Writing, game_id: int) -> None:
    """Leave of a game its id alone, so that no other gets it."""
    for table in _OF_A_GAME:
        writing.execute(f"DELETE FROM {table} WHERE game = ?", (game_id,))  # nosec B608 # our names
    writing.execute("UPDATE game SET started = 0, source = '', first = NULL WHERE id = ?", (game_id,))
    keep_notes(writing, game_id, {DELETED: ""})
