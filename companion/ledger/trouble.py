"""What is wrong with a ledger's disk or file, as a value and in a sentence."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass
from typing import Literal

from companion.ledger.schema import NotALedger

What = Literal["full", "read_only", "failing"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """The disk takes nothing more: it is ``full``, ``read_only``, or ``failing``. ``since``: what was recorded since then (Unix
    time, seconds) is in memory alone."""

    what: What
    since: float


_TROUBLES: dict[int, What] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "failing",
    sqlite3.SQLITE_IOERR: "failing",
}
_DAMAGED = "is damaged: companion salvage brings what can be read into a new one"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


FAILS = (NotALedger, sqlite3.Error, UnicodeDecodeError)
"""What a file that is damaged, or no ledger at all, can make SQLite raise."""


def trouble_of(error: Exception) -> What | None:
    """What of the disk this error tells; None where it is about something else."""
    if isinstance(error, sqlite3.Error):
        return _TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(error, OSError):
        return "full" if error.errno in _FULL else "read_only" if error.errno in _READ_ONLY else "failing"
    return None


def what_is_wrong(error: Exception) -> str:
    """A sentence without the file's name, for people, of what SQLite or the system refused."""
    if isinstance(error, NotALedger):
        return str(error)
    if isinstance(error, UnicodeDecodeError):
        return _DAMAGED
    if isinstance(error, OSError):
        if trouble_of(error) == "full":
            return "the disk is full: make room"
        return "cannot be opened or made: check that you may write in its folder, and that the disk is writable"
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return {
        sqlite3.SQLITE_NOTADB: "is no ledger (not even a database): choose another file",
        sqlite3.SQLITE_CORRUPT: _DAMAGED,
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or made: check that you may write in its folder",
        sqlite3.SQLITE_READONLY: "cannot be written: make the file and its folder writable, or choose another place",
        sqlite3.SQLITE_PERM: "may not be opened: check the file's permissions",
        sqlite3.SQLITE_BUSY: "is held by another program: close that one, or choose another file",
        sqlite3.SQLITE_FULL: "the disk is full: make room; what was recorded before is safe",
        sqlite3.SQLITE_IOERR: "the disk fails, or takes no more: make room, or look at it; what was recorded before is safe",
    }.get(code, f"SQLite refuses it ({' '.join(str(error).split())})")
