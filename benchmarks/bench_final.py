"""A final on the internet: what a hall answers those who look, and how old that is behind a cache.

    python -m benchmarks.bench_final [--seconds 20] [--clients 4] [--rate 1]

The hall is the real program, in one process; one table records ``--rate`` versions a second. First ``--clients`` connections
ask it for the table's view without pause: told is how many requests it answers in a second of one core, by its own processor
time. Then they ask nginx, which keeps each answer for as long as the answer says (Debian's package nginx-light; its
configuration is the one of docs/hall.md): told is how many it answers, how many of them the hall was asked, and how old a version
is when it is first seen.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.bench_hall import HANDS, PLAYERS, Table, caught_up, program
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.hall.cluster import Cluster
from companion.hall.database import Database

NOW = "/api/tables/1/now?lang=it"
DOCS = Path(__file__).parent.parent / "docs" / "hall.md"


class Client(threading.Thread):
    """One that asks without pause, as those who look do. ``answered``: how many requests; ``seen``: version → when it was first
    seen (seconds, monotonic)."""

    def __init__(self, address: str, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.answered = 0
        self.seen: dict[int, float] = {}
        self._address, self._ended = address, ended

    def run(self) -> None:
        asked = http.client.HTTPConnection(self._address, timeout=30)
        seen = ""
        while not self._ended.is_set():
            asked.request("GET", f"{NOW}&seen={seen}")
            told = asked.getresponse()
            body = told.read()
            assert told.status == 200, body
            self.answered += 1
            if (told_id := json.loads(body)["id"]) != seen:
                seen = told_id
                self.seen.setdefault(int(seen.split(".")[1]), time.monotonic())


def processor_seconds(pid: int) -> float:
    """What this process has used of the processor so far, its children apart."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asked(address: str, clients: int, table: Table, rate: float, seconds: float) -> list[Client]:
    """The clients, after they have asked for these ``seconds``, while the table played."""
    ended = threading.Event()
    found = [Client(address, ended) for _ in range(clients)]
    for client in found:
        client.start()
    table.play(rate, seconds)
    time.sleep(2)
    ended.set()
    for client in found:
        client.join()
    return found


@contextmanager
def cache(folder: Path, hall: str) -> Iterator[tuple[str, Path]]:
    """nginx in front of ``hall`` (host:port), as docs/hall.md has it: its own host:port, and a file with a line for each request
    that it has passed on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = f"127.0.0.1:{free.getsockname()[1]}"
    block = re.search(r"```nginx\n(.*?)```", DOCS.read_text(), re.S)
    assert block is not None
    site = block[1]
    own_words = {"192.168.1.20:8000": hall, "listen 80;": f"listen {own};", "/var/cache/nginx/hall": f"{folder}/kept"}
    for ours, its in own_words.items():
        assert ours in site
        site = site.replace(ours, its)
    passed = folder / "passed.log"
    config = folder / "nginx.conf"
    config.write_text(f"""
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    map $upstream_cache_status $passed {{ default 1; HIT 0; }}
    log_format line '$request_uri $upstream_cache_status';
    access_log {passed} line if=$passed;
    {site}
}}
""")
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    assert nginx is not None, "nginx is missing: apt-get install nginx-light"
    with subprocess.Popen([nginx, "-c", str(config), "-p", str(folder), "-g", "daemon off;"]) as process:
        try:
            patient = time.monotonic() + 10
            while time.monotonic() < patient:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", int(own.rpartition(":")[2]))) == 0:
                        break
                time.sleep(0.05)
            yield own, passed
        finally:
            process.terminate()


def main() -> None:
    """Measure, and say what came of it."""
    parser = argparse.ArgumentParser(description="A final on the internet.")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1.0)
    wish = parser.parse_args()
    evening = simulate(Settings(players=seated(PLAYERS)), hands=HANDS, seed=1)
    place = Path(tempfile.mkdtemp(prefix="companion-bench-", dir="/tmp"))  # nosec B108 # a random name
    place.chmod(0o755)
    with ExitStack() as opened:
        hall = opened.enter_context(program(place / "hall", 1))
        table = Table(place / "1.ledger", evening)
        table.join(hall["url"], hall["table_code"], "1")
        database = Database(Cluster(place / "hall"))
        table.record()
        caught_up(database, [table])
        address = urlsplit(hall["url"]).netloc
        pid = int(hall["pid"])
        before, begun = processor_seconds(pid), time.monotonic()
        clients = asked(address, wish.clients, table, wish.rate, wish.seconds)
        took, spent = time.monotonic() - begun, processor_seconds(pid) - before
        answered = sum(client.answered for client in clients)
        print(f"asked itself: {answered / took:.0f} requests/s, {answered / spent:.0f} a second of one core")
        front, passed = opened.enter_context(cache(place, address))
        first, begun = max(table.recorded), time.monotonic()
        clients = asked(front, wish.clients, table, wish.rate, wish.seconds)
        took, answered = time.monotonic() - begun, sum(client.answered for client in clients)
        ages = sorted(
            when - table.recorded[version]
            for client in clients for version, when in client.seen.items() if version > first
        )  # fmt: skip
        got = len(passed.read_text().splitlines())
        print(f"behind a cache: {answered / took:.0f} requests/s; the hall got {got / took:.1f}")
        print(f"a version when it is first seen: half {ages[len(ages) // 2]:.2f} s, the oldest {ages[-1]:.2f} s")
        table.close()
        database.close()
    shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
