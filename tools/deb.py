"""`python tools/deb.py`: a Debian package of the program, with an environment of its own inside, into `dist/`.

It is for the Debian, and the processor, of the machine that builds it: what is installed runs with that release's own Python.
In it are the command, a menu entry with an icon, and a systemd unit that each user may switch on. Evenings lie in the homes of
those who keep them: no script of the package touches them. Each build of a checkout has a higher version than those before it, so
that apt takes it for newer.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import companion
from companion.line import autostart

ROOT = Path(__file__).resolve().parents[1]
PYTHON = "/usr/bin/python3"
"""Debian's own, which the package depends on."""
HOME = "opt/companion"
LOCALES = ("root.dat", "it.dat", "it_IT.dat", "en.dat", "en_US.dat", "en_001.dat", "en_150.dat", "en_GB.dat")
"""Of Babel's 33 MB those of the languages that the program speaks."""

CONTROL = """Package: companion
Version: {version}
Architecture: {architecture}
Maintainer: companion's authors <companion@localhost>
Installed-Size: {size}
Depends: python3 (>= {python}), python3 (<< {next}), libc6 (>= 2.28), libstdc++6, libgl1, libglib2.0-0 | libglib2.0-0t64
Recommends: chromium, xdg-utils
Suggests: espeak-ng, ffmpeg
Section: games
Priority: optional
Description: rulings on the TV for the card game Lu Stu'
 A camera watches people play Lu Stu', the card game of Montorio al Vomano,
 and a page on the TV says who pays and why. Stoppa and Stoper are kept, too.
 Everything runs on this machine, without the internet.
"""
MENU = """[Desktop Entry]
Type=Application
Name=Lu Stù
GenericName=Card table
GenericName[it]=Tavolo da gioco
Comment=Who pays, and why: on the TV, with the phone and a camera
Comment[it]=Chi paga, e perché: sul televisore, con il telefono e una telecamera
Exec=companion start
Icon=companion
Terminal=false
Categories=Game;CardGame;
"""
COMMAND = """#!/{home}/bin/python3
from companion.cli import main

main()
"""
COPYRIGHT = """The program: AGPL-3.0-or-later; its source is offered by the program itself at /about.
The libraries in /opt/companion have licences of their own, each beside its code in a folder NAME.dist-info.
"""
# Compiled code is made where it is installed, and goes with it. Users who have switched the unit on have it switched off.
AFTER = f"""#!/bin/sh
set -e
if [ "$1" = configure ]; then
    /{HOME}/bin/python3 -m compileall -q -j 0 /{HOME}/lib || true
fi
"""
BEFORE = f"""#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    for user in /run/user/*; do
        [ -d "$user" ] || continue
        systemctl --user --machine="$(basename "$user")@" disable --now {autostart.UNIT} >/dev/null 2>&1 || true
    done
fi
find /{HOME} -depth -name __pycache__ -type d -exec rm -rf {{}} +
"""


def laid_out(folder: Path, wheel: Path) -> None:
    """All files of the package below ``folder``, but for what dpkg itself reads."""
    home = folder / HOME
    home.parent.mkdir(parents=True)
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", "--symlinks", str(home)], check=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python3"), "install", "--quiet", "--no-compile",
         "--only-binary=:all:", "-c", str(ROOT / "constraints.txt"), str(wheel)],
        check=True,
    )  # fmt: skip
    for path in (home / "bin").iterdir():
        if not path.name.startswith("python"):
            path.unlink()  # their first lines name the folder in which this is built
    settings = home / "pyvenv.cfg"
    settings.write_text("".join(line for line in settings.read_text().splitlines(True) if not line.startswith("command")))
    _trim(home)
    put(folder / HOME / "bin" / "companion", COMMAND.format(home=HOME), mode=0o755)
    (folder / "usr" / "bin").mkdir(parents=True)
    (folder / "usr" / "bin" / "companion").symlink_to(f"/{HOME}/bin/companion")
    put(folder / "usr/share/applications/companion.desktop", MENU)
    put(folder / "usr/share/icons/hicolor/scalable/apps/companion.svg", (ROOT / "web/cards/back.svg").read_text("utf-8"))
    put(folder / "usr/lib/systemd/user" / autostart.UNIT, autostart.unit("/usr/bin/companion"))
    put(folder / "usr/share/doc/companion/copyright", COPYRIGHT)
    log = folder / "usr/share/doc/companion/changelog.gz"
    log.write_bytes(gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0))


