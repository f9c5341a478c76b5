"""The command line's edge: what it lists, what it says when something is wrong."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

from companion import __version__, cli
from companion.assets import asset
from companion.table.errors import CompanionError, Illegal


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, list(arguments), prog_name="companion")


def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from walk(child, f"{path} {name}")


def everything() -> list[tuple[str, click.Command]]:
    context = click.Context(cli.main)
    found = []
    for name in cli.COMMANDS:
        command = cli.main.get_command(context, name)
        assert command is not None
        found += walk(command, f"companion {name}")
    return found


NEVER_FOR_HELP = {"cv2", "numpy", "flask", "onnxruntime", "cryptography", "asyncio", "companion.dashboard", "companion.eyes"}
MAX_MODULES = {"--help": 100, "rule": 170, "rule with pages": 215}
"""What is run → modules that `companion` may import beside those of bare Python; `MAX_MODULES_OF_HELP` for a command's help.
What is counted cannot flicker, as seconds would: 0.15 s of the processor are about 200 modules."""
MAX_MODULES_OF_HELP = {"demo": 225, "simulate": 245}
"""Command → the same of its help, 135 for all others: these two list the games, each with its rules."""


def imported(*arguments: str) -> tuple[str, set[str]]:
    """What the command prints, and the modules that it imports beside those of bare Python."""
    program = """
import sys
bare = set(sys.modules)
from companion.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert end.code in (None, 0)
print(*(set(sys.modules) - bare), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def test_help_lists_every_command_and_imports_none() -> None:
    text, modules = imported("--help")
    assert not modules & NEVER_FOR_HELP
    assert len(modules) <= MAX_MODULES["--help"]
    for name, line in cli.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", text, re.M)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_of_a_command_imports_nothing_that_only_its_run_needs(command: str) -> None:
    text, modules = imported(command, "--help")
    assert f"{command} [OPTIONS]" in text
    assert not modules & NEVER_FOR_HELP
    assert len(modules) <= MAX_MODULES_OF_HELP.get(command, 135)


@pytest.mark.parametrize("game", ["", "stoppa/", "stoper/"], ids=["stu", "stoppa", "stoper"])
def test_to_rule_on_a_log_needs_neither_eyes_nor_pages_nor_the_referee(game: str) -> None:
    text, modules = imported("rule", str(asset("datasets/demo") / f"{game}log.jsonl"))
    assert text
    assert not modules & {*NEVER_FOR_HELP, "babel", "hashlib", "companion.referee", "companion.line"}
    assert len(modules) <= MAX_MODULES["rule"]


@pytest.mark.parametrize(
    ("log", "beside"),
    [
        ("docs/evening.jsonl", ""),
        ("datasets/demo/stoppa/log.jsonl", '{"e":"giro","by":"Rocco"}\n'),
        ("datasets/demo/stoper/log.jsonl", '{"e":"chips","by":"Rocco","amount":1000}\n'),
    ],
    ids=["stu", "stoppa", "stoper"],
)
def test_words_beside_the_hands_load_the_pages_and_neither_numpy_nor_the_referee(tmp_path: Path, log: str, beside: str) -> None:
    told = tmp_path / "log.jsonl"
    told.write_text(asset(log).read_text("utf-8").removesuffix('{"e":"close"}\n') + beside, "utf-8")
    text, modules = imported("rule", str(told))
    assert text
    assert any(name.endswith(".pages.words") for name in modules), "no line stands beside the hands"
    assert not modules & {*NEVER_FOR_HELP, "babel", "companion.referee", "companion.line", "urllib.request"}
    assert len(modules) <= MAX_MODULES["rule with pages"]


@pytest.mark.parametrize(("platform", "name"), [("win32", "Windows"), ("darwin", "macOS"), ("freebsd14", "freebsd14")])
def test_elsewhere_than_on_linux_one_line_says_so(monkeypatch: pytest.MonkeyPatch, platform: str, name: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for command in cli.COMMANDS:
        told = run(command)
        assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (2, "", 1), command
        assert told.stderr.startswith(f"companion runs on Linux, and this is {name}: ")
    assert run("--help").exit_code == 0
    assert run("--version").exit_code == 0


@pytest.mark.parametrize("missing", ["fcntl", "resource"])
def test_what_only_linux_has_is_not_needed_to_say_so(missing: str) -> None:
    program = (
        f"import click, sys; sys.modules[{missing!r}] = None; sys.platform = 'win32'\n"
        "from companion.cli import main; sys.argv = ['companion', 'serve']; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "runs on Linux" in done.stderr


def test_version() -> None:
    assert run("--version").output.strip() == f"companion, version {__version__}"


def test_every_command_is_there_and_says_what_it_does() -> None:
    for path, command in everything():
        assert command.help, f"{path} has no docstring"


def test_every_option_says_what_it_does() -> None:
    for path, command in everything():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{path} {parameter.opts[0]} has no help"


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], Result]:
    """Runs a command that raises what it is given."""

    def call(error: Exception) -> Result:
        @click.command("faulty")
        def command() -> None:
            raise error

        module = ModuleType("companion.cli.faulty")
        module.command = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "companion.cli.faulty", module)
        monkeypatch.setitem(cli.COMMANDS, "faulty", "")
        return run("faulty")

    return call


NEEDS = "companion faulty needs {}, which is not installed; in companion's checkout: pip install -c constraints.txt '.[{}]'"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (CompanionError("a.jpg: no picture\ngive another"), "a.jpg: no picture give another"),
        (Illegal("Anna is out", rule=20, line=7), "line 7: Anna is out (rule 20)"),
        (FileNotFoundError(2, "No such file or directory", "a.json"), "a.json: No such file or directory"),
        (click.ClickException("taken"), "taken"),
        (
            ModuleNotFoundError("No module named 'scipy'", name="scipy"),
            NEEDS.format("scipy", "workshop"),
        ),
        (
            ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn"),
            NEEDS.format("torch.nn", "train"),
        ),
        (
            ImportError("libGL.so.1: cannot open shared object file"),
            "companion faulty needs a system library: libGL.so.1: cannot open shared object file: companion doctor says more",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_what_a_person_can_mend_is_one_line_and_exit_2(
    faulty: Callable[[Exception], Result], error: Exception, line: str
) -> None:
    result = faulty(error)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", line + "\n")


@pytest.mark.parametrize("error", [ValueError("defect"), KeyError("defect"), ModuleNotFoundError("x", name="companion.x")])
def test_a_defect_keeps_its_traceback(faulty: Callable[[Exception], Result], error: Exception) -> None:
    result = faulty(error)
    assert result.exit_code == 1
    assert result.exception is error


@pytest.mark.parametrize(
    "arguments",
    [("--bogus",), ("gnao",), ("doctor", "--bogus"), ("rule",), ("rule", "/no/such/log"), ("demo", "--port", "x")],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_and_exit_2(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "--help" in result.stderr
