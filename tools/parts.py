"""The parts of `make test-all` that `make test` leaves out. Each names the files that it depends on; what passed is kept in
`tests/passed.json` with a hash of them.

    python tools/parts.py              every part (`make test-all`); with names only those, `test` among them
    python tools/parts.py --changed    only those whose files have changed since they passed: what CI does
    python tools/parts.py --list       each part, and whether it would be run
    python tools/parts.py --table      how many minutes each took, put into `docs/contributing.md`
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from inputs import ROOT, hash_of, hash_of_file

PASSED, MINUTES = ROOT / "tests" / "passed.json", ROOT / "docs" / "contributing.md"
TIMES = 3 if os.environ.get("CI") else 20
"""How many times its usual number of examples each property is tried on."""
THREADS = {"OMP_NUM_THREADS": "2"}
ALWAYS = ("constraints.txt", "tests/conftest.py")
"""Every part depends on these."""
EYES = ("companion/eyes/**/*.py", "companion/decks/*.py", "models/*.onnx", "models/*.npz")
PROGRAM = (
    "companion/cli/serve.py", "companion/ledger/*.py", "companion/line/**/*.py", "companion/dashboard/front/*.py",
    "companion/editing/*.py", "companion/referee/**/*.py",
)  # fmt: skip
SHOWN = (
    "web/static/**/*", "web/templates/**/*", "companion/translations/**/*.po", "companion/games/*/pages/*.py",
    "companion/games/betting/*.py", "companion/pages/*.py", "companion/table/*.py", "companion/editing/*.py",
)  # fmt: skip
"""What the pages are made of, without the application itself."""
RULES = (
    "companion/table/*.py", "companion/pages/*.py", "companion/decks/*.py", "companion/games/**/*.py", "companion/referee/*.py",
)  # fmt: skip
TRAINING_ENVIRONMENT = {"YOLO_OFFLINE": "1", "YOLO_AUTOINSTALL": "false"}


@dataclass(frozen=True)
class Part:
    """``command``: after the interpreter. ``inputs``: globs of the files that it depends on, beside tests that have ``marker`` in
    them, and what these import of `tests` and `tools`. What `make test` would find broken anyway need not be among them.
    ``trains``: in an environment of its own, with torch. ``always``: CI runs it whatever has changed. ``before``: minutes that
    its tests took in November 2026, when all ran every time."""

    name: str
    about: str
    command: tuple[str, ...]
    inputs: tuple[str, ...]
    marker: str
    trains: bool = False
    always: bool = False
    before: float | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that it depends on, in order."""
        found = {path for glob in (*ALWAYS, *self.inputs) for path in ROOT.glob(glob) if path.is_file()}
        tests = [path for path in ROOT.glob("tests/**/*.py") if re.search(self.marker, path.read_text())]
        return tuple(sorted(path for path in found | helped(tests) if "__pycache__" not in path.parts))

    @property
    def now(self) -> str:
        """The hash of the part's name and of these files."""
        named = (f"{path.relative_to(ROOT)} {hash_of_file(path)}" for path in self.files)
        return hash_of("\n".join([self.name, *named]).encode())


def helped(tests: Iterable[Path]) -> set[Path]:
    """These test files, the modules of `tests` and `tools` that they import, those that these import, and every ``conftest.py``
    above one of them. What the topmost one imports is `ALWAYS`' own: each part would depend on the fixtures of every other."""
    shared, found, waiting, top = _shared_modules(), set[Path](), list(tests), ROOT / "tests" / "conftest.py"
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        waiting += [file for name in _imported(path) if path != top for file in shared.get(name, ())]
        waiting += [file for folder in path.parents if ROOT in folder.parents and (file := folder / "conftest.py").is_file()]
    return found


def _shared_modules() -> dict[str, list[Path]]:
    """Files by the name under which a test imports them: pytest's ``pythonpath`` has all their folders. Of a package, all."""
    found = defaultdict[str, list[Path]](list)
    for path in sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]):
        package = path.parent if (path.parent / "__init__.py").is_file() else None
        found[package.name if package is not None else path.stem].append(path)
    return found


