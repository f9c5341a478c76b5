"""`companion salvage`: what can be read of a damaged ledger."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import summary


@click.command("salvage")
@click.argument("damaged", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.pass_context
def command(context: click.Context, damaged: Path, new: Path) -> None:
    """Bring what can be read of the ledger DAMAGED into the new ledger NEW, in which the games can be played on.

    DAMAGED is left as it is. A line for each game says what was lost of it; exit 1 where anything was.
    """
    from companion.line.salvage import salvage

    found = salvage(damaged, new)
    for game in found.games:
        click.echo(f"game {game.id}  {summary(game.lines)}; {f'lost: {game.lost}' if game.lost else 'whole'}")
    for lost in found.lost:
        click.echo(f"lost: {lost}")
    click.echo(f"{new}: {len(found.games)} game{'s' * (len(found.games) != 1)}, paired phones: {found.phones}")
    if found.lost or any(game.lost for game in found.games):
        context.exit(1)
