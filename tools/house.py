"""How large the house is, and how plainly it speaks: the figures in `docs/architecture.md`.

    python tools/house.py              print them
    python tools/house.py --table      put them into `docs/architecture.md`
"""

from __future__ import annotations

import argparse
import ast
import cProfile
import io
import json
import pstats
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tokenize
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inputs import ROOT

sys.path.append(str(ROOT / "tests" / "house"))

import test_no_game_is_named
import test_style

PAGE = ROOT / "docs" / "architecture.md"
MARKED = re.compile(r"(<!-- house: [^\n]*-->\n).*?(<!-- /house -->)", re.S)


BEFORE = "285c252f, 26 November 2026"
"""The commit with which everything is compared, and its date."""


@dataclass(frozen=True)
class Figure:
    """``name``: what is counted, as the page has it; ``before``: what it was at `BEFORE`; ``now``: works it out; ``wanted``:
    the aim."""

    name: str
    before: str
    now: Callable[[], str]
    wanted: str
    measured: bool = False
    """Whether it is a time, which is another one on every machine."""


def modules(*folders: str) -> list[Path]:
    """The Python files in these folders."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def size(paths: Sequence[Path]) -> str:
    """Files / lines."""
    return f"{len(paths)} / {sum(map(lines, paths)):,}"


def median_and_longest(paths: Iterable[Path]) -> str:
    """Lines of the median module, and of the longest."""
    counted = list(map(lines, paths))
    return f"{statistics.median(counted):.0f} / {max(counted)}"


def lines_of(*rooms: str) -> str:
    """Lines of these packages of `companion` together."""
    return f"{sum(map(lines, modules(*(f'companion/{room}' for room in rooms)))):,}"


def code() -> str:
    """Share of the lines that ship on which code stands: neither a docstring or comment alone nor nothing."""
    paths = modules("companion")
    return f"{100 * sum(map(code_lines, paths)) / sum(map(lines, paths)):.0f} %"


def code_lines(path: Path) -> int:
    """Lines on which a part of a statement stands that is more than a text by itself."""
    source = path.read_text("utf-8")
    told = {
        number
        for one in ast.walk(ast.parse(source))
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
        for number in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }
    tokens = (one for one in tokenize.generate_tokens(io.StringIO(source).readline) if one.type not in _NO_CODE)
    return len({number for one in tokens for number in range(one.start[0], one.end[0] + 1)} - told)


_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def parts_of(game: str) -> str:
    """Lines of a wing's rules, referee and pages."""
    parts = (modules(f"companion/games/{game}/{part}") for part in ("rules", "referee", "pages"))
    return " / ".join(f"{sum(map(lines, paths)):,}" for paths in parts)


def short() -> str:
    """Modules that ship and have at most 60 lines; a package's `__init__.py` does not count."""
    return str(sum(lines(path) <= 60 for path in modules("companion") if path.name != "__init__.py"))


def in_all_wings() -> str:
    """Paths of modules that all three wings have."""
    folders = [ROOT / "companion" / "games" / game for game in test_no_game_is_named.GAMES]
    return str(len(set.intersection(*({path.relative_to(folder) for path in folder.rglob("*.py")} for folder in folders))))


def members() -> str:
    """Members of the two large interfaces, those of what they are made of among them."""
    from companion.pages.protocol import Pages
    from companion.referee.sighting_model import SightingModel

    parts = ([one for one in whole.__mro__ if one.__module__.startswith("companion.")] for whole in (Pages, SightingModel))
    return " / ".join(
        str(len({name for part in whole for name in (*vars(part), *vars(part).get("__annotations__", ())) if name[0] != "_"}))
        for whole in parts
    )


def naming_a_game() -> str:
    """General modules that name a game."""
    return str(sum(bool(test_no_game_is_named.named(path)) for path in test_no_game_is_named.general()))


def turns() -> str:
    """Forbidden turns in all texts."""
    return str(sum(len(test_style.findings(path)) for path in test_style.our_texts()))


def tap() -> str:
    """Files / functions that have a part in a line told by thumb, from `EveningEditor.do` to the ledger; `games/` and `table/`
    are left out."""
    profile = cProfile.Profile()
    _taps(lambda do: profile.runcall(do), 1)
    return files_and_functions(profile, without=("games/", "table/"))


