"""What the file promises: nothing recorded is lost, others may look at it, and what is no ledger is said so."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules.log import Hand, Sto, new_game
from companion.ledger import Ledger
from companion.ledger.schema import checksum
from companion.table.errors import CompanionError, LedgerError
from companion.table.log import Line

GAME = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))
STO = Line(Sto(by="Anna"))

RECORD_AND_DIE = """
import os, signal, sys
from companion.games import log_format
from companion.ledger import Ledger
from companion.games.stu.rules.log import Hand, new_game
from companion.table.log import Line
ledger = Ledger.open(sys.argv[1], log_format)
game = ledger.new_game(source="killed")
ledger.record(game, [Line(new_game(["Anna", "Bruno"], 200, "Bruno"))])
ledger.record(game, [Line(new_game(["Anna", "Bruno"], 200, "Bruno")), Line(Hand())])
os.kill(os.getpid(), signal.SIGKILL)
"""

RECORD = """
import sys
from companion.games import log_format
from companion.ledger import Ledger
from companion.games.stu.rules.log import new_game
from companion.table.log import Line
with Ledger.open(sys.argv[1], log_format) as ledger:
    ledger.record(int(sys.argv[2]), [Line(new_game(["Anna", "Bruno"], 200, "Bruno"))])
"""


def test_what_was_recorded_is_there_after_closing(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        game = ledger.new_game()
        ledger.record(game, [GAME])
        ledger.record(game, [GAME, STO])
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        assert ledger.at(game) == (2, (GAME, STO))
        assert ledger.record(game, [GAME]) == 3


def test_a_killed_program_loses_nothing_it_recorded(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    killed = subprocess.run([sys.executable, "-c", RECORD_AND_DIE, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Ledger.open(path, log_format) as ledger:
        assert ledger.at(1) == (2, (GAME, Line(Hand())))


def test_a_failed_recording_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with Ledger.open(path, log_format) as ledger:
        game = ledger.new_game()
        ledger.record(game, [GAME])
        with sqlite3.connect(path) as other:
            other.execute("CREATE TRIGGER full BEFORE INSERT ON version BEGIN SELECT raise(ABORT, 'no room'); END")
        other.close()
        with pytest.raises(LedgerError, match="no room"):
            ledger.record(game, [GAME, STO])
        assert ledger.at(game) == (1, (GAME,))


def test_only_the_difference_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with Ledger.open(path, log_format) as ledger:
        game = ledger.new_game()
        log = [GAME, *([Line(Hand())] * 50)]
        ledger.record(game, log)
        ledger.record(game, [*log[:20], STO, *log[20:]])
    with sqlite3.connect(path) as reader:
        (text,) = reader.execute("SELECT lines FROM version WHERE number = 2").fetchone()
    reader.close()
    assert text.count("\n") == 1


def test_a_page_sees_what_another_program_records(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with Ledger.open(path, log_format) as ledger:
        game = ledger.new_game()
        ledger.record(game, [])
    with Ledger.look(path, log_format) as ledger:
        seen: list[int] = []
        reader = threading.Thread(target=lambda: seen.append(ledger.wait(game, 0, timeout=120)))
        reader.start()
        subprocess.run([sys.executable, "-c", RECORD, str(path), str(game)], check=True)
        reader.join()
        assert seen == [1]
        assert ledger.lines(game) == (GAME,)


def _not_a_database(path: Path) -> None:
    path.write_text("Anna paid one pedina\n" * 100)


def _another_database(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE wine (name TEXT)")
    other.close()


def _newer(path: Path) -> None:
    Ledger.open(path, log_format).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()


def _empty(path: Path) -> None:
    path.touch()


def _damaged(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        game = ledger.new_game()
        for length in range(1, 200):
            ledger.record(game, [GAME, *([STO] * length)])
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(_not_a_database, "not even a database", id="a text file"),
        pytest.param(_another_database, "no ledger", id="somebody else's database"),
        pytest.param(_newer, "newer companion", id="written by a newer program"),
        pytest.param(_damaged, "companion salvage", id="damaged"),
        pytest.param(_empty, "is empty", id="empty"),
        pytest.param(Path.mkdir, "is a folder", id="a folder"),
    ],
)
def test_a_file_that_is_no_ledger_is_named_and_left_alone(tmp_path: Path, spoil, told: str) -> None:
    path = tmp_path / "a.ledger"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(LedgerError, match=told) as refused:
        Ledger.open(path, log_format)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert isinstance(refused.value, CompanionError)
    assert before is None or path.read_bytes() == before


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="does not exist"):
        Ledger.open(tmp_path / "nowhere" / "a.ledger", log_format)


def test_a_folder_nobody_may_write_in_is_said() -> None:
    place = Path("/proc/self")  # read-only for everybody, root included
    if not place.is_dir():
        pytest.skip("needs /proc, a folder that even root cannot write in")
    with pytest.raises(LedgerError, match="may write in its folder"):
        Ledger.open(place / "a.ledger", log_format)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_nobody_may_write_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    Ledger.open(path, log_format).close()
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(LedgerError, match="writable"):
            Ledger.open(path, log_format)
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize(
    ("checksums", "told"), [(True, "was written by a newer companion: .*backups"), (False, "is damaged: .*salvage")]
)
def test_a_log_that_is_as_it_was_written_and_not_understood_is_of_a_newer_program(
    path: Path, checksums: bool, told: str
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        [(head, tail, lines)] = connection.execute("SELECT head, tail, lines FROM version WHERE game = 1").fetchall()
        lines += '{"e":"what-comes-next-year"}\n'
        crc = checksum(head, tail, lines) if checksums else None
        connection.execute("UPDATE version SET lines = ?, crc = ? WHERE game = 1", (lines, crc))
    with Ledger.look(path, log_format) as ledger, pytest.raises(LedgerError, match=told):
        ledger.lines(1)
