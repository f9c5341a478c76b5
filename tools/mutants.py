"""Puts small faults into the program, one at a time, and says which of them the tests see.

    python tools/mutants.py --count 40 --seed 1                      by `make test` alone
    python tools/mutants.py --count 40 --seed 1 --marker networks    by a part of `make test-all`
    python tools/mutants.py --count 40 --seed 1 --from 23            the rest of them

Faults are put into a copy of the checkout. Only tests of files that import the changed module, by however many steps, are run,
those of its own room first: the others cannot see it. A game is imported by its name while the program runs; that counts, too.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from inputs import ROOT
from parts import LONG

ROOMS = ("companion/games/*/rules", "companion/games/*/referee", "companion/referee", "companion/games/*/pages",
         "companion/games/betting",
         "companion/dashboard", "companion/ledger", "companion/eyes")
"""Where faults are put: as many into each."""
SWAPPED: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(), ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(),
    ast.And: ast.Or(), ast.Or: ast.And(), ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.In: ast.NotIn(), ast.NotIn: ast.In(),
}  # fmt: skip
CHEAP_SECONDS, UNKNOWN_SECONDS = 4, 5
STALE = "tests/line/test_recorded_looks.py"
"""It holds that a record is refused once the program has changed, which is put out of force here."""
MOST_SECONDS = 1800
"""A fault that makes the tests hang is seen, too."""


@dataclass(frozen=True)
class Fault:
    """In ``path`` (relative to the checkout) at ``line`` the text at these columns is replaced."""

    path: str
    line: int
    begin: int
    end: int
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.was} → {self.now}"

    def put(self, folder: Path) -> None:
        file = folder / self.path
        lines = file.read_text().split("\n")
        text = lines[self.line - 1]
        lines[self.line - 1] = text[: self.begin] + self.now + text[self.end :]
        file.write_text("\n".join(lines))


def faults_of(path: Path) -> Iterator[Fault]:
    """Every small fault that can be put into this module, in expressions of one line."""
    text = path.read_text()
    lines, name = text.split("\n"), str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(text)):
        made = _changed(node)
        if made is None:
            continue
        target, now = made
        begin, end = target.col_offset, target.end_col_offset or 0
        line = lines[target.lineno - 1]
        if target.lineno == target.end_lineno and line.isascii():
            yield Fault(name, target.lineno, begin, end, line[begin:end], now)


def _changed(node: ast.AST) -> tuple[ast.expr, str] | None:
    """The expression to replace, and by what."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        other = ast.Compare(node.left, [SWAPPED[type(node.ops[0])]], node.comparators)  # type: ignore[list-item]
        return node, f"({ast.unparse(other)})"
    if isinstance(node, ast.BoolOp):
        return node, f"({ast.unparse(ast.BoolOp(SWAPPED[type(node.op)], node.values))})"  # type: ignore[arg-type]
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        return node, f"({ast.unparse(ast.BinOp(node.left, SWAPPED[type(node.op)], node.right))})"  # type: ignore[arg-type]
    if isinstance(node, ast.If):
        return node.test, f"not ({ast.unparse(node.test)})"
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value not in (0, 1) and abs(node.value) < 1000:
        return node, str(node.value + 1)
    return None


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / "companion").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """Modules named in a file's imports, inside functions too."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return frozenset(found)


def by_name(name: str, names: dict[str, Path]) -> set[str]:
    """Modules that this one may import while it runs, by names that no import tells: those of its own package."""
    package = name if names[name].name == "__init__.py" else name.rpartition(".")[0]
    if "import_module(" not in names[name].read_text():
        return set()
    return {one for one in names if one.startswith(f"{package}.")}


def helper_name(path: Path) -> str:
    """What tests import a file under tests/ or tools/ as: its name, in a package behind that of the package."""
    package = path.parent.name if (path.parent / "__init__.py").exists() else ""
    return ".".join(filter(None, [package, path.stem])).removesuffix(".__init__")


def brought_by(helper: Path) -> frozenset[str]:
    """Modules that a test gets by importing this file. A package there is a game: all of it is imported, by name."""
    files = helper.parent.glob("*.py") if helper.name == "__init__.py" else [helper]
    return frozenset().union(*map(imported, files))


def tests_for(changed: str, names: dict[str, Path]) -> list[str]:
    """Test files that import the module, directly or by others: those of its own room first, and there those that are the fewest
    steps away."""
    reached, steps = {changed: 0}, 0
    users = {name: {one for one in imported(path) if one in names} | by_name(name, names) for name, path in names.items()}
    while True:
        steps += 1
        more = {name for name, uses in users.items() if name not in reached and uses & reached.keys()}
        if not more:
            break
        reached |= dict.fromkeys(more, steps)
    helpers = {helper_name(path): path for folder in ("tests", "tools") for path in (ROOT / folder).rglob("*.py")}
    near: dict[str, int] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        used, waiting = set(imported(path)), [one for one in imported(path) if one in helpers]
        while waiting:
            new = brought_by(helpers[waiting.pop()]) - used
            used |= new
            waiting += [one for one in new if one in helpers]
        found = [reached[one] for one in used if one in reached]
        if found:
            near[str(path.relative_to(ROOT))] = min(found)
    room = tuple(changed.removeprefix("companion.").split("."))

    def distance(test: str) -> tuple[int, int]:
        folders = Path(test).parts[1:-1]
        shared = next((n for n in range(len(folders), 0, -1) if folders[:n] == room[:n]), 0)
        return -shared, near[test]

    return sorted(near, key=distance)


@cache
def with_tests(marker: str) -> frozenset[str]:
    """Test files with at least one test that the marker picks."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-m", marker, "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(re.findall(r"^(tests/\S+): \d+$", done.stdout, re.MULTILINE))


