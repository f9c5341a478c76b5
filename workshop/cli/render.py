"""`companion render`: film a table log as a clip, with its TABLE.json and the truth of every frame, from one side or several."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from companion.cli.common import Finite
from companion.files import read_bounded
from companion.games import read_lines
from companion.table.errors import GameError
from companion.table.log import MAX_LOG_BYTES, Line
from workshop.choreography.barlife import Level
from workshop.choreography.troubles import AMOUNTS, Amount
from workshop.stage.scene import Shape

if TYPE_CHECKING:
    from workshop.clip.film import FilmRecipe, FilmSet

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    width, _, height = value.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(f"{value!r}: expected width x height in pixels, such as 1280x720")
    size = int(width), int(height)
    if min(size) < 64 or max(size) > 7680 or size[0] % 2 or size[1] % 2:
        raise click.BadParameter(f"{value!r}: expected even numbers from 64 to 7680, such as 1280x720")
    return size


def _deck(ctx: click.Context, param: click.Parameter, value: str) -> Path | None:
    if value == "drawn":
        return None
    if not Path(value).is_dir():
        raise click.BadParameter(f"{value!r}: expected `drawn`, or a folder of scans named gnao.jpg (denari-7.jpg), …, back.jpg")
    return Path(value)


@click.command("render")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", "clip", type=_FILE, required=True, help="The clip to write (.mp4).")
@click.option("--table", type=_FILE, help="TABLE.json to write.")
@click.option("--truth", type=_FILE, help="What lies where in every frame, JSON Lines, to write.")
@click.option("--seed", default=0, show_default=True, help="Decides table, camera, light, people and timing.")
@click.option("--deck", callback=_deck, default="drawn", show_default=True, metavar="drawn|DIR",
              help="The drawn deck, or a folder of scans.")
@click.option("--size", callback=_size, default="1280x720", show_default=True, metavar="WxH", help="Pixels.")
@click.option("--fps", type=Finite(5, 120), default=25.0, show_default=True, help="Frames a second.")
@click.option("--surface", help="The table top, such as wood or felt.  [default: by seed]")
@click.option("--shape", type=click.Choice(["round", "rect"]), help="The table's shape.  [default: by seed]")
@click.option("--look", help="Light and camera, such as evening or dim.  [default: by seed]")
@click.option("--tempo", type=Finite(0.25, 4), default=1.0, show_default=True, help="2 plays twice as fast.")
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), default="medium", show_default=True,
              help="How much bar life there is: hands at rest, cards in hands, hidden pedine, things, camera hunting.")
@click.option("--lifts", type=Finite(0, 1), default=0.0, show_default=True,
              help="Where everybody has one card: share of hands dealt fast, after which all lift theirs at once to look.")
@click.option("--trouble", type=click.Choice(AMOUNTS), default="none",
              show_default=True, help="What goes wrong with the camera: it is knocked, somebody leans into the view, the lights "
              "go out, video is missing; some or much of all these, or one kind only.")
@click.option("--people", is_flag=True, help="The players sit at the table, solid, and hide what is behind them. Of games in "
              "which cards lie on the table.")
@click.option("--elevation", type=Finite(20, 85), help="Degrees at which the camera looks down.  [default: by seed]")
@click.option("--azimuth", type=Finite(-180, 180), help="The camera's side: degrees, 0 is a long side.  [default: by seed]")
@click.option("--view", "further", multiple=True, nargs=2, type=_FILE, metavar="CLIP TABLE",
              help="Film the same evening at the same time from another side, too: the clip and the TABLE.json to write, and "
              "with --truth CLIP.truth.jsonl; may be repeated. One is opposite, several are all around.")
@click.option("--backgrounds", type=_FOLDER, help="Folder of panoramas for the room.  [default: a drawn floor]")
@click.option("--crf", type=click.IntRange(0, 40), default=25, show_default=True, help="x264's quality; lower is better.")
def command(log: Path, clip: Path, table: Path | None, truth: Path | None, seed: int, deck: Path | None,
            size: tuple[int, int], fps: float, surface: str | None, shape: str | None, look: str | None, tempo: float,
            level: str, lifts: float, trouble: str, people: bool, elevation: float | None, azimuth: float | None,
            further: tuple[tuple[Path, Path], ...], backgrounds: Path | None, crf: int) -> None:
    """Film a table LOG of a game that has a film, of 2 to 20 players where its rules allow it.

    Cards that are never shown may be any; all others must be known by the end of the log.
    """
    from workshop.clip.film import FilmRecipe, other_views

    files = [(clip, table, truth)]
    files += [(one, its, one.with_suffix(".truth.jsonl") if truth else None) for one, its in further]
    names = [path.resolve() for three in files for path in three if path is not None]
    if twice := {path for path in names if names.count(path) > 1}:
        raise click.UsageError(f"{min(twice)}: to be written twice; expected another name for each file")
    for path in (path for three in files for path in three):
        if path is not None and not path.parent.is_dir():
            raise click.ClickException(f"{path}: there is no folder {path.parent}")
    try:
        lines = read_lines(read_bounded(log, MAX_LOG_BYTES))
    except GameError as error:
        raise click.ClickException(f"{log}: {error}") from error
    recipe = FilmRecipe(
        seed=seed, size=size, fps=fps, tempo=tempo, level=cast(Level, level), deck=deck, surface=surface, look=look,
        shape=cast("Shape | None", shape), backgrounds=backgrounds, crf=crf,
        trouble=cast("Amount", trouble), lifts=lifts, people=people, elevation=elevation, azimuth=azimuth,
    )  # fmt: skip
    made = _film(lines, recipe, *files[0])
    for other, three in zip(other_views(recipe, made.camera.azimuth, len(further)), files[1:], strict=True):
        _film(lines, other, *three)


def _film(lines: Sequence[Line], recipe: FilmRecipe, clip: Path, table: Path | None, truth: Path | None) -> FilmSet:
    """One view of the evening, with a bar while it is filmed and a line when it is done."""
    from workshop.clip.film import film

    started = time.monotonic()
    with ExitStack() as shown:
        bars: list[click._termui_impl.ProgressBar[int]] = []

        def progress(done: int, frames: int) -> None:
            if not bars:  # not before the first frame, so that a refusal stays one line
                bars.append(shown.enter_context(click.progressbar(length=frames, label=clip.name, file=sys.stderr)))
            bars[0].update(done - bars[0].pos)

        made = film(lines, recipe, clip, table, truth, progress)
    seconds = time.monotonic() - started
    click.echo(f"{clip}: {made.frames} frames, {made.timeline.duration:.0f} s, {made.frames / seconds:.1f} frames/s", err=True)
    return made
