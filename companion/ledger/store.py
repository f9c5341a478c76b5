"""The ledger itself: games, and every version of their table logs.

The camera side changes its mind: it may learn in the showdown what was passed a minute ago. So it records the whole current
best log each time, and the ledger keeps the difference to the version before; readers wait for a version newer than theirs.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from companion.ledger.schema import NotALedger, prepare
from companion.table.errors import LedgerError
from companion.table.log import Line, LogFormat, encode_line
from companion.table.log import game_id as game_said

_POLL_S = 0.2
"""How often a waiting reader asks whether another process has recorded something, seconds."""

_BUSY_S = 10.0
"""How long a writer waits for another process to finish its own, seconds."""

_RECENT = 60
"""This many versions of a log are kept in memory: a phone's command is made on one that may be some seconds old."""

_IN_MEMORY = "ledger in memory"

ARCHIVED = "archived"
"""Name of the note that a game has which is only kept to be looked at."""
TAKEN_UP = "taken_up"
"""Name of the note that a game has which was gone on with after others: its place among all games, see `Ledger.newest`."""
_APART = 1_000_000
"""A game's place is its id, times this; one that is taken up again stands one behind the last. So many fit between two games."""


class UnknownGame(LookupError):
    """No such game, or no such version of it, in this ledger."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the ledger: `started` in Unix seconds, `version` of its newest log (0: nothing recorded yet)."""

    id: int
    started: float
    source: str
    version: int


FindFormat = Callable[[str | None], LogFormat]
"""How a log is read, given the game that its first line says (None where it says none)."""


@dataclass(slots=True)
class _Log:
    """A game's log at one version: its lines as text and as read. ``read`` may lag behind: its first ``good`` lines are those of
    ``text``, what follows is to be read again. ``recent``: the last versions that were recorded, for callers that still show one.
    """

    version: int
    text: list[str]
    read: tuple[Line, ...] = ()
    good: int = 0
    recent: dict[int, tuple[Line, ...]] = field(default_factory=dict)


