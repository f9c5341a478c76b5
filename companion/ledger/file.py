"""A ledger's file while it is open: one program writes, any number read, and what the disk does not take is kept in memory.

Readers have a connection of their own, so that none of them waits for a writer, or for a program that the writer waits for.
Where the disk takes nothing more and the evening is to go on all the same, everything is copied into memory and goes on there.
The statements made there are repeated on the file as soon as it takes them.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.ledger import opening
from companion.ledger.opening import Owner
from companion.ledger.trouble import FAILS, Trouble, trouble_of, what_is_wrong
from companion.table.errors import LedgerError, OnlyLookedAt

_log = logging.getLogger(__name__)

RETRY_SECONDS = 2.0
"""Seconds between two attempts to write to a disk that took nothing."""
_MIN_FREE_BYTES = 1 << 20
"""Bytes that must be free on a disk; with fewer it counts as full."""
_CHECKPOINT_TRANSACTIONS = 200
"""Number of transactions after which the write-ahead log, then some megabytes, is copied into the ledger (a checkpoint)."""
BEGIN, END = "BEGIN IMMEDIATE", "COMMIT"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its values: of one row, or of ``many``."""

    sql: str
    values: Sequence[object]
    many: bool

    def to(self, connection: sqlite3.Connection) -> sqlite3.Cursor:
        """Execute it on this connection. Raises sqlite3.Error."""
        return (connection.executemany if self.many else connection.execute)(self.sql, self.values)  # type: ignore[arg-type]


class Writing:
    """A transaction of a ledger, in its file. Where the disk takes nothing more its statements so far, ``said``, are repeated in
    memory, and it goes on there."""

    def __init__(self, connection: sqlite3.Connection, elsewhere: Callable[[sqlite3.Error], sqlite3.Connection]) -> None:
        """``elsewhere``: where it goes on after an error of the disk; it raises the error where it cannot."""
        self.said: list[Statement] = []
        self._connection, self._elsewhere = connection, elsewhere

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """As that of a connection. Raises sqlite3.Error."""
        return self._do(Statement(sql, values, many=False))

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """As that of a connection. Raises sqlite3.Error."""
        self._do(Statement(sql, rows, many=True))

    def roll_back(self) -> None:
        """Undo its statements."""
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _do(self, said: Statement) -> sqlite3.Cursor:
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


