"""Who may change something: the phones paired with this ledger, and the key that signs their cookies.

A phone proves itself by a token that only it has; the file keeps its digest, so nobody can become an organiser by reading it.

The phones that may film the table, `FilmingPhones`, have come with a code of their own; they may change nothing.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from companion.ledger.store import Ledger
from companion.table.errors import LedgerError

_OWN = "own browsers"
"""Name of the secret that holds the digests, in hexadecimal, of this machine's own browsers: an id may be given again."""
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
                "INSERT INTO phone (digest, name, paired, seen) VALUES (?, ?, ?, ?)", (digest(token), name, now, now)
            )
            number = cursor.lastrowid
        assert number is not None
        return Phone(number, name, now, now), token

    def is_this_machine(self, token: str) -> None:
        """Note that who has this token is a browser of the very machine that the program runs on."""
        with self._ledger.writing() as connection:
            own = [*self._own(), digest(token).hex()]
            value = msgspec.json.encode(own)
            connection.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (_OWN, value))

    def another(self) -> bool:
        """Whether a phone is paired that is not this machine's own browser."""
        with self._ledger.reading() as connection:
            return bool({bytes(row[0]).hex() for row in connection.execute("SELECT digest FROM phone")} - set(self._own()))

    def _own(self) -> list[str]:
        with self._ledger.reading() as connection:
            found = connection.execute("SELECT value FROM secret WHERE name = ?", (_OWN,)).fetchone()
        return msgspec.json.decode(found[0], type=list[str]) if found is not None else []

    def find(self, token: str) -> Phone | None:
        """The phone that has this token; None where there is none, or no longer."""
        with self._ledger.reading() as connection:
            row = connection.execute("SELECT id, name, paired, seen FROM phone WHERE digest = ?", (digest(token),)).fetchone()
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
        """Unpair this phone: it can change nothing any more. False where there is no such phone."""
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


def digest(token: str) -> bytes:
    """SHA-256 of a token: all that a ledger, or a hall, keeps of it."""
    return hashlib.sha256(token.encode()).digest()


_NAME = "filming"
"""Name of the secret under which they are kept. Knowing one of these ids is no use without the key that signs tokens."""
MAX_PHONES = 8
"""Greatest number of phones that may film; for one more, the one that came first is shut out."""


class FilmingPhone(msgspec.Struct, frozen=True, array_like=True):
    """A phone that may film. ``id``: of this permission, in its token; of a further camera its number stands at the end, after a
    point; ``phone``: how it calls itself; ``kind``: such as "iPhone", "" where that is not known; ``since``: Unix time,
    seconds."""

    id: str
    phone: str
    kind: str
    since: float

    @property
    def view(self) -> int:
        """The number of the camera that it is, from 1."""
        return int(self.id.partition(".")[2] or 1)


class FilmingPhones:
    """The phones that may film, kept in a ledger or, without one, for this run alone. All methods may be called from any thread,
    and raise LedgerError."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger, self._lock = ledger, threading.Lock()
        self._all = self._read()

    def all(self) -> tuple[FilmingPhone, ...]:
        """The phones that may film, the last to come first."""
        return self._all[::-1]

    def find(self, id: str) -> FilmingPhone | None:
        """The phone that has this permission; None where none has it any more."""
        return next((one for one in self._all if one.id == id), None)

    def admit(self, phone: str, kind: str, *, alone: bool, view: int = 1) -> FilmingPhone:
        """Let a phone film, as the camera with the number ``view``: with the permission that it has already, or a new one.
        ``alone``: all others are shut out that are this camera."""
        with self._lock:
            known = next((one for one in self._all if (one.phone, one.view) == (phone, view)), None)
            number = "" if view == 1 else f".{view}"
            admitted = known or FilmingPhone(f"{secrets.token_hex(8)}{number}", phone, kind, time.time())
            others = tuple(one for one in self._all if one.phone != phone and not (alone and one.view == view))
            self._keep((*others, admitted)[-MAX_PHONES:])
            return admitted

    def withdraw(self, id: str) -> FilmingPhone | None:
        """Shut one phone out, and return it."""
        with self._lock:
            gone = self.find(id)
            if gone is not None:
                self._keep(tuple(one for one in self._all if one is not gone))
            return gone

    def withdraw_all(self, view: int = 1) -> None:
        """Shut all of them out that are the camera with this number."""
        with self._lock:
            left = tuple(one for one in self._all if one.view != view)
            if left != self._all:
                self._keep(left)

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
