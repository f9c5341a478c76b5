"""A square full of tables: how long until what a table records is on the pages of those who look at it, and until a backlog is
in.

    python -m benchmarks.bench_hall [--tables 8] [--rate 5] [--seconds 30] [--viewers 24] [--backlog 3000]
        [--processes 1] [--folder FOLDER] [--simulated [--threads 24] [--played 100]]

The hall is the real program, with a PostgreSQL of its own in FOLDER (by default a new one below /tmp); this program is the
tables, each with a ledger on disk and a sender of its own, and the viewers, who follow the stream of one table each. Every table
records ``--rate`` versions a second of an evening that bots have played. Told: how many viewers found a place at the stream;
milliseconds from recorded to seen (half of all, 95 of 100, the last); whether the hall has every row of every ledger, byte for
byte; and seconds until it has ``--backlog`` versions of each table that were recorded while the hall was away.

With ``--simulated`` the tables are many and small, without viewers and backlog: ``--threads`` threads take the steps of all their
senders, and their ledgers are in memory (`benchmarks.hall_simulated`); each has ``--played`` lines of its evening behind it.
Told: seconds until all have joined; milliseconds from a message with rows to the hall's answer that it has them for good, and
from when a version was due to that answer; the memory of the hall's processes and of PostgreSQL together, at most (PSS: what they
share counts once), and what they used of the processor; how far the pages are behind in the end, and for how long; whether the
hall is the ledgers.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.hall_simulated import THREADS, Watched, all_joined, load, play, spread
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.table.log import Line
from workshop.soak.hall_table import HallTable

PATIENCE_SECONDS = 60.0
"""Seconds for viewers to find their places, before the tables play."""
HANDS = 400
PLAYERS = 10


class Table(HallTable):
    """A table that notes when it recorded what. ``recorded``: version → when it was recorded (seconds, monotonic)."""

    def __init__(self, file: Path, log: tuple[Line, ...]) -> None:
        super().__init__(file, log)
        self.recorded: dict[int, float] = {}

    def record(self) -> int:
        version = super().record()
        self.recorded[version] = time.monotonic()
        return version

    def play(self, rate: float, seconds: float) -> None:
        begun = time.monotonic()
        for number in range(int(rate * seconds)):
            if (early := begun + number / rate - time.monotonic()) > 0:
                time.sleep(early)
            self.record()


def seen_by(url: str, table: int, seen: dict[int, float], ended: threading.Event, placed: list[int]) -> None:
    """Follow the stream of one table; version → when it was first seen, or a later one. ``placed``: the table, once the hall has
    a place for this viewer."""
    parts = urlsplit(url)
    opened = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    try:
        opened.request("GET", f"/api/tables/{table}/stream?lang=it")
        answer = opened.getresponse()
    except OSError:
        return  # it has waited in vain
    if answer.status != 200:
        return
    placed.append(table)
    newest = 0
    while not ended.is_set():
        line = answer.readline()
        if not line:
            return
        if line.startswith(b"id: "):
            version, now = int(line.split(b".")[1]), time.monotonic()
            for number in range(newest + 1, version + 1):
                seen[number] = now
            newest = max(newest, version)


@contextmanager
def program(folder: Path, processes: int) -> Iterator[dict[str, str]]:
    """`companion hall`, running: its line, and its ``pid``."""
    command = [sys.executable, "-m", "companion", "hall", "--json", "--folder", str(folder), "--port", "0",
               "--processes", str(processes)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield {**json.loads(process.stdout.readline()), "pid": str(process.pid)}
        finally:
            process.terminate()
            process.wait(60)


def caught_up(database: Database, tables: list[Table]) -> float:
    """Seconds until the hall has everything."""
    begun = time.monotonic()
    for table in tables:
        while table.branches(database) != [True]:
            time.sleep(0.05)
    return time.monotonic() - begun


def shown(url: str, versions: int) -> tuple[float, int]:
    """Seconds until the hall's pages show this many versions, of all tables together; and how many they lacked at first."""
    begun, lacked = time.monotonic(), -1
    while True:
        with urllib.request.urlopen(f"{url}/api/hall?lang=en", timeout=60) as answer:  # nosec B310 # of our own program
            lacks = versions - sum(table["version"] for table in json.load(answer)["tables"])
        lacked = lacks if lacked < 0 else lacked
        if lacks <= 0:
            return time.monotonic() - begun, lacked
        time.sleep(0.5)