class LedgerFile:
    """An open ledger. All methods may be called from any thread.

    Attributes:
        name: of the file, for messages.
        lock: held while something is read, and while values are derived from it. A writer takes it after all other locks.
        trouble: what is wrong with the disk; None while it takes what is recorded.
    """

    def __init__(
        self, name: str, reader: sqlite3.Connection, writer: sqlite3.Connection | None, *, path: Path | None = None,
        owner: Owner | None = None, keep_going: bool = False,
    ) -> None:  # fmt: skip
        """``writer``: None for a ledger that is only looked at, ``reader`` itself in memory; ``path``: None in memory."""
        self.name, self.lock = name, threading.RLock()
        self.trouble: Trouble | None = None
        self._reader, self._writer = reader, writer
        self._path, self._owner, self._keep_going = path, owner, keep_going
        self._writing = threading.RLock()
        self._closed = threading.Event()
        self._disk: tuple[sqlite3.Connection, sqlite3.Connection] | None = None
        self._unsaved: list[Statement] = []
        self._written = 0
        self._to_scrub = False
        self._stood: tuple[int, ...] = ()

    @classmethod
    def in_memory(cls) -> LedgerFile:
        """A ledger that lives as long as this object."""
        connection = opening.in_memory()
        return cls("ledger in memory", connection, connection)

    @classmethod
    def look(cls, path: Path) -> LedgerFile:
        """To read only; another program may write it meanwhile. Raises LedgerError."""
        opening.check_there(path)
        try:
            return cls(str(path), opening.to_look(path), None, path=path)
        except (*FAILS, OSError) as error:
            raise LedgerError(f"{path}: {what_is_wrong(error)}") from error

    @classmethod
    def open(cls, path: Path, *, keep_going: bool, make_folder: bool) -> LedgerFile:
        """To write; made where it is missing, with its folder if ``make_folder``. ``keep_going``: where the disk does not take
        it, it goes on in memory. Raises LedgerError."""
        opening.check_kind(path)
        if path.exists() or not (make_folder or path.parent.is_dir()):
            opening.check_there(path)
        owner: Owner | None = None
        try:
            if make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            owner = Owner(path)
            if not path.exists():
                opening.make(path)
            reader, writer = opening.to_write(path)
        except (*FAILS, OSError, LedgerError) as error:
            if keep_going and trouble_of(error) is not None:
                return cls._afloat_from(path, owner, error)
            if owner is not None:
                owner.release()
            if isinstance(error, LedgerError):
                raise
            raise LedgerError(f"{path}: {what_is_wrong(error)}") from error
        return cls(str(path), reader, writer, path=path, owner=owner, keep_going=keep_going)

    @classmethod
    def _afloat_from(cls, path: Path, owner: Owner | None, error: Exception) -> LedgerFile:
        """The ledger in memory from the beginning, as the disk has it, or a new one."""
        try:
            memory = opening.copied(path) if path.exists() else opening.in_memory()
        except (*FAILS, OSError, LedgerError) as worse:
            if owner is not None:
                owner.release()
            if isinstance(worse, LedgerError):
                raise
            raise LedgerError(f"{path}: {what_is_wrong(worse)}") from worse
        file = cls(str(path), memory, memory, path=path, owner=owner, keep_going=True)
        file._sink(error)
        return file

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """What is recorded, for this thread alone while the block runs. Raises LedgerError."""
        with self.lock:
            self._check_open()
            try:
                yield self._reader
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise LedgerError(f"{self.name}: {what_is_wrong(error)}") from error

    @contextmanager
    def writing(self, *, patient: bool = True) -> Iterator[Writing]:
        """A transaction: after the block all its statements are recorded or, if it raised, none of them. ``patient``: wait for
        another writer to finish. Raises LedgerError, also where another one writes and ``patient`` is False."""
        with ExitStack() as held:
            if not self._writing.acquire(blocking=patient):
                raise LedgerError(f"{self.name}: somebody else is writing")
            held.callback(self._writing.release)
            self._check_open()
            if self._writer is None:
                raise OnlyLookedAt(f"{self.name}: is only looked at here: say it to the program that writes it")
            if self._reader is self._writer:
                held.enter_context(self.lock)
            work = Writing(self._writer, lambda error: self._go_on_in_memory(error, held))
            if not patient:
                self._writer.execute("PRAGMA busy_timeout = 0")
                held.callback(self._writer.execute, f"PRAGMA busy_timeout = {round(opening.BUSY_SECONDS * 1000)}")
            try:
                work.execute(BEGIN)
                yield work
                work.execute(END)
            except BaseException as error:
                work.roll_back()
                if isinstance(error, sqlite3.Error | UnicodeDecodeError):
                    raise LedgerError(f"{self.name}: {what_is_wrong(error)}") from error
                raise
            if self.trouble is not None:
                self._unsaved += (said for said in work.said if not said.sql.startswith("SELECT"))
            elif self._path is not None:
                self._written += 1
                if self._to_scrub:
                    self._scrub()
                elif self._written % _CHECKPOINT_TRANSACTIONS == 0:
                    self._bring_over()

    def scrub(self) -> None:
        """Let nothing that was deleted or replaced stand in the file's bytes any more: at once or, where the disk takes nothing
        or another program reads just now, with what is recorded next, or at the end."""
        with self._writing, self.lock:
            self._to_scrub = True
            if self._path is not None and self.trouble is None and not self._closed.is_set():
                self._scrub()

    def _scrub(self) -> None:
        with suppress(sqlite3.Error), self.lock:
            if self._writer is not None:
                self._to_scrub = not opening.scrub(self._writer)

    def copy_to(self, path: Path) -> None:
        """Write all that is recorded into the new file ``path``. Raises LedgerError, OSError."""
        target = sqlite3.connect(path)
        try:
            with self.reading() as connection:
                connection.backup(target)
            target.execute(opening.WHOLE)
            target.commit()
        except sqlite3.Error as error:
            raise LedgerError(f"{path}: {what_is_wrong(error)}") from error
        finally:
            target.close()

    def close(self) -> None:
        """Give the file back. Closing twice is fine."""
        with self._writing, self.lock:
            if self._closed.is_set():
                return
            if self.trouble is not None and not self.save() and self._unsaved:
                self._rescue()
            self._closed.set()
            if self._to_scrub and self.trouble is None and self._path is not None:
                self._scrub()
            if self._writer is not None:
                with suppress(sqlite3.Error):  # where bringing it over had failed
                    self._writer.execute(opening.WHOLE)
            disk = self._disk or ()
            for connection in {self._reader, self._writer or self._reader, *disk}:
                with suppress(sqlite3.Error):
                    connection.close()
            if self._owner is not None:
                self._owner.release()

    def _go_on_in_memory(self, error: sqlite3.Error, held: ExitStack) -> sqlite3.Connection:
        """Copy everything into memory, as the disk takes nothing more; the connection to it. Raises ``error`` where it cannot be.

        ``held``: keeps readers out of the transaction that goes on there. Call it with the right to write.
        """
        writer = self._writer
        if not self._keep_going or self.trouble is not None or trouble_of(error) is None or writer is None:
            raise error
        memory = opening.in_memory()
        try:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            held.enter_context(self.lock)
            self._reader.backup(memory)
        except sqlite3.Error:
            memory.close()
            raise error from None
        self._disk = self._reader, writer
        self._reader = self._writer = memory
        self._sink(error)
        return memory

    def save(self) -> bool:
        """Write what memory alone has. False where the disk does not take it yet."""
        with self._writing:
            if self._closed.is_set() or self.trouble is None:
                return True
            try:
                reader, writer = self._disk = self._disk or self._opened_again()
                self._say_again(writer)
            except (*FAILS, OSError, LedgerError) as error:
                self._let_go(error)
                return False
            with self.lock:
                self._reader.close()
                self._reader, self._writer, self._disk = reader, writer, None
                _log.warning("%s: is written again; nothing is lost", self.name)
                self.trouble, self._unsaved = None, []
            return True

    def _say_again(self, writer: sqlite3.Connection) -> None:
        """All that was said in memory, in one transaction."""
        writer.execute("PRAGMA busy_timeout = 0")
        try:
            writer.execute(BEGIN)
            writer.execute(opening.WHOLE)  # something is always written, to know that it can be
            for said in self._unsaved:
                said.to(writer)
            writer.execute(END)
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
        finally:
            writer.execute(f"PRAGMA busy_timeout = {round(opening.BUSY_SECONDS * 1000)}")

    def _opened_again(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        """The file, where it has become writable and nobody else has changed it."""
        assert self._path is not None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._owner = self._owner or Owner(self._path)
        if not self._path.exists():
            opening.make(self._path)
        reader, writer = opening.to_write(self._path)
        if _stand(reader) != self._stood:
            reader.close()
            writer.close()
            raise LedgerError(f"{self._path}: another program has changed it meanwhile")
        return reader, writer

    def _let_go(self, error: Exception) -> None:
        """Have a disk that fails opened again the next time: it may have been unplugged."""
        if trouble_of(error) == "failing" and self._disk is not None:
            for connection in self._disk:
                with suppress(sqlite3.Error):
                    connection.close()
            self._disk = None

    def _sink(self, error: Exception) -> None:
        """Keep what is recorded in memory alone from now on, as the disk takes nothing."""
        self._stood = _stand(self._reader)
        what = trouble_of(error) or "failing"
        if what == "failing" and self._path is not None:
            with suppress(OSError):  # a full disk has many names
                what = "full" if shutil.disk_usage(self._path.parent).free < _MIN_FREE_BYTES else what
        self.trouble = Trouble(what, time.time())
        _log.warning("%s: %s. The game goes on in memory, and is written as soon as it can be", self.name, what_is_wrong(error))
        threading.Thread(target=self._keep_saving, name="ledger", daemon=True).start()

    def _keep_saving(self) -> None:
        while not self._closed.wait(RETRY_SECONDS) and not self.save():
            pass

    def _rescue(self) -> None:
        """The end, and the disk takes nothing: write all of it elsewhere."""
        for folder in dict.fromkeys((Path(tempfile.gettempdir()), Path.home(), Path("/dev/shm"))):  # nosec B108 # last way out
            rescued = folder / f"{Path(self.name).stem}-{time.strftime('%Y%m%d-%H%M%S')}.ledger"
            with suppress(LedgerError, OSError, sqlite3.Error):
                self.copy_to(rescued)
                _log.warning("%s: takes nothing still: all of it is in %s", self.name, rescued)
                return
            with suppress(OSError):
                rescued.unlink()  # half of it would pass for all
        _log.error("%s: takes nothing still, and neither does any other place: what was recorded last is lost", self.name)

    def _bring_over(self) -> None:
        with suppress(sqlite3.Error):  # a disk that takes nothing: the next one who has something to say hears of it
            if self._writer is not None:
                opening.bring_over(self._writer)

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise LedgerError(f"{self.name}: the ledger is closed")


def _stand(connection: sqlite3.Connection) -> tuple[int, ...]:
    """The numbers of rows in the ledger's tables, which differ once another program has recorded something."""
    tables = ("game", "version", "report")
    return tuple(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)  # nosec B608 # our names