def files_and_functions(profile: cProfile.Profile, without: tuple[str, ...] = ()) -> str:
    """Files / functions of `companion` that ran, but for those in the packages ``without``."""
    found = {(file.partition("/companion/")[2], line) for file, line, name in pstats.Stats(profile).stats if name[0] != "<"}  # type: ignore[attr-defined]
    way = {one for one in found if one[0] and not one[0].startswith(without or ("/",))}
    return f"{len({file for file, _ in way})} / {len(way)}"


def request() -> str:
    """Files / functions of a whole `POST /api/organiser/command`: the trial on the pages and the phone's view after it among
    them; then the same without `games/` and `table/`."""
    profile = cProfile.Profile()
    _requests(lambda do: profile.runcall(do), 1)
    return f"{files_and_functions(profile)}; {files_and_functions(profile, without=('games/', 'table/'))}"


def time_of_a_request() -> str:
    """Median milliseconds of the processor."""
    return _median_time(_requests)


def time_of_a_tap() -> str:
    """Median milliseconds of the processor."""
    return _median_time(_taps)


Run = Callable[[Callable[[], object]], object]


def _median_time(what: Callable[[Run, int], None]) -> str:
    times: list[float] = []

    def timed(do: Callable[[], object]) -> None:
        begun = time.process_time()
        do()
        times.append(time.process_time() - begun)

    what(timed, 60)
    return f"{statistics.median(times) * 1000:.1f} ms"


def _requests(run: Run, most: int) -> None:
    """As `_taps`, each told by a paired phone through Flask's test client."""
    sys.path.append(str(ROOT))
    from benchmarks.bench_evening import Phone, by_hands, played
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line.recorder import EveningRecorder
    from companion.table.log import tag

    lines = played(6, 12)
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "a.ledger", log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, lines[0].event, camera="")
        phone, view = Phone(ledger, recorder), {"game": recorder.game_id}
        told = [line for hand in by_hands(lines) for line in hand if tag(line.event) != "end"]
        for number, line in enumerate(told[: most + 3]):
            now = view | {"version": ledger.version(recorder.game_id)}
            do = lambda now=now, event=line.event: phone.say(now, event)  # noqa: E731
            run(do) if number >= 3 else do()


def _taps(run: Run, most: int) -> None:
    """Tells the first lines of hands by thumb, ``most`` at most; ``run`` is given each of them but the first three."""
    sys.path.append(str(ROOT))
    from benchmarks.bench_evening import by_hands, played
    from companion.dashboard.organiser.editor import EveningEditor
    from companion.editing.commands import Say
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line.recorder import EveningRecorder
    from companion.table.log import tag

    lines = played(6, 12)
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "a.ledger", log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, lines[0].event, camera="")
        editor = EveningEditor(ledger, lambda: recorder.game_id, lambda: recorder)
        told = [line for hand in by_hands(lines) for line in hand if tag(line.event) != "end"]  # that follows by itself
        for number, line in enumerate(told[: most + 3]):
            game, say = recorder.game_id, Say((line.event,))
            do = lambda game=game, say=say: editor.do(game, ledger.version(game), say)  # noqa: E731
            run(do) if number >= 3 else do()


def time_of_commands() -> str:
    """Seconds of the processor, user and system, over those of ``python -c pass``: the median of seven runs each."""
    bare = _of_the_processor("-c", "pass")
    started = (("-m", "companion", *words) for words in (("--help",), ("rule", LOG), ("rule", LOG, "--json")))
    return " / ".join(f"{_of_the_processor(*words) - bare:.2f}" for words in started) + " s"


LOG = "docs/evening.jsonl"


def _of_the_processor(*words: str) -> float:
    taken = []
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken)


def time_of_a_look() -> str:
    """Mean milliseconds of the processor that `companion evaluate speed` gave for Lu Stù's demo clip when it was run last: the
    median of its runs, before the least and most."""
    found = re.search(r"^\| Stù \| (\d+) \(", (ROOT / "docs" / "figures.md").read_text("utf-8"), re.M)
    return f"{found[1]} ms" if found else ""


def time_of_the_tests() -> str:
    """Seconds of the processor that the files of `make test` take together, as `tests/seconds.json` has them."""
    return f"{sum(json.loads((ROOT / 'tests' / 'seconds.json').read_text()).values()):,.0f} s"


