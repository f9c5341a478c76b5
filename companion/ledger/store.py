"""The ledger itself: games, and every version of their table logs.

The camera side corrects itself: it may learn in the showdown what was passed a minute ago. So it records its whole best log each
time, and the ledger keeps the difference to the version before. Readers wait for a version newer than theirs.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from companion.clock import since_boot
from companion.ledger import outbox, statements
from companion.ledger.entries import ARCHIVED, DELETED, TAKEN_UP, FindFormat, GameEntry, Overtaken, Report, Stand
from companion.ledger.file import LedgerFile, Writing
from companion.ledger.schema import checksum
from companion.ledger.statements import Rewrite, add_version, empty_games, keep_notes, last_game, stand_of
from companion.ledger.trouble import Trouble
from companion.ledger.versions import Versions, damaged, difference
from companion.table.log import Line, encode_line

_POLL_SECONDS = 0.2
"""Seconds between two times that a waiting reader asks whether another process has recorded something."""

_CLOCK_ERROR_SECONDS = 3600.0
"""Seconds: if a game's beginning is wrong by more than this, the clock that told it has been corrected since."""
_MAX_KEPT_VERSIONS = 60
"""Number of versions of a log that are kept in memory: a phone's command may refer to one that is some seconds old."""


class Ledger:
    """Games and their logs in one SQLite file. All methods may be called from any thread.

    A recorded version is on the disk when `record` returns (write-ahead log, synchronous FULL). One program writes a file, any
    number look at it.
    """

    def __init__(self, file: LedgerFile, find_format: FindFormat) -> None:
        self._file, self._name = file, file.name
        self._versions = Versions(file, find_format)
        self._recorded = threading.Condition(file.lock)
        self._begun: dict[int, tuple[float, float]] = {}
        self._rewritten: dict[int, int] = {}

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
            ledger._put_empty_aside()
            outbox.name_it(ledger)
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
        ledger = cls(LedgerFile.in_memory(), find_format)
        outbox.name_it(ledger)
        return ledger

    @property
    def name(self) -> str:
        """What messages call it: the file's path."""
        return self._name

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
        """Begin a game about which nothing is known yet, and return its id: see `begin`."""
        return self.begin((), source=source, started=started, archived=archived)

    def begin(
        self, lines: Sequence[Line], *, source: str = "", started: float | None = None, archived: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> int:  # fmt: skip
        """Begin a game with this log and these notes (name → text), all of it or nothing; return its id, higher than any before.

        ``source`` says where it is seen; ``started`` (Unix seconds) is now if None. An ``archived`` one is only kept to be
        looked at: it is never the `newest`. Raises LedgerError: nothing was begun.
        """
        now = time.time()
        with self.writing() as writing:
            began = now if started is None else started
            cursor = writing.execute("INSERT INTO game (started, source) VALUES (?, ?)", (began, source))
            game_id = cursor.lastrowid
            assert game_id is not None
            if started is None:
                self._begun[game_id] = now, since_boot()
            keep_notes(writing, game_id, {**(notes or {}), **({ARCHIVED: ""} if archived else {})})
            if lines:
                add_version(writing, game_id, 1, 0, 0, [encode_line(line).decode() for line in lines])
        with self._recorded:
            self._recorded.notify_all()
        return game_id

    def games(self) -> tuple[GameEntry, ...]:
        """All games, the newest first; not those that were deleted."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, started, source, coalesce((SELECT max(number) FROM version WHERE game = id), 0)"
                " FROM game WHERE id NOT IN (SELECT game FROM note WHERE name = ?) ORDER BY id DESC",
                (DELETED,),
            ).fetchall()
        return tuple(GameEntry(*row) for row in rows)

    def deleted(self) -> tuple[GameEntry, ...]:
        """The games that were deleted and can be restored, the newest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, started, source, (SELECT max(number) FROM version WHERE game = id) AS newest"
                " FROM game WHERE newest AND id IN (SELECT game FROM note WHERE name = ?) ORDER BY id DESC",
                (DELETED,),
            ).fetchall()
        return tuple(GameEntry(*row) for row in rows)

    def started(self, game_id: int) -> float:
        """When this game was begun, Unix time in seconds; 0 where there is no such game."""
        with self.reading() as connection:
            found = connection.execute("SELECT started FROM game WHERE id = ?", (game_id,)).fetchone()
        return 0.0 if found is None else float(found[0])

    def newest(self) -> int | None:
        """The id of the game begun or taken up last, archived and deleted ones left out; None where there is none yet."""
        with self.reading() as connection:
            last = last_game(connection)
        return None if last is None else last[0]

    def take_up(self, game_id: int, **notes: str) -> None:
        """Make this game the `newest`, whenever it was begun, and keep these notes with it; an archived or deleted one
        is so no more. Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as writing:
            stand_of(writing, game_id, self._name)
            writing.execute("DELETE FROM note WHERE game = ? AND name IN (?, ?)", (game_id, ARCHIVED, DELETED))
            last = last_game(writing)
            if last is not None and last[0] != game_id:
                keep_notes(writing, game_id, {TAKEN_UP: str(last[1] + 1)})
            keep_notes(writing, game_id, notes)
        with self._recorded:
            self._recorded.notify_all()

    def delete(self, game_id: int) -> None:
        """Delete a game: it is none of the `games` any more, and never the `newest`. What is recorded of it stays, so that it can
        be restored. Raises UnknownGame, and LedgerError as `record`."""
        self.note(game_id, **{DELETED: ""})
        with self._recorded:
            self._recorded.notify_all()

    def restore(self, game_id: int) -> None:
        """Let a deleted game count again; one that was not deleted stays as it is. Raises as `delete`."""
        with self.writing() as writing:
            stand_of(writing, game_id, self._name)
            writing.execute("DELETE FROM note WHERE game = ? AND name = ?", (game_id, DELETED))
        with self._recorded:
            self._recorded.notify_all()

    def erase(self, game_id: int) -> None:
        """Remove a game for good, also from the file's bytes: its log, its reports and its source. Its id is not given to another
        game. Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as writing:
            stand_of(writing, game_id, self._name)
            statements.erase(writing, game_id)
            outbox.count_rewriting(writing, game_id)
            self._is_rewritten(game_id)
        self.scrub()
        with self._recorded:
            self._recorded.notify_all()

    def rewrite(self, game_id: int, how: Rewrite, notes: Mapping[str, str] | None = None) -> None:
        """Rewrite every text that is kept of a game, in all its versions, as ``how`` says, and keep these ``notes`` with
        it. The log has one version more then; `scrub` takes what stood there before out of the
        file's bytes. Raises UnknownGame, what ``how`` raises, and LedgerError as `record`: nothing has changed then."""
        self.rewrite_all({game_id: (how, notes or {})})

    def rewrite_all(self, games: Mapping[int, tuple[Rewrite, Mapping[str, str]]]) -> None:
        """As `rewrite`, of several games (id → how, and notes): all of it or nothing."""
        with self.writing() as writing:
            for game_id, (how, notes) in games.items():
                version = stand_of(writing, game_id, self._name).version
                with self._file.lock:
                    lines = len(self._versions.newest(game_id).text)
                statements.rewrite(writing, game_id, how)
                outbox.count_rewriting(writing, game_id)
                keep_notes(writing, game_id, notes)
                if version:
                    add_version(writing, game_id, version + 1, lines, 0, ())
                self._is_rewritten(game_id)
        with self._recorded:
            self._recorded.notify_all()

    def scrub(self) -> None:
        """Overwrite in the file's bytes what was deleted or rewritten. Where another program is reading, that is done with
        what is recorded next."""
        self._file.scrub()

    def rewritten(self, game_id: int) -> int:
        """How often a game was rewritten since the ledger was opened: once the number is another, what was read of it
        before is no longer what is kept. Cheap."""
        return self._rewritten.get(game_id, 0)

    def _is_rewritten(self, game_id: int) -> None:
        with self._file.lock:
            self._versions.drop(game_id)
            self._rewritten[game_id] = self.rewritten(game_id) + 1

    def record(
        self, game_id: int, lines: Sequence[Line], *, reports: Sequence[str] = (), notes: Mapping[str, str] | None = None,
        hands: Mapping[int, tuple[int, str]] | None = None, gone: Sequence[int] = (), on: Stand | None = None,
    ) -> int:  # fmt: skip
        """Keep `lines` as the whole best log of the game by now, and return its version (1, 2, …).

        A log equal to the newest one makes no new version. `reports` (a text each) are added to those of the game, and `notes`
        (name → text) and `hands` (id → its place in order of play, and a text) take the place of those of their names and ids;
        hands that are `gone` are forgotten. ``on``: how the game stood when this was decoded. All is kept or nothing.

        Raises UnknownGame; Overtaken: it does not stand ``on`` that any more; LedgerError when the disk refuses. Then nothing has
        changed.
        """
        lines = tuple(lines)
        with self.writing() as writing:
            stand = stand_of(writing, game_id, self._name)
            if on is not None and stand != on:
                raise Overtaken(f"{self._name}: game {game_id} stands at {stand}, not at {on}")
            with self._file.lock:
                before = self._versions.newest(game_id)
                assert before.version == stand.version  # there is one writer, and what is recorded can be read at once
                head, tail, middle = difference(before, lines)
                same = not middle and head + tail == len(before.text)
            now = time.time()
            writing.executemany(
                "INSERT INTO report (game, number, text, crc, recorded) VALUES (?, ?, ?, ?, ?)",
                [(game_id, stand.reports + more, text, checksum(text), now) for more, text in enumerate(reports, start=1)],
            )
            self._date(writing, game_id, now)
            keep_notes(writing, game_id, notes or {})
            writing.executemany("DELETE FROM hand WHERE game = ? AND id = ?", [(game_id, number) for number in gone])
            writing.executemany(
                "INSERT OR REPLACE INTO hand (game, id, place, text, crc) VALUES (?, ?, ?, ?, ?)",
                [(game_id, number, place, text, checksum(place, text)) for number, (place, text) in (hands or {}).items()],
            )
            version = stand.version + (not same)
            if not same:
                add_version(writing, game_id, version, head, tail, middle)
        if not same:
            with self._recorded:
                if before.version + 1 == version:  # nobody has read it from the file meanwhile
                    before.go_on_to(version, head, tail, middle, lines)
                before.recent[version] = lines
                before.recent.pop(version - _MAX_KEPT_VERSIONS, None)
                self._recorded.notify_all()
        return version

    def _date(self, writing: Writing, game_id: int, now: float) -> None:
        """Correct the time at which a game of this run began, by the clock as it is ``now``: it may have been put right
        since."""
        if game_id not in self._begun:
            return
        began, at = self._begun[game_id]
        right = now - (since_boot() - at)
        if abs(right - began) > _CLOCK_ERROR_SECONDS:
            writing.execute("UPDATE game SET started = ? WHERE id = ?", (right, game_id))
            self._begun[game_id] = right, at

    def reports(self, game_id: int) -> tuple[str, ...]:
        """All that was reported of a game, in order. Raises UnknownGame."""
        return tuple(report.text for report in self.reported(game_id))

    def reported(self, game_id: int) -> tuple[Report, ...]:
        """As `reports`, with when. Raises UnknownGame."""
        with self.reading() as connection:
            stand_of(connection, game_id, self._name)
            rows = connection.execute(
                "SELECT number, text, crc, recorded FROM report WHERE game = ? ORDER BY number", (game_id,)
            ).fetchall()
        for place, (number, text, crc, _) in enumerate(rows, start=1):
            if number != place or crc not in (None, checksum(text)):
                raise damaged(self._name, game_id, f"what was reported of it ({place})")
        return tuple(Report(text, recorded) for _, text, _, recorded in rows)

    def hands(self, game_id: int) -> tuple[str, ...]:
        """The texts of the game's hands, in order of play; none where none were kept, or one is damaged. Raises UnknownGame."""
        with self.reading() as connection:
            stand_of(connection, game_id, self._name)
            rows = connection.execute("SELECT place, text, crc FROM hand WHERE game = ? ORDER BY place", (game_id,)).fetchall()
        if any(crc not in (None, checksum(place, text)) for place, text, crc in rows):
            return ()
        return tuple(text for _, text, _ in rows)

    def note(self, game_id: int, **notes: str) -> None:
        """Keep texts with a game, each in the place of the one of its name. Raises UnknownGame, and LedgerError as `record`."""
        with self.writing() as writing:
            stand_of(writing, game_id, self._name)
            keep_notes(writing, game_id, notes)

    def notes(self, game_id: int) -> dict[str, str]:
        """All texts kept with a game, name → text. Raises UnknownGame."""
        with self.reading() as connection:
            stand_of(connection, game_id, self._name)
            return dict(connection.execute("SELECT name, text FROM note WHERE game = ?", (game_id,)).fetchall())

    def noted(self, name: str) -> dict[int, str]:
        """The text of this name that is kept with each game that has one; not of those that were deleted."""
        with self.reading() as connection:
            return dict(connection.execute(
                "SELECT game, text FROM note WHERE name = ? AND game NOT IN (SELECT game FROM note WHERE name = ?) ORDER BY game",
                (name, DELETED),
            ).fetchall())  # fmt: skip

    def version(self, game_id: int) -> int:
        """The newest version of the game's log, 0 before anything was recorded. Raises UnknownGame."""
        return self.stand(game_id).version

    def stand(self, game_id: int) -> Stand:
        """How far the game has come. Raises UnknownGame."""
        with self.reading() as connection:
            return stand_of(connection, game_id, self._name)

    def lines(self, game_id: int, version: int | None = None) -> tuple[Line, ...]:
        """The log of the game as it was at `version`: the newest if None, nothing for 0. Raises UnknownGame."""
        return self.at(game_id, version)[1]

    def at(self, game_id: int, version: int | None = None) -> tuple[int, tuple[Line, ...]]:
        """The version that was read, and its lines: what a reader needs who then waits for the next. Raises UnknownGame."""
        with self._file.lock:
            return self._versions.at(game_id, version)

    def glance(self, game_id: int) -> tuple[int, tuple[Line, ...]]:
        """As `at`, of a game that is read once: nothing of it stays in memory. Raises UnknownGame."""
        with self._file.lock:
            return self._versions.glance(game_id)

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
                self._recorded.wait(min(left, _POLL_SECONDS))
            return True

    def _put_empty_aside(self) -> None:
        """Archive games without anything recorded: none of them may be the newest."""
        with self.reading() as connection:
            empty = empty_games(connection)
        if empty:
            with self.writing() as writing:
                for game_id in empty:
                    keep_notes(writing, game_id, {ARCHIVED: ""})

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """What is recorded, for this thread alone while the block runs; for the ledger's own tables. Raises LedgerError."""
        return self._file.reading()

    def writing(self, *, patient: bool = True) -> AbstractContextManager[Writing]:
        """A transaction, as of `LedgerFile.writing`. Raises LedgerError."""
        return self._file.writing(patient=patient)
