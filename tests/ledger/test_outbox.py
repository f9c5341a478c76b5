"""A ledger as an outbox: its identity, and the rows of its games as they are kept."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger, LedgerError, outbox
from companion.ledger.statements import Rewrite
from companion.table.log import Line

FIRST = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))


def test_an_identity_is_made_once_and_goes_with_every_copy(path: Path, tmp_path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        named = outbox.identity(ledger)
        ledger.copy_to(tmp_path / "copy.ledger")
    assert len(named) == 36
    for file in (path, tmp_path / "copy.ledger"):
        with Ledger.open(file, log_format) as ledger:
            assert outbox.identity(ledger) == named
    with Ledger.open(tmp_path / "other.ledger", log_format) as other:
        assert outbox.identity(other) not in ("", named)


def test_a_ledger_of_an_older_program_gets_one_and_loses_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM secret WHERE name = 'identity'")
    with Ledger.look(path, log_format) as looked:
        assert outbox.identity(looked) == ""
    with Ledger.open(path, log_format) as ledger:
        assert len(outbox.identity(ledger)) == 36
        assert ledger.lines(1) == (FIRST,)


def test_rows_come_in_order_since_a_number_and_are_chained(ledger: Ledger) -> None:
    game = ledger.begin([FIRST])
    for pot in (300, 400, 500):
        ledger.record(game, [Line(new_game(["Anna", "Bruno"], pot, "Bruno"))])
    every = outbox.rows(ledger, game, 0, 500)
    assert [row.number for row in every] == [1, 2, 3, 4]
    assert outbox.rows(ledger, game, 2, 1) == every[2:3]
    assert outbox.rows(ledger, game, 4, 500) == ()
    assert outbox.chained(outbox.chained(outbox.EMPTY_CHAIN, every[:2]), every[2:]) == outbox.chained(outbox.EMPTY_CHAIN, every)
    assert outbox.chained(outbox.EMPTY_CHAIN, every[1:]) != outbox.chained(outbox.EMPTY_CHAIN, every)
    [told] = outbox.outgoing(ledger)
    assert (told.game, told.version, told.rewritten, told.gone) == (game, 4, 0, False)


def test_deleted_and_rewritten_games_say_so(ledger: Ledger) -> None:
    game = ledger.begin([FIRST])
    ledger.delete(game)
    assert outbox.outgoing(ledger)[0].gone
    ledger.restore(game)
    assert not outbox.outgoing(ledger)[0].gone
    ledger.rewrite(game, Rewrite(lambda line: line.replace("Anna", "Qualcuno"), str, str, lambda name, text: text, str))
    assert outbox.outgoing(ledger)[0].rewritten == 1
    ledger.erase(game)
    [told] = outbox.outgoing(ledger)
    assert (told.version, told.rewritten, told.gone) == (0, 2, True)


def test_a_damaged_row_is_never_sent(path: Path) -> None:
    spoilt = path.with_name("spoilt.ledger")
    shutil.copyfile(path, spoilt)
    with closing(sqlite3.connect(spoilt)) as connection, connection:
        connection.execute("UPDATE version SET lines = replace(lines, 'Anna', 'Anne')")
    with Ledger.look(spoilt, log_format) as ledger, pytest.raises(LedgerError, match="version 1"):
        outbox.rows(ledger, 1, 0, 500)
