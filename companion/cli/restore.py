"""`companion restore`: a copy of the ledger is put in its place."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import default_ledger, of_ledger


@click.command("restore")
@click.argument("copy", type=click.Path(path_type=Path))
@of_ledger
def command(copy: Path, file: Path | None) -> None:
    """Put COPY, which companion backup or a night of play has made, in the place of the ledger.

    What the ledger held is kept in a file beside it, and paired phones stay paired. End the evening's program first; while it
    runs, its page /setup/backups does the same.
    """
    from companion.cli.evening import brought_back

    file = file or default_ledger()
    click.echo(brought_back(copy, file, file.with_name("decks")))
