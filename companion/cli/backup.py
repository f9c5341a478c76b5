"""`companion backup`: a copy of the ledger, also while it is in use."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import default_ledger, of_ledger
from companion.files import written_whole
from companion.table.errors import CompanionError


@click.command("backup")
@click.argument("copy", type=click.Path(path_type=Path))
@of_ledger
def command(copy: Path, file: Path | None) -> None:
    """Copy the ledger to the new file COPY, or into that folder under its own name. An evening may be going on.

    The command reads the whole copy once more before it says that the copy is there.
    """
    from companion.games import log_format
    from companion.ledger import Ledger

    file = file or default_ledger()
    copy = copy / file.name if copy.is_dir() else copy
    if copy.exists():
        raise CompanionError(f"{copy}: is there already: choose a new file, or delete that one")
    with Ledger.look(file, log_format) as ledger, written_whole(copy) as scratch:
        ledger.copy_to(scratch)
        with Ledger.look(scratch, log_format) as copied:
            games = copied.games()
            for game in games:
                copied.lines(game.id)
                copied.reports(game.id)
    click.echo(f"{copy}: {len(games)} game{'s' * (len(games) != 1)}, {copy.stat().st_size / 1e6:.1f} MB")
