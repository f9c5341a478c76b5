"""A full bar: many pages follow the stream, organisers tap, and some connections are nobody's.

    python -m benchmarks.bench_front [--spectators 300] [--organisers 2] [--seconds 30] [--follow] [--runs 3]
                                     [--silent 0] [--slow 0] [--deaf 0] [--greedy 0]

The server is a program of its own over a ledger on disk; this one plays the bar, over the loopback interface alone, each page
from an address of its own in 127.0.0.0/8. Told in milliseconds: how long a tap takes until it is answered, until half of the
pages, 95 of 100 and the last one have it; how long a page takes that is opened meanwhile. With ``--follow`` the server looks at
the bundled clip all the while, once without the bar and once with it. ``--silent`` connections send nothing, ``--slow`` ones a
byte a second, ``--deaf`` ones ask for the stream and never read it, ``--greedy`` ones ask for the list of games as fast as it is
answered; they come again when they are closed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.bench_evening import by_hands, played
from companion.assets import asset
from companion.cli.show import paced
from companion.dashboard import archive, create_app
from companion.dashboard.serve import Server
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.source import pictures
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.follow import follow
from companion.line.recorder import EveningRecorder
from companion.line.tablefile import read_table_file
from companion.table.log import tag

TAP_EVERY_S = 0.5
PAGE_EVERY_S = 0.3
PLAYERS = 6


def child(path: Path, *, following: bool) -> None:
    """The server's program: an evening by thumb. Each line that comes in it answers by how often it has looked since the last."""
    looks = 0
    ended = threading.Event()

    def look() -> None:
        nonlocal looks
        clip, table = asset("datasets/demo/demo.mp4"), read_table_file(asset("datasets/demo/table.json"))
        eyes = Eyes.load(asset("models"), threads=2, cards="stu")
        while not ended.is_set():
            for _ in follow(paced(pictures(str(clip), LOOKS_PER_SECOND), 1.0), table, IncrementalDetector(eyes).look):
                looks += 1
                if ended.is_set():
                    break

    first, hands = lines()[0], list(by_hands(lines()))
    with Ledger.open(path, log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, first.event, camera="")
        assert hands
        app = create_app(ledger, recorder=lambda: recorder)
        archive.install(app, ledger)
        server = Server(app, "127.0.0.1", 0)
        print(server.port, server.pairing.pin.digits, flush=True)
        threading.Thread(target=server.run, daemon=True).start()
        looking = threading.Thread(target=look, daemon=True)
        if following:
            looking.start()
        for _ in sys.stdin:
            print(looks, flush=True)
            looks = 0
        server.close()
        ended.set()
        if following:
            looking.join()  # ONNX Runtime's threads must not outlive the program


def lines() -> Any:
    """What is played."""
    return played(PLAYERS, 200)


