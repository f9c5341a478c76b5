"""`companion evaluate game`: the whole line on the frozen bench of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import Finite
from workshop.bench.cache import Progress, default_cache

if TYPE_CHECKING:
    from workshop.full_tables.stu.recipe import Part

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_MODELS = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command("game")
@click.option("--bench", "bench_paths", type=_FILE, multiple=True, help="The clips' recipes; given several times, the report "
              "tells the benches side by side.  [default: datasets/bench.yaml]")
@click.option("--only", type=click.Choice(["easy", "medium", "hard"]), help="Clips of one difficulty only.")
@click.option("--clip", "names", multiple=True, metavar="NAME", help="Only this clip; may be repeated.")
@click.option("--clips", type=click.IntRange(min=1), help="Only this many clips of each difficulty, the first ones.")
@click.option("--skip", type=click.IntRange(min=0), default=0, show_default=True, help="Leave out this many clips of "
              "each difficulty, the first ones: a long bench in pieces.")
@click.option("--views", type=click.IntRange(1, 3),
              help="Of a bench of full tables: follow each camera alone (1), and as many of "
              "them together.  [default: 2]")
@click.option("--part", type=click.Choice(["fitting", "measuring"]), help="Of such a bench: the clips on which constants may be "
              "fitted, or those that are only measured on.  [default: measuring]")
@click.option("--hands", type=click.IntRange(min=1), help="Of such a bench: only this many hands of each clip, the first ones: a "
              "sample of all its tables.")
@click.option("--cache", type=_FOLDER, help="Folder for the clips and what was made of them.  [default: the user's cache]")
@click.option("--models", type=_MODELS, help="Other models than the shipped ones.")
@click.option("--without-pictures", is_flag=True, help="The same games as simulated eyes see them: quick, but it measures no "
              "real eyes.")
@click.option("--late", type=Finite(min=0), default=0.0, help="Of a bench of full tables, without pictures: seconds by "
              "which the clock of all views but the first is behind.")
@click.option("--real-time", is_flag=True, help="Leave out the pictures that two cores like these have no time for, by "
              "processor time: exact where little else runs.")
@click.option("--deck", type=_MODELS, help="Folder of scans of the cards, to play with these in place of drawn ones.")
@click.option("--scans", type=_MODELS, help="Folder with a folder of scans of each deck (napoletane, …), for a bench with "
              "scans of several: without it, clips with scans are left out.")
@click.option("--baseline", is_flag=True, help="Also track with ultralytics' ByteTrack (extra `train`).")
@click.option("--report", "report_path", type=_FILE, help="Write the report here, such as models/GAME.md, or "
              "models/GAME-2.md for the second bench.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    bench_paths: tuple[Path, ...], only: str | None, names: tuple[str, ...], clips: int | None, skip: int,
    views: int | None, part: Part | None, hands: int | None, cache: Path | None, models: Path | None, without_pictures: bool,
    late: float, real_time: bool, deck: Path | None, scans: Path | None, baseline: bool,
    report_path: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Film the bench's clips, follow each as `companion watch` does, and compare every ruling with the true one.

    Results stay in the cache: a run can be stopped at any time, and the next one continues from there. Filming the whole bench
    takes about three hours of one processor core, watching it one to two. The bench of a game with words and
    amounts (datasets/bench-GAME.yaml) has a report of its own; these are told as by a phone. With --real-time rulings are
    late by the time that looks and referee take.

    A bench of full tables, at which people sit all around (datasets/bench-full.yaml), has several views of each evening: it goes
    alone, with --clip, --clips, --skip, --hands, --views and --part. Its simulated eyes see from each side what no body hides.
    """
    import msgspec

    from companion.assets import asset
    from workshop.bench.recipe import read_bench
    from workshop.full_tables.stu.recipe import has_views
    from workshop.games import BenchRun, workshop_of

    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    if any(has_views(path) for path in bench_paths):
        if len(bench_paths) > 1 or only or real_time or deck or scans or baseline or models:
            raise click.UsageError(f"{bench_paths[0]}: a bench of full tables goes alone, with --clip, --clips, --skip, "
                                   "--hands, --views, --part, --late and --without-pictures only")
        if late and not without_pictures:
            raise click.UsageError("--late is of simulated eyes: it goes with --without-pictures")
        where = None if without_pictures else cache or default_cache()
        text, told = _full(bench_paths[0], names, clips, skip, hands, views or 2, part or "measuring", where, late)
        click.echo(msgspec.json.encode(told).decode() if as_json else text)
        if report_path is not None:
            report_path.write_text(text + "\n", encoding="utf-8")
        return
    if views or part or hands or late:
        raise click.UsageError("--views, --part, --hands and --late are of a bench of full tables, "
                               "such as datasets/bench-full.yaml")
    benches = {path.stem: read_bench(path) for path in bench_paths or (asset("datasets/bench.yaml"),)}
    chosen = {name: bench.chosen(only, clips, names, skip) for name, bench in benches.items()}
    if without_pictures and (baseline or deck):
        raise click.UsageError("--without-pictures goes with neither --baseline nor --deck: there is nothing to look at")
    if without_pictures and real_time:
        raise click.UsageError("--without-pictures does not go with --real-time: no picture is looked at, so none is left out")
    games = dict.fromkeys(bench.game for bench in benches.values())
    alone = [game for game in games if workshop_of(game).bench_alone]
    if alone and (len(benches) > 1 or deck or baseline):
        raise click.UsageError(f"a bench of {workshop_of(alone[0]).title} goes alone, with neither --deck nor --baseline")
    if baseline:
        import ultralytics  # noqa: F401  where it is missing, refuse at once and not after hours

    options = [f"--bench {path}" for path in bench_paths]
    options += ["--scans DECKS"] * bool(scans and alone) + ["--deck SCANS"] * bool(deck) + ["--baseline"] * baseline
    options += ["--real-time"] * real_time
    options += _chosen(without_pictures, only, names, clips, skip)
    text, figures = workshop_of(next(iter(games))).measure(BenchRun(
        benches, chosen, cache or default_cache(), (models or asset("models")).resolve(), deck, scans, without_pictures,
        baseline, real_time, " ".join(["companion evaluate game", *options]), Progress(), lambda line: click.echo(line, err=True),
    ))  # fmt: skip
    click.echo(msgspec.json.encode(figures).decode() if as_json else text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")


def _full(
    path: Path, names: tuple[str, ...], clips: int | None, skip: int, hands: int | None, views: int, part: Part,
    cache: Path | None, late: float,
) -> tuple[str, dict[str, Any]]:  # fmt: skip
    """The report on a bench of full tables, and its figures. ``cache``: None is without pictures."""
    from companion.assets import asset
    from workshop.full_tables.stu.glimpsing import glimpsed_evening
    from workshop.full_tables.stu.recipe import read_full_bench
    from workshop.full_tables.stu.report import figures, report
    from workshop.full_tables.stu.watching import measured

    bench = read_full_bench(path)
    chosen, results = bench.chosen(part, clips, names, skip, hands), []
    told = (glimpsed_evening(clip, views, late) for clip in chosen)
    for result in told if cache is None else measured(chosen, views, cache, asset("models"), Progress()):
        results.append(result)
        for one in result.watched:
            click.echo(f"{result.recipe.name}: {one.label}: {len(one.score.hands)} hands", err=True)
    options = [f"--bench {path}", f"--views {views}"] + ["--part fitting"] * (part == "fitting")
    options += [f"--clip {name}" for name in names] + [f"--clips {clips}"] * bool(clips) + [f"--skip {skip}"] * bool(skip)
    options += [f"--hands {hands}"] * bool(hands) + ["--without-pictures"] * (cache is None) + [f"--late {late:g}"] * bool(late)
    return report(results, bench, part, " ".join(["companion evaluate game", *options])), figures(results)


def _chosen(without_pictures: bool, only: str | None, names: tuple[str, ...], clips: int | None, skip: int) -> list[str]:
    """The options that say which clips were run, and how."""
    options = ["--without-pictures"] * without_pictures + [f"--only {only}"] * bool(only)
    options += [f"--clip {name}" for name in names] + [f"--skip {skip}"] * bool(skip)
    return options + [f"--clips {clips}"] * bool(clips)
