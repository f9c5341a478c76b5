"""However the program is stopped, it ends in order: what was acknowledged is on a disk, even if the ledger’s takes nothing."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.stopping import until_stopped
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from workshop.soak.program import Program, can_be_read_only
from workshop.soak.visitors import Phone, next_tap


@pytest.fixture(autouse=True)
def terminal() -> Iterator[None]:
    """SIGHUP is heard, also where the tests themselves were begun with nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def taps_kept(folder: Path) -> int:
    """How many taps the ledger in this folder has."""
    (path,) = folder.glob("*.ledger")
    with Ledger.open(path, log_format) as ledger:
        return len(ledger.reports(1))


@pytest.mark.parametrize("signals", [
    (signal.SIGHUP,), (signal.SIGTERM, signal.SIGHUP), (signal.SIGHUP, signal.SIGHUP, signal.SIGCONT, signal.SIGTERM),
], ids=lambda them: " ".join(one.name for one in them))  # fmt: skip
@pytest.mark.skipif(not can_be_read_only(), reason="no mounts of one's own here (unshare)")
def test_on_a_disk_that_takes_nothing_no_acknowledged_tap_is_lost_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signals: tuple[signal.Signals, ...]
) -> None:
    disk, elsewhere = tmp_path / "disk", tmp_path / "elsewhere"
    disk.mkdir()
    elsewhere.mkdir()
    monkeypatch.setenv("TMPDIR", str(elsewhere))
    path = disk / "evening.ledger"
    with Ledger.open(path, log_format) as ledger:
        EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    program, phone, chance = Program(path, "--no-season"), Phone(), random.Random(1)
    program.begin(read_only=True)
    try:
        assert phone.pair(program.url, program.pin)
        done = 0
        for number in range(30):
            tap = next_tap(phone.view, chance)
            if tap is not None and phone.tap(tap, f"tap-{number}") == 200:
                done += 1
        assert done > 4
        for one in signals:
            os.kill(program.pid, one)
        process = program._process
        assert process is not None
        assert process.wait(600) == 0
    finally:
        program.kill()
    assert taps_kept(elsewhere) == done


def test_a_program_that_was_begun_with_nohup_outlives_its_terminal() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with until_stopped():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


class Freed:
    """Gets the signal while it is being freed, where Python throws an exception away, this many times."""

    def __init__(self, number: signal.Signals, times: int) -> None:
        self.number, self.times = number, times

    def __del__(self) -> None:
        if self.times > 1:
            kept.append(Freed(self.number, self.times - 1))
        os.kill(os.getpid(), self.number)


kept: list[Freed] = []


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_while_an_object_is_freed_stops_the_program_too(number: signal.Signals, times: int) -> None:
    handlers = [signal.getsignal(one) for one in (number, signal.SIGALRM)]
    hook, after = sys.unraisablehook, threading.Event()
    with until_stopped():
        Freed(number, times)
        while kept:
            kept.pop()
        after.wait(60)
        after.set()
    assert not after.is_set(), "the block went on to its end"
    assert [signal.getsignal(one) for one in (number, signal.SIGALRM)] == handlers
    assert sys.unraisablehook == hook


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_breaks_off_what_is_written_at_the_end(number: signal.Signals) -> None:
    before, written = signal.getsignal(number), []
    read, write = os.pipe()
    with until_stopped():
        try:
            os.kill(os.getpid(), number)
            signal.pause()
        finally:
            for other in (number, signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
                os.kill(os.getpid(), other)
            written.append(os.write(write, b"all of it"))
    assert (written, os.read(read, 20)) == ([9], b"all of it")
    assert signal.getsignal(number) == before
    os.close(read)
    os.close(write)
