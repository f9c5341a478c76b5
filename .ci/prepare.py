"""Makes a virtual environment ready: `python3 .ci/prepare.py .venv run|dev|train`. Standard library only: nothing is there yet.

Says what it does in words and a bar; pip's own words go to VENV/pip.log. System libraries that are missing are
installed with apt-get when run as root; otherwise it stops with the one command to run.
"""

from __future__ import annotations  # so that an older Python gets as far as being told that it is too old

import ctypes
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = {"run": "", "dev": "[dev]", "train": "[train,dev]"}
# the sections of constraints.txt that each installs
SECTIONS = {"run": ("run",), "dev": ("run", "dev"), "train": ("run", "dev", "train")}

TITLES = {
    "run": "installing companion", "dev": "installing what the tests need", "train": "installing what training needs",
}

# for what hashes.txt has the files: `tools/hashes.py`
PYTHONS, PROCESSORS = ("3.11", "3.12", "3.13"), ("x86_64", "aarch64")

# shared library that opencv-python's wheel expects of the system -> Debian's package
LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxcb.so.1": "libxcb1",
    "libX11.so.6": "libx11-6",
}


def stop(message: str) -> None:
    sys.exit(f"\n{message}")


def missing_packages() -> list[str]:
    """Debian packages without which the program would not start here."""
    missing = []
    if importlib.util.find_spec("ensurepip") is None:
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if sys.platform.startswith("linux"):
        for library, package in LIBRARIES.items():
            try:
                ctypes.CDLL(library)
            except OSError:
                missing.append(package)
    return missing


def install_packages(packages: list[str]) -> None:
    command = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    if not shutil.which("apt-get"):
        names = ", ".join(packages)
        stop(f"This machine lacks what Debian calls {names}: install it with its own package manager, then again.")
    if os.geteuid() != 0:
        stop(f"This machine lacks {', '.join(packages)}. Run this, then again:\n    sudo {command}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(f"This machine lacks {', '.join(packages)}: now done as root: apt-get update; {command}", file=sys.stderr, flush=True)
    bar = Bar(f"installing {', '.join(packages)} with apt-get", 2)
    for arguments in (["apt-get", "update"], command.split()):
        done = subprocess.run(arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        bar.count += 1
        if done.returncode:
            bar.close("failed")
            stop(f"{' '.join(arguments)} failed:\n{(done.stderr or done.stdout)[-1500:]}")
    bar.close()


class Bar:
    """One line on standard error: a bar, a count, seconds. Without a terminal: one line when it ends."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.count, self.now = title, max(total, 1), 0, ""
        self.start, self.open, self.live = time.monotonic(), True, sys.stderr.isatty()
        if self.live:
            self.thread = Thread(target=self._draw, daemon=True)
            self.thread.start()
        else:
            print(f"{title} ...", file=sys.stderr, flush=True)

    def _draw(self) -> None:
        while self.open:
            share = min(self.count / self.total, 1)
            blocks = "#" * round(24 * share) + "-" * (24 - round(24 * share))
            line = f"[{blocks}] {self.title}, {time.monotonic() - self.start:.0f} s {self.now}"
            print("\r" + line[: shutil.get_terminal_size().columns - 1] + "\033[K", end="", file=sys.stderr, flush=True)
            time.sleep(0.2)

    def close(self, outcome: str = "done") -> None:
        self.open = False
        if self.live:
            self.thread.join()
            print("\r\033[K", end="", file=sys.stderr)
        print(f"{self.title}: {outcome} ({time.monotonic() - self.start:.0f} s)", file=sys.stderr, flush=True)


def expected(kind: str) -> int:
    """How many packages an installation of `kind` brings, by the sections of constraints.txt."""
    section, count = "", 0
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if re.fullmatch(r"# \w+", line):
            section = line[2:]
        elif "==" in line and section in SECTIONS[kind]:
            count += 1
    return count


def run_pip(venv: Path, arguments: list[str], title: str, total: int) -> bool:
    """Runs the environment's pip under a bar that counts the packages it has collected; whether it could install them."""
    environment = {key: value for key, value in os.environ.items() if key != "HOME" or value}
    # The packages that build this one are pinned as well; pip takes either name, by its version.
    environment |= {"PIP_CONSTRAINT": "constraints.txt", "PIP_BUILD_CONSTRAINT": "constraints.txt",
                    "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUNBUFFERED": "1"}
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", "--no-input", "--progress-bar", "off", *arguments]
    bar, seen = Bar(title, total + 2), set()
    with (venv / "pip.log").open("w") as log, subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            if package := re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line):
                seen.add(package[1].lower())
                bar.count, bar.now = len(seen), package[1]
            elif download := re.match(r"\s+Downloading \S*?([\w.]+)-\d.* (\(.*\))", line):
                bar.now = f"{download[1]} {download[2]}"
            elif line.startswith("Installing collected"):
                bar.count, bar.now = total + 1, "unpacking"
    bar.close("failed" if process.returncode else "done")
    return process.returncode == 0


def pip(venv: Path, arguments: list[str], title: str, total: int) -> None:
    """The same; stops, saying why, where it could not."""
    if not run_pip(venv, arguments, title, total):
        stop(f"pip could not install it; its whole report is in {venv / 'pip.log'}:\n{why((venv / 'pip.log').read_text())}")


def why(report: str) -> str:
    """Why pip has failed, of its report. Where all versions are pinned pip calls it a conflict when it finds no file at all, and
    names a lost connection as a warning only, after its last try too."""
    lost = re.findall(r"Retry\(total=0,.* broken by '(.*)': /|Could not fetch URL (.*?)(?: - skipping)?$", report, re.M)
    if lost and re.search(r"ERROR: (?:Cannot install|Could not find a version|No matching distribution)", report):
        return (f"It did not reach the package index: {next(filter(None, lost[-1]))}\n"
                "The first installation needs the internet. Behind a proxy, set HTTPS_PROXY; where the network has\n"
                "certificates of its own, set PIP_CERT to the file that holds them. Then again.")  # fmt: skip
    if lacks := re.search(r"The user requested \(constraint\) (\S+)$", report, re.M):  # the pins suit one another
        return (f"The package index has no file of {lacks[1]} for this machine, with Python {platform.python_version()}.\n"
                "It may be the page of a network that wants somebody to log in first, or an index that lacks it.")  # fmt: skip
    lines = report.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("ERROR")), len(lines) - 5)
    return "\n".join(lines[max(first, 0):][:12]) or "It said nothing."


