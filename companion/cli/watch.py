"""`companion watch`: follow a game without a browser and write its table log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.cli.common import Finite
from companion.files import write_whole
from companion.line.defaults import LOOKS_PER_SECOND
from companion.table.errors import NotShown, SourceError

if TYPE_CHECKING:
    from companion.eyes.source import Picture

NOTHING_SEEN: Final = 3
"""Exit status where the source was read to its end, and there was nothing to see in it."""


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

    A file is processed as fast as the machine can; the run ends with the file. Where all its pictures were black, or no table, no
    card and no hand was ever seen in it, a line says so, and the exit code is 3.
    """
    from companion.cli.enrol import given
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line import trained
    from companion.line.follow import follow
    from companion.line.sources import reasons
    from companion.line.sources.address import plain
    from companion.line.tablefile import read_table_file
    from companion.line.witness import Blackness, Witness
    from companion.referee.record import Record, Saw, encode, encode_entry
    from companion.table.log import write_lines

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
        black, witness = Blackness(), Witness()
        for step in follow(_of_one_shape(source, looks, table.table.image_size), table, look):
            if step.glimpse is not None:
                seen = step.glimpse
                black.put(seen.picture.t, seen.picture.image)
                witness.put(seen.picture.t, seen.picture.image, seen.cards, bool(seen.frame_quality.hidden), seen.top)
            if recording:
                recording.writelines(encode_entry(Saw(sighting), table.game) + b"\n" for sighting in step.sightings)
            if step.changed:
                write_whole(log_path, write_lines(step.log))
                if game is None:
                    game = ledger.begin(step.log, source=plain(source))
                else:
                    ledger.record(game, step.log)
                if not quiet:
                    click.echo(f"{step.picture.t:7.1f} s  {len(step.log)} lines", err=True)
    witness.ended()
    if black.only or not witness.seen:
        click.echo(str(SourceError(reasons.ALL_BLACK if black.only else reasons.NOTHING_SEEN, source=plain(source))), err=True)
        raise click.exceptions.Exit(NOTHING_SEEN)


def _of_one_shape(source: str, looks: float, told: tuple[int, int]) -> Iterator[Picture]:
    """The source's pictures, of the shape in which the table was ``told``. Raises SourceError."""
    from companion.line.sources import reasons
    from companion.line.sources.address import plain
    from companion.line.sources.pictures import pictures
    from companion.line.sources.video import as_shown, fits

    shape: tuple[int, ...] | None = None
    for picture in pictures(source, looks):
        if picture.image.shape != shape:
            shape = picture.image.shape
            size = shape[1], shape[0]
            if not fits(source, size, told):
                width, height = as_shown(source, size)
                raise SourceError(
                    reasons.OTHER_SHAPE, source=plain(source), width=width, height=height, told_width=told[0], told_height=told[1]
                )
        yield picture
