"""Several processes that serve one hall: what one takes in the others show, what lets people in counts in all of them, and one
that is killed is begun again.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from serving import until
from tables import PLAYERS, Organiser, Running, Table, played, running, table
from ways import Way, drained, exchange

from companion.dashboard.front.server import listens
from companion.dashboard.organiser.pairing import MAX_WRONG_IN_ALL, Pin
from companion.dashboard.serve import held
from companion.games.stu.rules.log import new_game
from companion.hall import processes, shown
from companion.hall.bell import SharedBell
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.hall.held import new_pin_and_code
from companion.hall.messages import PROTOCOL, Hello, Welcome
from companion.hall.processes import ProcessSettings
from companion.hall.seats import MAX_WRONG
from companion.hall.shown import Showing
from companion.hall.table.link import Link, joined
from companion.hall.table.membership import HallError, parts_of
from companion.ledger import Ledger
from companion.table.errors import CannotServe
from companion.table.log import Line

LEDGER = "5f0a4b1c-0000-4000-8000-00000000000"


@pytest.fixture
def halls(cluster: Cluster, database: Database) -> Iterator[tuple[Running, Running]]:
    """Two programs that serve one hall, each with connections of its own."""
    with running(database, shared=True) as one, running(Database(cluster, database.name), shared=True) as other:
        yield one, other


# One port


def test_a_port_that_is_kept_is_shared_by_those_that_say_so_and_by_nobody_else() -> None:
    with held("127.0.0.1", 0) as kept:
        port = kept.getsockname()[1]
        with listens("127.0.0.1", port, shared=True), listens("127.0.0.1", port, shared=True):
            with socket.create_connection(("127.0.0.1", port)):
                pass
            for taken in (held, listens):
                with pytest.raises(CannotServe, match="choose another port with --port"):
                    taken("127.0.0.1", port)


# What one takes in, the others show


def test_what_one_process_takes_in_wakes_the_pages_of_the_others(halls: tuple[Running, Running]) -> None:
    one, other = halls
    with table(one) as portico:
        for _ in range(3):
            heard = other.hall.bell.count
            game = portico.play()
            assert other.hall.bell.wait(heard, 600)
            version = portico.ledger.version(game)
            until(lambda version=version: other.tables()[0]["version"] == version)
            assert other.tables()[0]["ruling"] == one.tables()[0]["ruling"] == portico.says()["ruling"]


def events(url: str, seen: str = "") -> Iterator[tuple[str, str]]:
    """Id and name of each event of a stream, followed by a page that has seen the event ``seen``."""
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Last-Event-ID": seen} if seen else {})) as stream:
        id = ""
        for line in stream:
            key, _, value = line.decode().rstrip().partition(": ")
            if key == "id":
                id = value
            elif key == "event":
                yield id, value
                id = ""


@pytest.mark.parametrize("stream", ["/api/tables/1/stream", "/api/hall/stream"])
def test_a_page_whose_process_has_ended_goes_on_at_another_one_by_the_id_of_its_last_event(
    halls: tuple[Running, Running], stream: str
) -> None:
    one, other = halls
    with table(one, name="Portico") as portico:
        portico.play()
        portico.is_sent(one)
        version = portico.ledger.version(1)
        until(lambda: other.tables()[0]["version"] == one.tables()[0]["version"] == version)
        with closing(events(f"{one.url}{stream}?lang=en")) as before:
            seen, name = next(before)
        assert name == "view"
        with closing(events(f"{other.url}{stream}?lang=en", seen)) as after:
            assert next(after) == ("", "beat"), "the page has this view already"
            portico.play(seed=2)
            later, name = next(one for one in after if one[1] == "view")
        assert later != seen
        with closing(events(f"{one.url}{stream}?lang=en", "1.1.")) as behind:
            assert next(behind)[1] == "view", "a page that was away longer is sent what is new"


def test_a_bell_rings_again_after_its_connections_have_died(cluster: Cluster, database: Database) -> None:
    one, other = (SharedBell(database, lambda: None) for _ in range(2))
    try:
        for _ in range(2):
            heard = other.count
            until(lambda heard=heard: one.ring() or other.count > heard)  # until it listens
            with database.owner() as connection:
                connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                                   " AND datname = current_database()")  # fmt: skip
    finally:
        one.close()
        other.close()


def test_a_slower_process_does_not_put_back_what_a_quicker_one_has_shown(
    halls: tuple[Running, Running], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = halls
    sends, works, goes_on = exchange(Way(one.hall.database), ledger), threading.Event(), threading.Event()
    game = ledger.begin([Line(new_game(PLAYERS, 200, "Carla"))])
    drained(sends)
    real = shown.made

    def slowly(*values: object) -> tuple[object, ...]:
        found = real(*values)  # type: ignore[arg-type]
        if not works.is_set():
            works.set()
            goes_on.wait(600)
        return found

    monkeypatch.setattr(shown, "made", slowly)
    one.hall.showing.changed([1])
    assert works.wait(600)
    ledger.record(game, [Line(new_game(PLAYERS, 300, "Carla"))])
    drained(sends)
    other.hall.showing.changed([1])
    until(lambda: other.tables()[0]["version"] == 2 or waits_for_another(one.hall.database))
    goes_on.set()
    until(lambda: other.tables()[0]["version"] == 2)
    assert [showing_done(hall.hall.showing) for hall in halls]
    assert one.tables()[0]["version"] == 2


def waits_for_another(database: Database) -> bool:
    """Whether a process waits until another one has worked a game out."""
    with database.owner() as connection:
        return connection.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").fetchone() is not None


def showing_done(showing: Showing) -> bool:
    showing.close()
    return not showing._thread.is_alive()


# What lets people in counts in all of them


def test_a_phone_that_one_process_has_paired_is_an_organisers_in_the_others(halls: tuple[Running, Running]) -> None:
    one, other = halls
    pins = [hall.app.extensions["pairing"].pin for hall in halls]
    assert pins[0].digits == pins[1].digits
    assert pins[0].code == pins[1].code
    phone = Organiser(one)
    with table(other) as portico:
        portico.begin()
        there = other.app.test_client()
        name, value = cookie(phone.client, one)
        there.set_cookie(name.replace(str(one.server.port), str(other.server.port)), value)
        until(lambda: there.get("/api/hall/organiser").json["tables"][0]["state"] == "live")
        body = json.dumps({"table": 1})
        said = there.post("/api/hall/withdraw", data=body, headers={"X-CSRF-Token": phone.csrf})
        assert (said.status_code, said.json["tables"]) == (200, [])
        assert phone.look()["tables"] == []
    pins[1].renew()
    assert pins[0].digits == pins[1].digits


def cookie(client: FlaskClient, hall: Running) -> tuple[str, str]:
    """That of a paired phone: its name says the port, which processes of one hall share."""
    found = next(one for name in ("organiser", f"organiser-{hall.server.port}") if (one := client.get_cookie(name)) is not None)
    return found.key, found.value


def test_wrong_pins_are_counted_over_all_processes(halls: tuple[Running, Running]) -> None:
    pins: list[Pin] = [hall.app.extensions["pairing"].pin for hall in halls]
    wrong = "000000" if pins[0].digits != "000000" else "111111"
    for number in range(MAX_WRONG_IN_ALL):
        assert not pins[number % 2].matches(f"10.0.0.{number}", wrong)
    assert [pin.matches("10.0.1.1", pin.digits) for pin in pins] == [False, False]
    pins[0].renew()
    assert pins[1].matches("10.0.1.1", pins[0].digits)


def test_a_code_lets_tables_in_at_every_process_and_their_tokens_count_in_all(halls: tuple[Running, Running]) -> None:
    one, other = halls
    code = one.hall.code.text()
    assert other.hall.code.text() == code
    for number, hall in enumerate((one, other, one)):
        member = joined(hall.url, code, f"{LEDGER}{number}", "", 1)
        for each in halls:
            until(lambda each=each, token=member.token: each.hall.seats.claims(token))
            assert each.hall.seats.find(member.token) is not None
    one.hall.seats.withdraw(2)
    assert [len(hall.hall.seats.all()) for hall in halls] == [2, 2]


def test_wrong_codes_are_counted_over_all_processes_and_a_start_makes_another_one(halls: tuple[Running, Running]) -> None:
    codes = [hall.hall.code for hall in halls]
    secret, _ = parts_of(codes[0].text())
    for number in range(MAX_WRONG):
        assert not codes[number % 2].opens("AAAAAAAA" if secret != "AAAAAAAA" else "BBBBBBBB")
    assert not any(code.opens(secret) for code in codes)
    pin = halls[0].app.extensions["pairing"].pin.digits, halls[0].app.extensions["pairing"].pin.code
    new_pin_and_code(halls[0].hall.database)
    again, _ = parts_of(codes[1].text())
    assert codes[0].opens(again)
    assert (halls[1].app.extensions["pairing"].pin.digits, halls[1].app.extensions["pairing"].pin.code) != pin


# Who looks after them


ENDS = """
import os, sys
from pathlib import Path
begun = Path(os.environ["BEGUN"])
begun.write_text(begun.read_text() + sys.stdin.readline())
sys.exit(int(os.environ["ENDS"].split()[len(begun.read_text().splitlines()) - 1]))
"""
TOLD = ProcessSettings("hall", "127.0.0.1", 1, None, "hall.pem", "it", keep_all=False, says="json")


@pytest.mark.parametrize(
    ("ends", "begun", "why"),
    [
        ("2", 1, "cannot serve"),  # and has said why
        ("3 3 2", 3, "cannot serve"),  # the database could not be reached twice
        ("1 1 1 1 1", 5, r"as soon as it has begun \(status 1\)"),
    ],
)
def test_one_that_ends_is_begun_again_unless_it_cannot_serve_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, begun: int, why: str
) -> None:
    (tmp_path / "one_of_several.py").write_text(ENDS)
    (tmp_path / "begun").touch()
    here = tmp_path / "here"
    here.mkdir()
    (here / "one_of_several.py").write_text("raise SystemExit(77)")  # of the folder that it is begun in nothing is taken
    monkeypatch.chdir(here)
    for name, value in {"PYTHONPATH": tmp_path, "BEGUN": tmp_path / "begun", "ENDS": ends}.items():
        monkeypatch.setenv(name, str(value))
    for name in ("LOOK_SECONDS", "RESTART_SECONDS"):
        monkeypatch.setattr(processes, name, 0.0)
    with pytest.raises(HallError, match=why):
        processes.Processes([TOLD], ["one_of_several"]).run()
    told = [msgspec.json.decode(line, type=ProcessSettings) for line in (tmp_path / "begun").read_text().splitlines()]
    assert told == [TOLD] * begun, "it has perhaps not said yet where it serves"


# The real programs


@contextmanager
def program(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """`companion hall --json` with three processes, running, and what its line says."""
    command = [sys.executable, "-m", "companion", "hall", "--json", "--folder", str(folder), "--processes", "3", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(60)


@contextmanager
def three(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str], int]]:
    """The same once all three listen, and the port at which they do."""
    with program(folder, *more) as (hall, says):
        port = int(says["url"].rpartition(":")[2])
        until(lambda: listening(serving(hall), port) == 3)
        yield hall, says, port


@pytest.fixture
def folder(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder for a hall, which the user whom PostgreSQL runs as may enter."""
    made = cluster.folder / f"processes-{abs(hash(request.node.nodeid)) % 10**6}"
    yield made
    Cluster(made).stop()