def without_hashes() -> str:
    """What this machine has that hashes.txt has no files for; "" where it has them."""
    python, processor = "{}.{}".format(*sys.version_info), platform.machine()
    if python not in PYTHONS:
        return f"Python {python}"
    if processor not in PROCESSORS:
        return f"a processor that is {processor}"
    return "" if platform.libc_ver()[0] == "glibc" else "a system without glibc"


def other_index(venv: Path) -> bool:
    """Whether pip's configuration names an index or a folder of packages. If not, pip asks PyPI, and hashes.txt has the hashes of
    PyPI's files."""
    asked = subprocess.run([str(venv / "bin" / "python"), "-m", "pip", "config", "list"], capture_output=True, text=True)
    return re.search(r"^\S*\.(?:extra-index-url|index-url|find-links|no-index)=", asked.stdout, re.MULTILINE) is not None


def verified(venv: Path) -> None:
    """Installs what the program needs to run, each file by its hash in hashes.txt. Where hashes.txt has none for this machine, or
    another index has other files, says so in a line; the next step then installs without them. Stops where PyPI's own files
    have other hashes."""
    if lacks := without_hashes():
        print(f"No file is checked by its hash: hashes.txt has none for {lacks}", file=sys.stderr, flush=True)
        return
    by_hash = ["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", "hashes.txt"]
    if not other_index(venv):
        pip(venv, by_hash, "installing what runs, each file by its hash", expected("run"))
    elif not run_pip(venv, by_hash, "installing what runs, each file by its hash", expected("run")):
        (venv / "pip.log").replace(venv / "pip-hashes.log")
        print("No file is checked by its hash: the index that pip is told of has not given the files of hashes.txt;"
              f" {venv / 'pip-hashes.log'} says why", file=sys.stderr, flush=True)


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - whatever Python `make` found runs this
        found = f"{sys.executable} is {sys.version.split()[0]}"
        stop(f"companion needs Python 3.11 or newer; {found}. To name another one: make PYTHON=...")
    venv, kind = ROOT / sys.argv[1], sys.argv[2]
    if packages := missing_packages():
        install_packages(packages)
    if not (venv / "bin" / "python").exists() or not (venv / "bin" / "pip").exists():
        bar = Bar(f"making {venv.name}", 1)
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], capture_output=True, text=True)
        if made.returncode:
            bar.close("failed")
            stop(made.stdout + made.stderr)
        bar.close()
    verified(venv)
    title = TITLES[kind]
    if kind == "train":
        # torch first and alone: pip takes a CPU build where it finds one, and nothing after may replace it. The registry's
        # torchvision is built for CUDA and fails beside it: .ci/torchvision stands in.
        pip(venv, ["-c", "constraints.txt", "torch"], "installing torch", 12)
        pip(venv, ["-c", "constraints.txt", "./.ci/torchvision"], "installing the stand-in for torchvision", 1)
    pip(venv, ["-c", "constraints.txt", "-e", f".{EXTRAS[kind]}"], title, expected(kind))
    (venv / f"ready-{kind}").touch()


if __name__ == "__main__":
    main()
