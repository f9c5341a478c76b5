"""What can be read of a damaged ledger is brought into a new one that is played on; what is lost is said."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import find_game, log_format
from companion.games.stu.rules.log import Hand, Sto, new_game
from companion.ledger import Ledger, Phones, SeasonBook
from companion.ledger.raw import remains
from companion.line.recorder import EveningRecorder
from companion.line.salvage import salvage
from companion.line.tablefile import parse_table_file
from companion.referee.corrections import confirm
from companion.referee.record import decode
from companion.table.errors import LedgerError
from companion.table.log import Line

OLD = Path(__file__).parent / "ledgers"
STREAM = Path(__file__).parents[1] / "games" / "stu" / "referee" / "streams" / "gnao4.sightings.jsonl"
GAME = Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
STO = [Line(Hand()), Line(Sto(by="Anna")), Line(Sto(by="Bruno"))]

Harm = Callable[[sqlite3.Connection], object]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening that a camera has followed into its third hand."""
    path = tmp_path_factory.mktemp("kept") / "a.ledger"
    _, record = decode(STREAM.read_bytes(), find_game)
    with Ledger.open(path, log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, record.game, "camera 0", camera="0", table="")
        for entry in record.entries[:-6]:
            recorder.report(entry)
        Phones(ledger).pair("Rina")
    return path


@pytest.fixture
def followed(kept: Path, tmp_path: Path) -> Path:
    """A copy of it, to harm."""
    return Path(shutil.copy(kept, tmp_path / "a.ledger"))