def simulated(wish: argparse.Namespace, evening: tuple[Line, ...], folder: Path) -> None:
    """Measure with tables that are simulated, and say what came of it."""
    with program(folder, wish.processes) as hall:
        watch, begun = Watched(int(hall["pid"]), folder), time.monotonic()
        before = load()
        tables = all_joined(evening, hall["url"], hall["table_code"], wish.tables, wish.threads, wish.played)
        joined = time.monotonic() - begun
        print(f"{wish.tables} tables, simulated by {wish.threads} threads, have joined after {joined:.1f} s ({before})")
        with watch.watched():
            play(tables, wish.rate, wish.seconds, wish.threads)
        late, behind_by = shown(hall["url"], sum(table.ledger.version(table.game) for table in tables))
        took = [second for table in tables for second in table.link.took]
        behind = [second for table in tables for second in table.behind]
        print(f"{wish.rate:g} versions a second each, {wish.seconds:g} s, {wish.processes} processes, {load()}")
        print(f"sent to acknowledged: {spread(took)} ({len(took)} messages)")
        print(f"due to acknowledged: {spread(behind)} ({len(behind)} versions)")
        print(watch)
        print(f"the pages lacked {behind_by} versions when the last one was in, and none {late:.1f} s later")
        database = Database(Cluster(folder))
        missing = sum(table.branches(database) != [True] for table in tables)
        database.close()
        print("the hall is the ledgers" if not missing else f"the hall lacks something of {missing} tables",
              f"({sum(table.away for table in tables)} times it did not answer)")  # fmt: skip
        for table in tables:
            table.close()


def main() -> None:
    """Measure, and say what came of it."""
    parser = argparse.ArgumentParser(description="A square full of tables.")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--viewers", type=int, default=24)
    parser.add_argument("--backlog", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--played", type=int, default=100)
    wish = parser.parse_args()
    evening = simulate(Settings(players=seated(PLAYERS)), hands=HANDS, seed=1)
    place = Path(tempfile.mkdtemp(prefix="companion-bench-", dir="/tmp"))  # nosec B108 # a random name
    place.chmod(0o755)
    folder = wish.folder or place / "hall"
    if wish.simulated:
        simulated(wish, evening, folder)
        return
    with ExitStack() as opened:
        scratch = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        hall = opened.enter_context(program(folder, wish.processes))
        tables = [Table(scratch / f"{number}.ledger", evening) for number in range(1, wish.tables + 1)]
        for number, table in enumerate(tables, start=1):
            table.join(hall["url"], hall["table_code"], str(number))
        database = Database(Cluster(folder))
        caught_up(database, tables)
        ended = threading.Event()
        seen: list[dict[int, float]] = [{} for _ in range(wish.viewers)]
        placed: list[int] = []
        for number in range(wish.viewers):
            arguments = (hall["url"], number % wish.tables + 1, seen[number], ended, placed)
            threading.Thread(target=seen_by, args=arguments, daemon=True).start()
        patient = time.monotonic() + PATIENCE_SECONDS
        while len(placed) < wish.viewers and time.monotonic() < patient:
            time.sleep(0.1)
        playing = [threading.Thread(target=table.play, args=(wish.rate, wish.seconds)) for table in tables]
        for one in playing:
            one.start()
        for one in playing:
            one.join()
        late = caught_up(database, tables)
        time.sleep(2)
        ended.set()
        waits = [
            (looked[version] - when) * 1000
            for number, looked in enumerate(seen) for version, when in tables[number % wish.tables].recorded.items()
            if version in looked
        ]  # fmt: skip
        waits.sort()
        missed = sum(len(tables[number % wish.tables].recorded) for number in range(wish.viewers)) - len(waits)
        print(f"{wish.tables} tables, {wish.rate:g} versions a second each, {wish.viewers} viewers, {wish.seconds:g} s,"
              f" {wish.processes} processes")
        print(f"{len(placed)} of the viewers found a place")
        if waits:
            p95 = waits[int(len(waits) * 0.95)]
            half = statistics.median(waits)
            print(f"recorded to seen: half {half:.0f} ms, 95 of 100 {p95:.0f} ms, the last {waits[-1]:.0f} ms")
        print(f"not seen {missed}; the hall is the ledgers {late:.1f} s after the last version")
        if wish.backlog:
            for table in tables:
                table.fall_silent()
                for _ in range(wish.backlog):
                    table.record()
            begun = time.monotonic()
            for table in tables:
                table.send()
            caught_up(database, tables)
            print(f"a backlog of {wish.backlog} versions of each table: {time.monotonic() - begun:.1f} s")
        for table in tables:
            table.close()
        database.close()


if __name__ == "__main__":
    main()