class Ledger:
    """Games and their logs in one SQLite file. All methods may be called from any thread.

    A recorded version is on the disk when `record` returns (write-ahead log, synchronous FULL). Several processes may open
    the same file: one that watches, one that serves.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, find_format: FindFormat) -> None:
        self._connection = connection
        self._name = name
        self._find_format = find_format
        self._lock = threading.RLock()
        self._recorded = threading.Condition(self._lock)
        self._closed = False
        self._logs: dict[int, _Log] = {}

    @property
    def file(self) -> str:
        """The name of its file; "" where it is in memory."""
        return "" if self._name == _IN_MEMORY else self._name

    @classmethod
    def open(cls, path: str | Path, find_format: FindFormat) -> Ledger:
        """Open a ledger file, made if it is missing. ``find_format``: how a game's lines are read, `companion.games.log_format`.

        Raises LedgerError when that cannot be done.
        """
        path = Path(path)
        if path.is_dir():
            raise LedgerError(f"{path}: is a folder, not a ledger file: name a file in it, such as {path / 'evening.ledger'}")
        if not path.parent.is_dir():
            raise LedgerError(f"{path}: the folder {path.parent} does not exist: make it first, or choose another file")
        return cls._connect(str(path), str(path), find_format)

    @classmethod
    def in_memory(cls, find_format: FindFormat) -> Ledger:
        """A ledger that lives as long as this object: for looking at a log without keeping it, and for tests."""
        return cls._connect(":memory:", _IN_MEMORY, find_format)

    @classmethod
    def _connect(cls, database: str, name: str, find_format: FindFormat) -> Ledger:
        connection: sqlite3.Connection | None = None
        try:
            # One connection guarded by one lock: a bar's ledger sees a few writes a second, not thousands.
            connection = sqlite3.connect(database, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA foreign_keys = ON")
            prepare(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except (NotALedger, sqlite3.Error) as error:
            if connection is not None:
                connection.close()
            raise LedgerError(f"{name}: {_what_is_wrong(error)}") from error
        return cls(connection, name, find_format)

    def close(self) -> None:
        """Give the file back and wake everybody who waits. A closed ledger answers LedgerError. Closing twice is fine."""
        with self._recorded:
            if not self._closed:
                self._closed = True
                self._connection.close()
            self._recorded.notify_all()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def new_game(self, *, source: str = "", started: float | None = None, archived: bool = False) -> int:
        """Begin a game and return its id, higher than any before. `source` says where it is seen; `started` is now if None.

        An `archived` one is only kept to be looked at: it is never the `newest`.
        """
        with self.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO game (started, source) VALUES (?, ?)", (time.time() if started is None else started, source)
            )
            game_id = cursor.lastrowid
            assert game_id is not None
            if archived:
                _keep(connection, game_id, {ARCHIVED: ""})
        with self._recorded:
            self._recorded.notify_all()
        return game_id

    def games(self) -> tuple[GameEntry, ...]:
        """All games, the newest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, started, source, coalesce((SELECT max(number) FROM version WHERE game = id), 0)"
                " FROM game ORDER BY id DESC"
            ).fetchall()
        return tuple(GameEntry(*row) for row in rows)

    def newest(self) -> int | None:
        """The id of the game begun or taken up last, archived ones left out; None where there is none yet."""
        with self.reading() as connection:
            last = _last(connection)
        return None if last is None else last[0]

    def take_up(self, game_id: int) -> None:
        """Make this game the `newest`, whenever it was begun; an archived one is archived no more. Raises UnknownGame, and
        LedgerError as `record`."""
        with self.writing() as connection:
            self.version(game_id)
            connection.execute("DELETE FROM note WHERE game = ? AND name = ?", (game_id, ARCHIVED))
            last = _last(connection)
            if last is not None and last[0] != game_id:
                _keep(connection, game_id, {TAKEN_UP: str(last[1] + 1)})
        with self._recorded:
            self._recorded.notify_all()

    def record(
        self, game_id: int, lines: Sequence[Line], *, reports: Sequence[str] = (), notes: Mapping[str, str] | None = None,
        hands: Mapping[int, tuple[int, str]] | None = None, gone: Sequence[int] = (),
    ) -> int:  # fmt: skip
        """Keep `lines` as the whole best log of the game by now, and return its version (1, 2, …).

        A log equal to the newest one makes no new version. `reports` (a text each) are added to those of the game, and `notes`
        (name → text) and `hands` (id → its place in order of play, and a text) take the place of those of their names and ids;
        hands that are `gone` are forgotten. All is kept or nothing. Raises UnknownGame, and LedgerError when the disk refuses:
        then nothing has changed.
        """
        lines = tuple(lines)
        with self.writing() as connection:
            before = self._newest(game_id)
            connection.executemany(
                "INSERT INTO report (game, number, text)"
                " VALUES (?1, 1 + (SELECT coalesce(max(number), 0) FROM report WHERE game = ?1), ?2)",
                [(game_id, report) for report in reports],
            )
            _keep(connection, game_id, notes or {})
            connection.executemany("DELETE FROM hand WHERE game = ? AND id = ?", [(game_id, number) for number in gone])
            connection.executemany(
                "INSERT OR REPLACE INTO hand (game, id, place, text) VALUES (?, ?, ?, ?)",
                [(game_id, number, place, text) for number, (place, text) in (hands or {}).items()],
            )
            head, tail, middle = _difference(before, lines)
            if not middle and head + tail == len(before.text):
                return before.version
            version = before.version + 1
            connection.execute(
                "INSERT INTO version (game, number, recorded, head, tail, lines) VALUES (?, ?, ?, ?, ?, ?)",
                (game_id, version, time.time(), head, tail, "".join(line + "\n" for line in middle)),
            )
        with self._recorded:
            before.text[head : len(before.text) - tail] = middle
            before.version, before.read, before.good = version, lines, len(lines)
            before.recent[version] = lines
            before.recent.pop(version - _RECENT, None)
            self._recorded.notify_all()
        return version

    def reports(self, game_id: int) -> tuple[str, ...]:
        """All that was reported of a game, in order. Raises UnknownGame."""
        self.version(game_id)
        with self.reading() as connection:
            rows = connection.execute("SELECT text FROM report WHERE game = ? ORDER BY number", (game_id,)).fetchall()
        return tuple(text for (text,) in rows)

    def hands(self, game_id: int) -> tuple[str, ...]:
        """The texts of the game's hands, in order of play; none where none were kept. Raises UnknownGame."""
        self.version(game_id)
        with self.reading() as connection:
            rows = connection.execute("SELECT text FROM hand WHERE game = ? ORDER BY place", (game_id,)).fetchall()
        return tuple(text for (text,) in rows)

    def note(self, game_id: int, **notes: str) -> None:
        """Keep texts with a game, each in the place of the one of its name. Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as connection:
            self.version(game_id)
            _keep(connection, game_id, notes)

    def notes(self, game_id: int) -> dict[str, str]:
        """All texts kept with a game, name → text. Raises UnknownGame."""
        self.version(game_id)
        with self.reading() as connection:
            return dict(connection.execute("SELECT name, text FROM note WHERE game = ?", (game_id,)).fetchall())

    def version(self, game_id: int) -> int:
        """The newest version of the game's log, 0 before anything was recorded. Raises UnknownGame."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT (SELECT max(number) FROM version WHERE game = id) FROM game WHERE id = ?", (game_id,)
            ).fetchone()
        if row is None:
            raise UnknownGame(f"{self._name}: no game {game_id}")
        return int(row[0] or 0)

    def lines(self, game_id: int, version: int | None = None) -> tuple[Line, ...]:
        """The log of the game as it was at `version`: the newest if None, nothing for 0. Raises UnknownGame."""
        return self.at(game_id, version)[1]

    def at(self, game_id: int, version: int | None = None) -> tuple[int, tuple[Line, ...]]:
        """The version that was read, and its lines: what a reader needs who then waits for the next. Raises UnknownGame."""
        with self._lock:
            newest = self._newest(game_id)
            if version is None or version == newest.version:
                return newest.version, self._read(newest)
            if not 0 <= version <= newest.version:
                raise UnknownGame(f"{self._name}: game {game_id} has no version {version}: its newest is {newest.version}")
            if version in newest.recent:
                return version, newest.recent[version]
            earlier = _Log(0, [])
            self._splice(game_id, earlier, version)
            return version, self._read(earlier)

    def glance(self, game_id: int) -> tuple[int, tuple[Line, ...]]:
        """As `at`, of a game that is read once: nothing of it stays in memory. Raises UnknownGame."""
        with self._lock:
            log = _Log(0, [])
            self._splice(game_id, log, self.version(game_id))
            return log.version, self._read(log)

    def wait(self, game_id: int, version: int, timeout: float) -> int:
        """Wait until the game has a version newer than `version`, at most `timeout` seconds; return the newest one.

        Raises UnknownGame, and LedgerError when the ledger is closed.
        """
        self.wait_until(lambda: self.version(game_id) > version, timeout)
        return self.version(game_id)

    def wait_until(self, happened: Callable[[], bool], timeout: float) -> bool:
        """Wait until something has `happened` in the ledger, in this process or in another one, at most `timeout` seconds.

        Returns whether it has. `happened` is asked after every change and may read the ledger; what it raises is raised.
        """
        deadline = time.monotonic() + timeout
        with self._recorded:
            while not happened():
                if (left := deadline - time.monotonic()) <= 0:
                    return False
                self._recorded.wait(min(left, _POLL_S))
            return True

    def _newest(self, game_id: int) -> _Log:
        """The newest version of the log, from memory as far as it is known. Call with the lock held."""
        newest = self.version(game_id)
        kept = self._logs.setdefault(game_id, _Log(0, []))
        if kept.version < newest:
            self._splice(game_id, kept, newest)
        return kept

    def _splice(self, game_id: int, log: _Log, version: int) -> None:
        """Bring the log forward to ``version``."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT head, tail, lines FROM version WHERE game = ? AND number > ? AND number <= ? ORDER BY number",
                (game_id, log.version, version),
            ).fetchall()
        for head, tail, middle in rows:
            # Split at line feeds only: names may hold other characters that str.splitlines takes for line ends.
            log.text[head : len(log.text) - tail] = middle.split("\n")[:-1]
            log.good = min(log.good, head)
        log.version = version

    def _read(self, log: _Log) -> tuple[Line, ...]:
        """The log's lines. Those that have been read before are not read again."""
        if log.good < len(log.text) or len(log.read) != len(log.text):
            decode = self._find_format(game_said(log.text[0].encode()) if log.text else None).decode_line
            log.read = (*log.read[: log.good], *(decode(line.encode()) for line in log.text[log.good :]))
            log.good = len(log.text)
        return log.read

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The open file, for this thread alone while the block runs; for the ledger's own tables. Raises LedgerError."""
        with self._lock:
            if self._closed:
                raise LedgerError(f"{self._name}: the ledger is closed")
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise LedgerError(f"{self._name}: {_what_is_wrong(error)}") from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """As `reading`; what the block changes is on the disk after it, or, where it raised, nothing of it."""
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def _last(connection: sqlite3.Connection) -> tuple[int, int] | None:
    """The newest game that is not archived, and its place among all games."""
    row = connection.execute(
        "SELECT game.id, coalesce(CAST(text AS INTEGER), game.id * ?1) AS place"
        " FROM game LEFT JOIN note ON note.game = game.id AND note.name = ?2"
        " WHERE game.id NOT IN (SELECT game FROM note WHERE name = ?3) ORDER BY place DESC LIMIT 1",
        (_APART, TAKEN_UP, ARCHIVED),
    ).fetchone()
    return None if row is None else (int(row[0]), int(row[1]))


