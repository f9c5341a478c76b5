"""The ledger itself: games, and every version of their table logs.

The camera side changes its mind: it may learn in the showdown what was passed a minute ago. So it records the whole current
best log each time, and the ledger keeps the difference to the version before; readers wait for a version newer than theirs.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from companion.ledger.file import LedgerFile, Writing
from companion.ledger.schema import checksum
from companion.ledger.splice import KeptLog, difference
from companion.ledger.trouble import Trouble
from companion.table.errors import GameError, LedgerError
from companion.table.log import Line, LogFormat, encode_line
from companion.table.log import game_id as game_said

_POLL_S = 0.2
"""How often a waiting reader asks whether another process has recorded something, seconds."""

_RECENT = 60
"""This many versions of a log are kept in memory: a phone's command is made on one that may be some seconds old."""

ARCHIVED = "archived"
"""Name of the note that a game has which is only kept to be looked at."""
TAKEN_UP = "taken_up"
"""Name of the note that a game has which was gone on with after others: its place among all games, see `Ledger.newest`."""
_APART = 1_000_000
"""A game's place is its id, times this; one that is taken up again stands one behind the last. So many fit between two games."""


class UnknownGame(LookupError):
    """No such game, or no such version of it, in this ledger."""


class Overtaken(Exception):
    """Something else was recorded of a game since this was thought out: it has to be thought out anew."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the ledger: `started` in Unix seconds, `version` of its newest log (0: nothing recorded yet)."""

    id: int
    started: float
    source: str
    version: int


FindFormat = Callable[[str | None], LogFormat]
"""How a log is read, given the game that its first line says (None where it says none)."""


class Report(NamedTuple):
    """What was reported of a game: a ``text``, and when it was ``recorded`` (Unix seconds; None: by an older program)."""

    text: str
    recorded: float | None


class Stand(NamedTuple):
    """How far a game has come: the newest ``version`` of its log, and how many ``reports`` there are of it."""

    version: int
    reports: int


