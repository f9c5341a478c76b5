"""`companion evaluate speed`: how fast games are followed on this machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import Finite, GameId
from companion.games import GAMES
from workshop.bench.cache import Progress, default_cache

if TYPE_CHECKING:
    from workshop.evaluation.report import Section

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
FOLDER = click.Path(path_type=Path, file_okay=False)
SAYS_MORE_OF = {"bench": ("clips", "skip", "scans", "cache"), "play": ("idle", "still", "frames")}
"""Option → those that say more of it, and mean nothing without it."""


@click.command("speed")
@click.option("--game", "games", type=GameId(demo=True), multiple=True,
              help="Measure the looks at this game's bundled clip; may be repeated.  [default: all, where neither "
              "--bench nor --play is given]")
@click.option("--bench", "benches", type=FILE, multiple=True, help="Measure how late the rulings of this bench's clips are, such "
              "as datasets/bench.yaml; may be repeated.")
@click.option("--clips", type=click.IntRange(min=1), help="Only this many clips of each difficulty, the first ones.")
@click.option("--skip", type=click.IntRange(min=0), default=0, show_default=True, help="Leave out this many clips of each "
              "difficulty first.")
@click.option("--scans", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Folder with a folder of scans of "
              "each deck (napoletane, …): without it, clips with scans are left out.")
@click.option("--cache", type=FOLDER, help="Folder for the benches' clips.  [default: the user's cache]")
@click.option("--play", type=FILE, help="Clip of a game, such as companion render makes (1280x720, minutes long).")
@click.option("--table", type=FILE, help="Its TABLE.json.")
@click.option("--idle", type=FILE, help="Clip of a table where nothing happens, with the same TABLE.json."
              "  [default: one picture of --play in 1920x1080, with fresh noise]")
@click.option("--still", default=20.0, show_default=True, type=Finite(0), help="Which picture, seconds into --play.")
@click.option("--frames", default=300, show_default=True, type=click.IntRange(2), help="Frames that ultralytics is measured on.")
@click.option("--width", type=click.IntRange(64), help="Ultralytics' input, pixels.  [default: what watch chooses for this clip]")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write the report here.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    games: tuple[str, ...], benches: tuple[Path, ...], clips: int | None, skip: int, scans: Path | None, cache: Path | None,
    play: Path | None, table: Path | None, idle: Path | None, still: float, frames: int, width: int | None,
    report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """What a look costs at real pace, how late rulings are, and how fast companion watch is; beside ultralytics.

    Looks and rulings are measured in processor time, which other work on this machine makes dearer, by a half where much
    of it runs. What two cores like these have no time for is left out. With --play stop everything else: wall time is
    measured, too.

    \b
    A clip for --play:
      companion simulate --seed 41 --players 5 --hands 5 --plain --pedine 10 --log play.jsonl
      companion render play.jsonl -o play.mp4 --table play.json --seed 41
    """
    import msgspec

    from workshop.evaluation.report import markdown, write_report
    from workshop.full_tables.stu.recipe import has_views

    if (play is None) != (table is None):
        raise click.UsageError("--play and --table go together: the clip, and where the table is in it")
    for wanted, given in (("bench", benches), ("play", play)):
        if given in (None, ()) and (useless := [f"--{name}" for name in SAYS_MORE_OF[wanted] if _was_given(name)]):
            raise click.UsageError(f"{' and '.join(useless)}: of --{wanted}, which is not there; give it, or leave them out")
    if benches and not games and play is None and _was_given("width"):
        raise click.UsageError("--width: of --game and --play, beside which ultralytics looks, too; it does not look at a bench")
    if full := [path for path in benches if has_views(path)]:
        raise click.UsageError(f"{full[0]}: a bench of full tables; how it is ruled, companion evaluate game says")
    if not (games or benches or play):
        games = GameId(demo=True).choices
    sections: list[Section] = []
    if play is not None and table is not None:  # first, as a process' greatest size includes its parent's
        sections.append(_watched(play, table, idle, still, frames, width))
    sections += [_looks(game, width) for game in games]
    sections += [_rulings(bench, clips, skip, scans, cache or default_cache()) for bench in benches]
    if as_json:
        figures = {section.title: section.figures for section in sections}
        click.echo(msgspec.json.encode(sections[0].figures if len(sections) == 1 else figures).decode())
    else:
        click.echo(markdown(sections))
    if report:
        options = [*(f"--game {game}" for game in games), *(f"--bench {path}" for path in benches)]
        options += [f"--clips {clips}"] * bool(clips) + [f"--skip {skip}"] * bool(skip) + ["--scans DECKS"] * bool(scans)
        options += [f"--play {play.name} --table {table.name}"] if play is not None and table is not None else []
        write_report(report, sections, " ".join(["companion evaluate speed", *options]))


def _was_given(name: str) -> bool:
    """Whether the command line has this option."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _watched(play: Path, table: Path, idle: Path | None, still: float, frames: int, width: int | None) -> Section:
    from companion.assets import asset
    from workshop.evaluation import speed
    from workshop.evaluation.report import Section

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if idle is None:
            idle = folder / "idle.mp4"
            speed.still_clip(play, still, speed.IDLE_SECONDS, idle)
        # This comes first, as a process' greatest size includes its parent's: networks loaded here would count as watch's.
        playing = speed.watched(play, table, folder)
        idling = speed.watched(idle, table, folder)
        width = width or speed.input_width(play)
        rival = speed.tracked(play, asset("models/detector.pt"), frames, width) if speed.can_track() else None
        agrees = speed.agreement(play, table)
    about = (
        f"`companion watch` from start to end, in a process of its own: {playing.frames} frames of play,"
        f" {idling.frames} of an idle table. "
    )
    if rival is None:
        about += NOTHING_BESIDE
    else:
        about += f"Ultralytics' predict and track (ByteTrack) of the same weights on {rival.frames} frames, {width} px wide."
    return Section("Speed", about, speed.figures(playing, idling, rival, agrees))


