"""Ledgers of every version so far, each written by the program of its time, open, are brought up to date, and are played on."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import log_format, replay_log
from companion.games.stu.rules.log import Void
from companion.ledger import Ledger, Phones, SeasonBook
from companion.ledger.schema import SCHEMA_VERSION
from companion.line.recorder import EveningRecorder, evening_of, taken_on
from companion.referee.corrections import Correction, correct
from companion.table.log import write_lines

OLD = Path(__file__).parent / "ledgers"
SCHEMAS = range(1, SCHEMA_VERSION + 1)


def schema(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def tables(path: Path) -> set[tuple[str, str, str, int, str | None, int]]:
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {(name, *column[1:]) for name in names for column in connection.execute(f"PRAGMA table_info({name})")}


@pytest.fixture(params=SCHEMAS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = Path(shutil.copy(OLD / f"schema-{request.param}.ledger", tmp_path / "old.ledger"))
    assert schema(path) == request.param
    return path


def test_it_has_the_tables_of_a_new_one_and_what_it_had(old: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        logs = connection.execute("SELECT game, number, recorded, head, tail, lines FROM version").fetchall()
    with Ledger.open(old, log_format), Ledger.open(tmp_path / "new.ledger", log_format):
        pass
    assert tables(old) == tables(tmp_path / "new.ledger")
    assert schema(old) == SCHEMA_VERSION
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT game, number, recorded, head, tail, lines FROM version").fetchall() == logs


def test_it_is_played_on(old: Path) -> None:
    with Ledger.open(old, log_format) as ledger:
        lines = ledger.lines(1)
        replay_log(write_lines(lines))
        recorder = EveningRecorder.resume(ledger, 1) if ledger.reports(1) else taken_on(ledger, 1, evening_of(lines))
        current = recorder.evening.current
        end = len(current.lines)
        recorder.change(lambda now: correct(now, Correction(current.id, end, end, (Void(),))))
        assert len(ledger.lines(1)) == len(lines) + 1
        phone = Phones(ledger).pair("Rina")[0]
    with Ledger.open(old, log_format) as ledger:
        assert EveningRecorder.resume(ledger, 1).evening.log == ledger.lines(1)
        assert phone in Phones(ledger).all()
        assert isinstance(ledger.lines(1)[-1].event, Void)
        assert isinstance(SeasonBook(ledger).links(), dict)


def test_looked_at_it_stays_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    with Ledger.look(old, log_format) as ledger:
        assert ledger.version(1) > 0
        assert SeasonBook(ledger).forgotten() == frozenset()
    assert old.read_bytes() == before
