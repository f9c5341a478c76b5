"""Seconds of the processor that each test file takes, its child processes among them, and a limit on them.

They are seconds of a fixed machine: what a slower or a busier one takes longer for is measured all the while, and taken off.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import re
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
REFERENCE_SECONDS = 0.009
"""Seconds that `probe` takes on an idle machine of the kind that the limit is meant for."""
MEMORY = 0.5
"""Of each look how slow the machine is, this share is what it was before: one interrupted probe says little."""
LOOK_SECONDS = 4.0
"""Between two looks at what the processes have taken. One takes 15 ms: each second in every worker, a twentieth of all."""
KEPT = Path("tests/seconds.json")
"""What each file took on a machine with little else to do, as written with ``--processor-to``; from pytest's root."""
LONGER = 3.0
"""Times what is kept: what a file may take above the limit where the machine is busy. A page that polls, or a camera that films,
goes on all the while that the test waits."""
NEW_SECONDS = 5.0
"""What a file is thought to take while nothing is kept of it."""
NEW_LONGER = 1.5
"""Times the limit: what such a file may take, as nobody knows how much of that is a busy machine's. `make seconds` finds out."""
CROWDED_SHARE, MOST_CROWDED = 0.5, 3.0
"""Share of all cores below which a run has been crowded out by others, and the greatest factor by which its limits grow then: it
lasts longer, and what polls or films goes on all the while."""
SHOWN = 15
"""Number of files in the summary."""


@dataclass(frozen=True)
class Taken:
    """Seconds of the processor that a process has taken itself, and that children have taken for which it has waited."""

    own: float
    children: float


