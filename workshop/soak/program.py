"""The real program in a process of its own, begun, killed and begun again; its clock can be put forward and back, its disk can
be full or read-only."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

WAIT_SECONDS = 120.0
SIDE = b"companion.line.worker.process"

_SKEWED = """
import sys, time
real, offset = time.time, sys.argv.pop(1)
def skewed():
    try:
        with open(offset) as file:
            return real() + float(file.read() or 0)
    except (OSError, ValueError):
        return real()
time.time = skewed
from companion.cli import main
sys.exit(main())
"""

_READ_ONLY = (
    "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"', "sh",
)  # fmt: skip
"""What is called by it finds a folder, its next argument, read-only, and nobody else does."""


def can_be_read_only() -> bool:
    """Whether this machine lets anybody mount for themselves."""
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        return False
    return subprocess.run([*_READ_ONLY, "/tmp", "true"], capture_output=True, check=False).returncode == 0  # nosec B108 # only looked at


def _read_on(said: IO[str]) -> None:
    with said:
        said.read()


class Program:
    """`companion serve` over this ledger. ``port``: 0 for any that is free, the first time."""

    def __init__(self, ledger: Path, *options: str) -> None:
        self._ledger, self._options = ledger, options
        self._clock = ledger.with_name("clock")
        self._clock.write_text("0")
        self._process: subprocess.Popen[str] | None = None
        self.url, self.pin, self.port = "", "", 0
        self.ended: list[int] = []

    def begin(self, read_only: bool = False) -> None:
        """Start it, and wait until it serves. ``read_only``: it cannot write its ledger (`writable`). Raises RuntimeError where
        it does not."""
        command = [
            *([*_READ_ONLY, str(self._ledger.parent)] if read_only else ()),
            sys.executable, "-u", "-c", _SKEWED, str(self._clock), "serve", "--ledger", str(self._ledger),
            "--port", str(self.port), "--https-port", "0", *self._options,
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        said = ""
        while not (pin := re.search(r"PIN (\d+)", said)):
            if not (line := self._process.stdout.readline()):
                raise RuntimeError(f"the program does not start: {said}")
            said += line
        found = re.search(r"http://[\d.]+:(\d+)", said)
        assert found is not None
        self.url, self.pin, self.port = found[0], pin[1], int(found[1])
        threading.Thread(target=_read_on, args=(self._process.stdout,), daemon=True).start()  # or it would wait for a reader

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the program still runs."""
        return self._process is not None and self._process.poll() is None

    def side(self) -> int | None:
        """The number of its camera side's process; None while there is none."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if SIDE in (folder / "cmdline").read_bytes() and f"PPid:\t{self.pid}\n" in (folder / "status").read_text():
                    return int(folder.name)
            except OSError:
                continue
        return None

    def strike(self, how: signal.Signals) -> bool:
        """Send this to the camera side; False where there is none."""
        side = self.side()
        if side is None:
            return False
        os.kill(side, how)
        return True

    def room(self, more: int | None) -> None:
        """Let the ledger's files grow by at most ``more`` bytes; None: there is room again."""
        limit = resource.RLIM_INFINITY
        if more is not None:
            kept = [one for one in self._ledger.parent.iterdir() if one.name.startswith(self._ledger.name)]
            limit = more + max(one.stat().st_size for one in kept)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def writable(self) -> None:
        """End the read-only disk that it began with."""
        inside = ["nsenter", "--target", str(self.pid), "--user", "--mount"]
        subprocess.run([*inside, "mount", "-o", "remount,bind,rw", str(self._ledger.parent)], check=True)

    def jump(self, seconds: float) -> None:
        """Put its clock so far off."""
        self._clock.write_text(str(seconds))
        time.sleep(0.1)
