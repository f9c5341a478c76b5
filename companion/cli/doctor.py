"""`companion doctor`: what this machine lacks, and the command that mends it.

A probe is a function without arguments that looks at one thing and says what it found. They import what they look at inside
themselves: a machine without libGL cannot import OpenCV, and this command is there to say so.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import re
import shutil
import socket
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from companion.assets import asset
from companion.table.errors import AssetMissing, CompanionError

PORT = 8000
HTTPS_PORT = 8443
DISK_MB = 500
MEMORY_MB = 800

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
    """What a probe found. ``mend`` is the command (or the act) that mends it, None where all is well."""

    what: str
    ok: bool
    found: str
    mend: str | None = None


Probe = Callable[[], Finding]
REINSTALL = "in companion's checkout: make clean demo (or: pip install --force-reinstall -c constraints.txt .)"


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


def cameras(
    folder: Path = Path("/dev"), picture_size: Callable[[Path], tuple[int, int] | None] = open_camera
) -> Finding:
    """Does any camera of this machine give a picture? Where none is plugged in nothing is missing: a game is kept by thumb,
    too."""
    devices = sorted(folder.glob("video[0-9]*"), key=lambda device: int(re.sub(r"\D", "", device.name)))
    if not devices:
        return Finding("camera", True, "none, and none is needed to keep a game with the phone; for one: plug in a USB camera, or"
                                       " take another phone: companion serve --host 0.0.0.0")  # fmt: skip
    closed = [device for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if len(closed) == len(devices):
        return Finding("camera", False, f"{closed[0]} may not be opened by this user",
                       "sudo usermod -aG video $USER, then log in again")
    try:
        sizes = {device: picture_size(device) for device in devices if device not in closed}
    except ImportError:
        return Finding("camera", False, f"{devices[0]} is there, but OpenCV cannot be imported", "mend what stands above first")
    seen = [f"camera {device.name.removeprefix('video')}: {size[0]}x{size[1]}" for device, size in sizes.items() if size]
    if not seen:
        return Finding("camera", False, f"{', '.join(map(str, sizes))}: no picture comes",
                       "close the program that uses it, or plug it in again")
    return Finding("camera", True, ", ".join(seen))


def port(number: int = PORT, host: str = "127.0.0.1", option: str = "--port") -> Finding:
    """Can the page be served where it usually is? ``option``: of `companion serve`, which takes another port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError as error:
            why = "another program uses it" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
            return Finding(f"port {number}", False, why, f"companion serve {option} {number + 1}")
    return Finding(f"port {number}", True, "free")


def disk(folder: Path | None = None, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> Finding:
    """Is there room for the ledger and for a clip or two where the user's data go?"""
    folder = folder or Path.home()
    while not folder.exists():
        folder = folder.parent
    free = usage(folder)[2] // 1_000_000
    if free < DISK_MB:
        return Finding("disk space", False, f"{free} MB free in {folder}, {DISK_MB} wanted",
                       f"du -xh --max-depth=2 {folder} | sort -h | tail")
    return Finding("disk space", True, f"{free / 1000:.1f} GB free in {folder}")


def memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    """Is there memory enough for the eyes beside what runs already?"""
    try:
        line = re.search(r"MemAvailable:\s+(\d+) kB", meminfo.read_text())
    except OSError:
        line = None
    if line is None:
        return Finding("memory", True, "this system does not say")
    free = int(line[1]) // 1000
    if free < MEMORY_MB:
        return Finding("memory", False, f"{free} MB available, {MEMORY_MB} wanted",
                       "close other programs; the largest: ps -eo rss,comm --sort=-rss | head")
    return Finding("memory", True, f"{free / 1000:.1f} GB available")


def voice(find: Callable[[str], str | None] = shutil.which) -> Finding:
    """Could the rulings be called? Nothing is missing where they cannot: it is said what it would take."""
    there = find("espeak-ng") is not None
    return Finding("voice", True, "espeak-ng" if there else "none, and none is needed; for one: sudo apt install espeak-ng")


PROBES: Sequence[Probe] = (
    lambda: library("cv2", "opencv"),
    lambda: library("onnxruntime", "onnxruntime"),
    lambda: library("cryptography.x509", "cryptography"),
    models,
    web,
    cameras,
    port,
    lambda: port(HTTPS_PORT, option="--https-port"),
    disk,
    memory,
    voice,
)


def examine(probes: Sequence[Probe] = PROBES) -> tuple[Finding, ...]:
    """Every probe's finding, in order."""
    return tuple(probe() for probe in probes)


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: {\"ok\": …, \"findings\": […]}.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Say what this machine lacks, and the command that mends it.

    Exit 0 when it lacks nothing, 1 when something is missing.
    """
    findings = examine(ctx.obj if isinstance(ctx.obj, tuple) else PROBES)
    ok = all(finding.ok for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": ok, "findings": [asdict(finding) for finding in findings]}))
    else:
        width = max(len(finding.what) for finding in findings)
        for finding in findings:
            click.echo(f"{'OK     ' if finding.ok else 'missing'}  {finding.what:<{width}}  {finding.found}")
            if finding.mend:
                click.echo(f"{'':9}{'':<{width}}  mend: {finding.mend}")
    ctx.exit(0 if ok else 1)
