"""A disk that takes nothing more: the game goes on in memory, says so, and is written as soon as it can be."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules.log import Hand, Passo, Sto, new_game
from companion.ledger import Ledger, Phones, SeasonBook
from companion.ledger import file as files
from companion.table.errors import LedgerError
from companion.table.log import Line

GAME = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))
HAND, STO, PASSO = Line(Hand()), Line(Sto(by="Anna")), Line(Passo(by="Bruno"))
OLD = Path(__file__).parents[1] / "line" / "ledgers"
AN_HOUR_S = 3600.0
"""Seconds for which a writer waits for another program, where a test says so."""
FAR_LESS_S = 600.0
"""Seconds that a page may take, on a machine as busy as any."""

Ail = Callable[[Ledger], None]


@pytest.fixture(autouse=True)
def _at_leisure(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The disk is asked again when a test says so; what it has not taken in the end is put where tests put things."""
    monkeypatch.setattr(files, "RETRY_SECONDS", 1e6)
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setattr(files.tempfile, "gettempdir", lambda: folder)


def fill(ledger: Ledger) -> None:
    """No page more fits on the disk."""
    writer = ledger._file._writer
    assert writer is not None
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages}")


def make_room(ledger: Ledger) -> None:
    disk = ledger._file._disk
    assert disk is not None
    disk[1].execute("PRAGMA max_page_count = 1000000")


def protect(ledger: Ledger) -> None:
    """The disk cannot be written."""
    writer = ledger._file._writer
    assert writer is not None
    writer.execute("PRAGMA query_only = ON")


def unprotect(ledger: Ledger) -> None:
    disk = ledger._file._disk
    assert disk is not None
    disk[1].execute("PRAGMA query_only = OFF")


AILMENTS = [pytest.param(fill, make_room, "full", id="full"), pytest.param(protect, unprotect, "read_only", id="read-only")]
LONG = "x" * 20_000
"""More than the page that is begun has room for."""


@pytest.mark.parametrize(("ail", "heal", "what"), AILMENTS)
def test_the_game_goes_on_in_memory_until_the_disk_takes_it_again(path: Path, ail: Ail, heal: Ail, what: str) -> None:
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        assert ledger.trouble is None
        ail(ledger)
        assert ledger.record(1, [GAME, HAND], reports=["one"], notes={"table": LONG}, hands={0: (0, LONG)}) == 2
        assert ledger.trouble is not None
        assert ledger.trouble.what == what
        assert ledger.record(1, [GAME, HAND, STO], reports=["two"]) == 3
        _, token = Phones(ledger).pair("Rina")
        other = ledger.begin([GAME], notes={"camera": "0"})
        ledger.take_up(1)
        assert (ledger.at(1), ledger.newest(), ledger.reports(1)) == ((3, (GAME, HAND, STO)), 1, ("one", "two"))
        with Ledger.look(path, log_format) as disk:
            assert disk.version(1) == 1
        assert not ledger._file.save()
        heal(ledger)
        assert ledger._file.save()
        assert ledger.trouble is None
        assert ledger.record(1, [GAME, HAND, STO, PASSO]) == 4
        with Ledger.look(path, log_format) as disk:
            assert disk.at(1) == (4, (GAME, HAND, STO, PASSO))
            assert disk.reports(1) == ("one", "two")
            assert (disk.hands(1), disk.notes(1)["table"]) == ((LONG,), LONG)
            assert (disk.newest(), disk.lines(other), disk.notes(other)) == (1, (GAME,), {"camera": "0"})
            assert Phones(disk).find(token) is not None


def test_the_disk_is_asked_again_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.05)
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        fill(ledger)
        ledger.note(1, table=LONG)
        assert ledger.trouble is not None
        make_room(ledger)
        assert ledger.wait_until(lambda: ledger.trouble is None, timeout=60)
        with Ledger.look(path, log_format) as disk:
            assert disk.notes(1) == {"table": LONG}


