"""`companion watch`: follow a game without a browser and write its table log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.cli.common import Finite
from companion.files import write_whole
from companion.line.defaults import LOOKS_PER_SECOND
from companion.table.errors import NotShown, SourceError

if TYPE_CHECKING:
    from companion.decks.deckfile import DeckFile
    from companion.eyes.source import Picture
    from companion.line.follow import Glimpse, Step
    from companion.line.tablefile import TableFile

NOTHING_SEEN: Final = 3
"""Exit status where the source was read to its end, and there was nothing to see in it."""
ENDED_SECONDS: Final = 1.0
"""Seconds: that a view has ended is reported only if another one goes on for longer than this, as films end at slightly different
times."""


@click.command("watch")
@click.argument("source")
@click.option("--table", "table_path", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="TABLE.json: the table's corners, the players and their places.")
@click.option("--view", "further", multiple=True, nargs=2, type=(str, click.Path(dir_okay=False, path_type=Path)),
              metavar="SOURCE TABLE",
              help="Another camera that sees the same game at the same time, and its own TABLE.json; may be repeated.")
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
    further: tuple[tuple[str, Path], ...],
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

    With --view several cameras watch one table: their TABLE.json name the same players in the same order, and times are those of
    SOURCE. One that ends, cannot be read or shows nothing is named on standard error, and the others go on.
    """
    from companion.cli.enrol import given
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line.sources.address import plain
    from companion.line.tablefile import read_table_file
    from companion.line.views import check_same
    from companion.referee.record import Record, Saw, encode, encode_entry
    from companion.table.log import write_lines

    paths = [table_path, *(path for _, path in further)]
    tables = [read_table_file(path) for path in paths]
    check_same(tables, [str(path) for path in paths])
    table = tables[0]
    if not table.game.has_eyes:
        raise NotShown(f"{table_path}: no camera can follow {table.game.id}: its log is written by hand")
    taught = given(decks)
    views = [_Watched(one, its) for one, its in zip([source, *(one for one, _ in further)], tables, strict=True)]
    with ExitStack() as open_files:
        ledger = Ledger.in_memory(log_format) if ledger_path is None else Ledger.open(ledger_path, log_format)
        open_files.enter_context(ledger)
        recording = open_files.enter_context(sightings_path.open("wb")) if sightings_path else None
        if recording:
            recording.write(encode(Record(table.first), table.game))
        game: int | None = None
        for step in _steps(views, looks, taught):
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
    for view in views:
        view.ended()
    if not any(view.of_use for view in views):
        raise click.exceptions.Exit(NOTHING_SEEN)


class _Watched:
    """A source that is watched, and what it has shown so far. ``of_use``: it has shown something besides black pictures and
    walls."""

    def __init__(self, source: str, table: TableFile) -> None:
        from companion.line.sources.address import is_file, plain
        from companion.line.witness import Blackness, Witness

        self.source, self.table, self.name, self.live = source, table, plain(source), not is_file(source)
        self._black, self._witness = Blackness(), Witness()
        self._given = self._said = False

    @property
    def of_use(self) -> bool:
        return self._given and not self._black.only and self._witness.seen

    def put(self, seen: Glimpse) -> None:
        """Take the next picture."""
        self._given = True
        self._black.put(seen.picture.t, seen.picture.image)
        self._witness.put(seen.picture.t, seen.picture.image, seen.cards, bool(seen.frame_quality.hidden), seen.top)

    def say_if_useless(self) -> None:
        """Report once, as soon as it is known, that a camera shows nothing of use; of a file that is known only at its end."""
        if self.live and not self._said and (self._black.lasting or self._witness.nothing):
            self._say_useless()

    def ended(self) -> None:
        """Take in that no picture follows, and report what is wrong with the pictures unless that was reported."""
        self._witness.ended()
        if self._given and not self.of_use and not self._said:
            self._say_useless()

    def _say_useless(self) -> None:
        from companion.line.sources import reasons

        self._said = True
        black = self._black.only or self._black.lasting
        click.echo(str(SourceError(reasons.ALL_BLACK if black else reasons.NOTHING_SEEN, source=self.name)), err=True)

    def pictures(self, looks: float, start: float = 0.0, going: Callable[[], bool] = lambda: True) -> Iterator[Picture]:
        """The source's pictures, whose shape must be that of TABLE.json. Raises SourceError."""
        from companion.line.sources import reasons
        from companion.line.sources.pictures import pictures
        from companion.line.sources.video import as_shown, fits

        told, shape = self.table.table.image_size, None
        for picture in pictures(self.source, looks, start, going):
            if picture.image.shape != shape:
                shape = picture.image.shape
                size = shape[1], shape[0]
                if not fits(self.source, size, told):
                    width, height = as_shown(self.source, size)
                    raise SourceError(reasons.OTHER_SHAPE, source=self.name, width=width, height=height, told_width=told[0],
                                      told_height=told[1])
            yield picture


def _steps(views: Sequence[_Watched], looks: float, decks: Sequence[tuple[str, DeckFile]]) -> Iterator[Step]:
    """What each picture leads to, of one view or of several. Raises SourceError where no view can be followed."""
    from companion.line import trained
    from companion.line.follow import follow

    if len(views) == 1:
        (view,) = views
        for step in follow(view.pictures(looks), view.table, trained.trained(view.table.game.cards, decks)):
            if step.glimpse is not None:
                view.put(step.glimpse)
            yield step
        return
    yield from _of_several(views, looks, decks)


def _of_several(views: Sequence[_Watched], looks: float, decks: Sequence[tuple[str, DeckFile]]) -> Iterator[Step]:
    import time

    from companion.line import trained
    from companion.line.sources import reasons
    from companion.line.views import View, ViewEnded, follow_views

    began = time.monotonic()

    def of(view: _Watched) -> View:
        return View(lambda going: view.pictures(looks, time.monotonic() - began if view.live else 0.0, going), view.table,
                    lambda: trained.trained(view.table.game.cards, decks), view.live)

    wrong: SourceError | None = None
    followed, ended, apart = False, dict[str, float](), set[int]()
    for step in follow_views([of(view) for view in views]):
        view = views[step.view]
        if not isinstance(step, ViewEnded):
            followed = True
            for name, t in [*ended.items()]:
                if step.picture.t > t + ENDED_SECONDS:
                    click.echo(f"{name}: ended after {t:.1f} s; the others go on", err=True)
                    del ended[name]
            if step.glimpse is not None:
                view.put(step.glimpse)
                view.say_if_useless()
            if step.later is not None and step.view not in apart:
                apart.add(step.view)
                off = f"{abs(step.later):.1f} s {'later' if step.later > 0 else 'earlier'} in it than in {views[0].name}"
                click.echo(f"{view.name}: what both see happens {off}; expected the same clock", err=True)
            yield step
        elif step.error is None:
            ended[view.name] = step.t or 0.0
        elif step.t is None and step.error.text == reasons.OTHER_SHAPE.text:
            raise step.error  # its TABLE.json is of another picture: nothing that it told would be true
        else:
            wrong = step.error
            if step.going or followed:
                click.echo(f"{step.error}{'; the others go on' if step.going else ''}", err=True)
    if not followed and wrong is not None:
        raise wrong
