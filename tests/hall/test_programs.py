"""The real programs: a hall with its database and a table, each killed while the other goes on; copies taken and put back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from serving import program, until
from tables import PLAYERS, Table, played

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.cluster import Cluster
from companion.hall.copies import backed_up
from companion.hall.database import Database, HallDown
from companion.hall.intake import rows_of
from companion.ledger import Ledger, outbox
from companion.line.recorder import EveningRecorder


@dataclass
class Program:
    """`companion hall --json`, running: what its line says."""

    process: subprocess.Popen[str]
    url: str
    table_code: str
    organiser_pin: str

    def tables(self) -> list[dict]:
        with urllib.request.urlopen(f"{self.url}/api/hall?lang=en") as answer:
            return json.load(answer)["tables"]


@contextmanager
def hall_program(folder: Path, port: int = 0) -> Iterator[Program]:
    command = [sys.executable, "-m", "companion", "hall", "--json", "--folder", str(folder), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Program(process, **json.loads(process.stdout.readline()))
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def folder(cluster: Cluster) -> Iterator[Path]:
    """A folder for a hall, which the user whom PostgreSQL runs as may enter."""
    made = cluster.folder / "programs"
    yield made
    Cluster(made).stop()


@contextmanager
def database(folder: Path) -> Iterator[Database]:
    opened = Database(Cluster(folder))
    yield opened
    opened.close()


def has_all(folder: Path, ledger: Ledger) -> bool:
    """Whether the hall has every row of the ledger, byte for byte; not while its database is down."""
    try:
        return _has_all(folder, ledger)
    except HallDown:
        return False


def _has_all(folder: Path, ledger: Ledger) -> bool:
    with database(folder) as opened, opened.taking() as connection:
        games = dict(connection.execute("SELECT number, id FROM game WHERE ledger = %s", (outbox.identity(ledger),)).fetchall())
        return all(one.game in games and rows_of(connection, games[one.game]) == outbox.rows(ledger, one.game, 0, 10**6)
                   for one in outbox.outgoing(ledger))  # fmt: skip


def postmaster(folder: Path) -> int:
    return int((folder / "postgresql" / "postmaster.pid").read_text().split()[0])


@pytest.mark.processor(60)
def test_a_table_program_joins_and_its_taps_are_on_the_halls_page(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "evening.ledger"
    with Ledger.open(path, log_format) as ledger:
        EveningRecorder.begin(ledger, new_game(PLAYERS, 200, "Carla"))
    with hall_program(folder) as hall:

        def told(what: str) -> list:
            return [one[what] for one in hall.tables() if one["name"] == "Portico"]

        assert told("name") == []
        arguments = ("--https-port", "0", "--hall", hall.url, "--code", hall.table_code, "--table", "Portico")
        with program(path, *arguments) as table:
            assert f"Table Portico of the hall at {hall.url}" in table.said
            until(lambda: told("version") == [1])
            until(lambda: told("state") == ["live"])
        until(lambda: told("state") == ["silent"])  # it was killed
        with program(path, *arguments[:-4], "--hall", hall.url) as table:  # it has joined already
            until(lambda: told("state") == ["live"])


@pytest.mark.processor(60)
def test_a_table_whose_code_is_old_plays_without_the_hall(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "evening.ledger"
    with Ledger.open(path, log_format) as ledger:
        EveningRecorder.begin(ledger, new_game(PLAYERS, 200, "Carla"))
    arguments = ("--https-port", "0", "--hall", "http://127.0.0.1:9", "--code", "ABCD-EFGH")
    with hall_program(folder) as hall:
        joined = [one["name"] for one in hall.tables()]
        for url, why in ((hall.url, "This code does not count"), ("http://127.0.0.1:9", "no hall answers")):
            with program(path, *arguments[:3], url, *arguments[4:]) as table:
                with urllib.request.urlopen(f"{table.url}/api/game?lang=en") as answer:
                    assert [one["name"] for one in json.load(answer)["seats"]] == PLAYERS
                assert f"The table plays without the hall: {url}: {why}" in table.said
        assert [one["name"] for one in hall.tables()] == joined


def test_killed_again_and_again_the_hall_has_what_the_ledger_has(folder: Path, tmp_path: Path) -> None:
    log = played(3, 5)
    with hall_program(folder) as first:
        port = int(first.url.rpartition(":")[2])
        table = Table(Ledger.open(tmp_path / "a.ledger", log_format))
        table.joining.join(first.url, first.table_code, "")
        game = table.ledger.begin(log[:1])
        table.ledger.record(game, log[:5])
        until(lambda: has_all(folder, table.ledger))
        os.kill(postmaster(folder), signal.SIGKILL)
        table.ledger.record(game, log[:9])
        until(lambda: has_all(folder, table.ledger))
        first.process.kill()
        first.process.wait(60)
        table.ledger.record(game, log[:15])
        assert table.joining.standing is not None
    until(lambda: table.joining.standing.state == "away")
    with hall_program(folder, port) as again:  # its database still ran
        until(lambda: has_all(folder, table.ledger))
        table.ledger.record(game, log)
        until(lambda: has_all(folder, table.ledger))
        version = table.ledger.version(game)
        until(lambda: version in [one["version"] for one in again.tables()])
    table.close()


def test_a_second_hall_on_one_folder_is_refused_and_one_after_a_kill_is_not(folder: Path) -> None:
    with hall_program(folder) as first:
        for more in (("--port", "0"), ("--port", first.url.rpartition(":")[2]), ("--port", "0", "--processes", "2")):
            refused = companion("hall", "--folder", str(folder), *more)
            assert (refused.returncode, refused.stderr.count("\n"), refused.stdout) == (2, 1, ""), refused.stderr
            assert f"a hall runs on this folder already, at {first.url} (process {first.process.pid}):" in refused.stderr
        assert first.tables() is not None, "it goes on, with its database"
        assert first.process.poll() is None
        first.process.kill()
        first.process.wait(60)
        with hall_program(folder) as again:
            assert again.tables() is not None
    assert not (folder / "hall-owner").exists()


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.processor(60)
def test_a_hall_is_copied_while_it_runs_and_put_back_and_sent_what_is_missing(folder: Path, tmp_path: Path) -> None:
    copy, log = tmp_path / "hall.copy", played(2, 6)
    with hall_program(folder) as hall:
        port = int(hall.url.rpartition(":")[2])
        table = Table(Ledger.open(tmp_path / "a.ledger", log_format))
        table.joining.join(hall.url, hall.table_code, "")
        game = table.ledger.begin(log[:6])
        until(lambda: has_all(folder, table.ledger))
        assert companion("hall", "backup", str(copy), "--folder", str(folder)).returncode == 0
        table.ledger.record(game, log)
        later = Table()  # it joins after the copy was made
        later.joining.join(hall.url, hall.table_code, "Loggia")
        later.play()
        until(lambda: has_all(folder, table.ledger) and has_all(folder, later.ledger))
        refused = companion("hall", "restore", str(copy), "--folder", str(folder))
        assert (refused.returncode, "end companion hall first" in refused.stderr) == (2, True)
    done = companion("hall", "restore", str(copy), "--folder", str(folder))
    assert done.returncode == 0, done.stderr
    assert not has_all(folder_started(folder), table.ledger)
    with hall_program(folder, port):
        until(lambda: has_all(folder, table.ledger) and has_all(folder, later.ledger))
    table.close()
    later.close()
    (tmp_path / "x").write_text("nothing")
    refused = companion("hall", "restore", str(tmp_path / "x"), "--folder", str(folder))
    assert (refused.returncode, "is no copy of a hall" in refused.stderr) == (2, True)


def test_a_hall_that_was_killed_is_copied_and_put_back_at_once_though_its_database_still_runs(
    folder: Path, tmp_path: Path
) -> None:
    copy = str(tmp_path / "hall.copy")
    with hall_program(folder) as hall:
        hall.process.kill()
        hall.process.wait(60)
        assert Cluster(folder).runs
        with pytest.raises(HallDown), database(folder) as opened, opened.owner():  # somebody still looks at what is put aside
            done = [companion("hall", what, copy, "--folder", str(folder)) for what in ("backup", "restore")]
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert not Cluster(folder).runs


def test_a_copy_that_was_begun_before_the_hall_does_not_stop_its_database(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, dump = Cluster(folder), Cluster.run
    cluster.start()
    cluster.stop()

    with ExitStack() as kept:

        def meanwhile(self: Cluster, *arguments: str) -> bytes:
            kept.enter_context(hall_program(folder))
            return dump(self, *arguments)

        monkeypatch.setattr(Cluster, "run", meanwhile)
        backed_up(folder, tmp_path / "hall.copy")
        assert cluster.runs
    assert not cluster.runs


def folder_started(folder: Path) -> Path:
    Cluster(folder).start()
    return folder


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    there_is_none = companion("hall", "backup", str(tmp_path / "x"), "--folder", str(tmp_path / "none"))
    assert (there_is_none.returncode, there_is_none.stderr.count("\n")) == (2, 1)
    assert "there is no hall: companion hall makes one" in there_is_none.stderr
    for arguments, said in (
        (("--hall", "http://192.168.1.10:8100", "--code", "ABCD-EFGH"), "take the https address"),
        (("--code", "ABCD-EFGH"), "--code and --table go with --hall"),
        (("--hall", "http://127.0.0.1:9", "--code", "ABCD"), "no code of a hall"),
    ):
        refused = companion("serve", "--ledger", str(tmp_path / "a.ledger"), "--port", "0", "--https-port", "0", *arguments)
        assert (refused.returncode, said in refused.stderr) == (2, True), refused.stderr
