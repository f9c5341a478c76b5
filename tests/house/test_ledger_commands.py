"""`companion export`, `backup` and `salvage`, as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.games import log_format
from companion.games.stu.rules.log import Hand, new_game
from companion.ledger import Ledger
from companion.table.log import Line, write_lines

GAME = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    with Ledger.open(tmp_path / "a.ledger", log_format) as opened:
        opened.begin([GAME, Line(Hand())])
        opened.begin([GAME])
    return tmp_path / "a.ledger"


def test_games_are_listed_printed_and_written_while_the_ledger_is_in_use(ledger: Path, tmp_path: Path) -> None:
    with Ledger.open(ledger, log_format):
        listed = run("export", "--ledger", ledger).output.splitlines()
        assert [line.split("  ")[0::2] for line in listed] == [["1", "Anna, Bruno: 1 hand"], ["2", "Anna, Bruno: 0 hands"]]
        assert run("export", "1", "--ledger", ledger).output.encode() == write_lines([GAME, Line(Hand())])
        assert run("export", "--ledger", ledger, "--into", tmp_path / "logs").exit_code == 0
    assert (tmp_path / "logs" / "stu-2.jsonl").read_bytes() == write_lines([GAME])
    assert run("rule", tmp_path / "logs" / "stu-1.jsonl").exit_code == 0


def test_a_backup_is_whole_and_made_while_the_ledger_is_in_use(ledger: Path, tmp_path: Path) -> None:
    copy, folder = tmp_path / "copy.ledger", tmp_path / "stick"
    folder.mkdir()
    with Ledger.open(ledger, log_format) as opened:
        opened.record(2, [GAME, Line(Hand())])
        assert run("backup", copy, "--ledger", ledger).output.startswith(f"{copy}: 2 games, ")
        assert run("backup", folder, "--ledger", ledger).exit_code == 0
    for made in (copy, folder / "a.ledger"):
        with Ledger.open(made, log_format) as opened:
            assert opened.lines(2) == (GAME, Line(Hand()))
    assert [file.name for file in folder.iterdir()] == ["a.ledger"]


def test_a_salvaged_ledger_says_what_was_lost_and_in_its_exit_status_whether_anything(ledger: Path, tmp_path: Path) -> None:
    whole = run("salvage", ledger, tmp_path / "b.ledger")
    assert (whole.exit_code, whole.output.count("; whole")) == (0, 2)
    data = ledger.read_bytes()
    assert data.count(b'{"e":"hand"}') == 1
    ledger.write_bytes(data.replace(b'{"e":"hand"}', b'{"e":"band"}'))
    harmed = run("salvage", ledger, tmp_path / "c.ledger")
    assert (harmed.exit_code, harmed.output.count("; whole"), harmed.output.count("; lost: its log after line 1")) == (1, 1, 1)


def test_of_a_whole_ledger_without_a_game_salvage_says_that_there_is_nothing_to_bring_over(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a.ledger", log_format):
        pass
    result = run("salvage", tmp_path / "a.ledger", tmp_path / "b.ledger")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "is whole, and no game was recorded in it" in result.stderr
    assert not (tmp_path / "b.ledger").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["export", "--ledger", "{tmp}/none.ledger"], "does not exist", id="no ledger"),
        pytest.param(["export", "7", "--ledger", "{tmp}/a.ledger"], "has no game 7; it has 1, 2", id="no game"),
        pytest.param(["backup", "{tmp}/a.ledger", "--ledger", "{tmp}/a.ledger"], "is there already", id="a place that is taken"),
        pytest.param(["backup", "{tmp}/no/copy.ledger", "--ledger", "{tmp}/a.ledger"], "No such file", id="no folder"),
        pytest.param(["salvage", "{tmp}/a.ledger", "{tmp}/a.ledger"], "is there already", id="onto itself"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_2(ledger: Path, tmp_path: Path, arguments: list[str], told: str) -> None:
    result = run(*(one.format(tmp=tmp_path) for one in arguments))
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
