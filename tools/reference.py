"""`make docs`: the tables of the docs that say what the code says already: commands with their options, settings, addresses; and
the shape of the HTTP API.

A test compares them with the pages, so that nothing of it goes undocumented, and nothing is documented that is gone.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import click
from flask import Flask

from companion import cli
from companion.dashboard import create_app
from companion.dashboard.endpoint import Endpoint, endpoints
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.settings import described
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera import Camera
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.phone_camera import PhoneCamera

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its path: ``companion evaluate game``. Groups that do nothing are left out."""
    context = click.Context(cli.main, info_name="companion")
    for name in (*cli.COMMANDS, *cli.WORKSHOP):
        command = cli.main.get_command(context, name)
        assert command is not None
        yield from _within(command, f"companion {name}")


def _within(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _within(child, f"{path} {name}")


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


@contextmanager
def whole_app() -> Iterator[tuple[Flask, Flask]]:
    """The dashboard with all addresses that it can have, and the application at the port over which a phone films."""
    never_asked = cast(Camera, object())
    with Ledger.in_memory(log_format) as ledger:
        door = PhoneDoor(PhoneCamera(), "127.0.0.1", 0, Path("never-written.pem"))
        app = create_app(ledger, camera=never_asked, door=door, corrections=CorrectionsLearnt())
        assert door.app is not None
        yield app, door.app


@cache
def addresses() -> dict[str, Endpoint]:
    """Every address by the name that the docs give it; those at the port over which a phone films with that port."""
    with whole_app() as (app, filming):
        return {one.name: one for one in endpoints(app)} | {
            f"{one.method} :8443{one.path}": one for one in endpoints(filming)
        }


def addresses_table(before: str) -> str:
    """Addresses: method and path, who may call it, what it is for. Which ones, and in which order, the page itself says.

    Raises:
        ValueError: the page names an address that is no more.
    """
    names = re.findall(r"^\| `([A-Z]+ \S+)` \|", before, re.M)
    if gone := set(names) - addresses().keys():
        raise ValueError(f"{DOCS / 'http-api.md'}: there are no {sorted(gone)} any more: take these rows out")
    rows = (f"| `{name}` | {one.who} | {_cell(one.text)} |" for name in names for one in (addresses()[name],))
    return "\n".join(["| endpoint | who | what |", "|---|---|---|", *rows])


def filming_table(before: str) -> str:
    """The same of the port over which a phone films; who may call an address there is said by a token."""
    rows = addresses_table(before).splitlines()[2:]
    told = (row.replace(" | token | ", " | yes | ").replace(" | everybody | ", " | | ") for row in rows)
    return "\n".join(["| endpoint | token | what |", "|---|---|---|", *told])


def api_lines() -> str:
    """The OpenAPI document without its prose, a line for each address and each schema: what programs rely on."""
    with whole_app() as (app, _):
        found = app.test_client().get("/api/openapi.json").get_json()
    parts = [*found["paths"].items(), *found["components"]["schemas"].items()]
    return "".join(f"{name} {json.dumps(_bare(part), sort_keys=True)}\n" for name, part in parts)


def _bare(part: Any) -> Any:
    """The document's part without descriptions."""
    if isinstance(part, dict):
        return {key: _bare(value) for key, value in part.items() if key != "description" or not isinstance(value, str)}
    return [_bare(one) for one in part] if isinstance(part, list) else part


Blocks = Mapping[str, Callable[[str], str]]
"""What stands between `<!-- NAME: written by make docs -->` and `<!-- end of NAME -->`, by name; made of what stood there."""

PAGES: dict[Path, Blocks] = {
    DOCS / "settings.md": {"commands": lambda _: command_pages(), "dashboard settings": lambda _: settings_table()},
    DOCS / "http-api.md": {
        **{
            f"addresses of {part}": addresses_table
            for part in ("spectators", "organiser", "pairing", "setup", "decks", "season")
        },
        "addresses of the filming phone": filming_table,
    },
}
API = ROOT / "tests" / "dashboard" / "openapi.txt"
"""Where `api_lines` are kept, so that a change of the API is seen."""


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
        block, _, after = rest.partition(end)
        text = f"{before}{begin}\n\n{write(block)}\n\n{end}{after}"
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
    argparse.ArgumentParser(description=__doc__).parse_args()
    for page in PAGES:
        page.write_text(rewritten(page), "utf-8")
    API.write_text(api_lines(), "utf-8")