def taken_by_tree(root: int) -> dict[int, Taken]:
    """What the process ``root`` and everything that it began, and that still runs, have taken so far, by their ids."""
    begun_by, taken = defaultdict[int, list[int]](list), dict[int, Taken]()
    for folder in os.scandir("/proc"):
        if not folder.name.isdigit():
            continue
        try:
            fields = Path(folder.path, "stat").read_bytes().rpartition(b") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        begun_by[int(fields[1])].append(int(folder.name))
        user, system, children_user, children_system = (int(field) / TICKS_PER_SECOND for field in fields[11:15])
        taken[int(folder.name)] = Taken(user + system, children_user + children_system)
    found, waiting = dict[int, Taken](), [root]
    while waiting:
        process = waiting.pop()
        if process in taken:
            found[process] = taken[process]
            waiting += begun_by[process]
    return found


def seconds_between(before: dict[int, Taken], now: dict[int, Taken]) -> float:
    """Seconds of the processor from one look to the next. What a process that has ended took before the first is among what its
    parent waited for, and counted there, or its parent did not wait."""
    nothing = Taken(0.0, 0.0)
    own = sum(one.own - before.get(process, nothing).own for process, one in now.items())
    children = sum(one.children - before.get(process, nothing).children for process, one in now.items())
    ended = sum(one.own + one.children for process, one in before.items() if process not in now)
    return own + children - min(ended, children)


def probe() -> float:
    """Seconds of the processor that this thread takes for a fixed piece of work."""
    begun = time.thread_time()
    for number in range(20):
        hashlib.pbkdf2_hmac("sha256", b"%d" % number, b"", 200)
        sum(range(20_000))
    return time.thread_time() - begun


class Meter:
    """Charges each test file with what this process and its children took while it ran. ``limit``: seconds a file, None: any;
    ``kept``: what each took in a quiet run, within the limit.

    A file that must take more has ``pytest.mark.processor(SECONDS)``, and says why. Where workers run the tests, each ``counts``,
    and the process that shares them out only adds up.
    """

    def __init__(self, limit: float | None, kept: Mapping[str, float], *, counts: bool = True) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.limits: dict[str, float] = {}
        self._kept = kept
        self._limit, self._slowness = limit, min(probe() for _ in range(5)) / REFERENCE_SECONDS
        self.begun = time.monotonic()
        self._looking, self._ended = threading.Lock(), threading.Event()
        self._last, self._taken, self._charged = taken_by_tree(os.getpid()), 0.0, 0.0
        if counts:
            threading.Thread(target=self._keep_looking, name="processor", daemon=True).start()

    def _keep_looking(self) -> None:
        """What a process took after the last look is lost where nobody waits for its end: so look often."""
        while not self._ended.wait(LOOK_SECONDS):
            self._slowness = MEMORY * self._slowness + (1 - MEMORY) * probe() / REFERENCE_SECONDS
            self._look()

    def _look(self) -> float:
        """Seconds that everything would have taken so far on the machine that the limit is meant for."""
        with self._looking:
            now = taken_by_tree(os.getpid())
            self._taken += seconds_between(self._last, now) / self._slowness
            self._last = now
            return self._taken

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        result = yield
        if nextitem is None or nextitem.path != item.path:
            taken, name = self._look(), os.path.relpath(item.path, item.config.rootpath)
            self.seconds[name] += taken - self._charged
            self._charged = taken
            if (mark := item.get_closest_marker("processor")) is not None:
                self.limits[name] = mark.args[0]
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Of pytest-xdist: a worker has ended."""
        told: dict[str, dict[str, float]] = getattr(node, "workeroutput", {}).get("processor", {})
        for name, seconds in told.get("seconds", {}).items():
            self.seconds[name] += seconds
        self.limits |= told.get("limits", {})

    @property
    def crowded(self) -> float:
        """How many times as much a file may take, as others had the machine meanwhile."""
        wanted = CROWDED_SHARE * (os.cpu_count() or 1) * (time.monotonic() - self.begun)
        return min(max(wanted / max(sum(self.seconds.values()), 1e-3), 1.0), MOST_CROWDED)

    @property
    def too_costly(self) -> list[str]:
        """The files above their limits."""
        if self._limit is None:
            return []
        new, crowded = self._limit * NEW_LONGER, self.crowded
        limits = {
            name: crowded * max(self.limits.get(name, self._limit), LONGER * self._kept[name] if name in self._kept else new)
            for name in self.seconds
        }
        return [f"{name}: {seconds:.1f} s of the processor, expected at most {limits[name]:.1f}: share what is costly "
                "between its tests, play recorded looks, or mark it for `make test-all`"
                for name, seconds in self.seconds.items() if seconds > limits[name]]  # fmt: skip

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._ended.set()
        worker: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if worker is not None:
            worker["processor"] = {"seconds": dict(self.seconds), "limits": self.limits}
        elif self.too_costly and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        if file := config.getoption("--processor-to"):
            rounded = {name: round(seconds, 1) for name, seconds in sorted(self.seconds.items())}
            Path(file).write_text(json.dumps(rounded, indent=1) + "\n")
        if self._limit is None:
            return
        dearest = sorted(self.seconds.items(), key=lambda one: -one[1])[:SHOWN]
        terminalreporter.section("seconds of the processor")
        terminalreporter.line(f"{sum(self.seconds.values()):.0f} in all")
        for name, seconds in dearest:
            terminalreporter.line(f"{seconds:6.1f}  {name}")
        for line in self.too_costly:
            terminalreporter.line(f"FAILED {line}", red=True)


class LeftOut:
    """Leaves out the files whose tests all have a mark that is left out anyway, so that nothing is imported for them: each worker
    imports every file that is not.

    ``marks``: what is given with -m. Where it has another form than "not (one or other)", no file is left out by its marks.
    ``most``: leaves out also the files that took more than this many seconds when `KEPT` was written; a new file is tried.
    """

    def __init__(self, marks: str, kept: Mapping[str, float], most: float | None) -> None:
        self._dear = {name for name, seconds in kept.items() if most is not None and seconds > most}
        left_out = re.fullmatch(r"not \((\w+(?: or \w+)*)\)", marks)
        self._left_out = frozenset(left_out[1].split(" or ")) if left_out else frozenset()

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        dear = os.path.relpath(collection_path, config.rootpath) in self._dear
        return True if dear or self._left_out & marks_of_all(collection_path) else None


def marks_of_all(file: Path) -> frozenset[str]:
    """The marks that every test of this file has, those of its line `pytestmark =`; none where it is no file of tests."""
    if not (file.name.startswith("test_") and file.suffix == ".py"):
        return frozenset()
    told = re.search(r"^pytestmark = (?:\[[^\]]*\]|.*)", file.read_text(), re.MULTILINE)
    return frozenset(re.findall(r"\bmark\.(\w+)", told[0])) if told else frozenset()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is imported here stays to the end: the garbage collector need not look through it, neither now nor later. That took a
    fifteenth of all the seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def shared_out(config: pytest.Config) -> bool:
    """Whether pytest-xdist gives the tests to workers."""
    return bool(config.getoption("dist", "no") != "no" and config.getoption("tx", None))


@pytest.hookimpl(trylast=True)  # after `tests/conftest.py`, which puts slow ones first: so it is among those that are new
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """The files that took longest come first where several workers share files out: the last ones are short, and no worker is
    left with a long one while the others have ended."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        kept, root = kept_seconds(config), config.rootpath
        seconds = {item.path: kept.get(os.path.relpath(item.path, root), NEW_SECONDS) for item in items}
        items.sort(key=lambda item: -seconds[item.path])


def kept_seconds(config: pytest.Config) -> dict[str, float]:
    """What `KEPT` says; nothing where it is not there."""
    file = config.rootpath / KEPT
    found: dict[str, float] = json.loads(file.read_bytes()) if file.exists() else {}
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processor-limit", type=float, metavar="SECONDS", help="fail where a file takes more of the processor")
    parser.addoption("--processor-to", metavar="FILE", help="write each file's seconds of the processor, as JSON")
    parser.addoption("--quick", type=float, metavar="SECONDS", help=f"leave out files that took longer, by {KEPT}")


def pytest_configure(config: pytest.Config) -> None:
    worker = hasattr(config, "workerinput")
    kept = kept_seconds(config)
    config.pluginmanager.register(LeftOut(config.getoption("markexpr"), kept, config.getoption("--quick")), "files-left-out")
    meter = Meter(None if worker else config.getoption("--processor-limit"), kept, counts=worker or not shared_out(config))
    config.pluginmanager.register(meter, "processor-meter")
