"""What a hall of tables has to survive, for `tools/faults.py --hall`: one of its processes, its database, the whole hall killed
at a random moment, a table's program that sends, a second sender of one ledger. Tables play on meanwhile; then the hall must be
the ledgers, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.games import log_format
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.hall.table.link import joined
from companion.hall.table.membership import keep
from companion.ledger import Ledger, outbox
from companion.table.log import Line
from workshop.soak.hall_table import HallTable, branches
from workshop.soak.tried import Tried

TABLES = 3
PLAYED_S = 1.5
"""Seconds for which tables play in each try; the fault is somewhere within them."""
MOST_S = 120.0
"""Seconds after which what does not come back counts as lost."""


class Table(HallTable):
    """A table that plays for some seconds. ``acknowledged``: as of `Program`; nobody kills this one."""

    acknowledged = 0

    def play(self, seconds: float, tell: Callable[[int], object] = lambda version: None) -> int:
        """Record for these seconds; how many versions. ``tell``: what each of them is given to."""
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            tell(self.record())
            count += 1
            time.sleep(0.02)
        return count


class Program:
    """One more table, whose program is a process of its own that may be killed: it plays and sends as `Table` does, told by lines
    on its input (seconds to play), and says each version that it has recorded.

    Attributes:
        ledger: looked at from here. acknowledged: the newest version that it has said.
    """

    def __init__(self, file: Path, log: tuple[Line, ...]) -> None:
        self._file = file
        with Ledger.open(file, log_format) as ledger:
            self.game = ledger.begin(log[:1])
        self.ledger, self.acknowledged = Ledger.look(file, log_format), 0

    def join(self, url: str, code: str, name: str) -> None:
        with Ledger.open(self._file, log_format) as ledger:
            keep(ledger, joined(url, code, outbox.identity(ledger), name, 1))
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, __file__, str(self._file), str(self.game)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def play(self, seconds: float) -> int:
        """As `Table.play`; a program that is killed meanwhile is begun again, and plays on."""
        count, before = 0, self.acknowledged
        while True:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            with suppress(BrokenPipeError):
                print(seconds, file=self._process.stdin, flush=True)
            for line in self._process.stdout:
                if line == "played\n":
                    return count
                self.acknowledged, count = int(line), count + 1
            assert self.acknowledged > before or self._process.wait() == -signal.SIGKILL, "it ended by itself"
            self.begin()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self.ledger.close()


def table_program(file: Path, game: int) -> None:
    """What the process of `Program` does."""
    log = simulate(Settings(players=seated(5)), hands=40, seed=1)
    table = Table(file, log, game)
    table.go_on()
    for line in sys.stdin:
        table.play(float(line), lambda version: print(version, flush=True))
        print("played", flush=True)


class Hall:
    """`companion hall` with two processes, at one port however often it is begun."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, "-m", "companion", "hall", "--json", "--folder", str(self.folder), "--processes", "2"]
        self.process = subprocess.Popen([*command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)  # fmt: skip
        assert self.process.stdout is not None
        says = json.loads(self.process.stdout.readline())
        self.url, self.code = says["url"], says["table_code"]
        self.port = int(self.url.rpartition(":")[2])

    def versions(self) -> list[int]:
        """What it shows of each table; none where nothing answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/hall", timeout=5) as answer:  # nosec B310 # our own hall
                return [one["version"] for one in json.load(answer)["tables"]]
        except (OSError, urllib.error.URLError, ValueError):
            return []

    def serving(self) -> list[int]:
        """The ids of its processes."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(one) for one in found if b"hall_serving" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(60)


def kill_a_process(hall: Hall, tables: list[Table | Program], chance: random.Random) -> None:
    """One of those that serve."""
    if pids := hall.serving():
        os.kill(chance.choice(pids), signal.SIGKILL)


def kill_the_database(hall: Hall, tables: list[Table | Program], chance: random.Random) -> None:
    """PostgreSQL's first process."""
    os.kill(int((hall.folder / "postgresql" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)


def kill_the_hall(hall: Hall, tables: list[Table | Program], chance: random.Random) -> None:
    """All of its processes; it is begun again at once."""
    for pid in [hall.process.pid, *hall.serving()]:
        os.kill(pid, signal.SIGKILL)
    hall.process.wait(60)
    hall.begin()


def kill_a_sender(hall: Hall, tables: list[Table | Program], chance: random.Random) -> None:
    """A table's program, which records and sends; it is begun again at once, and plays on."""
    for table in tables:
        if isinstance(table, Program):
            table.kill()


def send_twice(hall: Hall, tables: list[Table | Program], chance: random.Random) -> None:
    """A table's program begins once more while the first one lives."""
    chance.choice([table for table in tables if isinstance(table, Table)]).send()


FAULTS: dict[str, Callable[[Hall, list[Table | Program], random.Random], None]] = {
    "a process killed": kill_a_process, "the database killed": kill_the_database, "the whole hall killed": kill_the_hall,
    "a sender killed": kill_a_sender, "a second sender": send_twice,
}  # fmt: skip


def hall(folder: Path, times: int, chance: random.Random) -> Tried:
    """Tables play while something of their hall is killed, again and again."""
    place = Path(tempfile.mkdtemp(prefix="companion-faults-", dir="/tmp"))  # nosec B108 # a random name
    place.chmod(0o755)  # PostgreSQL runs as another user where this is root
    tried, log = Tried(), simulate(Settings(players=seated(5)), hands=40, seed=1)
    tables: list[Table | Program] = [Table(folder / f"{number}.ledger", log) for number in range(TABLES - 1)]
    tables.append(Program(folder / f"{TABLES - 1}.ledger", log))
    served = Hall(place / "hall")
    try:
        for number, table in enumerate(tables):
            table.join(served.url, served.code, f"T{number}")
        for tried.tried in range(1, times + 1):
            name = list(FAULTS)[tried.tried % len(FAULTS)]
            _once(served, tables, name, tried, chance)
    finally:
        for table in tables:
            table.close()
        served.end()
        Cluster(place / "hall").stop()
        shutil.rmtree(place, ignore_errors=True)
    return tried


def _once(served: Hall, tables: list[Table | Program], name: str, tried: Tried, chance: random.Random) -> None:
    counts: list[int] = []
    playing = [threading.Thread(target=lambda one=table: counts.append(one.play(PLAYED_S))) for table in tables]
    for one in playing:
        one.start()
    time.sleep(chance.uniform(0, PLAYED_S / 2))
    hit = time.monotonic()
    FAULTS[name](served, tables, chance)
    while not served.versions() and time.monotonic() - hit < MOST_S:
        time.sleep(0.02)
    tried.took(f"after {name} it answers", time.monotonic() - hit)
    for one in playing:
        one.join()
    newest, ended = [table.ledger.version(table.game) for table in tables], time.monotonic()
    while served.versions() != newest and time.monotonic() - ended < MOST_S:
        time.sleep(0.05)
    tried.took(f"after {name} it has and shows everything", time.monotonic() - ended)
    tried.counted[name] += 1
    tried.acknowledged += sum(counts)
    database = Database(Cluster(served.folder))
    for table in tables:
        there = branches(table.ledger, table.game, database)
        tried.check(len(there) == 1, f"{len(there)} branches of one ledger")
        tried.check(all(there), f"after {name} a row is lost, or twice, or another one")
        version = table.ledger.version(table.game)
        tried.check(version >= table.acknowledged, f"after {name} version {table.acknowledged} is lost: the newest is {version}")
    database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A table's program, which hall_faults begins and kills.")
    parser.add_argument("ledger", type=Path)
    parser.add_argument("game", type=int)
    asked = parser.parse_args()
    table_program(asked.ledger, asked.game)
