"""What this machine lacks, and the command that mends it: for `companion doctor`, and for the page that says the same.

A probe is a function without arguments that looks at one thing and says what it found. They import what they look at inside
themselves: a machine without libGL cannot import OpenCV, and this command is there to say so.
"""

from __future__ import annotations

import errno
import importlib
import os
import re
import shlex
import shutil
import socket
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.assets import asset
from companion.line import autostart, page_watch
from companion.table.errors import AssetMissing, CompanionError
from companion.table.language import N_

PORT = 8000
HTTPS_PORT = 8443
DISK_MB = 500
MEMORY_MB = 800

LET_IN = "sudo usermod -aG video $USER"
"""Lets this user open cameras."""
KIOSK_BROWSER = "sudo apt install chromium"
"""Brings the browser of `companion kiosk`."""
FOR_ALL = "companion start"
"""Starts the program for the whole network."""

PACKAGE_OF = {
    "libGL": "libgl1",
    "libgthread": "libglib2.0-0",
    "libglib": "libglib2.0-0",
    "libxcb": "libxcb1",
    "libX11": "libx11-6",
    "libgomp": "libgomp1",
}
"""Beginning of a shared library's name → Debian's package."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe found. ``mend`` is the command (or the act) that mends it, None where all is well. ``text`` with ``blanks``
    filled in is what a page translates: ``found``, or as much of it as a page shows."""

    what: str
    ok: bool
    found: str
    mend: str | None = None
    text: str = field(default="", compare=False)
    blanks: dict[str, Any] = field(default_factory=dict, compare=False)


def finding(what: str, ok: bool, text: str, mend: str | None = None, **blanks: Any) -> Finding:
    """A finding in a sentence that pages translate."""
    return Finding(what, ok, text.format(**blanks), mend, text, blanks)


Probe = Callable[[], Finding]
REINSTALL = "install it again, as docs/install.md says (pipx reinstall companion); in a checkout: make clean demo"


def library(name: str, title: str, load: Callable[[str], object] = importlib.import_module) -> Finding:
    """A library with compiled parts: can it be imported here, with the shared libraries that it expects of the system?"""
    try:
        module = load(name)
    except ModuleNotFoundError as error:
        return Finding(title, False, str(error), REINSTALL)
    except ImportError as error:
        if missing := re.search(r"(lib[\w+-]+)[\w.-]*\.so[\w.]*", str(error)):
            package = next((p for start, p in PACKAGE_OF.items() if missing[1].startswith(start)), None)
            mend = f"sudo apt-get install -y {package}" if package else f"install the package that brings {missing[0]}"
            return Finding(title, False, f"the system has no {missing[0]}", mend)
        return Finding(title, False, str(error), REINSTALL)
    return Finding(title, True, str(getattr(module, "__version__", "present")))


def load_eyes(folder: Path) -> None:
    """Loads the models as the program does. Raises CompanionError when one is missing or damaged."""
    from companion.eyes.look import Eyes

    Eyes.load(folder)


def models(find: Callable[[str], Path] = asset, load: Callable[[Path], None] = load_eyes) -> Finding:
    """The detector and the reader: there, and accepted by the runtime?"""
    try:
        folder = find("models")
        load(folder)
    except CompanionError as error:
        return Finding("models", False, str(error), REINSTALL)
    except ImportError as error:
        return Finding("models", False, f"cannot be tried: {error}", "mend what stands above first")
    size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix in (".onnx", ".npz"))
    return Finding("models", True, f"load, {size / 1e6:.1f} MB")


def web(find: Callable[[str], Path] = asset) -> Finding:
    """The page's files and the bundled clip."""
    try:
        for name in ("web/templates", "web/static", "web/cards", "datasets/demo/demo.mp4", "datasets/demo/table.json"):
            find(name)
    except AssetMissing as error:
        return Finding("page and clip", False, str(error), REINSTALL)
    return Finding("page and clip", True, "present")


def open_camera(device: Path) -> tuple[int, int] | None:
    """Width and height in pixels of a picture that the camera gives, None when it gives none."""
    from companion.eyes.cameras import picture_size

    return picture_size(device)


def devices(folder: Path = Path("/dev")) -> list[Path]:
    """The devices of this machine that may be cameras, by number."""
    return sorted(folder.glob("video[0-9]*"), key=lambda device: int(re.sub(r"\D", "", device.name)))


def closed_cameras(folder: Path = Path("/dev")) -> list[Path]:
    """The cameras that this user may not open, where those are all that there are."""
    found = devices(folder)
    return [] if any(os.access(device, os.R_OK | os.W_OK) for device in found) else found


def cameras(
    folder: Path = Path("/dev"), picture_size: Callable[[Path], tuple[int, int] | None] = open_camera
) -> Finding:
    """Does any camera of this machine give a picture? Where none is plugged in nothing is missing: a game is kept by thumb,
    too."""
    found = devices(folder)
    if not found:
        return Finding("camera", True, "none, and none is needed to keep a game with the phone; for one: plug in a USB camera, or"
                                       " take another phone: companion serve --host 0.0.0.0")  # fmt: skip
    if closed := closed_cameras(folder):
        return Finding("camera", False, f"{closed[0]} may not be opened by this user",
                       f"{LET_IN}, then log in again")
    try:
        sizes = {device: picture_size(device) for device in found if os.access(device, os.R_OK | os.W_OK)}
    except ImportError:
        return Finding("camera", False, f"{found[0]} is there, but OpenCV cannot be imported", "mend what stands above first")
    seen = [f"camera {device.name.removeprefix('video')}: {size[0]}x{size[1]}" for device, size in sizes.items() if size]
    if not seen:
        return Finding("camera", False, f"{', '.join(map(str, sizes))}: no picture comes",
                       "close the program that uses it, or plug it in again")
    return Finding("camera", True, ", ".join(seen))


