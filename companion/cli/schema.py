"""`companion schema`: the JSON Schema of the table log."""

from __future__ import annotations

import json

import click

from companion.cli.common import GameId
from companion.games import GAMES, first_game


@click.command("schema")
@click.option("--game", type=GameId(), default=first_game().id, show_default=True, help="Which game's log.")
def command(game: str) -> None:
    """Print the JSON Schema of one line of a table log."""
    click.echo(json.dumps(GAMES[game].rules.LOG.schema(), ensure_ascii=False, indent=1).encode())