def harm(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def played_on(path: Path, game: int) -> None:
    """Somebody can say what happened next, as far as the rules go: here, that all is just so."""
    with Ledger.open(path, log_format) as ledger:
        recorder = EveningRecorder.resume(ledger, game)
        before = ledger.stand(game).reports
        recorder.change(lambda evening: confirm(evening, evening.chapters[0].id))
        assert ledger.stand(game).reports == before + 1


@pytest.mark.parametrize("schema", range(1, 7))
def test_of_a_ledger_that_is_whole_nothing_is_lost(tmp_path: Path, schema: int) -> None:
    old, new = OLD / f"schema-{schema}.ledger", tmp_path / "new.ledger"
    found = salvage(old, new)
    assert [game.lost for game in found.games] == [""] * len(found.games)
    assert found.lost == ()
    with Ledger.look(old, log_format) as before, Ledger.look(new, log_format) as after:
        assert [(game.id, game.started, game.source) for game in after.games()] == [
            (game.id, game.started, game.source) for game in before.games()
        ]
        for game in before.games():
            assert [line.event for line in after.lines(game.id)] == [line.event for line in before.lines(game.id)]
            assert after.reports(game.id) == before.reports(game.id)
            assert after.notes(game.id) == before.notes(game.id)
        assert Phones(after).all() == Phones(before).all()
        assert SeasonBook(after).links() == SeasonBook(before).links()


@pytest.mark.parametrize(
    ("harms", "lost"),
    [
        pytest.param(["DELETE FROM version WHERE number = 9"], "", id="a version that is gone"),
        pytest.param(["UPDATE version SET lines = replace(lines, 'Anna', 'Bnna') WHERE number = 1"], "", id="the first, spoilt"),
        pytest.param(["DELETE FROM version"], "", id="all versions"),
        pytest.param(["UPDATE hand SET text = '{}'"], "", id="hands, spoilt"),
        pytest.param(["UPDATE game SET first = NULL"], "", id="the first line's copy"),
        pytest.param(["DELETE FROM report WHERE number = 5"], "what the camera saw: ", id="a report that is gone"),
        pytest.param(["UPDATE report SET text = text || ' ' WHERE number = 3"], "what the camera saw: ", id="spoilt"),
        pytest.param(
            ["DELETE FROM report WHERE number = 12", "DELETE FROM version WHERE number = 3"], "after the first 11 of ", id="both"
        ),
    ],
)
def test_what_one_of_log_and_reports_has_lost_the_other_has(
    kept: Path, followed: Path, tmp_path: Path, harms: list[str], lost: str
) -> None:
    harm(followed, *harms)
    [game] = salvage(followed, tmp_path / "new.ledger").games
    assert lost in game.lost
    assert bool(lost) == bool(game.lost)
    with Ledger.look(kept, log_format) as ledger:
        true = [line.event for line in ledger.lines(1)]
    events = [line.event for line in game.lines]
    assert events == true[: len(events)]
    assert len(harms) > 1 or events == true
    played_on(tmp_path / "new.ledger", 1)


@pytest.mark.parametrize("table", ["version", "report"])
def test_a_flipped_bit_of_a_text_is_known_and_not_played_on(followed: Path, table: str) -> None:
    column = "lines" if table == "version" else "text"
    harm(followed, f"UPDATE {table} SET {column} = replace({column}, 'Anna', 'Bnna') || ' ' WHERE number = 1")
    with pytest.raises(LedgerError, match=r"game 1: .* is damaged: companion salvage"):
        Ledger.open(followed, log_format)


def test_who_played_is_known_from_the_table_too(tmp_path: Path) -> None:
    table = (Path(__file__).parents[2] / "datasets" / "demo" / "table.json").read_text()
    path = tmp_path / "a.ledger"
    with Ledger.open(path, log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, parse_table_file(table.encode()).first, table=table, camera="0")
        names = recorder.state.table.names
    harm(path, "DELETE FROM version", "UPDATE game SET first = NULL")
    [game] = salvage(path, tmp_path / "new.ledger").games
    assert game.lines[0].event.players == names


def test_what_the_write_ahead_log_has_is_brought_too_and_without_it_that_is_said(tmp_path: Path) -> None:
    path, both, half = (tmp_path / f"{name}.ledger" for name in ("a", "both", "half"))
    with Ledger.open(path, log_format) as ledger:
        ledger.begin([GAME])
        for length in range(1, 4):
            ledger.record(1, [GAME, *STO[:length]])
        shutil.copyfile(path, both)
        shutil.copyfile(f"{path}-wal", f"{both}-wal")
        shutil.copyfile(path, half)
    found = salvage(both, tmp_path / "new.ledger")
    assert (found.games[0].lines, found.lost) == ((GAME, *STO), ())
    with pytest.raises(LedgerError, match="nothing of a ledger"):  # all of it was in the other file
        salvage(half, tmp_path / "newer.ledger")


def test_half_a_ledger_is_said_to_lack_what_came_last(tmp_path: Path) -> None:
    path, half = tmp_path / "a.ledger", tmp_path / "half.ledger"
    with Ledger.open(path, log_format) as ledger:
        ledger.begin([GAME])
    with Ledger.open(path, log_format) as ledger:
        ledger.record(1, [GAME, *STO])
        shutil.copyfile(path, half)
    found = salvage(half, tmp_path / "new.ledger")
    assert found.games[0].lines == (GAME,)
    assert "what was recorded last" in found.lost[0]


@pytest.mark.parametrize("page", range(12))
def test_a_page_that_is_gone_costs_no_more_than_what_was_on_it(tmp_path: Path, page: int) -> None:
    path = tmp_path / "a.ledger"
    with Ledger.open(path, log_format) as ledger:
        for _ in range(12):
            ledger.begin([GAME, *STO], source="x" * 2000, notes={"table": "y" * 6000})
    data = bytearray(path.read_bytes())
    start = page * 4096 % len(data)
    data[start : start + 4096] = bytes(4096)
    path.write_bytes(data)
    found = salvage(path, tmp_path / "new.ledger")
    assert [(game.id, game.lines[0]) for game in found.games] == [(id, GAME) for id in range(1, 13)]
    logs_are_on_it = page == 2
    assert logs_are_on_it or all(game.lines == (GAME, *STO) for game in found.games)
    assert not logs_are_on_it or all(game.lost for game in found.games)


def test_all_rows_are_read_that_sqlite_reads(followed: Path) -> None:
    found = remains(followed)
    with closing(sqlite3.connect(followed)) as connection:
        for table, rows in (("version", found.versions), ("report", found.reports), ("note", found.notes)):
            assert sum(map(len, rows.values())) == connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for game, number, text in connection.execute("SELECT game, number, text FROM report"):
            assert found.reports[game][number][0] == text
    assert not found.half


def test_what_is_no_ledger_and_a_place_that_is_taken_are_refused(tmp_path: Path, followed: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(256)) * 64)
    for damaged in (noise, tmp_path / "empty"):
        damaged.touch()
        with pytest.raises(LedgerError, match="nothing of a ledger"):
            salvage(damaged, tmp_path / "new.ledger")
    with pytest.raises(LedgerError, match="is there already"):
        salvage(followed, noise)
    assert not (tmp_path / "new.ledger").exists()