@cache
def _imported(path: Path) -> frozenset[str]:
    """The first words of the names of the modules that a file imports."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


def pytest(*arguments: str) -> tuple[str, ...]:
    return ("-m", "pytest", "-q", *arguments)


LONG = (
    "house", "networks", "workshop", "thorough", "screens", "pages", "browsers", "kills", "wheel", "deb", "container", "hall",
    "train",
)  # fmt: skip
"""Markers of what `make test` leaves out. The first is `make check`'s."""
PARTS = (
    Part("test", "`make test`: rules, payments, pages and storage",
         pytest("-p", "no:schemathesis", "-n", "4", "--dist", "loadfile", "--no-loadscope-reorder",
                "-m", f"not ({' or '.join(LONG)})", "--processor-limit", "20"), (), "", always=True, before=25.7),
    Part("networks", "every demo clip and many pictures looked at by the trained networks",
         pytest("-m", "networks"), (*EYES, "companion/line/trained.py", "datasets/demo/**/*", "tests/looks/*", "models/REPORT.md",
                                    "workshop/evaluation/*.py", "workshop/bench/**/*.py"), r"mark\.networks"),
    Part("workshop", "what draws, films, trains and measures",
         pytest("-n", "3", "-m", "workshop and not (networks or thorough)"),
         (*EYES, *RULES, "workshop/**/*", "companion/line/*.py", "datasets/*.yaml", "tests/workshop/**/*"),
         r"mark\.workshop"),
    Part("thorough", "rulings of every hand by every house rule, of a hole anywhere in an evening, of every address",
         pytest("-n", "auto", "-m", "thorough"), (*RULES, "companion/dashboard/**/*.py"), r"mark\.thorough"),
    Part("screens", "the TV on every size of screen, with every number of players",
         pytest("-n", "auto", "-m", "screens"),
         (*SHOWN, "companion/dashboard/*.py"),
         r"mark\.screens|views import"),
    Part("pages", "more of what TV, phone and the phone that films do in a browser",
         pytest("-n", "3", "--dist", "loadfile", "-m", "pages"),
         (*SHOWN, "companion/dashboard/**/*.py"),
         r"mark\.pages"),
    Part("browsers", "the TV and the setup in Firefox and WebKit, which are installed with apt",
         pytest("-m", "browsers"),
         (*SHOWN, "companion/dashboard/**/*.py", "tests/dashboard/other_browsers.py"),
         r"mark\.browsers"),
    Part("kills", "the program killed 200 times, and while it follows a clip",
         pytest("-m", "kills"), (*PROGRAM, "tools/faults.py"), r"mark\.kills"),
    Part("soak", "evenings with faults of every kind, two minutes of them",
         ("-m", "companion", "soak", "--hours", "1000", "--at-most", "2", "--quiet"),
         (*PROGRAM, "companion/dashboard/**/*.py", "workshop/soak/*.py", "web/static/*.js"), r"workshop\.soak"),
    Part("wheel", "a wheel built and installed where there is no checkout, by each Python that the machine has",
         pytest("-m", "wheel"), ("pyproject.toml", "companion/assets.py", "companion/cli/demo.py", "docs/install.md",
                                 "tests/house/fresh.py", ".ci/prepare.py"), r"mark\.wheel"),
    Part("deb", "the Debian package built, installed on a clean root, played and removed; needs root's rights and debootstrap",
         pytest("-m", "deb"), ("pyproject.toml", "companion/assets.py", "companion/line/autostart.py", "tools/deb.py",
                               "tests/house/fresh.py"), r"mark\.deb"),
    Part("container", "the container built and run, where a builder is there; its lines checked where not",
         pytest("-m", "container or not container", "tests/house/test_container.py"),
         ("pyproject.toml", "Containerfile", ".containerignore", "companion/assets.py"), r"mark\.container"),
    Part("hall", "a hall of tables with a real PostgreSQL, which is installed with apt",
         pytest("-m", "hall"),
         ("companion/hall/**/*.py", "companion/tournament/*.py", "companion/ledger/*.py", "companion/dashboard/**/*.py",
          "companion/cli/hall*.py", "web/static/hall/*", "web/templates/hall/*", "tests/hall/*.py"), r"mark\.hall"),
    Part("explore", "each property on many times its examples",
         pytest("-p", "no:schemathesis", "-n", "auto", "--explore", str(TIMES)), RULES, r"from hypothesis import"),
    Part("train", "training's smoke tests, which need torch and ultralytics",
         pytest("-m", "train"),
         ("workshop/training/**/*.py", "workshop/dataset/*.py", "workshop/cli/train*.py"),
         r"mark\.train", trains=True, before=11.8),
)  # fmt: skip


