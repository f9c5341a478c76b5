"""One program writes a ledger, any number look at it; a writer that was overtaken finds out before anything is written."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games import log_format
from companion.games.stu.rules.log import Hand, Sto, new_game
from companion.ledger import Ledger, Overtaken, Phones, Stand
from companion.table.errors import LedgerError
from companion.table.log import Line, write_lines

GAME = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))
STO = Line(Sto(by="Anna"))

HOLD = """
import sys
from companion.games import log_format
from companion.ledger import Ledger
ledger = Ledger.open(sys.argv[1], log_format)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program that has the ledger open."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield other
        other.kill()


def test_a_second_program_is_refused_and_told_who_holds_the_ledger(path: Path) -> None:
    with held(path) as other, pytest.raises(LedgerError, match=f"held by another program .process {other.pid}.") as refused:
        Ledger.open(path, log_format)
    assert "\n" not in str(refused.value)
    Ledger.open(path, log_format).close()


def test_a_program_does_not_hold_one_ledger_twice_by_whatever_name(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.ledger"
    link.symlink_to(path)
    with Ledger.open(path, log_format) as ledger:
        for name in (path, link):
            with pytest.raises(LedgerError, match="held by"):
                Ledger.open(name, log_format)
        assert ledger.games()
    Ledger.open(link, log_format).close()


def test_a_killed_program_holds_nothing(path: Path) -> None:
    with held(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        with Ledger.open(path, log_format) as ledger:
            assert ledger.version(1) == 1


def test_what_lies_there_after_a_kill_holds_nothing_either(path: Path) -> None:
    path.with_name("a.ledger-owner").write_text("1")
    Ledger.open(path, log_format).close()
    assert [file.name for file in path.parent.iterdir()] == ["a.ledger"]


@pytest.mark.parametrize("arguments", [["serve"], ["serve", "{log}"]], ids=["an evening", "a log taken in"])
def test_commands_that_would_write_are_refused_in_one_line(path: Path, tmp_path: Path, arguments: list[str]) -> None:
    log = tmp_path / "game.jsonl"
    log.write_bytes(write_lines([GAME]))
    with held(path):
        result = CliRunner().invoke(main, [*(one.format(log=log) for one in arguments), "--ledger", str(path), "--port", "0"])
    assert result.exit_code == 2
    assert "held by another program" in result.stderr
    assert result.stderr.count("\n") == 1


def test_others_look_at_it_meanwhile_and_change_nothing(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger, Ledger.look(path, log_format) as reader:
        assert reader.lines(1) == (GAME,)
        ledger.record(1, [GAME, Line(Hand())])
        assert reader.wait(1, 1, timeout=60) == 2
        for change in (lambda: reader.record(1, [GAME]), reader.new_game, lambda: Phones(reader).pair("phone")):
            with pytest.raises(LedgerError, match="only looked at"):
                change()
        assert ledger.lines(1) == reader.lines(1)


def test_a_ledger_that_lies_where_nothing_can_be_written_can_be_looked_at(path: Path, tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "line" / "ledgers" / "schema-3.ledger"
    before = old.read_bytes()
    with Ledger.look(old, log_format) as ledger:  # brought up to date, in memory
        assert ledger.version(1) > 1
    assert old.read_bytes() == before
    assert sorted(file.name for file in old.parent.iterdir() if file.name.startswith(old.name)) == [old.name]


def test_what_was_thought_out_before_something_else_was_recorded_is_not_recorded(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        stood = ledger.stand(1)
        assert stood == Stand(1, 0)
        ledger.record(1, [GAME, Line(Hand())], reports=["one"], on=stood)
        with pytest.raises(Overtaken):
            ledger.record(1, [GAME, STO], reports=["other"], notes={"table": "{}"}, on=stood)
        assert (ledger.lines(1), ledger.reports(1), ledger.notes(1)) == ((GAME, Line(Hand())), ("one",), {})


def test_of_many_who_saw_the_same_game_one_records_at_a_time(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        done: list[int] = []

        def tap(number: int) -> None:
            stood = ledger.stand(1)
            while True:
                try:
                    done.append(ledger.record(1, [GAME, *([STO] * (stood.reports + 1))], reports=[str(number)], on=stood))
                    return
                except Overtaken:
                    stood = ledger.stand(1)

        taps = [threading.Thread(target=tap, args=(number,)) for number in range(20)]
        for one in taps:
            one.start()
        for one in taps:
            one.join()
        assert sorted(map(int, ledger.reports(1))) == list(range(20))
        assert len(ledger.lines(1)) == 21
        assert sorted(done) == list(range(2, 22))


def test_a_writer_that_waits_for_a_lock_stalls_no_reader(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        browser = sqlite3.connect(path, isolation_level=None)
        browser.execute("BEGIN IMMEDIATE")
        writer = threading.Thread(target=ledger.note, args=(1,), kwargs={"table": "{}"})
        writer.start()
        for _ in range(300):  # the writer has begun to wait by then, and has ten seconds
            assert ledger.lines(1) == (GAME,)
            assert ledger.notes(1) == {}
        assert writer.is_alive()
        browser.execute("ROLLBACK")
        browser.close()
        writer.join()
        assert ledger.notes(1) == {"table": "{}"}


def test_a_copy_without_its_log_is_said_to_be_half_and_with_it_is_whole(path: Path, tmp_path: Path) -> None:
    whole, half, stale = tmp_path / "whole.ledger", tmp_path / "half.ledger", tmp_path / "closed.ledger"
    with Ledger.open(path, log_format) as ledger:
        ledger.record(1, [GAME, STO])
        for copy in (whole, half):
            shutil.copyfile(path, copy)
        shutil.copyfile(f"{path}-wal", f"{whole}-wal")
    shutil.copyfile(path, stale)
    for file in (whole, stale):
        with Ledger.open(file, log_format) as ledger:
            assert ledger.lines(1) == (GAME, STO)
    before = half.read_bytes()
    for open_it in (Ledger.open, Ledger.look):
        with pytest.raises(LedgerError, match=r"without half\.ledger-wal"):
            open_it(half, log_format)
    assert half.read_bytes() == before


def test_copies_that_sqlite_makes_while_it_is_written_are_whole(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    with Ledger.open(path, log_format) as ledger:
        ledger.record(1, [GAME, STO])
        reader, target = sqlite3.connect(path), sqlite3.connect(copy)
        reader.backup(target)
        reader.close()
        target.close()
    with Ledger.open(copy, log_format) as ledger:
        assert ledger.lines(1) == (GAME, STO)


def test_a_game_with_nothing_recorded_is_not_the_newest_after_a_restart(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        ledger.new_game()
        assert ledger.newest() == 2
    with Ledger.open(path, log_format) as ledger:
        assert ledger.newest() == 1


def test_the_log_beside_the_ledger_does_not_grow_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.ledger.file._CHECKPOINT_TRANSACTIONS", 10)
    with Ledger.open(path, log_format) as ledger:
        for number in range(63):
            ledger.note(1, table="x" * 10_000 + str(number))
        assert os.path.getsize(f"{path}-wal") < 300_000
        shutil.copyfile(path, path.with_name("half.ledger"))
    with pytest.raises(LedgerError, match="half of a ledger"):
        Ledger.open(path.with_name("half.ledger"), log_format)
