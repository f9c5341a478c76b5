"""The paired phones of a hall, kept in its database as a ledger keeps those of a table."""

from __future__ import annotations

import secrets
import time

from companion.hall.database import Database
from companion.ledger import Phone
from companion.ledger.phones import digest

_SEEN_SECONDS = 60.0


class HallPhones:
    """As `companion.ledger.Phones`. Any thread may ask; raises HallDown."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pair(self, name: str) -> tuple[Phone, str]:
        """Pair one more phone, and return it with its token. The phone must keep the token: the database has only a digest of
        it."""
        token, now = secrets.token_urlsafe(32), time.time()
        with self._database.organiser() as connection:
            row = connection.execute("INSERT INTO phone (digest, name, paired, seen) VALUES (%s, %s, %s, %s) RETURNING id",
                                     (digest(token), name, now, now)).fetchone()  # fmt: skip
        assert row is not None
        return Phone(row[0], name, now, now), token

    def find(self, token: str) -> Phone | None:
        """The phone with this token; None where there is none, or no longer."""
        with self._database.organiser() as connection:
            row = connection.execute("SELECT id, name, paired, seen FROM phone WHERE digest = %s", (digest(token),)).fetchone()
            if row is not None and abs(time.time() - row[3]) > _SEEN_SECONDS:
                connection.execute("UPDATE phone SET seen = %s WHERE id = %s", (time.time(), row[0]))
        return Phone(*row) if row is not None else None

    def all(self) -> tuple[Phone, ...]:
        """Every paired phone, the one paired last first."""
        with self._database.organiser() as connection:
            return tuple(Phone(*row) for row in connection.execute("SELECT id, name, paired, seen FROM phone ORDER BY id DESC"))

    def withdraw(self, number: int) -> bool:
        """Unpair this phone: it can change nothing any more. False where there is no such phone."""
        with self._database.organiser() as connection:
            return connection.execute("DELETE FROM phone WHERE id = %s", (number,)).rowcount > 0

    def referees(self) -> frozenset[int]:
        """The ids of the phones that belong to a referee."""
        with self._database.organiser() as connection:
            return frozenset(row[0] for row in connection.execute("SELECT id FROM phone WHERE referee").fetchall())

    def make_referee(self, number: int, referee: bool) -> bool:
        """Make this phone a referee's, or an organiser's. False where there is no such phone."""
        with self._database.organiser() as connection:
            return connection.execute("UPDATE phone SET referee = %s WHERE id = %s", (referee, number)).rowcount > 0

    def key(self) -> bytes:
        """The key that signs cookies, 32 bytes, made once."""
        with self._database.organiser() as connection:
            connection.execute("INSERT INTO secret (name, value) VALUES ('cookies', %s) ON CONFLICT DO NOTHING",
                               (secrets.token_bytes(32),))  # fmt: skip
            row = connection.execute("SELECT value FROM secret WHERE name = 'cookies'").fetchone()
        assert row is not None
        return bytes(row[0])
