"""A wheel of this checkout, and new environments in which it is installed as a stranger installs it: nothing of the checkout, no
compiler."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Those that a machine may have; the wheel says 3.11 or newer."""
PATIENCE_SECONDS = 900.0


def built(folder: Path) -> Path:
    """The wheel, built into ``folder`` without the network."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(pip, check=True, capture_output=True)
    [wheel] = folder.glob("companion-*.whl")
    return wheel


def python(version: str) -> str:
    """The interpreter of this version that can make environments; skips the test where the machine has none."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")  # what lies there need not be on the path
    named = (shutil.which(f"python{version}"), *map(str, sorted(kept.glob(f"{version}.*/bin/python{version}"))))
    check = f"import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != ({version.replace('.', ', ')}))"
    for found in filter(None, named):
        if subprocess.run([found, "-c", check], capture_output=True, check=False).returncode == 0:
            return found
    pytest.skip(f"this machine has no Python {version} with venv")


def stranger(folder: Path, *path: Path) -> dict[str, str]:
    """The environment of somebody who has only that: ``path`` to find programs, a home of their own, a compiler that refuses."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    ours = ("PYTHON", "VIRTUAL_ENV", "COMPANION", "XDG_DATA", "XDG_CACHE", "PIP_CONSTRAINT", "PYTEST")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HOME": str(home), "PATH": os.pathsep.join(map(str, path)), "CC": "/bin/false", "CXX": "/bin/false"}


def unless_offline(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run an installer; skips the test where it reaches no index."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode and re.search(r"from versions: none|Failed to fetch|error sending request|resolve host", done.stderr):
        pytest.skip(f"no package index is reached from here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout + done.stderr


def installed(wheel: Path, version: str, folder: Path) -> Path:
    """A new environment in ``folder`` that has the wheel and what it asks for; its `bin`."""
    subprocess.run([python(version), "-m", "venv", str(folder / "env")], check=True, capture_output=True)
    own = folder / "env" / "bin"
    pip = [str(own / "python"), "-m", "pip", "install", "--quiet", "--only-binary=:all:", str(wheel)]
    unless_offline(pip, stranger(folder, own), folder)
    return own


def megabytes(folder: Path) -> float:
    """What the files below this folder hold, in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def asked(url: str) -> Any:
    """The JSON that this address answers with."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.loads(answer.read())


def page_of(run: subprocess.Popen[str]) -> tuple[str, str]:
    """The address of the page that a started program names, and what it has said up to then."""
    assert run.stdout is not None
    said = ""
    while not (address := re.search(r"http://[\d.]+:\d+", said)):
        line = run.stdout.readline()
        assert line, said
        said += line
    return address[0], said


@contextmanager
def demo(program: Path, environment: Mapping[str, str], folder: Path) -> Iterator[str]:
    """`companion demo` as it is installed there, running; the page's address."""
    command = [str(program), "demo", "--port", "0", "--pace", "0"]
    environment = {**environment, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as run:
        try:
            address, said = page_of(run)
            yield address
            run.terminate()
            rest = run.communicate(timeout=PATIENCE_SECONDS)[0]
            assert (run.returncode, rest.splitlines()[-1:]) == (0, ["Stopped."]), said + rest
        finally:
            run.kill()


def ruled(url: str) -> dict[str, Any]:
    """The first ruling of the page at ``url``, once there is one."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (ruling := asked(f"{url}/api/game?lang=en")["ruling"]) is None:
        assert time.monotonic() < end, "the demo came to no ruling"
        time.sleep(0.2)
    found: dict[str, Any] = ruling
    return found
