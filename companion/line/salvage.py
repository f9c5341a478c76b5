"""What can be read of a damaged ledger, brought into a new one in which the games can be played on.

A game is kept twice: as its log, and as all that was reported of it. The log can be made again from the reports. Where one is
spoilt the other is taken; where both are, the one that goes further. A log without its reports goes on as if each line had been
said by hand.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from companion.games import Game, game_of, log_format
from companion.ledger import Ledger
from companion.ledger.opening import check_kind, copy_with_wal
from companion.ledger.raw import Remains, remains
from companion.ledger.versions import KeptLog
from companion.line.recorder import EveningRecorder, evening_of, taken_on
from companion.line.tablefile import parse_table_file
from companion.referee import Evening, replay
from companion.referee.record import Entry, Record, UnreadableRecord, decode_entry
from companion.table.errors import GameError, LedgerError, NotKept, TableError
from companion.table.game import State
from companion.table.log import Event, Line, tag
from companion.table.log import game_id as game_said

T = TypeVar("T")
_SEASON = ("season_link", "season_forgotten", "season_evening", "season_choice")


@dataclass(frozen=True, slots=True)
class SalvagedGame:
    """What has become of a game: its ``lines``, none where it is ``lost`` altogether; what of it is lost, in a sentence, "" for
    nothing."""

    id: int
    lines: tuple[Line, ...]
    lost: str


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What has become of a ledger: its games, the number of paired ``phones``, and what else is ``lost``, in sentences."""

    games: tuple[SalvagedGame, ...]
    phones: int
    lost: tuple[str, ...]


def salvage(damaged: Path, new: Path) -> Salvaged:
    """Bring what can be read of the ledger ``damaged`` into the new file ``new``.

    Raises:
        LedgerError: nothing of a ledger can be read, or the new one cannot be made. OSError: the file cannot be read at all.
    """
    if new.exists():
        raise LedgerError(f"{new}: is there already: choose a new file, or delete that one")
    check_kind(damaged)
    found = remains(damaged)
    ids = sorted(found.games.keys() | found.versions.keys() | found.reports.keys())
    if not ids and not found.phones:
        if _is_whole(damaged):
            raise LedgerError(f"{damaged}: is whole, and no game was recorded in it: there is nothing to bring over")
        raise LedgerError(f"{damaged}: nothing of a ledger can be read in it: look for a backup")
    with Ledger.open(new, log_format) as ledger:
        games = tuple(_brought(ledger, found, game) for game in ids)
        with ledger.writing() as writing:
            writing.executemany("INSERT INTO phone VALUES (?, ?, ?, ?, ?)", [(id, *phone) for id, phone in found.phones.items()])
            writing.executemany("INSERT OR REPLACE INTO secret VALUES (?, ?)", list(found.secrets.items()))
        lost = [] if _season(ledger, damaged) else ["what was said of people from evening to evening"]
    if found.half:
        lost.append("what was recorded last: the file came without its write-ahead log (its name with -wal)")
    return Salvaged(games, len(found.phones), tuple(lost))


def _is_whole(path: Path) -> bool:
    """Whether the file can be opened and read as a ledger."""
    try:
        with Ledger.look(path, log_format) as ledger:
            ledger.games()
    except LedgerError:
        return False
    return True


