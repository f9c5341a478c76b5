"""Many tables of a hall in one program, for `bench_hall --simulated`. Each has a ledger, in memory, and a connection to the hall,
from an address of its own; a few threads take the steps of all senders. The rest is a real table's: the ledger, the exchange, the
messages over HTTP.
"""

from __future__ import annotations

import heapq
import http.client
import os
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from companion.hall.messages import Pair, Paired, Send
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import TIMEOUT_SECONDS, Away, HallRefused, Link
from companion.hall.table.membership import Membership, parts_of
from companion.hall.table.sender import RETRY_SECONDS
from companion.ledger import outbox
from companion.line.camera import processor_seconds
from companion.table.log import Line
from workshop.soak.hall_table import HallTable, QuietDesk

THREADS = 24
"""Number of threads: a step waits for the hall's answer."""
LOOK_SECONDS = 2.0
"""Seconds between two looks at the memory."""
DRAIN_SECONDS = 120.0
"""Seconds after the last version, after which the hall is not waited for any longer."""
Asked = TypeVar("Asked")


class LoopbackLink(Link):
    """A link over HTTP, from this ``address`` of this machine: the hall gives each address its share, and real tables have one
    each. ``took``: for each message with rows the seconds until the hall's answer, that it has them for good."""

    def __init__(self, url: str, address: str) -> None:
        super().__init__(url)
        self._address = address
        self.took: list[float] = []

    def ask(self, path: str, body: object, kind: type[Asked], token: str = "") -> Asked:
        """As `Link.ask`."""
        begun = time.monotonic()
        found = super().ask(path, body, kind, token)
        if isinstance(body, Send) and any(game.rows for game in body.games):
            self.took.append(time.monotonic() - begun)
        return found

    def _connected(self) -> http.client.HTTPConnection:
        if self._open is None:
            where = self._parts.hostname or "", self._parts.port
            self._open = http.client.HTTPConnection(*where, timeout=TIMEOUT_SECONDS, source_address=(self._address, 0))
        return self._open


class SimulatedTable(HallTable):
    """A table without a thread of its own, which has joined the hall at ``url`` with its code, as table ``number`` (from 1).
    ``played``: how many lines of its evening it has by then.

    Attributes:
        link: its connection. behind: for each version the seconds from when it was due until the hall had it. away: how often the
            hall did not answer.
    """

    def __init__(self, log: tuple[Line, ...], url: str, code: str, number: int, played: int) -> None:
        super().__init__(None, log)
        if played > 1:
            self.played = played - 2
            self.record()
        secret, _ = parts_of(code)
        self.link = link = LoopbackLink(url, f"127.1.{number // 250}.{number % 250 + 1}")
        pair = Pair(secret, outbox.identity(self.ledger), str(number))
        self.away, self.behind, self._due = 0, list[float](), dict[int, float]()
        paired = self._patient(lambda: link.ask("/api/hall/table/pair", pair, Paired))
        self._exchange = Exchange(self.ledger, QuietDesk(self.ledger), Membership(url, paired.token, "", paired.name, 1), link)
        while self.step() == 0.0 or self._exchange.left:
            pass
        link.took.clear()

    def record_at(self, due: float) -> None:
        """Record one more version, which is ``due`` then (seconds, monotonic)."""
        self._due[self.record()] = due

    def step(self) -> float:
        """Take a step of the sender. Returns the seconds until the next one; sooner where a version is recorded before."""
        try:
            again = self._exchange.step()
        except HallRefused as refused:
            if not self._exchange.greets_again(refused.error):
                raise
            return RETRY_SECONDS[0]
        except Away:
            self.away += 1
            self._exchange.forget()
            return RETRY_SECONDS[0]
        if not self._exchange.left:
            now = time.monotonic()
            self.behind += [now - due for due in self._due.values()]
            self._due.clear()
        return again

    @property
    def waits(self) -> bool:
        """Whether the hall has not yet said that it has everything."""
        return bool(self._due)

    def close(self) -> None:
        """Hang up, and close the ledger."""
        self.link.close()
        super().close()

    def _patient(self, ask: Callable[[], Paired]) -> Paired:
        while True:
            try:
                return ask()
            except Away:  # it asks strangers to wait
                self.away += 1
                time.sleep(RETRY_SECONDS[-1])