class Ledger:
    """Games and their logs in one SQLite file. All methods may be called from any thread.

    A recorded version is on the disk when `record` returns (write-ahead log, synchronous FULL). One program writes a file, any
    number look at it.
    """

    def __init__(self, file: LedgerFile, find_format: FindFormat) -> None:
        self._file, self._name = file, file.name
        self._find_format = find_format
        self._recorded = threading.Condition(file.lock)
        self._logs: dict[int, KeptLog] = {}

    @classmethod
    def open(
        cls, path: str | Path, find_format: FindFormat, *, keep_going: bool = False, make_folder: bool = False
    ) -> Ledger:
        """Open a ledger file to write it, made if it is missing; nobody else writes it meanwhile. ``find_format``: how a game's
        lines are read, `companion.games.log_format`. ``make_folder``: its folder is made, too. ``keep_going``: where the disk
        does not take it, now or later, it goes on in memory until the disk does, and `trouble` says so.

        Raises LedgerError when that cannot be done.
        """
        ledger = cls(LedgerFile.open(Path(path), keep_going=keep_going, make_folder=make_folder), find_format)
        try:
            ledger._put_aside()
            if (newest := ledger.newest()) is not None:  # what is to be gone on with must be readable
                ledger.lines(newest)
                ledger.reports(newest)
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    def look(cls, path: str | Path, find_format: FindFormat) -> Ledger:
        """Open a ledger file to read it, also while another program writes it. What would change it raises LedgerError.

        Raises LedgerError where it is no ledger.
        """
        return cls(LedgerFile.look(Path(path)), find_format)

    @classmethod
    def in_memory(cls, find_format: FindFormat) -> Ledger:
        """A ledger that lives as long as this object: for looking at a log without keeping it, and for tests."""
        return cls(LedgerFile.in_memory(), find_format)

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the disk; None while what is recorded is on it."""
        return self._file.trouble

    def copy_to(self, path: Path) -> None:
        """Write all that is recorded into the new file ``path``, also while games go on. Raises LedgerError, OSError."""
        self._file.copy_to(path)

    def close(self) -> None:
        """Give the file back and wake everybody who waits. A closed ledger answers LedgerError. Closing twice is fine."""
        self._file.close()
        with self._recorded:
            self._recorded.notify_all()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def new_game(self, *, source: str = "", started: float | None = None, archived: bool = False) -> int:
        """Begin a game of which nothing is known yet, and return its id: see `begin`."""
        return self.begin((), source=source, started=started, archived=archived)

    def begin(
        self, lines: Sequence[Line], *, source: str = "", started: float | None = None, archived: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> int:  # fmt: skip
        """Begin a game with this log and these notes (name → text), all of it or nothing; return its id, higher than any before.

        ``source`` says where it is seen; ``started`` (Unix seconds) is now if None. An ``archived`` one is only kept to be
        looked at: it is never the `newest`. Raises LedgerError: nothing was begun.
        """
        with self.writing() as writing:
            cursor = writing.execute(
                "INSERT INTO game (started, source) VALUES (?, ?)", (time.time() if started is None else started, source)
            )
            game_id = cursor.lastrowid
            assert game_id is not None
            _keep(writing, game_id, {**(notes or {}), **({ARCHIVED: ""} if archived else {})})
            if lines:
                _add_version(writing, game_id, 1, 0, 0, [encode_line(line).decode() for line in lines])
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

    def take_up(self, game_id: int, **notes: str) -> None:
        """Make this game the `newest`, whenever it was begun, and keep these notes with it; an archived one is archived no more.
        Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as writing:
            self._stand(writing, game_id)
            writing.execute("DELETE FROM note WHERE game = ? AND name = ?", (game_id, ARCHIVED))
            last = _last(writing)
            if last is not None and last[0] != game_id:
                _keep(writing, game_id, {TAKEN_UP: str(last[1] + 1)})
            _keep(writing, game_id, notes)
        with self._recorded:
            self._recorded.notify_all()

    def record(
        self, game_id: int, lines: Sequence[Line], *, reports: Sequence[str] = (), notes: Mapping[str, str] | None = None,
        hands: Mapping[int, tuple[int, str]] | None = None, gone: Sequence[int] = (), on: Stand | None = None,
    ) -> int:  # fmt: skip
        """Keep `lines` as the whole best log of the game by now, and return its version (1, 2, …).

        A log equal to the newest one makes no new version. `reports` (a text each) are added to those of the game, and `notes`
        (name → text) and `hands` (id → its place in order of play, and a text) take the place of those of their names and ids;
        hands that are `gone` are forgotten. ``on``: how the game stood when this was thought out. All is kept or nothing.

        Raises UnknownGame; Overtaken: it does not stand ``on`` that any more; LedgerError when the disk refuses. Then nothing has
        changed.
        """
        lines = tuple(lines)
        with self.writing() as writing:
            stand = self._stand(writing, game_id)
            if on is not None and stand != on:
                raise Overtaken(f"{self._name}: game {game_id} stands at {stand}, not at {on}")
            with self._file.lock:
                before = self._newest(game_id)
                assert before.version == stand.version  # whoever writes is alone, and what is recorded can be read at once
                head, tail, middle = difference(before, lines)
                same = not middle and head + tail == len(before.text)
            now = time.time()
            writing.executemany(
                "INSERT INTO report (game, number, text, crc, recorded) VALUES (?, ?, ?, ?, ?)",
                [(game_id, stand.reports + more, text, checksum(text), now) for more, text in enumerate(reports, start=1)],
            )
            _keep(writing, game_id, notes or {})
            writing.executemany("DELETE FROM hand WHERE game = ? AND id = ?", [(game_id, number) for number in gone])
            writing.executemany(
                "INSERT OR REPLACE INTO hand (game, id, place, text, crc) VALUES (?, ?, ?, ?, ?)",
                [(game_id, number, place, text, checksum(place, text)) for number, (place, text) in (hands or {}).items()],
            )
            version = stand.version + (not same)
            if not same:
                _add_version(writing, game_id, version, head, tail, middle)
        if not same:
            with self._recorded:
                if before.version + 1 == version:  # nobody has read it from the file meanwhile
                    before.go_on_to(version, head, tail, middle, lines)
                before.recent[version] = lines
                before.recent.pop(version - _RECENT, None)
                self._recorded.notify_all()
        return version

    def reports(self, game_id: int) -> tuple[str, ...]:
        """All that was reported of a game, in order. Raises UnknownGame."""
        return tuple(report.text for report in self.reported(game_id))

    def reported(self, game_id: int) -> tuple[Report, ...]:
        """As `reports`, with when. Raises UnknownGame."""
        with self.reading() as connection:
            self._stand(connection, game_id)
            rows = connection.execute(
                "SELECT number, text, crc, recorded FROM report WHERE game = ? ORDER BY number", (game_id,)
            ).fetchall()
        for place, (number, text, crc, _) in enumerate(rows, start=1):
            if number != place or crc not in (None, checksum(text)):
                raise self._damaged(game_id, f"what was reported of it ({place})")
        return tuple(Report(text, recorded) for _, text, _, recorded in rows)

    def hands(self, game_id: int) -> tuple[str, ...]:
        """The texts of the game's hands, in order of play; none where none were kept, or one is damaged. Raises UnknownGame."""
        with self.reading() as connection:
            self._stand(connection, game_id)
            rows = connection.execute("SELECT place, text, crc FROM hand WHERE game = ? ORDER BY place", (game_id,)).fetchall()
        if any(crc not in (None, checksum(place, text)) for place, text, crc in rows):
            return ()
        return tuple(text for _, text, _ in rows)

    def note(self, game_id: int, **notes: str) -> None:
        """Keep texts with a game, each in the place of the one of its name. Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as writing:
            self._stand(writing, game_id)
            _keep(writing, game_id, notes)

    def notes(self, game_id: int) -> dict[str, str]:
        """All texts kept with a game, name → text. Raises UnknownGame."""
        with self.reading() as connection:
            self._stand(connection, game_id)
            return dict(connection.execute("SELECT name, text FROM note WHERE game = ?", (game_id,)).fetchall())

    def version(self, game_id: int) -> int:
        """The newest version of the game's log, 0 before anything was recorded. Raises UnknownGame."""
        return self.stand(game_id).version

    def stand(self, game_id: int) -> Stand:
        """How far the game has come. Raises UnknownGame."""
        with self.reading() as connection:
            return self._stand(connection, game_id)

    def lines(self, game_id: int, version: int | None = None) -> tuple[Line, ...]:
        """The log of the game as it was at `version`: the newest if None, nothing for 0. Raises UnknownGame."""
        return self.at(game_id, version)[1]

    def at(self, game_id: int, version: int | None = None) -> tuple[int, tuple[Line, ...]]:
        """The version that was read, and its lines: what a reader needs who then waits for the next. Raises UnknownGame."""
        with self._file.lock:
            newest = self._newest(game_id)
            if version is None or version == newest.version:
                return newest.version, self._read(game_id, newest)
            if not 0 <= version <= newest.version:
                raise UnknownGame(f"{self._name}: game {game_id} has no version {version}: its newest is {newest.version}")
            if version in newest.recent:
                return version, newest.recent[version]
            earlier = KeptLog(0, [])
            self._splice(game_id, earlier, version)
            return version, self._read(game_id, earlier)

    def glance(self, game_id: int) -> tuple[int, tuple[Line, ...]]:
        """As `at`, of a game that is read once: nothing of it stays in memory. Raises UnknownGame."""
        with self._file.lock:
            log = KeptLog(0, [])
            self._splice(game_id, log, self.version(game_id))
            return log.version, self._read(game_id, log)

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

    def _newest(self, game_id: int) -> KeptLog:
        """The newest version of the log, from memory as far as it is known. Call with the lock held."""
        newest = self.version(game_id)
        kept = self._logs.setdefault(game_id, KeptLog(0, []))
        if kept.version < newest:
            self._splice(game_id, kept, newest)
        return kept

    def _splice(self, game_id: int, log: KeptLog, version: int) -> None:
        """Bring the log forward to ``version``."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT number, head, tail, lines, crc FROM version WHERE game = ? AND number > ? AND number <= ?"
                " ORDER BY number",
                (game_id, log.version, version),
            ).fetchall()
        for number, head, tail, middle, crc in rows:
            if number != log.version + 1 or crc not in (None, checksum(head, tail, middle)):
                raise self._damaged(game_id, f"version {number} of its log")
            log.go_on(number, head, tail, middle)

    def _read(self, game_id: int, log: KeptLog) -> tuple[Line, ...]:
        """The log's lines. Those that have been read before are not read again."""
        if log.good < len(log.text) or len(log.read) != len(log.text):
            decode = self._find_format(game_said(log.text[0].encode()) if log.text else None).decode_line
            try:
                log.read = (*log.read[: log.good], *(decode(line.encode()) for line in log.text[log.good :]))
            except GameError as error:
                raise self._damaged(game_id, f"its log ({error})") from error
            log.good = len(log.text)
        return log.read

    def _damaged(self, game_id: int, what: str) -> LedgerError:
        return LedgerError(
            f"{self._name}: game {game_id}: {what} is damaged: companion salvage brings what can be read into a new ledger"
        )

    def _stand(self, connection: sqlite3.Connection | Writing, game_id: int) -> Stand:
        row = connection.execute(
            "SELECT (SELECT max(number) FROM version WHERE game = id), (SELECT max(number) FROM report WHERE game = id)"
            " FROM game WHERE id = ?", (game_id,)
        ).fetchone()  # fmt: skip
        if row is None:
            raise UnknownGame(f"{self._name}: no game {game_id}")
        return Stand(int(row[0] or 0), int(row[1] or 0))

    def _put_aside(self) -> None:
        """A game of which nothing at all is recorded, as an older program that was killed could leave it, is nobody's newest."""
        empty = (
            "FROM game WHERE id NOT IN (SELECT game FROM version UNION SELECT game FROM report)"  # nosec B608 # a constant of ours
            f" AND id NOT IN (SELECT game FROM note WHERE name = '{ARCHIVED}')"
        )
        with self.reading() as connection:
            found = connection.execute(f"SELECT count(*) {empty}").fetchone()[0]
        if found:
            with self.writing() as writing:
                writing.execute(f"INSERT INTO note (game, name, text) SELECT id, '{ARCHIVED}', '' {empty}")

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """What is recorded, for this thread alone while the block runs; for the ledger's own tables. Raises LedgerError."""
        return self._file.reading()

    def writing(self, *, patient: bool = True) -> AbstractContextManager[Writing]:
        """A transaction; what the block says is recorded after it or, where it raised, nothing of it. ``patient``: whoever writes
        already is waited for. Raises LedgerError."""
        return self._file.writing(patient=patient)