class Passed(msgspec.Struct, frozen=True):
    """That a part passed: the hash of its files then, and how long it took. ``tests``: how many passed; None: it is none of
    pytest's."""

    files: str
    minutes: float
    tests: int | None = None


def passed() -> dict[str, Passed]:
    """What `tests/passed.json` claims. Stops the program where it cannot be so."""
    try:
        found = msgspec.json.decode(PASSED.read_bytes(), type=dict[str, Passed]) if PASSED.is_file() else {}
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        sys.exit(f"{PASSED}: {error}; expected what `make test-all` writes: take it out, and run that")
    if strangers := found.keys() - {part.name for part in PARTS}:
        sys.exit(f"{PASSED}: there is no part {', '.join(sorted(strangers))}: take it out")
    for part in PARTS:
        claim = found.get(part.name)
        if claim is not None and (claim.minutes < 0 or ("pytest" in part.command) != bool(claim.tests)):
            sys.exit(f"{PASSED}: {part.name} cannot have passed with {claim.tests or 'no'} tests in {claim.minutes} minutes: "
                     f"take it out, and run `python tools/parts.py {part.name}`")  # fmt: skip
    return found


def keep(part: Part, outcome: Passed) -> None:
    """Write down that it passed, in the documents too."""
    claims = dict(sorted({**passed(), part.name: outcome}.items()))
    PASSED.write_bytes(msgspec.json.format(msgspec.json.encode(claims)) + b"\n")
    write_minutes(claims)


def run(part: Part) -> Passed | None:
    """Run it, its output going to the terminal; None where it failed."""
    print(f"\n== {part.name}: {part.about}", flush=True)
    begun, files = time.monotonic(), part.now
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, **THREADS}
        python = sys.executable
        if part.trains:
            environment |= {**TRAINING_ENVIRONMENT, "YOLO_CONFIG_DIR": scratch, "MPLCONFIGDIR": scratch}
            python = str(_training_environment())
        command = [python, *part.command]
        if "pytest" in part.command:
            command.append(f"--junitxml={scratch}/report.xml")
        print(shlex.join(["python", *part.command]), flush=True)
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if status:
            _after_a_failure(part)
            return None
        report = Path(scratch, "report.xml")
        tests = _tests(report.read_text()) if report.is_file() else None
    if tests == 0:
        print(f"{part.name}: no test ran")
        return None
    return Passed(files, round((time.monotonic() - begun) / 60, 1), tests)


def _training_environment() -> Path:
    subprocess.run([sys.executable, str(ROOT / ".ci" / "prepare.py"), ".venv-train", "train"], cwd=ROOT, check=True)
    return ROOT / ".venv-train" / "bin" / "python"


def _tests(report: str) -> int:
    """How many tests passed, by pytest's report."""
    count = {name: int(number) for name, number in re.findall(r'\b(tests|errors|failures|skipped)="(\d+)"', report)}
    return count["tests"] - count["errors"] - count["failures"] - count["skipped"]


