"""`python tools/hashes.py` writes hashes.txt: what the program itself needs, as constraints.txt pins it, with the SHA-256 of
every file that pip takes for it on Linux, for each Python that is supported and both kinds of processor.

pip takes hashes for all that it installs or for nothing, so there is one file for those who want them:
`pip install --require-hashes --no-deps -r hashes.txt`, then `pip install --no-deps .`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import licences

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "hashes.txt"
PYTHONS = ("3.11", "3.12", "3.13")
PROCESSORS = ("x86_64", "aarch64")
GLIBC = ("manylinux_2_28", "manylinux_2_27", "manylinux2014", "manylinux_2_17", "manylinux_2_5", "manylinux1")
HEAD = """# The files that pip takes on Linux for what stands under "run" in constraints.txt, each with its SHA-256; an index that
# builds its own has others. Written by: python tools/hashes.py
#   pip install --require-hashes --no-deps -r hashes.txt && pip install --no-deps .
"""


def report(pins: list[str], python: str, processor: str) -> dict[str, Any]:
    """What pip would install of these pins there; nothing is installed."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, told = Path(folder) / "pins.txt", Path(folder) / "report.json"
        wanted.write_text("\n".join(pins))
        platforms = [word for tag in GLIBC for word in ("--platform", f"{tag}_{processor}")]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed", "--only-binary=:all:",
             "--quiet", *platforms, "--python-version", python, "--implementation", "cp", "--target", folder,
             "--report", str(told), "-r", str(wanted)],
            check=True,
        )  # fmt: skip
        found: dict[str, Any] = json.loads(told.read_text())
        return found


def hashes_of(told: dict[str, Any]) -> dict[str, str]:
    """name==version → the SHA-256 of its file, of a report of pip."""
    found = {}
    for one in told["install"]:
        pin = f"{plain(one['metadata']['name'])}=={one['metadata']['version']}"
        found[pin] = one["download_info"]["archive_info"]["hashes"]["sha256"]
    return found


def plain(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def written(found: dict[str, set[str]]) -> str:
    """The file's text."""
    lines = ([pin, *(f"    --hash=sha256:{digest}" for digest in sorted(found[pin]))] for pin in sorted(found))
    return HEAD + "".join(" \\\n".join(line) + "\n" for line in lines)


def main() -> None:
    """Ask pip for each, and write."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    pins = [f"{name}=={version}" for name, version in licences.pins()["run"]]
    found: dict[str, set[str]] = {}
    for python in PYTHONS:
        for processor in PROCESSORS:
            for pin, digest in hashes_of(report(pins, python, processor)).items():
                found.setdefault(pin, set()).add(digest)
    PAGE.write_text(written(found))


if __name__ == "__main__":
    main()
