"""What a copy of a ledger holds, looked up without opening it as a ledger: whose it is, and how far each of its games had come.
Nothing is written beside it, so it may lie on a stick that is full or cannot be written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.ledger.entries import DELETED
from companion.ledger.outbox import identity
from companion.ledger.store import Ledger

_NEWEST = """
SELECT id, started, (SELECT max(number) FROM version WHERE game = id) AS newest,
    (SELECT recorded FROM version WHERE game = id ORDER BY number DESC LIMIT 1) FROM game
"""
_COLUMNS = ("game", "started", "newest", "recorded")
_HAS = """
SELECT 1 FROM game WHERE id = :game AND (
    started = :started AND (
        :newest IS NULL OR EXISTS (SELECT 1 FROM version WHERE game = id AND number = :newest AND recorded = :recorded))
    OR NOT EXISTS (SELECT 1 FROM version WHERE game = id) AND EXISTS (SELECT 1 FROM note WHERE game = id AND name = :deleted))
"""
"""A game that was erased for good since is held by its row, and the note that it is gone."""


@dataclass(frozen=True, slots=True)
class Contents:
    """``identity``: the ledger's UUID, "" where it has none; ``games``: of each its id, when it began (Unix time), the number of
    its newest version and when that was recorded, both None before the first."""

    identity: str
    games: tuple[tuple[int, float, int | None, float | None], ...]


def contents(copy: Path) -> Contents | None:
    """What this copy holds; None where it cannot be read, or is of a program that kept it otherwise."""
    try:
        with _opened(copy) as connection:
            found = connection.execute("SELECT value FROM secret WHERE name = 'identity'").fetchone()
            return Contents(bytes(found[0]).decode() if found is not None else "", tuple(connection.execute(_NEWEST).fetchall()))
    except (sqlite3.Error, OSError, UnicodeDecodeError):
        return None


def within(held: Contents, ledger: Ledger) -> bool:
    """Whether this ledger holds all that the copy holds, and is the one that it was made of. Raises LedgerError."""
    if held.identity != identity(ledger):
        return False
    with ledger.reading() as connection:
        return _has_all(connection, held)


def is_held(held: Contents, other: Path) -> bool:
    """Whether this other copy holds all that the copy holds, and is of the same ledger. False where it cannot be read."""
    found = contents(other)
    try:
        with _opened(other) as connection:
            return found is not None and found.identity == held.identity and _has_all(connection, held)
    except sqlite3.Error:
        return False


def _has_all(connection: sqlite3.Connection, held: Contents) -> bool:
    return all(
        connection.execute(_HAS, {**dict(zip(_COLUMNS, row, strict=True)), "deleted": DELETED}).fetchone() for row in held.games
    )


def _opened(copy: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True))