def _last(connection: sqlite3.Connection | Writing) -> tuple[int, int] | None:
    """The newest game that is not archived, and its place among all games."""
    row = connection.execute(
        "SELECT game.id, coalesce(CAST(text AS INTEGER), game.id * ?1) AS place"
        " FROM game LEFT JOIN note ON note.game = game.id AND note.name = ?2"
        " WHERE game.id NOT IN (SELECT game FROM note WHERE name = ?3) ORDER BY place DESC LIMIT 1",
        (_APART, TAKEN_UP, ARCHIVED),
    ).fetchone()
    return None if row is None else (int(row[0]), int(row[1]))


def _add_version(writing: Writing, game_id: int, version: int, head: int, tail: int, middle: Sequence[str]) -> None:
    text = "".join(line + "\n" for line in middle)
    writing.execute(
        "INSERT INTO version (game, number, recorded, head, tail, lines, crc) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (game_id, version, time.time(), head, tail, text, checksum(head, tail, text)),
    )
    if not head and middle:
        writing.execute("UPDATE game SET first = ? WHERE id = ?", (middle[0], game_id))


def _keep(writing: Writing, game_id: int, notes: Mapping[str, str]) -> None:
    writing.executemany(
        "INSERT OR REPLACE INTO note (game, name, text) VALUES (?, ?, ?)",
        [(game_id, name, text) for name, text in notes.items()],
    )
