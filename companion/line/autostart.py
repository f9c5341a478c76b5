"""That the program starts with the machine: a user unit of systemd for the evenings' program, and a file that desktops read when
somebody logs in for the television's browser.

A Debian package brings the unit; elsewhere it is written into the user's own folder, with the program that runs now.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.files import write_whole
from companion.table.errors import CompanionError

UNIT = "companion.service"
KIOSK = "companion-kiosk.desktop"
RUNNING = "running"
"""The file in the folder of the television's browser that is locked while one runs."""
_TIMEOUT_SECONDS = 20.0


class NoAutostart(CompanionError):
    """This machine has no systemd for users, or it refuses."""


Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of systemd. Raises NoAutostart where there is none, or it does not answer."""
    if shutil.which(command[0]) is None:
        raise NoAutostart(f"this machine has no {command[0]}: let its own way of starting programs run companion start")
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise NoAutostart(f"{' '.join(command)}: no answer within {_TIMEOUT_SECONDS:.0f} seconds") from error


def unit(program: str) -> str:
    """The unit's text. ``program``: the command, as systemd takes it."""
    return f"""[Unit]
Description=companion: the card table's evenings

[Service]
ExecStart={program} serve --host 0.0.0.0
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
"""


def kiosk_entry(program: str) -> str:
    """The file that lets a desktop open the television's page over the whole screen once somebody is logged in."""
    return f"""[Desktop Entry]
Type=Application
Name=companion: TV
Exec={program} kiosk
Terminal=false
X-GNOME-Autostart-enabled=true
"""


def this_program() -> str:
    """The program that runs now, as systemd and desktops take it: with the whole path."""
    beside = Path(sys.executable).with_name("companion")
    return f'"{beside}"' if beside.is_file() else f'"{sys.executable}" -m companion'


def is_on(run: Run = run) -> bool | None:
    """Whether the program starts with the machine; None where this machine has no systemd for users."""
    try:
        state = run(["systemctl", "--user", "is-enabled", UNIT]).stdout.strip()
    except NoAutostart:
        return None
    running = state or run(["systemctl", "--user", "show-environment"]).returncode == 0
    return state == "enabled" if running else None


def kiosk_is_on(config: Path | None = None) -> bool:
    """Whether the television's page is to open with the desktop. ``config``: the user's folder of settings."""
    return ((config or _config()) / "autostart" / KIOSK).is_file()


def switch_on(*, kiosk: bool = False, run: Run = run, config: Path | None = None) -> list[str]:
    """Let the program start with the machine, and with ``kiosk`` the television's browser with the desktop. The files that were
    written. Raises NoAutostart, OSError: all is as it was. ``config``: the user's folder of settings."""
    config, written = config or _config(), []
    with _as_it_was(config / "systemd" / "user" / UNIT, config / "autostart" / KIOSK) as (own, entry):
        if run(["systemctl", "--user", "cat", UNIT]).returncode:
            written.append(_write(own, unit(this_program())))
            _done(run, ["systemctl", "--user", "daemon-reload"])
        if kiosk:
            written.append(_write(entry, kiosk_entry(this_program())))
        _done(run, ["systemctl", "--user", "enable", UNIT])  # last: what it does is not taken back
    with suppress(NoAutostart):  # without it the program starts when its user logs in
        run(["loginctl", "enable-linger"])
    return written


@contextmanager
def _as_it_was(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """These files, which are as they were, there or not, where the block raises; so are folders that were not there."""
    before = {path: path.read_bytes() if path.exists() else None for path in paths}
    missing = {folder for path in paths for folder in path.parents if not folder.exists()}
    try:
        yield paths
    except BaseException:
        for path, data in before.items():
            if data is None:
                path.unlink(missing_ok=True)
            elif path.read_bytes() != data:
                write_whole(path, data)
        for folder in sorted(missing, reverse=True):  # the innermost first
            with suppress(OSError):
                folder.rmdir()
        raise


def switch_off(*, run: Run = run, config: Path | None = None, cache: Path | None = None) -> list[str]:
    """Let it start by hand alone. What was removed: all that `switch_on` and the television's browser wrote, but for the folder
    of a browser that runs. Raises NoAutostart where systemd refuses; OSError. ``cache``: the user's folder of caches."""
    config, systemd, gone = config or _config(), True, []
    try:
        run(["systemctl", "--user", "disable", UNIT])
    except NoAutostart:  # without systemd nothing was switched on
        systemd = False
    own = config / "systemd" / "user"
    for path in (own / UNIT, config / "autostart" / KIOSK, own / "default.target.wants" / UNIT):
        if path.is_file() or (path.is_symlink() and not path.exists()):
            path.unlink()
            gone.append(str(path))
    browser = kiosk_folder(cache)
    if browser.is_dir() and not _is_used(browser):
        shutil.rmtree(browser)
        gone.append(str(browser))
        with suppress(OSError):  # somebody has put something there
            browser.parent.rmdir()
    if systemd:
        _done(run, ["systemctl", "--user", "daemon-reload"])
    return gone


def kiosk_folder(cache: Path | None = None) -> Path:
    """The folder of the television's browser (`companion kiosk`), in the user's folder of caches."""
    return (cache or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")) / "companion" / "kiosk"


def _is_used(browser: Path) -> bool:
    """Whether a television's browser runs in this folder: the program that started it holds the lock."""
    with (browser / RUNNING).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _config() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    return str(path)


def _done(run: Run, command: Sequence[str]) -> None:
    done = run(command)
    if done.returncode:
        raise NoAutostart(f"{' '.join(command)}: {' '.join(done.stderr.split()) or f'status {done.returncode}'}")
