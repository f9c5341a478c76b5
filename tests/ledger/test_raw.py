"""What is read of a file that SQLite itself refuses: rows of every length, whole."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from companion.ledger import raw

LENGTHS = [*chain(range(1, 3), range(480, 500), range(980, 1010), range(4040, 4110), range(5050, 5120), range(8130, 8180))]
"""Around those from which on SQLite keeps a part of a row on further pages, and how much of it."""


@pytest.mark.parametrize("kept", ["CREATE TABLE t (a TEXT)", "CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID"],
                         ids=["by number", "by key"])  # fmt: skip
def test_a_row_of_any_length_is_read_whole(tmp_path: Path, kept: str) -> None:
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(kept)
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * length,) for length in LENGTHS])
        connection.commit()
    rows = raw._rows(raw._pages(file.read_bytes(), b""))
    found = sorted(len(row[0]) for _, row in rows if len(row) == 1 and isinstance(row[0], str))
    assert found == LENGTHS
