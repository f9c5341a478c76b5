"""How a ledger's file is opened, by the one program that writes it and by those that only read; and how a damaged, an empty or
an incomplete file is recognised.

What was recorded last stands in a second file beside the ledger, SQLite's write-ahead log (`NAME-wal`), until a checkpoint copies
it into the ledger. A ledger that is copied without that file has lost it. To recognise this, the ledger itself holds the word
`apart` as long as the write-ahead log holds the newer word `whole`: read together they say `whole`, the ledger alone says
`apart`.

One program may write a ledger, the `Owner` of a lock on a small file beside it. The kernel holds the lock, so it goes with the
program, however that ends: a file that is left over locks nobody out. A hall's folder has such an owner, too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from companion.files import kept_on_the_disk, write_whole, written_whole
from companion.ledger.schema import SCHEMA_VERSION, NotALedger, migrate, schema_of
from companion.ledger.trouble import trouble_of
from companion.table.errors import LedgerError

BUSY_SECONDS = 10.0
"""Seconds for which a writer waits for another kind of program, such as a database browser."""

_SHARED = Path("/dev/shm")  # nosec B108 # folders in it have random names
"""A folder in memory, where there is one."""

APART = "UPDATE state SET value = 'apart' WHERE name = 'written'"
WHOLE = "UPDATE state SET value = 'whole' WHERE name = 'written'"


def check_kind(path: Path) -> None:
    """Raises LedgerError where no ledger can be at ``path``, nor be made there: a folder, a pipe, a device, links that lead in
    circles."""
    try:
        path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise LedgerError(f"{path}: links that lead in circles, and to no file: name the ledger’s file itself") from None
        return  # said with what was to be done
    if not path.is_dir() and not path.is_file():
        raise LedgerError(f"{path}: is a pipe or a device, which can keep nothing: name a file, such as evening.ledger")


def check_there(path: Path) -> None:
    """Raises LedgerError where there is nothing at ``path`` that could be a ledger."""
    check_kind(path)
    if path.is_dir():
        raise LedgerError(f"{path}: is a folder, not a ledger file: name a file in it, such as {path / 'evening.ledger'}")
    if not path.parent.is_dir():
        raise LedgerError(f"{path}: the folder {path.parent} does not exist: make it first, or choose another file")
    if not path.exists():
        raise LedgerError(f"{path}: does not exist: choose a ledger's file")
    if path.stat().st_size == 0:
        raise LedgerError(
            f"{path}: is empty, which no ledger is: what was in it is lost; look for a backup, or delete it to begin a new one"
        )


def wal_of(path: Path) -> Path:
    """The write-ahead log of the ledger at ``path``."""
    return path.with_name(f"{path.name}-wal")


def make(path: Path) -> None:
    """A new ledger at ``path``, there whole or not at all. Raises OSError, sqlite3.Error."""
    with written_whole(path) as scratch, closing(_connected(scratch)) as connection:
        migrate(connection)
        connection.execute("PRAGMA journal_mode = WAL")


def in_memory() -> sqlite3.Connection:
    """A new ledger in memory."""
    connection = _connected(":memory:")
    migrate(connection)
    return connection


def to_write(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """The ledger at ``path``, an older one brought up to date after it was copied beside: a connection to read, and one to write.

    Raises NotALedger, sqlite3.Error. LedgerError: it was copied without its write-ahead log.
    """
    half = not wal_of(path).exists()
    writer = _connected(f"{path.absolute().as_uri()}?mode=rw")
    reader: sqlite3.Connection | None = None
    try:
        _check(writer, path, half=half)
        _keep_older(writer, path)
        migrate(writer)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA synchronous = FULL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")  # it would bring over `whole`
        bring_over(writer)
        reader = _looking(path)
    except BaseException:
        writer.close()
        raise
    return reader, writer


def _keep_older(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the ledger of an older program, before it is brought up to date: an older program can go on with that copy. Raises
    OSError, sqlite3.Error; then nothing is brought up to date."""
    schema = schema_of(connection)
    if schema in (0, SCHEMA_VERSION):
        return
    data, what = connection.serialize(), f"schema-{schema}"
    there = [path.with_name(f"{path.stem}-{what}{path.suffix}"), *path.parent.glob(f"{path.stem}-{what}-*{path.suffix}")]
    if not any(copy.exists() and copy.read_bytes() == data for copy in there):
        copy = free_beside(path, what)
        write_whole(copy, data)  # also where there is one: an older program has gone on since
        kept_on_the_disk(copy)  # before the ledger itself is changed: the power may go


def free_beside(path: Path, what: str) -> Path:
    """The first name that is free beside the ledger: ``evenings-WHAT.ledger``, ``evenings-WHAT-2.ledger``, …"""
    numbers = ("", *(f"-{number}" for number in range(2, 1000)))
    return next(free for number in numbers if not (free := path.with_name(f"{path.stem}-{what}{number}{path.suffix}")).exists())


def to_look(path: Path) -> sqlite3.Connection:
    """The ledger at ``path``, to read: as it is written by another program or, of one that is older or lies where nothing can be
    written, a copy in memory. Raises as `to_write`."""
    half = not wal_of(path).exists()
    try:
        connection = _looking(path)
        try:
            _check(connection, path, half=half)
            if schema_of(connection) == SCHEMA_VERSION:
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
    except sqlite3.Error as error:
        if trouble_of(error) is None:
            raise
    return copied(path)


