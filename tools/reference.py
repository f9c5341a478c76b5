"""`make docs`: the tables of the docs that say what the code says already: commands with their options, settings, addresses.

A test compares them with the pages, so that nothing of it goes undocumented, and nothing is documented that is gone.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import click

from companion import cli
from companion.dashboard import openapi
from companion.dashboard.openapi.endpoint import Endpoint
from companion.dashboard.settings import described

DOCS = Path(__file__).resolve().parents[1] / "docs"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its path: ``companion evaluate game``. Groups alone are left out."""
    context = click.Context(cli.main, info_name="companion")
    for name in (*cli.COMMANDS, *cli.WORKSHOP):
        command = cli.main.get_command(context, name)
        assert command is not None
        yield from _within(command, f"companion {name}")


def _within(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from _within(child, f"{path} {name}")
    else:
        yield path, command


def command_pages() -> str:
    """A heading for each command, what it does, and a table of its options."""
    return "\n\n".join(_command(path, command) for path, command in commands())


def settings_table() -> str:
    """Every field of the dashboard's settings: unit, default, what it does."""
    told = (
        f"| `{field.name}` | {_cell(field.metadata['unit'])} | {_value(field.default)} | {_cell(field.metadata['help'])} |"
        for field in described()
    )
    return "\n".join(["| setting | unit | default | what |", "|---|---|---|---|", *told])


def addresses_table(endpoints: tuple[Endpoint, ...]) -> str:
    """Addresses of the dashboard: method and path, who may call it, what it is for."""
    told = (f"| `{one.name}` | {one.who} | {_cell(one.text)} |" for one in endpoints)
    return "\n".join(["| endpoint | who | what |", "|---|---|---|", *told])


def filming_table() -> str:
    """The same of the port over which a phone films; who may call it is said by a token."""
    told = (
        f"| `{one.method} :8443{one.path}` | {'yes' if one.who == 'token' else ''} | {_cell(one.text)} |".replace("|  |", "| |")
        for one in openapi.PHONE_CAMERA
    )
    return "\n".join(["| endpoint | token | what |", "|---|---|---|", *told])


Blocks = Mapping[str, Callable[[], str]]
"""What stands between `<!-- NAME: written by make docs -->` and `<!-- end of NAME -->`, by name."""

PAGES: dict[Path, Blocks] = {
    DOCS / "settings.md": {"commands": command_pages, "dashboard settings": settings_table},
    DOCS / "http-api.md": {
        **{f"addresses of {name}": partial(addresses_table, part) for name, part in openapi.SECTIONS.items()},
        "addresses of the filming phone": filming_table,
    },
}


def rewritten(page: Path) -> str:
    """The page's text with its generated blocks as the code has them now.

    Raises:
        ValueError: a block is not there, or is there twice.
    """
    text = page.read_text("utf-8")
    for name, write in PAGES[page].items():
        begin, end = f"<!-- {name}: written by make docs -->", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{page}: expected one block from {begin} to {end}")
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n\n{write()}\n\n{end}{after}"
    return text


def _command(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    arguments = [parameter.make_metavar(context) for parameter in command.params if isinstance(parameter, click.Argument)]
    said = [f"### `{' '.join([path, *arguments])}`", _paragraphs(command.help or "")]
    options = [_option(parameter, context) for parameter in command.params if isinstance(parameter, click.Option)]
    if options:
        said.append("\n".join(["| option | default | what |", "|---|---|---|", *options]))
    return "\n\n".join(said)


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if not option.is_flag:
        names += f" {_cell(_takes(option, context))}"
    help_text, _, by_help = (option.help or "").partition("[default: ")
    return f"| {names} | {_default(option) or _cell(by_help.rstrip(']'))} | {_cell(help_text)} |"


def _takes(option: click.Option, context: click.Context) -> str:
    """What is given with the option: its metavar, or the range of a number."""
    kind = option.type
    if option.metavar is None and isinstance(kind, click.IntRange | click.FloatRange):
        least = "" if kind.min is None else f"more than {kind.min:g}" if kind.min_open else f"{kind.min:g} or more"
        return f"NUMBER ({kind.min:g} to {kind.max:g})" if kind.min is not None and kind.max is not None else f"NUMBER ({least})"
    return option.make_metavar(context)


def _default(option: click.Option) -> str:
    if option.required:
        return "required"
    if isinstance(option.show_default, str):
        return option.show_default
    return _value(option.default) if option.show_default and option.default is not None else ""


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Path):
        return f"`{value.as_posix()}`"
    return f"{value:g}" if isinstance(value, float) else f"`{value}`" if isinstance(value, str) else str(value)


def _paragraphs(help_text: str) -> str:
    """Click's help as Markdown: a paragraph that click leaves as it is (backspace) is a block of code."""
    said = []
    for paragraph in inspect.cleandoc(help_text).split("\n\n"):
        if paragraph.startswith("\b"):
            first, *lines = paragraph.removeprefix("\b\n").splitlines()
            said += [first, "```sh\n" + inspect.cleandoc("\n".join(lines)) + "\n```"]
        else:
            said.append(" ".join(paragraph.split()))
    return "\n\n".join(said)


def _cell(text: str) -> str:
    """The text as it can stand in a cell of a table."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(rewritten(page), "utf-8")
