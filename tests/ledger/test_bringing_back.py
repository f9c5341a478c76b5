"""A copy takes the ledger's place: all of it, but not who may keep the evenings; and a ledger of an older program is copied
before
it is brought up to date."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules.log import Hand, new_game
from companion.ledger import Ledger, Phones, bringing_back, opening
from companion.ledger.bringing_back import bring_back
from companion.ledger.schema import _STEPS, APPLICATION_ID
from companion.table.errors import LedgerError
from companion.table.log import Line

LOG = (Line(new_game(["Anna", "Bruno"], 200, "Bruno")), Line(Hand()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "evenings.ledger"


def games_of(path: Path) -> int:
    with Ledger.look(path, log_format) as ledger:
        return len(ledger.games())


def copied(file: Path, games: int) -> Path:
    """A copy of the ledger, with this many games in it."""
    copy = file.with_name("copy.ledger")
    with Ledger.open(file, log_format) as ledger:
        for _ in range(games):
            ledger.begin(LOG)
        ledger.copy_to(copy)
    return copy


def test_the_evenings_of_the_copy_are_there_again_and_those_of_before_beside(file: Path) -> None:
    copy = copied(file, 1)
    with Ledger.open(file, log_format) as ledger:
        ledger.begin(LOG)
    before = bring_back(copy, file)
    assert before is not None
    assert (games_of(file), games_of(before), games_of(copy)) == (1, 2, 1)
    with Ledger.open(file, log_format) as ledger:
        assert ledger.lines(1) == LOG
    again = bring_back(before, file)
    assert again is not None
    assert again != before, "within the same second, too"
    assert (games_of(file), games_of(before), games_of(again)) == (2, 2, 1), "it can be undone"


def test_phones_stay_as_they_are(file: Path) -> None:
    with Ledger.open(file, log_format) as ledger:
        _, withdrawn = Phones(ledger).pair("stolen")
    copy = copied(file, 1)
    with Ledger.open(file, log_format) as ledger:
        phones = Phones(ledger)
        phones.withdraw(1)
        _, paired = phones.pair("new")
        key = phones.key()
    bring_back(copy, file)
    with Ledger.open(file, log_format) as ledger:
        phones = Phones(ledger)
        assert phones.find(withdrawn) is None
        assert phones.find(paired) is not None
        assert phones.key() == key


def test_where_there_was_no_ledger_the_copy_is_the_first(file: Path) -> None:
    copy = copied(file, 2)
    elsewhere = file.parent / "new" / "evenings.ledger"
    assert bring_back(copy, elsewhere) is None
    assert games_of(elsewhere) == 2


def test_a_damaged_ledger_is_kept_byte_by_byte(file: Path) -> None:
    copy = copied(file, 1)
    file.write_bytes(b"rot" * 4000)
    before = bring_back(copy, file)
    assert before is not None
    assert before.read_bytes() == b"rot" * 4000
    assert games_of(file) == 1


@pytest.mark.parametrize(("what", "told"), [(b"", "is empty"), (b"no ledger at all", "is no ledger"), (None, "does not exist")])
def test_what_is_no_ledger_changes_nothing(file: Path, what: bytes | None, told: str) -> None:
    copied(file, 1)
    stood, bad = file.read_bytes(), file.with_name("bad.ledger")
    if what is not None:
        bad.write_bytes(what)
    with pytest.raises(LedgerError, match=told):
        bring_back(bad, file)
    assert file.read_bytes() == stood
    assert not list(file.parent.glob("*-before-*"))


def test_a_ledger_that_is_in_use_is_left_alone(file: Path) -> None:
    copy = copied(file, 1)
    with Ledger.open(file, log_format) as ledger:
        ledger.begin(LOG)
        with pytest.raises(LedgerError, match="is held by another program"):
            bring_back(copy, file)
        assert len(ledger.games()) == 2


def test_the_video_of_other_evenings_goes(file: Path) -> None:
    copy = copied(file, 1)
    footage = file.with_name(f"{file.name}.footage")
    footage.mkdir()
    bring_back(copy, file)
    assert not footage.exists()


def old(path: Path, schema: int) -> None:
    """An empty ledger as the program of that schema made it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for step in _STEPS[:schema]:
            connection.executescript(step)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {schema}")
        connection.execute("INSERT INTO game (id, started, source) VALUES (7, 0, 'old')")


@pytest.mark.parametrize("schema", range(1, len(_STEPS)))
def test_an_older_ledger_is_copied_before_it_is_brought_up_to_date(file: Path, schema: int) -> None:
    old(file, schema)
    stood = file.read_bytes()
    Ledger.open(file, log_format).close()
    copy = file.with_name(f"evenings-schema-{schema}.ledger")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == schema
        assert connection.execute("SELECT source FROM game").fetchall() == [("old",)]
    assert stood[:16] == copy.read_bytes()[:16]
    Ledger.open(file, log_format).close()
    assert len(list(file.parent.glob("*-schema-*"))) == 1


def on_the_disk(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files and folders whose writing was waited for."""
    names: list[str] = []
    fsync = os.fsync

    def noted(opened: int) -> None:
        names.append(Path(os.readlink(f"/proc/self/fd/{opened}")).name)
        fsync(opened)

    monkeypatch.setattr(os, "fsync", noted)
    return names


def test_the_copy_is_on_the_disk_before_the_ledger_is_brought_up_to_date(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old(file, 5)
    waited, before = on_the_disk(monkeypatch), []
    migrate = opening.migrate
    monkeypatch.setattr(opening, "migrate", lambda connection: (before.extend(waited), migrate(connection)))
    Ledger.open(file, log_format).close()
    assert before == ["evenings-schema-5.ledger", file.parent.name]


def test_the_evenings_of_before_are_on_the_disk_before_a_copy_takes_their_place(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copied(file, 2)
    waited = on_the_disk(monkeypatch)
    keep_phones, before = bringing_back._keep_phones, []
    monkeypatch.setattr(bringing_back, "_keep_phones", lambda *paths: (before.extend(waited), keep_phones(*paths)))
    aside = bring_back(copy, file)
    assert aside is not None
    assert before == [aside.name, file.parent.name]


def test_what_an_older_program_has_recorded_since_is_copied_too(file: Path) -> None:
    old(file, 5)
    Ledger.open(file, log_format).close()
    first = file.with_name("evenings-schema-5.ledger")
    kept = first.read_bytes()
    for game in (8, 8, 9):  # somebody goes back to the older program, which plays on with that copy, and updates again
        shutil.copyfile(first, file)
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("INSERT INTO game (id, started, source) VALUES (?, 0, 'old')", (game,))
        file.with_name("evenings.ledger-wal").unlink(missing_ok=True)
        Ledger.open(file, log_format).close()
    assert first.read_bytes() == kept
    games = []
    for copy in file.parent.glob("evenings-schema-5-*.ledger"):
        with closing(sqlite3.connect(copy)) as connection:
            games += [game for (game,) in connection.execute("SELECT id FROM game WHERE id > 7")]
    assert sorted(games) == [8, 9], "each once"


def test_a_ledger_of_this_program_is_not_copied(file: Path) -> None:
    copied(file, 1)
    Ledger.open(file, log_format).close()
    assert not list(file.parent.glob("*-schema-*"))