def test_what_a_transaction_had_said_before_the_disk_was_full_is_said_in_memory_once(path: Path) -> None:
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        fill(ledger)
        book = SeasonBook(ledger)
        book.link({f"name {number} {LONG[:200]}": "anna" for number in range(200)})
        assert ledger.trouble is not None
        assert len(book.links()) == 200


def refused(ledger: Ledger) -> None:
    with ledger.writing() as writing:
        writing.execute("UPDATE game SET source = 'elsewhere'")
        writing.execute("UPDATE game SET nowhere = 1")


def test_what_is_refused_for_another_reason_is_refused_in_memory_too(path: Path) -> None:
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        fill(ledger)
        ledger.note(1, table=LONG)
        with pytest.raises(LedgerError, match="no such column"):
            refused(ledger)
        assert ledger.games()[0].source == "by hand"
        make_room(ledger)
        assert ledger._file.save()
        assert ledger.games()[0].source == "by hand"


def test_a_program_that_is_not_to_keep_going_is_told_at_once(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        fill(ledger)
        with pytest.raises(LedgerError, match="disk is full"):
            ledger.note(1, table=LONG)
        assert ledger.notes(1) == {}
        assert ledger.trouble is None


def test_what_the_disk_has_not_taken_in_the_end_is_put_elsewhere(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr(files.tempfile, "gettempdir", lambda: str(elsewhere))
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        fill(ledger)
        ledger.record(1, [GAME, HAND], notes={"table": LONG})
    [rescued] = elsewhere.iterdir()
    assert str(rescued) in caplog.text
    with Ledger.open(rescued, log_format) as ledger:
        assert ledger.lines(1) == (GAME, HAND)
    with Ledger.open(path, log_format) as ledger:
        assert ledger.lines(1) == (GAME,)


def test_no_page_needs_a_disk_that_takes_something(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        phone, token = Phones(ledger).pair("Rina")
        key = Phones(ledger).key()
        with ledger.writing() as writing:
            writing.execute("UPDATE phone SET seen = 0")
        protect(ledger)
        found = Phones(ledger).find(token)
        assert found is not None
        assert found.id == phone.id
        assert Phones(ledger).key() == key


def test_a_page_does_not_wait_for_a_writer(path: Path) -> None:
    with Ledger.open(path, log_format) as ledger:
        _, token = Phones(ledger).pair("Rina")
        with ledger.writing() as writing:
            writing.execute("UPDATE phone SET seen = 0")
            found: list[object] = []
            page = threading.Thread(target=lambda: found.append(Phones(ledger).find(token)))
            page.start()
            page.join(FAR_LESS_S)
            assert found


@contextmanager
def browsed(path: Path) -> Iterator[None]:
    """Another program, which is no companion, has the ledger locked."""
    with closing(sqlite3.connect(path, isolation_level=None)) as browser:
        browser.execute("BEGIN IMMEDIATE")
        yield


def test_a_page_does_not_wait_for_another_program_either(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.opening, "BUSY_SECONDS", AN_HOUR_S)
    with Ledger.open(path, log_format) as ledger:
        _, token = Phones(ledger).pair("Rina")
        with ledger.writing() as writing:
            writing.execute("UPDATE phone SET seen = 0")
        with browsed(path):
            page = threading.Thread(target=Phones(ledger).find, args=(token,))
            page.start()
            page.join(FAR_LESS_S)
            assert not page.is_alive()


READ_ONLY = """
import sys
from companion.games import log_format
from companion.ledger import Ledger
ledger = Ledger.open(sys.argv[1], log_format, keep_going=True)
game = ledger.newest() or ledger.new_game()
ledger.note(game, table="kept")
print(ledger.trouble.what, ledger.version(game), ledger.notes(game)["table"], flush=True)
sys.stdin.readline()
"""
MOUNT = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && { "$@"; }'
"""Only this shell and what it calls finds the folder read-only."""


@pytest.fixture
def read_only() -> list[str]:
    """The beginning of a command that finds a folder, its next argument, read-only."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh"]
    if shutil.which("unshare") is None or subprocess.run([*command, "/tmp", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs leave to mount")
    return command


@pytest.mark.parametrize("name", ["a.ledger", "schema-3.ledger", "new.ledger"])
def test_the_program_starts_on_a_disk_that_cannot_be_written(path: Path, read_only: list[str], name: str) -> None:
    if name.startswith("schema"):
        shutil.copyfile(OLD / name, path.with_name(name))
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    command = [*read_only, str(path.parent), sys.executable, "-c", READ_ONLY, str(path.with_name(name))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = running.stdout.readline()
        running.kill()
        assert said.startswith("read_only"), (said, running.communicate()[1])
    assert said.endswith(" kept\n")
    assert (" 0 " in said) == (name == "new.ledger")
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


FULL = """
import errno, os, sys
from pathlib import Path
from companion.games import log_format
from companion.ledger import Ledger, file as files
files.RETRY_SECONDS = 0.1
folder = Path(sys.argv[1])
path = folder / "a.ledger"
if sys.argv[2] == "old":
    with Ledger.open(path, log_format) as ledger:
        ledger.record(ledger.new_game(), [], reports=["seen"], notes={"table": "before"})
filler = folder / "filler"
with filler.open("wb", buffering=0) as file:
    for size in (4096, 512, 64, 1):
        try:
            while True:
                file.write(bytes(size))
        except OSError as error:
            assert error.errno == errno.ENOSPC
ledger = Ledger.open(path, log_format, keep_going=True)
game = ledger.newest() or ledger.new_game()
ledger.note(game, deck="x" * 50_000)
assert ledger.trouble.what == "full", ledger.trouble
filler.unlink()
assert ledger.wait_until(lambda: ledger.trouble is None, 60)
with Ledger.look(path, log_format) as disk:
    assert disk.notes(game) == ledger.notes(game)
    print(len(disk.notes(game)["deck"]), disk.notes(game).get("table"))
ledger.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("before", "kept"), [("old", "50000 before"), ("new", "50000 None")])
def test_the_program_starts_on_a_full_disk_and_goes_on_once_there_is_room(
    tmp_path: Path, read_only: list[str], before: str, kept: str
) -> None:
    mount = 'mount -t tmpfs -o size=600k tmpfs "$1" && shift && { "$@"; }'
    command = [one if one != MOUNT else mount for one in read_only]
    done = subprocess.run(
        [*command, str(tmp_path), sys.executable, "-c", FULL, str(tmp_path), before], capture_output=True, text=True, check=False
    )
    assert done.stdout == f"{kept}\n", done.stderr


def test_what_was_begun_on_such_a_disk_is_written_once_it_can_be(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.opening.to_write

    def refused(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        raise PermissionError(30, "Read-only file system", str(path))

    monkeypatch.setattr(files.opening, "to_write", refused)
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        assert ledger.record(1, [GAME, HAND]) == 2
        assert not ledger._file.save()
        monkeypatch.setattr(files.opening, "to_write", real)
        assert ledger._file.save()
    with Ledger.open(path, log_format) as ledger:
        assert ledger.lines(1) == (GAME, HAND)


def test_what_another_program_has_changed_meanwhile_is_not_written_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.opening.to_write

    def refused(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(files.opening, "to_write", refused)
    with Ledger.open(path, log_format, keep_going=True) as ledger:
        ledger.record(1, [GAME, HAND])
        reader, writer = real(path)
        writer.execute("INSERT INTO game (started, source) VALUES (0, 'elsewhere')")
        reader.close()
        writer.close()
        monkeypatch.setattr(files.opening, "to_write", real)
        assert not ledger._file.save()
        assert ledger.trouble is not None
