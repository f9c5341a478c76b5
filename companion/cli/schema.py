"""`companion schema`: the JSON Schema of the table log."""

from __future__ import annotations

import json

import click

from companion.games import GAMES, first_game


@click.command("schema")
@click.option("--game", type=click.Choice(list(GAMES)), default=first_game().id, show_default=True, help="Which game's log.")
def command(game: str) -> None:
    """Print the JSON Schema of one line of a table log."""
    click.echo(json.dumps(GAMES[game].rules.LOG.schema(), ensure_ascii=False, indent=1).encode())
