"""Rows of the failure table that are not an intake's own: full disks on both sides, a table that is newer than the hall."""

from __future__ import annotations

from pathlib import Path

import pytest
from serving import until
from tables import PLAYERS, Running
from ways import Plain, Way, drained, member

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.database import Database, HallDown
from companion.hall.intake import rows_of
from companion.hall.table.exchange import Exchange
from companion.ledger import Ledger, outbox
from companion.ledger import file as files
from companion.ledger.outbox import Row
from companion.table.log import Line


def line(pot: int) -> Line:
    return Line(new_game(PLAYERS, pot, "Carla"))


def rows(ledger: Ledger) -> tuple[Row, ...]:
    return outbox.rows(ledger, 1, 0, 100)


def branches(database: Database) -> dict[int, tuple[tuple[Row, ...], bool]]:
    """Branch → its rows, and whether organisers need not be told of it."""
    with database.taking() as connection:
        found = connection.execute("SELECT branch, id, told FROM game ORDER BY branch").fetchall()
        return {branch: (rows_of(connection, id), told) for branch, id, told in found}


def protected(ledger: Ledger) -> None:
    """Its disk takes nothing more."""
    writer = ledger._file._writer
    assert writer is not None
    writer.execute("PRAGMA query_only = ON")


def test_versions_that_only_a_tables_memory_had_are_a_branch_of_their_own(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RETRY_SECONDS", 1e6)
    monkeypatch.setattr(files.tempfile, "gettempdir", lambda: str(tmp_path))
    way, path = Way(database), tmp_path / "a.ledger"
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        token = member(way, ledger)
        ledger.begin([line(100)])
        protected(ledger)
        ledger.record(1, [line(200)])
        assert ledger.trouble is not None
        drained(Exchange(ledger, Plain(ledger), token, way))
        in_memory = rows(ledger)
    assert branches(database) == {0: (in_memory, True)}
    with Ledger.open(path, log_format) as ledger:  # the program begins again with what the disk has
        ledger.record(1, [line(300)])
        run = Exchange(ledger, Plain(ledger), token, way)
        drained(run)
        ledger.record(1, [line(400)])
        drained(run)
        assert branches(database) == {0: (in_memory, True), 1: (rows(ledger), False)}


def test_while_the_halls_disk_is_full_nothing_is_lost_and_tables_try_again(database: Database, ledger: Ledger) -> None:
    way = Way(database)
    run = Exchange(ledger, Plain(ledger), member(way, ledger), way)
    ledger.begin([line(100)])
    drained(run)
    with database.owner() as connection:
        connection.execute("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                           " $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$")  # fmt: skip
        connection.execute("CREATE TRIGGER full_disk BEFORE INSERT ON version EXECUTE FUNCTION full_disk()")
    ledger.record(1, [line(200)])
    for _ in range(2):
        with pytest.raises(HallDown, match="no space left"):  # which its pages answer with 503: the table takes it for away
            run.step()
    assert branches(database) == {0: (rows(ledger)[:1], True)}
    with database.owner() as connection:
        connection.execute("DROP TRIGGER full_disk ON version")
    run.forget()
    drained(run)
    assert branches(database) == {0: (rows(ledger), True)}


@pytest.mark.parametrize("later", [
    '{"e":"game","v":1,"game":"tressette","players":["Anna","Bruno"]}', '{"e":"game","v":99,"game":"stu"}',
])  # fmt: skip
def test_a_game_of_a_newer_table_is_kept_as_it_is_and_the_others_are_shown(hall: Running, later: str) -> None:
    way = Way(hall.hall.database)
    with Ledger.in_memory(log_format) as newer, Ledger.in_memory(log_format) as other:
        for ledger in (newer, other):
            ledger.begin([line(100)])
        with newer.writing() as writing:
            writing.execute("UPDATE version SET lines = ?, crc = NULL", (later + "\n",))
        for ledger in (newer, other):
            drained(Exchange(ledger, Plain(ledger), member(way, ledger), way))
        hall.hall.showing.changed([1, 2])
        until(lambda: hall.tables()[1]["version"] == 1)
        until(lambda: "update it" in hall.client.get("/api/hall/now?lang=en").json["view"]["tiles"][0]["waits"])
        told = hall.tables()[0]
        assert (told["game"], told["ruling"]) == (1, None)
        assert hall.rows(newer, 1) == rows(newer)
        assert "update it" in hall.client.get("/api/tables/1/game?lang=en").json["message"]