NOTHING_BESIDE = "Ultralytics is not installed here: nothing to compare with."


def _looks(game: str, width: int | None) -> Section:
    from companion.assets import asset
    from workshop.evaluation import looks, speed
    from workshop.evaluation.report import Section

    demo = GAMES[game].spec.demo
    assert demo is not None
    rival = None
    if speed.can_track():
        width = width or speed.input_width(demo.path)
        rival = speed.tracker(asset("models/detector.pt"), width)
    beside = NOTHING_BESIDE if rival is None else (
        f"Every {looks.BLOCK} looks ultralytics' predict and track of the same weights, {width} px wide, looks at as many."
    )
    about = f"The looks at {demo.clip} in real time, milliseconds of the processor by stage. {beside}"
    return Section(f"A look in {GAMES[game].title}", about, looks.demo_looks(game, rival).figures())


def _rulings(path: Path, clips: int | None, skip: int, scans: Path | None, cache: Path) -> Section:
    from companion.assets import asset
    from workshop.bench.recipe import read_bench
    from workshop.evaluation.looks import rulings
    from workshop.evaluation.report import Section
    from workshop.games import BenchRun, workshop_of

    bench = read_bench(path)
    chosen = [clip for clip in bench.chosen(count=clips, skip=skip) if scans is not None or clip.scans is None]
    run = BenchRun({path.stem: bench}, {path.stem: chosen}, cache, asset("models").resolve(), None, scans, False, False, True,
                   "companion evaluate speed", Progress(), lambda line: click.echo(line, err=True))  # fmt: skip
    about = f"{len(chosen)} clips of {path.name} in real time: from what decides a hand that is ruled right to its ruling."
    return Section(f"Rulings in time: {path.stem}", about, rulings(workshop_of(bench.game).followed(run, chosen)))