FIGURES = (
    Figure("Python files / lines that ship (`companion/`)", "534 / 59,000", lambda: size(modules("companion")), "350 / 52,000"),
    Figure("of these lines, code", "67 %", code, ""),
    Figure("files / lines, `workshop/`", "256 / 29,110", lambda: size(modules("workshop")), "150 / 24,000"),
    Figure("lines of the median / the longest module, `companion/`", "92 / 357, both",
           lambda: median_and_longest(modules("companion")), "120 to 200 / 450"),
    Figure("the same, `workshop/`", "", lambda: median_and_longest(modules("workshop")), "120 to 200 / 450"),
    Figure("general files that name a game", "7", naming_a_game, "0"),
    Figure("a game's wing, Stoppa: files / lines", "75 / 8,000", lambda: size(modules("companion/games/stoppa")), "35 / 5,500"),
    Figure("a game's wing, Stoper: files / lines", "75 / 7,400", lambda: size(modules("companion/games/stoper")), "35 / 5,500"),
    Figure("lines of its rules / referee / pages, Stoppa", "2,207 / 2,076 / 2,333", lambda: parts_of("stoppa"), ""),
    Figure("the same, Stoper", "2,153 / 1,561 / 2,464", lambda: parts_of("stoper"), ""),
    Figure("a fourth game with eyes, its tests among them: files / lines", "126 / 12,900 (Stoper)",
           lambda: size([*modules("tests/games/toy_with_eyes"), ROOT / "tests/games/test_toy_with_eyes.py"]), "45 / 4,500"),
    Figure("forbidden turns (`tests/house/test_style.py`)", "983", turns, "0"),
    Figure("file names that stand in all three wings", "44", in_all_wings, ""),
    Figure("members of `Pages` / of `SightingModel`", "34 / 32", members, ""),
    Figure("modules of at most 60 lines, `companion/` without `__init__.py`", "123", short, ""),
    Figure("lines of `hall`, `tournament`, `photos`", "0", lambda: lines_of("hall", "tournament", "photos"), ""),
    Figure("lines of `line`", "4,974", lambda: lines_of("line"), ""),
    Figure("lines of `dashboard`, `editing`", "10,742", lambda: lines_of("dashboard", "editing"), ""),
    Figure("lines of `games`", "24,273", lambda: lines_of("games"), ""),
    Figure("lines of `table`, `pages`", "3,121", lambda: lines_of("table", "pages"), ""),
    Figure("lines of `referee`", "2,922", lambda: lines_of("referee"), ""),
    Figure("a tap from `EveningEditor.do` to the ledger, without `games/` and `table/`: files / functions", "22 / 103", tap,
           "8"),
    Figure("the same, of the processor", "0.8 ms", time_of_a_tap, "no more", measured=True),
    Figure("the same: stays / returns", "61 / 44", lambda: "not counted", "30 / 15"),
    Figure("a whole `POST /api/organiser/command`: files / functions; without `games/` and `table/`", "77 / 272; 41 / 161",
           request, ""),
    Figure("the same, of the processor", "2.9 ms", time_of_a_request, "no more", measured=True),
    Figure("`companion --help` / `rule` / `rule --json`, of the processor over bare Python", "`rule`: 0.3 s", time_of_commands,
           "0.15 s each", measured=True),
    Figure("a look at Lu Stù's demo clip, mean, of the processor (`companion evaluate speed`)", "not measured", time_of_a_look,
           "no more", measured=True),
    Figure("`make test`, of the processor (`tests/seconds.json`)", "not measured", time_of_the_tests, "1,000 s", measured=True),
)  # fmt: skip


def table() -> str:
    rows = [f"| {one.name} | {one.before} | {one.now()} | {one.wanted} |" for one in FIGURES]
    return "\n".join([f"| figure | before ({BEFORE}) | now | wanted |", "|---|---|---|---|", *rows])


def write_table() -> None:
    """Put the table into the page."""
    made = table()
    text, found = MARKED.subn(lambda marks: f"{marks[1]}{made}\n{marks[2]}", PAGE.read_text("utf-8"))
    if not found:
        sys.exit(f"{PAGE}: expected a line that begins with `<!-- house: ` and ends with `-->`, and `<!-- /house -->` after it")
    PAGE.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="write them into docs/architecture.md")
    write_table() if parser.parse_args().table else print(table())


if __name__ == "__main__":
    main()
