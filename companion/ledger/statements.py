"""SQL that several acts of the ledger say, on its own tables (`companion.ledger.schema`)."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence

from companion.ledger.entries import ARCHIVED, DELETED, TAKEN_UP, Stand, UnknownGame
from companion.ledger.schema import checksum
from companion.ledger.writing import Writing

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
    before,
    and ``middle`` between them."""
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
