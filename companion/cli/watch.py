"""`companion watch`: follow a game without a browser and write its table log."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from companion.cli.enrol import given
from companion.cli.numbers import Finite
from companion.eyes.source import pictures
from companion.files import write_whole
from companion.games import log_format
from companion.ledger import Ledger
from companion.line import trained
from companion.line.follow import LOOKS_PER_SECOND, follow
from companion.line.tablefile import read_table_file
from companion.referee.record import Record, Saw, encode, encode_entry
from companion.table.errors import NotShown
from companion.table.log import write_lines


@click.command("watch")
@click.argument("source")
@click.option("--table", "table_path", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="TABLE.json: the table's corners, the players and their places.")
@click.option("--log", "log_path", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="The table log to write; it is complete after every change.")
@click.option("--ledger", "ledger_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Keep the game in this ledger too; companion serve --ledger shows it while it is played.")
@click.option("--deck", "decks", multiple=True, type=click.Path(path_type=Path), metavar="DECK",
              help="An enrolled deck's file; may be repeated.")
@click.option("--looks", default=LOOKS_PER_SECOND, show_default=True, type=Finite(1, 60),
              help="Pictures looked at per second of the source.")
@click.option("--sightings", "sightings_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Also write what the eyes report here, as JSON Lines, to run the referee on it again without pictures.")
@click.option("--quiet", is_flag=True, help="Print nothing while watching.")
def command(
    source: str,
    table_path: Path,
    log_path: Path,
    ledger_path: Path | None,
    decks: tuple[Path, ...],
    looks: float,
    sightings_path: Path | None,
    quiet: bool,
) -> None:
    """Follow the game in SOURCE (a video file, a camera number or a stream address) and write its table log.

    A file is processed as fast as the machine can; the run ends with the file.
    """
    table = read_table_file(table_path)
    if not table.game.has_eyes:
        raise NotShown(f"{table_path}: no camera can follow {table.game.id}: its log is written by hand")
    look = trained.trained(table.game.cards, given(decks))
    with ExitStack() as open_files:
        ledger = Ledger.in_memory(log_format) if ledger_path is None else Ledger.open(ledger_path, log_format)
        open_files.enter_context(ledger)
        recording = open_files.enter_context(sightings_path.open("wb")) if sightings_path else None
        if recording:
            recording.write(encode(Record(table.first), table.game))
        game: int | None = None
        for step in follow(pictures(source, looks), table, look):
            if recording:
                recording.writelines(encode_entry(Saw(sighting), table.game) + b"\n" for sighting in step.sightings)
            if step.changed:
                write_whole(log_path, write_lines(step.log))
                if game is None:
                    game = ledger.begin(step.log, source=source)
                else:
                    ledger.record(game, step.log)
                if not quiet:
                    click.echo(f"{step.picture.t:7.1f} s  {len(step.log)} lines", err=True)