def _keep(connection: sqlite3.Connection, game_id: int, notes: Mapping[str, str]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO note (game, name, text) VALUES (?, ?, ?)",
        [(game_id, name, text) for name, text in notes.items()],
    )


def _difference(before: _Log, lines: Sequence[Line]) -> tuple[int, int, list[str]]:
    """How many lines of ``before`` stay at its head and at its tail, and as text those that come between them.

    A line that is known already is not written out again: a long evening's log has mostly those.
    """
    same = before.read if before.good == len(before.text) else ()
    first = common_start(same, lines)
    last = common_start(same[first:][::-1], lines[first:][::-1])
    text = [encode_line(line).decode() for line in lines[first : len(lines) - last]]
    stood = before.text[first : len(before.text) - last]
    head = common_start(stood, text)
    tail = common_start(stood[head:][::-1], text[head:][::-1])
    return first + head, last + tail, text[head : len(text) - tail]


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many lines two logs, both tuples or both lists, have in common from their start: quick where most are the same."""
    least = min(len(one), len(other))
    count, step = 0, least
    while step:
        if one[count : count + step] == other[count : count + step]:
            count += step
            step = min(step, least - count)
        else:
            step //= 2
    return count


def _what_is_wrong(error: Exception) -> str:
    """A sentence without the file's name, for people, of what SQLite refused."""
    if isinstance(error, NotALedger):
        return str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return {
        sqlite3.SQLITE_NOTADB: "is no ledger (not even a database): choose another file",
        sqlite3.SQLITE_CORRUPT: "is damaged: choose another file, and keep this one for repair",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or made: check that you may write in its folder",
        sqlite3.SQLITE_READONLY: "cannot be written: make the file and its folder writable, or choose another place",
        sqlite3.SQLITE_PERM: "may not be opened: check the file's permissions",
        sqlite3.SQLITE_BUSY: "is held by another program: close that one, or choose another file",
        sqlite3.SQLITE_FULL: "the disk is full: make room; what was recorded before is safe",
    }.get(code, f"SQLite refuses it ({error})")
