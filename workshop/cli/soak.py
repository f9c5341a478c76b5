"""`companion soak`: simulated evenings against the real program, with faults of every kind."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from companion.cli.common import POSITIVE


@click.command("soak")
@click.option("--hours", default=8.0, show_default=True, type=POSITIVE,
              help="Hours of play, ten hands each; they pass as fast as this machine can.")
@click.option("--at-most", metavar="MINUTES", default=60.0, show_default=True, type=POSITIVE,
              help="Minutes after which it ends sooner.")
@click.option("--seed", default=1, show_default=True, help="Of the faults and the taps.")
@click.option("--quiet", is_flag=True, help="Print the table alone.")
def command(hours: float, at_most: float, seed: int, quiet: bool) -> None:
    """Play evenings on end with the real program, and let everything go wrong that can; say what it survived.

    The exit status is 1 where anything that was acknowledged was lost or done twice, a page showed a face that nobody had shown,
    the program did not recover, or its memory grew by a twentieth and 8 MB in the second half. Nothing of yours is touched: it
    works in a folder of its own.
    """
    from workshop.soak.soak import Soak
    from workshop.soak.tried import HEAD, row

    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        soak = Soak(folder, hours, seed, at_most * 60, lambda line: None if quiet else click.echo(line, err=True))
        sound = soak.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    click.echo("\n".join([*HEAD, *(row(what, tried) for what, tried in soak.rows.items())]))
    for what, tried in soak.rows.items():
        for wrong in tried.wrong:
            click.echo(f"{what}: {wrong}", err=True)
    click.echo(f"{soak.hands} hands, seed {seed}: " + ("nothing was lost" if sound else "something went wrong"), err=True)
    if not sound:
        raise click.exceptions.Exit(1)