def _after_a_failure(part: Part) -> None:
    """What a property has failed on becomes a fixed case of its test, and how to see the failure again is said."""
    print(f"{part.name}: failed. Again: python tools/parts.py {part.name}", flush=True)
    patches = sorted((ROOT / ".hypothesis" / "patches").glob("*.patch"), key=lambda path: path.stat().st_mtime)
    if part.name == "explore" and patches and not os.environ.get("CI"):
        command = ["git", "apply", str(patches[-1])]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)  # nosec B607 the developer's own git
        for file in re.findall(r"^\+\+\+ (?:b/)?(.*?)\s*$", patches[-1].read_text(), re.MULTILINE):
            import_example(ROOT / file)
        kept = "is now an @example of its test" if done.returncode == 0 else f"is in {patches[-1]} ({done.stderr.strip()})"
        print(f"What was found {kept}; the @reproduce_failure above plays it again, too.", flush=True)


def import_example(file: Path) -> None:
    """Let a test file import what its new ``@example`` needs: a patch of Hypothesis does not."""
    text = file.read_text() if file.is_file() else ""
    if "@example(" in text and not re.search(r"^from hypothesis import .*\bexample\b", text, re.MULTILINE):
        file.write_text(re.sub(r"^(from hypothesis import )(.*)$", r"\1example, \2", text, count=1, flags=re.MULTILINE))


def table(rows: Iterable[tuple[str, str, str]]) -> str:
    lines = [("part", "minutes", "outcome"), *rows]
    return "\n".join(f"{name:<10} {minutes:>8}  {outcome}" for name, minutes, outcome in lines)


def minutes(claims: dict[str, Passed]) -> str:
    """How long each part takes, as a table of the documents."""
    rows = [f"| `{part.name}` | {part.about} | {'' if part.before is None else part.before} | "
            f"{claims[part.name].minutes if part.name in claims else ''} |" for part in PARTS]  # fmt: skip
    return "\n".join(["| part | what | minutes before | minutes now |", "|---|---|---|---|", *rows])


def write_minutes(claims: dict[str, Passed]) -> None:
    """Put that table into `docs/contributing.md`."""
    text = MINUTES.read_text()
    head, begin, rest = text.partition("--table -->\n")
    _, end, tail = rest.partition("<!-- /minutes -->")
    if not begin or not end:
        sys.exit(f"{MINUTES}: expected a line that ends with `--table -->`, and `<!-- /minutes -->` after it")
    MINUTES.write_text(f"{head}{begin}{minutes(claims)}\n{end}{tail}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PART", help=f"of {', '.join(part.name for part in PARTS)}")
    parser.add_argument("--changed", action="store_true", help="only those whose files have changed since they passed")
    parser.add_argument("--table", action="store_true", help="run nothing: write the minutes into docs/contributing.md")
    parser.add_argument("--list", action="store_true", help="run nothing: say which would be run")
    given = parser.parse_args()
    if strangers := set(given.names) - {part.name for part in PARTS}:
        parser.error(f"there is no part {', '.join(sorted(strangers))}; there are {', '.join(part.name for part in PARTS)}")
    rows, failed, claims = [], False, passed()
    if given.table:
        write_minutes(claims)
        return
    for part in PARTS:
        if part.name not in given.names if given.names else part.always:
            continue
        claim = claims.get(part.name)
        unchanged = claim is not None and claim.files == part.now
        if given.list or (given.changed and unchanged):
            said = f"passed with the files that are there ({claim.tests or 'no'} tests)" if unchanged and claim else "to be run"
            rows.append((part.name, f"{claim.minutes:.1f}" if claim else "", said))
            continue
        begun = time.monotonic()
        outcome = run(part)
        failed |= outcome is None
        rows.append((part.name, f"{(time.monotonic() - begun) / 60:.1f}", "failed" if outcome is None else "passed"))
        print(f"{part.name}: {rows[-1][2]} after {rows[-1][1]} minutes", flush=True)
        if outcome is not None and not os.environ.get("CI"):
            keep(part, outcome)
    print("\n" + table(rows), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
