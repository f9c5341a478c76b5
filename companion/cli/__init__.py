"""The `companion` command: a click group whose commands are imported only when they are called.

Each command is `command` in `companion/cli/<name>.py`, those of the workshop in `workshop/cli/<name>.py`. `companion --help`
reads the tables below and imports none of them: it needs neither OpenCV nor a trained model. This is also where errors become one
line: see `House.invoke`.
"""

import errno
import importlib
import importlib.util
import sys
from types import ModuleType
from typing import IO, Any

import click

from companion import __version__
from companion.table.errors import CompanionError
from companion.table.text import one_line

COMMANDS = {
    "demo": "Play the bundled clip through the whole line and serve the page.",
    "start": "Run an evening, and open its first page in the browser.",
    "serve": "Run an evening: camera, TV page, setting up by phone.",
    "hall": "Show many tables on one big screen, and keep their games.",
    "watch": "Follow a game without a browser and write its table log.",
    "detect": "Say which cards lie where in pictures.",
    "enrol": "Teach the reader a deck from a photo or two of each card.",
    "rule": "Replay a table log and print who pays and why.",
    "export": "List the games of the ledger, or write their table logs.",
    "backup": "Copy the ledger, also while it is in use.",
    "restore": "Put a copy in the place of the ledger.",
    "salvage": "Bring what can be read of a damaged ledger into a new one.",
    "schema": "Print the JSON Schema of the table log.",
    "simulate": "Play random legal games with bots and write their table logs.",
    "kiosk": "Show the TV's page over this machine's whole screen.",
    "autostart": "Let the evening's program start with this machine.",
    "doctor": "Say what this machine lacks, and the command that mends it.",
}
WORKSHOP = {
    "soak": "Play evenings in which everything goes wrong that can.",
    "render": "Film a table log: a clip, its TABLE.json and the truth.",
    "dataset": "Make pictures to learn from, with exact corners.",
    "train": "Train the detector or the reader and export it to ONNX.",
    "evaluate": "Measure the models and the whole line, and write the report.",
}
"""The commands of the package `workshop`, which stands beside this one in a checkout and is not installed with it."""

_SYSTEMS = {"win32": "Windows", "cygwin": "Windows", "darwin": "macOS"}
"""`sys.platform` → what people call it."""

_EXTRA_OF = {
    "psycopg": "hall",
    "imageio_ffmpeg": "workshop",
    "scipy": "workshop",
    "torch": "train",
    "torchvision": "train",
    "ultralytics": "train",
    "onnx": "train",
    "onnxslim": "train",
}
"""Import name of a library that is no runtime dependency → the extra that brings it."""


class Refused(click.ClickException):
    """One line on standard error, exit 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(one_line(self.format_message()), file=file, err=file is None)


def _refusal(error: Exception, command: str) -> Refused | None:
    """The line to print for an error that a person can mend; None for a defect, which keeps its traceback."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return None
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else command
        return Refused(f"{error.format_message()} (see {path} --help)")
    if isinstance(error, click.ClickException):
        return Refused(error.format_message())
    if isinstance(error, ModuleNotFoundError) and (extra := _EXTRA_OF.get((error.name or "").split(".")[0])):
        return Refused(f"{command} needs {error.name}, which is not installed; in companion's checkout:"
                       f" pip install -c constraints.txt '.[{extra}]'")
    if isinstance(error, ImportError) and ".so" in str(error):
        return Refused(f"{command} needs a system library: {error}: companion doctor says more")
    if isinstance(error, OSError) and error.errno not in (None, errno.EPIPE):
        return Refused(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    if isinstance(error, CompanionError):
        return Refused(str(error))
    if isinstance(error, ValueError):
        from companion.table.errors import GameError  # only here, so that --help stays quick

        if isinstance(error, GameError):
            return Refused(str(error))
    return None


def has_workshop() -> bool:
    """Whether the package `workshop` is there."""
    return importlib.util.find_spec("workshop") is not None


def of_workshop(module: str, asked: str) -> ModuleType:
    """A module of the package `workshop`, such as ``cli.render``. Nothing else in `companion` imports that package.

    Raises:
        Refused: it is not there; ``asked`` is what was asked for, such as ``companion render``.
    """
    if not has_workshop():
        raise Refused(f"{asked} needs the workshop, which is not part of what is installed: run it in companion's checkout, after"
                      " pip install -c constraints.txt -e '.[workshop]'")  # fmt: skip
    return importlib.import_module(f"workshop.{module}")


class House(click.Group):
    """The group: lists its commands from the tables, imports one when it is called, turns errors into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *WORKSHOP]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module = importlib.import_module(f"companion.cli.{cmd_name}")
        elif cmd_name in WORKSHOP:
            module = of_workshop(f"cli.{cmd_name}", f"companion {cmd_name}")
        else:
            return None
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        with formatter.section("Commands of the workshop" if has_workshop() else "Commands of the workshop, in a checkout"):
            formatter.write_dl(list(WORKSHOP.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if refusal := _refusal(error, "companion"):
                raise refusal from error
            raise

    def invoke(self, ctx: click.Context) -> Any:
        if sys.platform != "linux":
            name = _SYSTEMS.get(sys.platform, sys.platform)
            raise Refused(f"companion runs on Linux, and this is {name}: take a machine with Linux, such as a Raspberry Pi or an"
                          " old laptop, or run Linux in a virtual one")
        try:
            return super().invoke(ctx)
        except Exception as error:
            name = f"companion {ctx.invoked_subcommand}" if ctx.invoked_subcommand else "companion"
            if refusal := _refusal(error, name):
                raise refusal from error
            raise


@click.group(cls=House, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """A camera watches a card table; a page on the TV says who pays and why."""