def copied(path: Path) -> sqlite3.Connection:
    """The ledger at ``path`` as it is now, in memory; nothing need be writable. Raises as `to_write`, and OSError."""
    half = not wal_of(path).exists()
    memory = _connected(":memory:")
    try:
        try:
            with closing(_looking(path)) as connection:
                _check(connection, path, half=half)
                connection.backup(memory)
        except sqlite3.Error as error:
            if trouble_of(error) is None:
                raise
            elsewhere = _SHARED if _SHARED.is_dir() else None  # the disk may be full
            with tempfile.TemporaryDirectory(dir=elsewhere) as folder, _copy_opened(path, Path(folder)) as connection:
                _check(connection, path, half=half)
                connection.backup(memory)
        migrate(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def copy_with_wal(path: Path, folder: Path) -> Path:
    """The two files of a ledger, copied into ``folder``; where the ledger is there. Raises OSError."""
    copy = folder / "copy.ledger"
    shutil.copyfile(path, copy)
    with suppress(FileNotFoundError):
        shutil.copyfile(wal_of(path), wal_of(copy))
    return copy


def _copy_opened(path: Path, folder: Path) -> closing[sqlite3.Connection]:
    return closing(_connected(copy_with_wal(path, folder)))


def bring_over(writer: sqlite3.Connection) -> None:
    """Bring what stands in the write-ahead log into the ledger itself; waits for no reader. Raises sqlite3.Error."""
    writer.execute(APART)
    try:
        writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    finally:
        writer.execute(WHOLE)


def scrub(writer: sqlite3.Connection) -> bool:
    """Write the ledger afresh, without what was deleted or replaced in it, and empty its write-ahead log. False where somebody
    reads just now: what was deleted is still in that log. Raises sqlite3.Error."""
    writer.execute("VACUUM")  # a page that was used again may hold what stood there before, whatever `secure_delete` says
    writer.execute(APART)
    try:
        busy, *_ = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        writer.execute(WHOLE)
    return not busy


def is_half(connection: sqlite3.Connection) -> bool:
    """Whether this ledger, read without a write-ahead log, says that there was one."""
    return schema_of(connection) >= 6 and connection.execute("SELECT value FROM state").fetchall() == [("apart",)]


def _check(connection: sqlite3.Connection, path: Path, *, half: bool) -> None:
    """``half``: it came without a write-ahead log. Raises NotALedger, sqlite3.DatabaseError, LedgerError."""
    if schema_of(connection) and (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise NotALedger(f"is damaged ({' '.join(found.split())}): companion salvage brings what can be read into a new one")
    if half and is_half(connection):
        raise LedgerError(
            f"{path}: is only half of a ledger: it was copied while it was in use, without {wal_of(path).name}, and what was"
            " recorded last is not in it: copy both files, or use companion backup; companion salvage goes on with what is there"
        )


def _looking(path: Path) -> sqlite3.Connection:
    # Not `mode=ro`, which would leave its files behind.
    connection = _connected(f"{path.absolute().as_uri()}?mode=rw")
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(database: str | Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        database, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=str(database).startswith("file:")
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


_here: set[Path] = set()
"""What this process holds: a lock of `fcntl` does not keep two threads apart."""
_guard = threading.Lock()


class Owner:
    """The right to write the ledger at ``path``, until it is released or the process ends. Its children do not have it.

    ``refusal``: the message where somebody else has the right, made of its name ("" if unknown) and what it has told (`tell`).
    Raises LedgerError when another program, or another part of this one, has it; OSError where no lock can be made, such as on a
    disk that takes nothing.
    """

    def __init__(self, path: Path, refusal: Callable[[str, str], str] | None = None) -> None:
        self._refusal = refusal or (lambda by, told: f"{path}: {_held(by or 'another program')}")
        self._ledger = path.resolve()  # one lock, whatever link leads to the file
        self._lock = self._ledger.with_name(f"{self._ledger.name}-owner")
        with _guard:
            if self._ledger in _here:
                raise LedgerError(self._refusal("this very program", ""))
            self._file = self._locked()
            _here.add(self._ledger)

    def tell(self, what: str) -> None:
        """Leave a line for those who are refused from now on."""
        _write(self._file, what)

    def release(self) -> None:
        """Let others have it. Releasing twice is fine."""
        with _guard:
            if self._ledger in _here:
                _here.remove(self._ledger)
                with suppress(OSError):
                    self._lock.unlink()
                os.close(self._file)

    def _locked(self) -> int:
        while True:
            file = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is(file):
                    _write(file)
                    return file
            except (BlockingIOError, PermissionError):
                said, _, told = os.read(file, 300).decode("utf-8", "replace").partition("\n")
                os.close(file)
                raise LedgerError(self._refusal(f"process {said}" if said.isdigit() else "", told)) from None
            except OSError:
                os.close(file)
                raise
            os.close(file)  # the program that held it has just deleted the file

    def _is(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(self._lock))
        except FileNotFoundError:
            return False


def _write(file: int, told: str = "") -> None:
    """Write this process's number into its lock, and what it tells besides."""
    with suppress(OSError):  # who holds it is only told
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n{told}".encode() if told else str(os.getpid()).encode(), 0)


def _held(by: str) -> str:
    return (
        f"is held by another program ({by}): close that one, or choose another file; "
        "companion export, companion backup and companion serve --game N look at it meanwhile"
    )