def _trim(home: Path) -> None:
    """Take out what never runs: the libraries' own tests, and languages that no page speaks."""
    [packages] = home.glob("lib/python3*/site-packages")
    for tests in [*packages.glob("numpy/**/tests"), *packages.glob("numpy/f2py/src")]:
        shutil.rmtree(tests, ignore_errors=True)
    for locale in packages.glob("babel/locale-data/*.dat"):
        if locale.name not in LOCALES:
            locale.unlink()


def put(path: Path, text: str, *, mode: int = 0o644) -> None:
    """A file with this text, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def version(root: Path = ROOT, now: float | None = None) -> str:
    """The package's: of a checkout the program's own, the time of its newest commit and that commit; where files were changed
    since, the time ``now`` (Unix time) and "changed". Of anything else the program's own alone."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(root), *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, "TZ": "UTC"})
        return done.stdout.strip() if done.returncode == 0 else ""

    if shutil.which("git") is None or not (top := git("rev-parse", "--show-toplevel")) or not root.samefile(top):
        return companion.__version__
    at, _, commit = git("log", "-1", "--format=%cd.%h", "--date=format-local:%Y%m%d%H%M%S", "--abbrev=8").partition(".")
    if git("status", "--porcelain", "--untracked-files=no"):
        at, commit = time.strftime("%Y%m%d%H%M%S", time.gmtime(now)), f"{commit}.changed"
    return f"{companion.__version__}+git{at}.{commit}"


def wheel_of(root: Path, folder: Path) -> Path:
    """The program's wheel, built into ``folder``: with the hatchling that is here, as the workshop has it, else with one that pip
    takes from its index. Raises CalledProcessError."""
    alone = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") is not None else []
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *alone, "-w", str(folder), str(root)]
    subprocess.run(pip, check=True)
    [wheel] = folder.glob("companion-*.whl")
    return wheel


def built(out: Path) -> Path:
    """The package, written into the folder ``out``. Raises CalledProcessError where pip or dpkg refuses, FileNotFoundError where
    one of Debian's commands is not there."""
    said = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True)  # nosec B607 # Debian's own
    architecture = said.stdout.strip()
    asked = subprocess.run([PYTHON, "-c", "import sys, json; print(json.dumps(sys.version_info[:2]))"],
                           check=True, capture_output=True, text=True)  # fmt: skip
    major, minor = json.loads(asked.stdout)
    out.mkdir(parents=True, exist_ok=True)
    package = out / f"companion_{(number := version())}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "package"
        laid_out(folder, wheel_of(ROOT, Path(scratch) / "wheel"))
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) // 1024
        put(folder / "DEBIAN" / "control", CONTROL.format(
            version=number, architecture=architecture, size=size,
            python=f"{major}.{minor}", next=f"{major}.{minor + 1}",
        ))  # fmt: skip
        put(folder / "DEBIAN" / "postinst", AFTER, mode=0o755)
        put(folder / "DEBIAN" / "prerm", BEFORE, mode=0o755)
        for path in folder.rglob("*"):  # a builder's own umask is not the package's
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        command = ["dpkg-deb", "-Zzstd", "-z10", "--root-owner-group", "--build", str(folder), str(package)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # nosec B607 # Debian's own
    return package


def main() -> None:
    """Build it, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write it into")
    out = parser.parse_args().out
    try:
        package = built(out)
    except subprocess.CalledProcessError as error:
        said = " ".join((error.stderr or "").split()) or "what it said stands above"
        sys.exit(f"deb.py: no package was built: {' '.join(map(str, error.cmd))}: status {error.returncode}; {said}")
    except FileNotFoundError as error:
        sys.exit(f"deb.py: {error.filename} is missing: packages are built on Debian, with dpkg-dev and python3")
    print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
