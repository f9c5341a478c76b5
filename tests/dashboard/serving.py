"""The program as tests run it: an application served in a thread, `companion serve` in a process of its own."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from flask import Flask

from companion.dashboard.serve import Server

Found = TypeVar("Found")


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[Server]:
    """The application on this port, 0: any that is free, until the end of the block."""
    server = Server(app, "127.0.0.1", port)
    running = threading.Thread(target=server.run)
    running.start()
    try:
        yield server
    finally:
        server.close()
        running.join()


RECORDED_LOOKS = Path(__file__).parents[2] / "tools" / "recorded_looks.py"


@dataclass(frozen=True)
class Program:
    """`companion serve`, running. ``pin``: of the terminal; ``said``: all that stands there."""

    process: subprocess.Popen[str]
    url: str
    pin: str
    said: str


@contextmanager
def program(ledger: Path, *more: str) -> Iterator[Program]:
    """The real program over this ledger, killed in the end. In a demo clip it sees what the networks found there."""
    command = [sys.executable, "-u", str(RECORDED_LOOKS), "serve", "--ledger", str(ledger), "--port", "0", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        while not (pin := re.search(r"PIN (\d+)", said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        address = re.search(r"http://[\d.]+:\d+", said)
        assert address
        try:
            yield Program(process, address[0], pin[1], said)
        finally:
            process.kill()


def until(happened: Callable[[], Found], seconds: float = 600) -> Found:
    """Wait for something that a thread or another program does, and give it back.

    The seconds only keep a failing test from hanging: they are many, for a machine that has other work to do.
    """
    end = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < end, f"waited {seconds:g} s in vain for: {inspect.getsource(happened).strip()}"
        time.sleep(0.05)
    return found
