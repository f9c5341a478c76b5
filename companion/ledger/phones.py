"""Who may change something: the phones paired with this ledger, and the key that signs their cookies.

A phone proves itself by a token that only it has; the file keeps its digest, so nobody can become an organiser by reading it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from companion.ledger.store import Ledger
from companion.table.errors import LedgerError

_SEEN_SECONDS = 60.0
"""Seconds, at least, between two times that a phone's last request is written down."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A paired phone. ``paired`` and ``seen`` (its last request, to the minute) in Unix seconds."""

    id: int
    name: str
    paired: float
    seen: float


class Phones:
    """The paired phones of a ledger. All methods may be called from any thread, and raise LedgerError as the ledger does."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def pair(self, name: str) -> tuple[Phone, str]:
        """Let one more phone in. It has to keep the token (URL-safe text, 256 bits), which cannot be told a second time."""
        token, now = secrets.token_urlsafe(32), time.time()
        with self._ledger.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO phone (digest, name, paired, seen) VALUES (?, ?, ?, ?)", (_digest(token), name, now, now)
            )
            number = cursor.lastrowid
        assert number is not None
        return Phone(number, name, now, now), token

    def find(self, token: str) -> Phone | None:
        """The phone that has this token; None where there is none, or no longer."""
        with self._ledger.reading() as connection:
            row = connection.execute("SELECT id, name, paired, seen FROM phone WHERE digest = ?", (_digest(token),)).fetchone()
        if row is None:
            return None
        phone, now = Phone(*row), time.time()
        if abs(now - phone.seen) > _SEEN_SECONDS:  # the clock may have gone back
            # Somebody who only looks at a page must not depend on a working disk, or wait for a writer.
            with suppress(LedgerError), self._ledger.writing(patient=False) as writing:
                writing.execute("UPDATE phone SET seen = ? WHERE id = ?", (now, phone.id))
        return phone

    def all(self) -> tuple[Phone, ...]:
        """Every paired phone, the one paired last first."""
        with self._ledger.reading() as connection:
            rows = connection.execute("SELECT id, name, paired, seen FROM phone ORDER BY id DESC").fetchall()
        return tuple(Phone(*row) for row in rows)

    def rename(self, how: Callable[[str], str]) -> None:
        """Call every phone what ``how`` makes of its name."""
        new = [(how(phone.name), phone.id) for phone in self.all()]
        with self._ledger.writing() as connection:
            connection.executemany("UPDATE phone SET name = ? WHERE id = ?", new)

    def withdraw(self, number: int) -> bool:
        """From now on this phone changes nothing. False where there is no such phone."""
        with self._ledger.writing() as connection:
            return connection.execute("DELETE FROM phone WHERE id = ?", (number,)).rowcount > 0

    def key(self) -> bytes:
        """The key (32 bytes) that signs cookies: made once, so that a restart withdraws nobody. Of a ledger that is only looked
        at, and has none yet, for this time."""
        with self._ledger.reading() as connection:
            found = connection.execute("SELECT value FROM secret WHERE name = 'cookies'").fetchone()
        key = bytes(found[0]) if found is not None else secrets.token_bytes(32)
        if found is None:
            with suppress(LedgerError), self._ledger.writing() as writing:
                writing.execute("INSERT INTO secret (name, value) VALUES ('cookies', ?)", (key,))
        return key


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
