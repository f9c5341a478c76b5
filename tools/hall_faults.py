"""What a hall of tables has to survive, for `tools/faults.py --hall`: one of its processes, its database, the whole hall killed
at a random moment, a second sender of one ledger. Tables play on meanwhile; then the hall must be the ledgers, byte for byte.
"""

from __future__ import annotations

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
from pathlib import Path

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from workshop.soak.hall_table import HallTable
from workshop.soak.tried import Tried

TABLES = 3
PLAYED_S = 1.5
"""Seconds for which tables play in each try; the fault is somewhere within them."""
MOST_S = 120.0
"""Seconds after which what does not come back counts as lost."""


class Table(HallTable):
    """A table that plays for some seconds."""

    def play(self, seconds: float) -> int:
        """Record for these seconds; how many versions."""
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.record()
            count += 1
            time.sleep(0.02)
        return count


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


def kill_a_process(hall: Hall, tables: list[Table], chance: random.Random) -> None:
    """One of those that serve."""
    if pids := hall.serving():
        os.kill(chance.choice(pids), signal.SIGKILL)


def kill_the_database(hall: Hall, tables: list[Table], chance: random.Random) -> None:
    """PostgreSQL's first process."""
    os.kill(int((hall.folder / "postgresql" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)


def kill_the_hall(hall: Hall, tables: list[Table], chance: random.Random) -> None:
    """All of its processes; it is begun again at once."""
    for pid in [hall.process.pid, *hall.serving()]:
        os.kill(pid, signal.SIGKILL)
    hall.process.wait(60)
    hall.begin()


def send_twice(hall: Hall, tables: list[Table], chance: random.Random) -> None:
    """A table's program begins once more while the first one lives."""
    chance.choice(tables).send()


FAULTS: dict[str, Callable[[Hall, list[Table], random.Random], None]] = {
    "a process killed": kill_a_process, "the database killed": kill_the_database, "the whole hall killed": kill_the_hall,
    "a second sender": send_twice,
}  # fmt: skip


def hall(folder: Path, times: int, chance: random.Random) -> Tried:
    """Tables play while something of their hall is killed, again and again."""
    place = Path(tempfile.mkdtemp(prefix="companion-faults-", dir="/tmp"))  # nosec B108 # a random name
    place.chmod(0o755)  # PostgreSQL runs as another user where this is root
    tried, log = Tried(), simulate(Settings(players=seated(5)), hands=40, seed=1)
    tables = [Table(folder / f"{number}.ledger", log) for number in range(TABLES)]
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


def _once(served: Hall, tables: list[Table], name: str, tried: Tried, chance: random.Random) -> None:
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
        branches = table.branches(database)
        tried.check(len(branches) == 1, f"{len(branches)} branches of one ledger")
        tried.check(all(branches), f"after {name} a row is lost, or twice, or another one")
    database.close()
