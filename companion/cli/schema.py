"""`companion schema`: the JSON Schema of the table log."""

from __future__ import annotations

import json

import click

from companion.games.stu.rules.log import schema


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of one line of a table log."""
    click.echo(json.dumps(schema(), ensure_ascii=False, indent=1).encode())
