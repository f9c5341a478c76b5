"""The phones that may film the table: who has come with a code, and was not shut out since."""

from __future__ import annotations

import secrets
import threading
import time

import msgspec

from companion.ledger.store import Ledger

_NAME = "filming"
"""Name of the secret that keeps them: whoever knows one of these ids cannot do anything without the key that signs tokens."""
MOST = 8
"""So many are known; who came first is shut out for one more."""


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
        """Who may film, who came last first."""
        return self._all[::-1]

    def find(self, id: str) -> FilmingPhone | None:
        """Who has this permission; None for nobody, or no longer."""
        return next((one for one in self._all if one.id == id), None)

    def admit(self, phone: str, kind: str, *, alone: bool) -> FilmingPhone:
        """Let a phone film: with the permission that it has already, or a new one. ``alone``: all others are shut out."""
        with self._lock:
            known = next((one for one in self._all if one.phone == phone), None)
            admitted = known or FilmingPhone(secrets.token_hex(8), phone, kind, time.time())
            others = () if alone else tuple(one for one in self._all if one.phone != phone)
            self._keep((*others, admitted)[-MOST:])
            return admitted

    def withdraw(self, id: str) -> FilmingPhone | None:
        """Shut one out; who it was."""
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
