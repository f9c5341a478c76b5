"""What lets phones and tables into a hall, kept in its database: the same for every process that serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic

import msgspec

from companion.dashboard.held import Value
from companion.hall.database import Database

PIN, CODE = "pin", "table_code"
"""Names of the secret that lets organisers' phones in, and of the one that lets tables in."""
JOINS = "companion serve --host 0.0.0.0 --hall {address} --code {code}"
"""The line by which a machine joins as a table. Its pages are open to its own phones."""


class InDatabase(Generic[Value]):
    """A value of this ``kind`` under its ``name``, made by ``make`` where there is none yet; a
    `companion.dashboard.held.SharedValue`. Raises HallDown."""

    def __init__(self, database: Database, name: str, kind: type[Value], make: Callable[[], Value]) -> None:
        self._database, self._name, self._kind, self._make = database, name, kind, make

    @contextmanager
    def changing(self) -> Iterator[Value]:
        """The value, to be changed within the block, while every other thread and process waits for it."""
        with self._database.organiser() as connection:
            connection.execute("INSERT INTO secret (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                               (self._name, msgspec.json.encode(self._make())))  # fmt: skip
            row = connection.execute("SELECT value FROM secret WHERE name = %s FOR UPDATE", (self._name,)).fetchone()
            assert row is not None
            before = bytes(row[0])
            value = msgspec.json.decode(before, type=self._kind)
            yield value
            if (after := msgspec.json.encode(value)) != before:
                connection.execute("UPDATE secret SET value = %s WHERE name = %s", (after, self._name))


def new_pin_and_code(database: Database) -> None:
    """Replace the PIN that lets phones in and the code that lets tables in, as at every start. Raises HallDown."""
    with database.organiser() as connection:
        connection.execute("DELETE FROM secret WHERE name IN (%s, %s)", (PIN, CODE))