def _nobody(url: str) -> bool:
    return False


def port(
    number: int = PORT, host: str = "127.0.0.1", option: str = "--port", runs: Callable[[str], bool] = _nobody
) -> Finding:
    """Can the page be served where it usually is? ``option``: of `companion serve`, which takes another port. ``runs``: whether
    the evening's program answers at an address: its own ports are no fault."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                return Finding(f"port {number}", False, error.strerror or str(error), f"companion serve {option} {number + 1}")
            if runs(f"http://{host}:{PORT}"):
                return Finding(f"port {number}", True, "in use, and the evening's program runs")
            return Finding(f"port {number}", False, "another program uses it",
                           f"companion serve {option} {number + 1}, or end that program; it is named by:"
                           f" sudo ss -ltnp 'sport = :{number}'")
    return Finding(f"port {number}", True, "free")


def disk(folder: Path | None = None, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> Finding:
    """Is there room for the ledger and for a clip or two where the user's data go?"""
    folder = folder or Path.home()
    while not folder.exists():
        folder = folder.parent
    free = usage(folder)[2] // 1_000_000
    if free < DISK_MB:
        return finding("disk space", False, N_("{free} MB free in {folder}, {wanted} wanted"),
                       f"du -xh --max-depth=2 {folder} | sort -h | tail", free=free, folder=folder, wanted=DISK_MB)
    return finding("disk space", True, N_("{free} GB free in {folder}"), free=f"{free / 1000:.1f}", folder=folder)


def evenings(folder: Path) -> Finding:
    """Can the evenings be written into this folder, or into the one in which it will be made? A file is tried, as permissions do
    not tell of a disk that is read-only or full."""
    there = folder
    while not there.exists():
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(bytes(4096))
            file.flush()
    except OSError as error:
        return _unwritable(there, error)
    for file_there in sorted(there.glob("*.ledger*")) if there == folder else ():
        if not os.access(file_there, os.W_OK):
            return _unwritable(file_there, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    return finding("evenings", True, N_("they are kept in {folder}"), folder=folder)


def _unwritable(path: Path, error: OSError) -> Finding:
    quoted = shlex.quote(str(path))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return finding("evenings", False, N_("no room is left to write in {path}"),
                       f"du -xh --max-depth=2 {quoted} | sort -h | tail", path=path)
    if error.errno == errno.EROFS:
        return finding("evenings", False, N_("{path} lies on a disk that is read-only: if it stays so, the disk or card is worn"),
                       f'sudo mount -o remount,rw "$(findmnt -no TARGET -T {quoted})"', path=path)
    if error.errno in (errno.EACCES, errno.EPERM):
        return finding("evenings", False, N_("{path} may not be written by this user"),
                       f"sudo chown -R $USER: {quoted}", path=path)
    return finding("evenings", False, N_("{path} cannot be written ({why})"), "companion serve --ledger FILE, in another folder",
                   path=path, why=error.strerror or str(error))


def browser(found: str | None, wanted: bool) -> Finding:
    """Could this machine's own screen show the TV's page? ``found``: its browser, None where it has none; ``wanted``: whether
    the page is to open with the desktop."""
    title = "browser for the TV"
    if found is not None:
        return Finding(title, True, found)
    if wanted:
        return finding(title, False, N_("the TV’s page is to open with the desktop, and Chromium is not installed"),
                       KIOSK_BROWSER)
    none = N_("none, and none is needed if the TV is another machine’s screen")  # a page shows no command where all is well
    return Finding(title, True, f"{none}; for companion kiosk: {KIOSK_BROWSER}", text=none)


def memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    """Is there memory enough for the eyes beside what runs already?"""
    try:
        line = re.search(r"MemAvailable:\s+(\d+) kB", meminfo.read_text())
    except OSError:
        line = None
    if line is None:
        return finding("memory", True, N_("this system does not say"))
    free = int(line[1]) // 1000
    if free < MEMORY_MB:
        return finding("memory", False, N_("{free} MB available, {wanted} wanted"),
                       "close other programs; the largest: ps -eo rss,comm --sort=-rss | head", free=free, wanted=MEMORY_MB)
    return finding("memory", True, N_("{free} GB available"), free=f"{free / 1000:.1f}")


def voice(find: Callable[[str], str | None] = shutil.which) -> Finding:
    """Could the rulings be called? Nothing is missing where they cannot: it is said what it would take."""
    if find("espeak-ng") is not None:
        return Finding("voice", True, "espeak-ng")
    none = N_("none, and none is needed")  # a page shows no command where all is well
    return Finding("voice", True, f"{none}; for one: sudo apt install espeak-ng", text=none)


def probes(folder: Path, runs: Callable[[str], bool]) -> Sequence[Probe]:
    """All of them. ``folder``: of the evenings; ``runs``: whether the evening's program answers at an address."""
    return (
        lambda: library("cv2", "opencv"),
        lambda: library("onnxruntime", "onnxruntime"),
        lambda: library("cryptography.x509", "cryptography"),
        models,
        web,
        cameras,
        lambda: port(runs=runs),
        lambda: port(HTTPS_PORT, option="--https-port", runs=runs),
        lambda: evenings(folder),
        lambda: disk(folder),
        memory,
        lambda: browser(page_watch.installed_browser(), autostart.kiosk_is_on()),
        voice,
    )


def examine(probes: Sequence[Probe]) -> tuple[Finding, ...]:
    """Every probe's finding, in order."""
    return tuple(probe() for probe in probes)
