"""`companion export`: games of the ledger as table logs, also while it is in use."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from companion.cli.common import default_ledger, of_ledger, summary
from companion.files import write_whole
from companion.table.errors import CompanionError


@click.command("export")
@click.argument("games", nargs=-1, type=int, metavar="[GAME]...")
@of_ledger
@click.option("--into", "folder", type=click.Path(path_type=Path, file_okay=False),
              help="Write a file GAME-NUMBER.jsonl for each into this folder, which is made.")
def command(games: tuple[int, ...], file: Path | None, folder: Path | None) -> None:
    """Write these games of the ledger, or all of them, as table logs. Without --into list them, or print the log of the one
    that is named: companion export 3 | companion rule -
    """
    from companion.games import game_of_log, log_format
    from companion.ledger import Ledger
    from companion.table.log import write_lines

    file = file or default_ledger()
    with Ledger.look(file, log_format) as ledger:
        there = {entry.id: entry for entry in reversed(ledger.games())}
        if missing := [game for game in games if game not in there]:
            raise CompanionError(f"{file} has no game {missing[0]}; it has {', '.join(map(str, there)) or 'none'}")
        if folder is None and len(games) == 1:
            click.echo(write_lines(ledger.lines(games[0])), nl=False)
            return
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        for game in games or there:
            lines = ledger.lines(game)
            began = datetime.datetime.fromtimestamp(there[game].started).strftime("%Y-%m-%d %H:%M")
            name = f"{game_of_log(lines).id}-{game}.jsonl"
            if folder is not None and lines:
                write_whole(folder / name, write_lines(lines))
            click.echo(f"{name if folder is not None and lines else game}  {began}  {summary(lines)}")