def _brought(ledger: Ledger, found: Remains, id: int) -> SalvagedGame:
    """Bring one game over, under its own number."""
    notes, reports = found.notes.get(id, {}), found.reports.get(id, {})
    versions, most = found.last_version.get(id, 0), found.last_report.get(id, 0)
    started, source, begun = found.games.get(id, (0.0, "", None))
    with ledger.writing() as writing:
        writing.execute("INSERT INTO game (id, started, source) VALUES (?, ?, ?)", (id, started, source))
    log = _log(found.versions.get(id, {}))
    lines = _readable(log.text) or _readable([begun] if begun is not None else []) or _first(notes)
    whole_log = 0 < log.version == versions and len(lines) >= len(log.text)
    if not lines:
        ledger.note(id, **{**notes, "archived": ""})
        return SalvagedGame(id, (), "everything but its date" if versions or most else "")
    game = game_of(lines[0].event)
    entries = _entries([text for text, _ in _unbroken(reports)], game)
    evening = _decoded(game, lines[0].event, entries)
    whole_reports = evening is not None and len(entries) == most
    if evening is not None and entries and (whole_reports or len(evening.log) >= len(lines)):
        _keep(ledger, id, evening, notes)
        times = [(reports[number][1], id, number) for number in range(1, len(entries) + 1)]
        with ledger.writing() as writing:
            writing.executemany("UPDATE report SET recorded = ? WHERE game = ? AND number = ?", times)
        after = "" if whole_reports else f"what was seen and said after the first {len(entries)} of {most} reports"
        return SalvagedGame(id, evening.log, after)
    lost = [] if whole_log else [f"its log after line {len(lines)}"]
    if most:
        lost.append("what the camera saw: every line counts as said by hand")
    if most and len(lines) > 1:
        taken_on(ledger, id, evening_of(lines))
        ledger.note(id, **notes)
    else:
        ledger.record(id, lines, notes=notes)
    return SalvagedGame(id, lines, "; ".join(lost))


def _keep(ledger: Ledger, id: int, evening: Evening, notes: Mapping[str, str]) -> None:
    recorder = EveningRecorder(ledger, id, Evening.of(evening.game, evening.record.game))
    recorder.change(lambda _: evening, **{name: text for name, text in notes.items() if name not in ("aside", "missed")})


def _unbroken(numbered: Mapping[int, T]) -> list[T]:
    """The values of the numbers from 1 up to the first number that is missing."""
    found: list[T] = []
    while len(found) + 1 in numbered:
        found.append(numbered[len(found) + 1])
    return found


def _log(versions: Mapping[int, tuple[int, int, str]]) -> KeptLog:
    log = KeptLog(0, [])
    for number, version in enumerate(_unbroken(versions), start=1):
        log.go_on(number, *version)
    return log


def _readable(log: Sequence[str]) -> tuple[Line, ...]:
    """The lines of a log up to the first that cannot be read, or cannot have happened."""
    lines: list[Line] = []
    state: State = None
    with suppress(GameError, KeyError):
        form = log_format(game_said(log[0].encode()) if log else None)
        for text in log:
            line = form.decode_line(text.encode())
            if not lines and tag(line.event) != "game":
                break
            rules = game_of((lines[0] if lines else line).event).rules
            state = rules.apply(state, line.event) if lines else rules.begin(line.event)
            lines.append(line)
    return tuple(lines)


def _first(notes: Mapping[str, str]) -> tuple[Line, ...]:
    """The first line of a log that is lost, as the table's file has it."""
    with suppress(TableError):
        return (Line(parse_table_file(notes["table"]).first),) if notes.get("table") else ()
    return ()


def _entries(texts: list[str], game: Game) -> list[Entry]:
    """The reports up to the first that cannot be read."""
    entries: list[Entry] = []
    with suppress(UnreadableRecord):
        for text in texts:
            entries.append(decode_entry(text, game))  # noqa: PERF401  the ones before are kept
    return entries


def _decoded(game: Game, first: Event, entries: list[Entry]) -> Evening | None:
    """The evening that these reports tell; None where they cannot go together."""
    try:
        return replay(game, Record.of(first, entries))
    except (GameError, ValueError, LookupError, NotKept):
        return None


def _season(ledger: Ledger, damaged: Path) -> bool:
    """Bring over what was said of people from evening to evening. False where that cannot be read."""
    try:
        with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(copy_with_wal(damaged, Path(folder)))) as old:
            if int(old.execute("PRAGMA user_version").fetchone()[0]) < 5:
                return True
            rows = {table: old.execute(f"SELECT * FROM {table}").fetchall() for table in _SEASON}  # nosec B608 # our names
        with ledger.writing() as writing:
            for table, found in rows.items():
                if found:
                    writing.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(found[0]))})", found)  # nosec B608 # our names
    except (sqlite3.Error, UnicodeDecodeError, LedgerError):
        return False
    return True