def all_joined(log: tuple[Line, ...], url: str, code: str, count: int, threads: int, played: int) -> list[SimulatedTable]:
    """The tables with the numbers from 1 to ``count``, joined by that many threads at once. ``played``: as of
    `SimulatedTable`."""
    with ThreadPoolExecutor(threads) as several:
        return list(several.map(lambda number: SimulatedTable(log, url, code, number, played), range(1, count + 1)))


def play(tables: Sequence[SimulatedTable], rate: float, seconds: float, threads: int) -> None:
    """Let each table record ``rate`` versions a second, spread evenly over time, and send them."""
    begun = time.monotonic() + 0.5

    def share(first: int) -> None:
        mine = tables[first::threads]
        to_record = {at: begun + (first + at * threads) / len(tables) / rate for at in range(len(mine))}
        due = [(when, at) for at, when in to_record.items()]
        heapq.heapify(due)
        while due:
            when, at = heapq.heappop(due)
            if (early := when - time.monotonic()) > 0:
                time.sleep(early)
            elif when > begun + seconds + DRAIN_SECONDS:
                return
            table = mine[at]
            if when >= to_record[at]:
                table.record_at(when)
                to_record[at] += 1 / rate
                if to_record[at] >= begun + seconds:
                    to_record[at] = float("inf")
            again = time.monotonic() + table.step()
            if table.waits or to_record[at] < float("inf"):
                heapq.heappush(due, (min(again, to_record[at]), at))

    with ThreadPoolExecutor(threads) as several:
        list(several.map(share, range(threads)))


# Memory and processor


def descendants(pid: int) -> list[int]:
    """This process and all that it has begun, and those have begun."""
    children = defaultdict[int, list[int]](list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            children[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children[one]
    return found


def pss(pids: Sequence[int]) -> int:
    """Bytes of memory of these processes together: what several of them share counts once."""
    total = 0
    for pid in pids:
        with suppress(OSError):  # it has just ended
            told = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(told.partition("\nPss:")[2].split()[0]) << 10
    return total


def processor(pids: Sequence[int]) -> float:
    """Seconds of the processor that these processes have used so far."""
    return sum(processor_seconds(pid) or 0.0 for pid in pids)


class Watched:
    """The hall's processes (``hall`` is the first one's number) and those of its PostgreSQL, whose cluster lies in ``folder``.

    Attributes:
        most: the largest sum of memory that was seen, with its parts, in bytes: hall, PostgreSQL. processes: how many there were
            then. used: seconds of the processor that both have used within `watched`.
    """

    def __init__(self, hall: int, folder: Path) -> None:
        self._hall, self._folder = hall, folder
        self.most, self.processes, self.used = (0, 0), (0, 0), (0.0, 0.0)

    def _parts(self) -> tuple[list[int], list[int]]:
        postmaster = int((self._folder / "postgresql" / "postmaster.pid").read_text().split()[0])
        return descendants(self._hall), descendants(postmaster)

    def look(self) -> None:
        """Measure the memory once."""
        parts = self._parts()
        found = pss(parts[0]), pss(parts[1])
        if sum(found) > sum(self.most):
            self.most, self.processes = found, (len(parts[0]), len(parts[1]))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Measure again and again within the block."""
        ended, before = threading.Event(), [processor(part) for part in self._parts()]

        def again() -> None:
            while not ended.wait(LOOK_SECONDS):
                self.look()

        thread = threading.Thread(target=again, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self.look()
            hall, database = (processor(part) - used for part, used in zip(self._parts(), before, strict=True))
            self.used = hall, database

    def __str__(self) -> str:
        hall, database = (size / 1e6 for size in self.most)
        return (f"memory at most {hall + database:.0f} MB: {hall:.0f} of {self.processes[0]} processes of the hall,"
                f" {database:.0f} of {self.processes[1]} of PostgreSQL; of the processor the hall used {self.used[0]:.0f} s,"
                f" PostgreSQL {self.used[1]:.0f} s")  # fmt: skip


def spread(seconds: Sequence[float]) -> str:
    """Half of all, 95 of 100, the last."""
    if not seconds:
        return "nothing"
    found = sorted(second * 1000 for second in seconds)
    return (f"half {statistics.median(found):.0f} ms, 95 of 100 {found[int(len(found) * 0.95)]:.0f} ms,"
            f" the last {found[-1]:.0f} ms")  # fmt: skip


def load() -> str:
    """The machine's load average over one minute."""
    return f"load {os.getloadavg()[0]:.1f}"