@dataclass
class Bar:
    """What is measured. ``came``: event id → when each page had it, seconds."""

    host: str
    port: int
    came: dict[str, list[float]] = field(default_factory=dict)
    following: int = 0
    refused: int = 0
    pages: list[float] = field(default_factory=list)
    failed: int = 0
    taps: list[tuple[str, float, float]] = field(default_factory=list)

    async def connect(self, number: int, **more: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from an address that is this visitor's own."""
        own = f"127.{1 + number // 62500 % 250}.{number // 250 % 250}.{1 + number % 250}"
        return await asyncio.open_connection(self.host, self.port, local_addr=(own, 0), **more)

    async def spectator(self, number: int) -> None:
        """A page that follows; refused, it comes back."""
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self.connect(number)
                lang = "it" if number % 2 else "en"
                writer.write(f"GET /api/stream?lang={lang} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"HTTP/1.1 200"):
                    self.following += 1
                    while chunk := await reader.read(1 << 16):
                        now = time.perf_counter()
                        for found in re.finditer(rb"id: (\S+)\n", chunk):
                            self.came.setdefault(found[1].decode(), []).append(now)
                    self.following -= 1
                else:
                    self.refused += 1
                writer.close()
            await asyncio.sleep(1)

    async def page_seer(self, number: int) -> None:
        """Opens the TV's page, on a connection of its own, and the JSON on it."""
        while True:
            began = time.perf_counter()
            try:
                reader, writer = await self.connect(number)
                for path in ("/", "/api/game"):
                    await asked(reader, writer, "GET", path, {})
                writer.close()
                self.pages.append(time.perf_counter() - began)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.failed += 1
            await asyncio.sleep(PAGE_EVERY_S)

    async def nobody(self, number: int, kind: str) -> None:
        """A connection that is ``silent``, ``slow``, ``deaf`` or ``greedy``."""
        while True:
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
                reader, writer = await self.connect(number, limit=1 << 20 if kind == "greedy" else 1024)
                while kind == "greedy":
                    await asked(reader, writer, "GET", "/api/season?season=all", {})
                if kind == "deaf":
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    writer.write(b"GET /api/stream HTTP/1.1\r\nHost: a\r\n\r\n")
                    writer.transport.pause_reading()  # type: ignore[attr-defined]
                    await asyncio.sleep(3600)
                if kind == "slow":
                    for letter in f"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: {'x' * 4000}":
                        writer.write(letter.encode())
                        await writer.drain()
                        await asyncio.sleep(1)
                await reader.read()
                writer.close()
            await asyncio.sleep(1)


async def asked(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, headers: dict[str, str], body: bytes = b""
) -> tuple[str, bytes]:
    """Head and body of an answer. Raises ValueError where it is an error."""
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{told}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
    found = await reader.readexactly(int(length[1])) if length else b""
    status = int(head.split()[1])
    if status >= 400:
        raise ValueError(f"{path}: {status} {found[:200]!r}")
    return head, found


class Organiser:
    """A paired phone on one connection that is kept, or opened again for each request."""

    def __init__(self, bar: Bar, number: int) -> None:
        self.bar, self.number, self.cookie, self.csrf, self.view = bar, number, "", "", {}
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[str, bytes]:
        if self._line is None or self._line[1].is_closing() or self._line[0].at_eof():
            self._line = await self.bar.connect(self.number)
        headers = {"Cookie": self.cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return await asked(*self._line, method, path, headers, body)

    async def pair(self, pin: str) -> None:
        form = urllib.parse.urlencode({"pin": pin}).encode()
        head, _ = await self.ask("POST", "/pair", form, Content_Type="application/x-www-form-urlencoded")
        found = re.search(r"set-cookie: (organiser[^=]*=[^;]+)", head, re.IGNORECASE)
        assert found
        self.cookie = found[1]
        head, page = await self.ask("GET", "/organiser")
        if found := re.search(r"set-cookie: (organiser[^=]*=[^;]+)", head, re.IGNORECASE):
            self.cookie = found[1]
        token = re.search(rb'"csrf": ?"([^"]+)"', page)
        assert token
        self.csrf = token[1].decode()

    async def say(self, event: object) -> None:
        """One tap, and how long until it was answered."""
        self.view = json.loads((await self.ask("GET", "/api/organiser"))[1])
        plain = msgspec.json.decode(msgspec.json.encode(event))
        body = {"game": self.view["game"], "version": self.view["version"], "do": {"what": "say", "events": [plain]}}
        began = time.perf_counter()
        _, answer = await self.ask("POST", "/api/organiser/command", json.dumps(body).encode(), X_CSRF_Token=self.csrf)
        took = time.perf_counter() - began
        self.view = json.loads(answer)
        self.bar.taps.append((f"{self.view['game']}.{self.view['version']}", began, took))


async def evening(bar: Bar, pin: str, asking: argparse.Namespace, memory: Any) -> None:
    """The bar fills, then organisers tap in turn, for as many seconds as were asked for."""
    organisers = [Organiser(bar, 50_000 + number) for number in range(asking.organisers)]
    for one in organisers:
        await one.pair(pin)
    visits = [bar.spectator(number) for number in range(asking.spectators)] + [bar.page_seer(49_000)]
    for number, kind in enumerate(("silent", "slow", "deaf", "greedy")):
        visits += [bar.nobody(20_000 + 2_000 * number + one, kind) for one in range(getattr(asking, kind))]
    running = [asyncio.create_task(visit) for visit in visits]
    async with asyncio.timeout(60):
        while bar.following + bar.refused < asking.spectators:
            await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    bar.pages.clear()
    memory()
    said = [line for hand in by_hands(lines()) for line in hand if tag(line.event) not in ("end", "penalty", "rebuy")]
    ends = time.perf_counter() + asking.seconds
    for number, line in enumerate(said):
        if time.perf_counter() > ends:
            break
        try:
            await organisers[number % len(organisers)].say(line.event)
        except ValueError as error:
            if ": 422 " not in str(error):  # some lines the evening has made by itself
                raise
        await asyncio.sleep(TAP_EVERY_S)
    memory()
    await asyncio.sleep(1)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def rss(pid: int) -> float:
    """Memory that a process holds, MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def busy(pid: int) -> float:
    """Seconds of the processor's that a process has used: what a busy machine disturbs least."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def at(values: list[float], part: float) -> float:
    """The value (ms) below which the share ``part`` (0..1) of all lies."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


def measured(asking: argparse.Namespace) -> dict[str, float]:
    """One run."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.bench_front", "--child", f"{folder}/bar.ledger"]
        command += ["--follow"] * asking.follow
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            port, pin = server.stdout.readline().split()
            alone = 0.0
            if asking.follow:
                time.sleep(8)
                looks(server)
                time.sleep(asking.seconds)
                alone = looks(server) / asking.seconds
            bar, held = Bar("127.0.0.1", int(port)), []

            def memory() -> None:
                held.append(rss(server.pid))
                used.append(busy(server.pid))
                looked.append((looks(server), time.perf_counter()))

            looked: list[tuple[int, float]] = []
            used: list[float] = []
            asyncio.run(evening(bar, pin, asking, memory))
            server.stdin.close()
            server.wait(20)
    reached = [sorted(moment - began for moment in bar.came.get(name, ())) for name, began, _ in bar.taps]
    told = [one for each in reached for one in each]
    last = [each[-1] for each in reached if each]
    figures = {
        "taps": len(bar.taps), "refused": bar.refused, "failed pages": bar.failed,
        "reached of 100": 100 * len(told) / max(1, len(bar.taps) * asking.spectators),
        "tap p50": at([took for _, _, took in bar.taps], 0.5), "tap p95": at([took for _, _, took in bar.taps], 0.95),
        "page of a spectator p50": at(told, 0.5), "page of a spectator p95": at(told, 0.95),
        "last spectator p50": at(last, 0.5), "last spectator p95": at(last, 0.95),
        "opening a page p50": at(bar.pages, 0.5), "opening a page p95": at(bar.pages, 0.95),
        "processor of a tap": 1000 * (used[-1] - used[0]) / max(1, len(bar.taps)),
        "memory MB at first": held[0], "memory MB at last": held[-1],
    }  # fmt: skip
    if asking.follow:
        figures |= {"looks a second alone": alone, "looks a second": looked[1][0] / (looked[1][1] - looked[0][1])}
    return figures


def looks(server: subprocess.Popen[str]) -> int:
    """How often the server has looked since it was asked last."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("\n")
    server.stdin.flush()
    return int(server.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=300)
    parser.add_argument("--organisers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--follow", action="store_true")
    for kind in ("silent", "slow", "deaf", "greedy"):
        parser.add_argument(f"--{kind}", type=int, default=0)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    asking = parser.parse_args()
    if asking.child is not None:
        child(asking.child, following=asking.follow)
        return
    runs = []
    for _ in range(asking.runs):
        runs.append(measured(asking))
        print(".", end="", flush=True, file=sys.stderr)
    print(f"\n{asking.spectators} spectators, {asking.organisers} organisers; ms; median of {asking.runs} runs (least, most)")
    for what in runs[0]:
        values = [run[what] for run in runs]
        print(f"{what:26}{statistics.median(values):10.1f}   ({min(values):.1f}, {max(values):.1f})")


if __name__ == "__main__":
    main()
