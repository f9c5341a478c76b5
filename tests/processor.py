"""Seconds of the processor that each test file takes, its child processes among them, and a limit on them."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
REFERENCE_SECONDS = 0.05
"""Seconds that `probe` takes on an idle machine of the kind that the limit is meant for."""
SHOWN = 15
"""Number of files in the summary."""


def tree_seconds(root: int) -> float:
    """Seconds of the processor that the process ``root`` and everything that it began have taken so far.

    What a finished child took is counted by the parent that waited for it. A child whose parent ended first is no longer counted.
    """
    children, ticks = defaultdict(list), dict[int, int]()
    for folder in os.scandir("/proc"):
        if not folder.name.isdigit():
            continue
        try:
            fields = Path(folder.path, "stat").read_bytes().rpartition(b") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        children[int(fields[1])].append(int(folder.name))
        ticks[int(folder.name)] = sum(int(field) for field in fields[11:15])  # own and children's, in user and system mode
    waiting, total = [root], 0
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children[process]
    return total / TICKS_PER_SECOND


def probe() -> float:
    """Seconds of the processor for a fixed piece of work, the least of several: more on a slower machine, or a busy one."""
    taken = []
    for _ in range(5):
        begun = time.process_time()
        for number in range(100):
            hashlib.pbkdf2_hmac("sha256", b"%d" % number, b"", 200)
            sum(range(20_000))
        taken.append(time.process_time() - begun)
    return min(taken)


class Meter:
    """Charges each test file with what this process and its children took while it ran. ``limit``: seconds a file, None: any."""

    def __init__(self, limit: float | None) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._limit, self._last, self._probe = limit, tree_seconds(os.getpid()), REFERENCE_SECONDS

    def pytest_sessionstart(self) -> None:
        if self._limit is not None:
            self._probe = max(self._probe, probe())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        result = yield
        if nextitem is None or nextitem.path != item.path:
            now = tree_seconds(os.getpid())
            self.seconds[os.path.relpath(item.path, item.config.rootpath)] += now - self._last
            self._last = now
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Of pytest-xdist: a worker has ended."""
        for name, seconds in getattr(node, "workeroutput", {}).get("processor", {}).items():
            self.seconds[name] += seconds

    @property
    def too_costly(self) -> list[str]:
        """The files above the limit, which is raised by as much as this machine is slower."""
        if self._limit is None:
            return []
        self._probe = max(self._probe, probe())
        limit = self._limit * self._probe / REFERENCE_SECONDS
        return [f"{name}: {seconds:.1f} s of the processor, expected at most {limit:.0f}: share what is costly "
                "between its tests, play recorded looks, or mark it for `make test-all`"
                for name, seconds in self.seconds.items() if seconds > limit]  # fmt: skip

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        worker: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if worker is not None:
            worker["processor"] = dict(self.seconds)
        elif self.too_costly and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        if file := config.getoption("--processor-to"):
            Path(file).write_text(json.dumps(self.seconds))
        if self._limit is None:
            return
        dearest = sorted(self.seconds.items(), key=lambda one: -one[1])[:SHOWN]
        terminalreporter.section("seconds of the processor")
        terminalreporter.line(f"{sum(self.seconds.values()):.0f} in all")
        for name, seconds in dearest:
            terminalreporter.line(f"{seconds:6.1f}  {name}")
        for line in self.too_costly:
            terminalreporter.line(f"FAILED {line}", red=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processor-limit", type=float, metavar="SECONDS", help="fail where a file takes more of the processor")
    parser.addoption("--processor-to", metavar="FILE", help="write each file's seconds of the processor, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    worker = hasattr(config, "workerinput")
    config.pluginmanager.register(Meter(None if worker else config.getoption("--processor-limit")), "processor-meter")