def serving(process: subprocess.Popen[str]) -> list[int]:
    """The processes that this one has begun and that serve."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(one) for one in found if b"hall_serving" in Path(f"/proc/{one}/cmdline").read_bytes()]


def listening(pids: list[int], port: int) -> int:
    """How many of these processes listen at the port."""
    table = Path("/proc/net/tcp").read_text().splitlines()[1:]
    inodes = {f"socket:[{row.split()[9]}]" for row in table if row.split()[1].endswith(f":{port:04X}") and row.split()[3] == "0A"}
    return sum(any(target(one) in inodes for one in Path(f"/proc/{pid}/fd").iterdir()) for pid in pids)


def target(link: Path) -> str:
    """What it leads to; "" where it has just gone."""
    try:
        return os.readlink(link)
    except FileNotFoundError:
        return ""


def tables(url: str) -> list[dict]:
    """What the hall says, asked over a connection of its own."""
    with urllib.request.urlopen(f"{url}/api/hall?lang=en") as answer:
        return json.load(answer)["tables"]


@pytest.mark.processor(120)
def test_one_of_three_processes_is_killed_the_others_go_on_and_it_is_begun_again(folder: Path) -> None:
    with three(folder, "--keep-all") as (hall, says, port):
        first = serving(hall)
        one, log = Table(), played(2, 3)
        one.joining.join(says["url"], says["table_code"], "Portico")
        game = one.ledger.begin(log[:2])
        for victim in first:
            os.kill(victim, signal.SIGKILL)
            one.ledger.record(game, log[: 3 + first.index(victim)])
            version = one.ledger.version(game)
            until(lambda version=version: versions(says["url"]) == [version])
            until(lambda victim=victim: victim not in serving(hall) and listening(serving(hall), port) == 3)
        assert not set(first) & set(serving(hall))
        with pytest.raises(HallError, match="does not count"):
            joined(says["url"], "ABCD-EFGH", f"{LEDGER}1", "", 1)
        due = joined(says["url"], says["table_code"], f"{LEDGER}1", "Due", 1)  # the start's code counts in those begun since
        link = Link(says["url"])
        assert link.ask("/api/hall/table/hello", Hello(PROTOCOL, f"{LEDGER}1", "s", 0.0), Welcome, due.token).keeps_all
        link.close()
        assert [told["name"] for told in tables(says["url"])] == ["Portico", "Due"]
        one.close()


def versions(url: str) -> list[int] | None:
    """What the hall shows of each table; None where nothing answers, as the process that was asked has just been killed."""
    try:
        return [one["version"] for one in tables(url)]
    except OSError:
        return None


@pytest.mark.processor(120)
def test_the_database_and_a_process_are_killed_together_and_both_come_back(folder: Path) -> None:
    with three(folder) as (hall, says, port):
        victim = serving(hall)[0]
        os.kill(int((folder / "postgresql" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        os.kill(victim, signal.SIGKILL)
        until(lambda: victim not in serving(hall) and listening(serving(hall), port) == 3)
        until(lambda: versions(says["url"]) == [])
        assert hall.poll() is None


@pytest.mark.processor(120)
def test_where_the_program_that_looks_after_them_is_killed_its_processes_end(folder: Path) -> None:
    with three(folder) as (hall, says, port):
        pids = serving(hall)
        hall.kill()
        hall.wait(60)
        until(lambda: not any(Path(f"/proc/{pid}/fd").exists() for pid in pids))
    with program(folder, "--port", str(port)) as (again, now):
        assert now["url"] == says["url"]
        for where, why in (
            (folder, f"a hall runs on this folder already, at {now['url']} (process {again.pid})"),
            (folder.with_name(f"{folder.name}-other"), "choose another port with --port"),
        ):
            refused = subprocess.run([sys.executable, "-m", "companion", "hall", "--folder", str(where), "--port", str(port),
                                      "--processes", "2"], capture_output=True, text=True, check=False)  # fmt: skip
            assert (refused.returncode, why in refused.stderr) == (2, True), refused.stderr
        assert again.poll() is None
