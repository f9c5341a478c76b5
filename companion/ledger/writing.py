"""A transaction that outlives the disk: its statements so far are repeated in memory, where it then goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

BEGIN, END = "BEGIN IMMEDIATE", "COMMIT"


@dataclass(frozen=True, slots=True)
class Said:
    """A statement with its values: of one row, or of ``many``."""

    sql: str
    values: Sequence[object]
    many: bool

    def to(self, connection: sqlite3.Connection) -> sqlite3.Cursor:
        """Say it there. Raises sqlite3.Error."""
        return (connection.executemany if self.many else connection.execute)(self.sql, self.values)  # type: ignore[arg-type]


class Writing:
    """A transaction of a ledger, in its file or, where that takes nothing more, in memory. ``said``: its statements so far."""

    def __init__(self, connection: sqlite3.Connection, elsewhere: Callable[[sqlite3.Error], sqlite3.Connection]) -> None:
        """``elsewhere``: where it goes on after an error of the disk; it raises the error where it cannot."""
        self.said: list[Said] = []
        self._connection, self._elsewhere = connection, elsewhere

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """As that of a connection. Raises sqlite3.Error."""
        return self._do(Said(sql, values, many=False))

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """As that of a connection. Raises sqlite3.Error."""
        self._do(Said(sql, rows, many=True))

    def roll_back(self) -> None:
        """Nothing was said."""
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _do(self, said: Said) -> sqlite3.Cursor:
        try:
            found = said.to(self._connection)
        except sqlite3.Error as error:
            self._connection = self._elsewhere(error)
            if said.sql != BEGIN:
                self._connection.execute(BEGIN)
            for before in self.said:
                before.to(self._connection)
            found = said.to(self._connection)
        if said.sql not in (BEGIN, END):
            self.said.append(said)
        return found