def chosen(count: int, seed: int) -> list[Fault]:
    """As many faults from each room."""
    dice, found = random.Random(seed), list[Fault]()
    rooms = [sorted({path for folder in ROOT.glob(room) for path in folder.rglob("*.py")}) for room in ROOMS]
    while len(found) < count:
        path = dice.choice(rooms[len(found) % len(rooms)])
        every = list(faults_of(path))
        if every and (fault := dice.choice(every)) not in found:
            found.append(fault)
    return found


def affordable(tests: list[str], most_seconds: float) -> list[str]:
    """Of these test files, in their order, those that take the processor ``most_seconds`` together: cheap ones first, so that
    many are asked. What a file takes is in `tests/seconds.json`; one that is not there counts as `UNKNOWN_SECONDS`."""
    known: dict[str, float] = json.loads((ROOT / "tests" / "seconds.json").read_text())
    takes = {test: known.get(test, UNKNOWN_SECONDS) for test in tests}
    ordered = sorted(tests, key=lambda test: takes[test] > CHEAP_SECONDS)
    together = accumulate(takes[test] for test in ordered)
    return [test for test, seconds in zip(ordered, together, strict=True) if seconds <= most_seconds]


def seen(fault: Fault, folder: Path, marker: str, most_seconds: float) -> str:
    """Which test fails first with the fault; "" where none does."""
    names = modules()
    name = next(name for name, path in names.items() if str(path.relative_to(ROOT)) == fault.path)
    asked = with_tests(marker) - {STALE}
    tests = affordable([test for test in tests_for(name, names) if test in asked], most_seconds)
    if not tests:
        return ""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", marker, "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return "(the tests hang)"
    if done.returncode in (0, 5):
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else f"(exit status {done.returncode})"


def tracked() -> list[str]:
    """The files that git has of the checkout."""
    command = ["git", "ls-files", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # nosec B607 the developer's own git
    return list(filter(None, done.stdout.split("\0")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40, metavar="FAULTS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--marker", default=f"not ({' or '.join(LONG)})",
                        help="which tests, as pytest's -m; without: those of make test")  # fmt: skip
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="NUMBER", help="the first fault that is put, from 1")
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER", help="put these faults alone")
    parser.add_argument("--seconds", type=float, default=240, help="what the tests of a fault may take the processor")
    given = parser.parse_args()
    missed = tried = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        folder = Path(scratch) / "checkout"
        for file in tracked():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, folder / file)
        looks = folder / "tools" / "recorded_looks.py"  # that a record is stale is no test of what the program does
        looks.write_text(looks.read_text().replace("if now != made:", "if False:"))
        for number, fault in enumerate(chosen(given.count, given.seed), start=1):
            if number < given.first or (given.only and number not in given.only):
                continue
            fault.put(folder)
            begun = time.monotonic()
            by = seen(fault, folder, given.marker, given.seconds)
            shutil.copy2(ROOT / fault.path, folder / fault.path)  # its time, too: by that Python knows what it has compiled
            tried, missed = tried + 1, missed + (not by)
            print(f"{number:3} {'seen by ' + by if by else 'NOT SEEN'} ({time.monotonic() - begun:.0f} s)  {fault}", flush=True)
    print(f"{tried - missed} of {tried} faults were seen")


if __name__ == "__main__":
    main()
