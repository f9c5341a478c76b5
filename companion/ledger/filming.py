"""The phones that may film the table: those that have come with a code, and were not shut out since."""

from __future__ import annotations

import secrets
import threading
import time

import msgspec

from companion.ledger.store import Ledger

_NAME = "filming"
"""Name of the secret under which they are kept. Knowing one of these ids is no use without the key that signs tokens."""
MAX_PHONES = 8
"""Greatest number of phones that may film; for one more, the one that came first is shut out."""


class FilmingPhone(msgspec.Struct, frozen=True, array_like=True):
    """A phone that may film. ``id``: of this permission, in its token; ``phone``: how it calls itself; ``kind``: such as
    "iPhone", "" where that is not known; ``since``: Unix time, seconds."""

    id: str
    phone: str
    kind: str
    since: float


class FilmingPhones:
    """Those of a ledger, or of this run without one. All methods may be called from any thread, and raise LedgerError."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger, self._lock = ledger, threading.Lock()
        self._all = self._read()

    def all(self) -> tuple[FilmingPhone, ...]:
        """The phones that may film, the last to come first."""
        return self._all[::-1]

    def find(self, id: str) -> FilmingPhone | None:
        """The phone that has this permission; None where none has it any more."""
        return next((one for one in self._all if one.id == id), None)

    def admit(self, phone: str, kind: str, *, alone: bool) -> FilmingPhone:
        """Let a phone film: with the permission that it has already, or a new one. ``alone``: all others are shut out."""
        with self._lock:
            known = next((one for one in self._all if one.phone == phone), None)
            admitted = known or FilmingPhone(secrets.token_hex(8), phone, kind, time.time())
            others = () if alone else tuple(one for one in self._all if one.phone != phone)
            self._keep((*others, admitted)[-MAX_PHONES:])
            return admitted

    def withdraw(self, id: str) -> FilmingPhone | None:
        """Shut one phone out, and return it."""
        with self._lock:
            gone = self.find(id)
            if gone is not None:
                self._keep(tuple(one for one in self._all if one is not gone))
            return gone

    def withdraw_all(self) -> None:
        """Shut all of them out."""
        with self._lock:
            if self._all:
                self._keep(())

    def _keep(self, phones: tuple[FilmingPhone, ...]) -> None:
        if self._ledger is not None:
            with self._ledger.writing() as writing:
                value = msgspec.json.encode(phones)
                writing.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (_NAME, value))
        self._all = phones

    def _read(self) -> tuple[FilmingPhone, ...]:
        if self._ledger is None:
            return ()
        with self._ledger.reading() as connection:
            found = connection.execute("SELECT value FROM secret WHERE name = ?", (_NAME,)).fetchone()
        return msgspec.json.decode(found[0], type=tuple[FilmingPhone, ...]) if found is not None else ()
