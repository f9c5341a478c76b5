"""`companion evaluate game`, `holes` and `shell-game`: the whole line on the frozen bench, also where a part could not be seen,
and the exam in telling cards apart by motion."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workshop.bench.holes import HoledScore
    from workshop.bench.recipe import Bench, ClipRecipe

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_MODELS = click.Path(path_type=Path, file_okay=False, exists=True)


def default_cache() -> Path:
    """The user's cache folder for clips."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "companion" / "bench"


@click.command("game")
@click.option("--bench", "bench_paths", type=_FILE, multiple=True, help="The clips' recipes; given several times, the report "
              "tells the benches side by side.  [default: datasets/bench.yaml]")
@click.option("--only", type=click.Choice(["easy", "medium", "hard"]), help="Clips of one difficulty only.")
@click.option("--clip", "names", multiple=True, metavar="NAME", help="Only this clip; may be repeated.")
@click.option("--clips", type=click.IntRange(min=1), help="Only the first clips of each difficulty, this many.")
@click.option("--skip", type=click.IntRange(min=0), default=0, show_default=True, help="Leave out the first clips of each "
              "difficulty, this many: a long bench in pieces.")
@click.option("--cache", type=_FOLDER, help="Folder for the clips and what was made of them.  [default: the user's cache]")
@click.option("--models", type=_MODELS, help="Other models than the shipped ones.")
@click.option("--without-pictures", is_flag=True, help="The same games as simulated eyes see them: quick, but it measures no "
              "real eyes.")
@click.option("--deck", type=_MODELS, help="Folder of scans of the Stù cards, to play with these in place of drawn ones.")
@click.option("--scans", type=_MODELS, help="Folder with a folder of scans of each deck (napoletane, …), for a bench of Stoppa "
              "or Stoper: without it, clips with scans are left out.")
@click.option("--baseline", is_flag=True, help="Also track with ultralytics' ByteTrack (extra `train`).")
@click.option("--report", "report_path", type=_FILE, help="Write the report here, such as models/GAME.md, or "
              "models/GAME-2.md for the second bench.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    bench_paths: tuple[Path, ...], only: str | None, names: tuple[str, ...], clips: int | None, skip: int,
    cache: Path | None, models: Path | None, without_pictures: bool, deck: Path | None, scans: Path | None, baseline: bool,
    report_path: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Film the bench's clips, follow each as `companion watch` does, and compare every ruling with the true one.

    Results stay in the cache: a run can be stopped at any time, and the next one continues from there. Filming the whole bench
    takes about three hours of one processor core, watching it one to two. The benches of Stoppa (datasets/bench-stoppa.yaml) and
    Stoper (datasets/bench-stoper.yaml) have reports of their own; amounts and words are told as by a phone.
    """
    import msgspec

    from companion.assets import asset
    from workshop.bench.recipe import read_bench
    from workshop.bench.report import GameReport, by_level, markdown
    from workshop.bench.run import run, run_without_pictures, track_clip

    benches = {path.stem: read_bench(path) for path in bench_paths or (asset("datasets/bench.yaml"),)}
    chosen = {name: bench.chosen(only, clips, names, skip) for name, bench in benches.items()}
    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    if without_pictures and (baseline or deck):
        raise click.UsageError("--without-pictures goes with neither --baseline nor --deck: there is nothing to look at")
    betting = [bench.game for bench in benches.values() if bench.game != "stu"]
    if betting and (len(benches) > 1 or deck or baseline):
        raise click.UsageError(f"a bench of {betting[0].title()} goes alone, with neither --deck nor --baseline")
    if baseline:
        import ultralytics  # noqa: F401  where it is missing, refuse at once and not after hours

    cache, models = cache or default_cache(), (models or asset("models")).resolve()
    if betting:
        (bench,), (some,), (path,) = benches.values(), chosen.values(), bench_paths
        options = [f"--bench {path}"] + ["--scans DECKS"] * bool(scans) + _chosen(without_pictures, only, names, clips, skip)
        _betting(bench, some, cache, models, scans, without_pictures, options, report_path, as_json)
        return
    reports = []
    for name, some in chosen.items():
        results, tracked = [], {}
        for result in map(run_without_pictures, some) if without_pictures else run(some, cache, models, deck, Shown()):
            results.append(result)
            if baseline:
                tracked[result.recipe.name] = track_clip(result.recipe, cache, models, deck)
            right = sum(hand.right for hand in result.score.hands)
            click.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right", err=True)
        reports.append(GameReport(benches[name], results, tracked, name))
    options = [f"--bench {path}" for path in bench_paths]
    options += ["--deck SCANS"] * bool(deck) + ["--baseline"] * baseline
    options += _chosen(without_pictures, only, names, clips, skip)
    text = markdown(reports, " ".join(["companion evaluate game", *options]))
    if as_json:
        figures = {report.name: by_level(report.results) for report in reports}
        click.echo(msgspec.json.encode(figures if len(figures) > 1 else by_level(reports[0].results)).decode())
    else:
        click.echo(text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")


def _chosen(without_pictures: bool, only: str | None, names: tuple[str, ...], clips: int | None, skip: int) -> list[str]:
    """The options that say which clips were run, and how."""
    options = ["--without-pictures"] * without_pictures + [f"--only {only}"] * bool(only)
    options += [f"--clip {name}" for name in names] + [f"--skip {skip}"] * bool(skip)
    return options + [f"--clips {clips}"] * bool(clips)


def _betting(
    bench: Bench, some: Sequence[ClipRecipe], cache: Path, models: Path, scans: Path | None, without_pictures: bool,
    options: Sequence[str], report_path: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Run clips of a bench of a game with betting, print its report, and write it where it is wanted."""
    import msgspec

    from workshop.bench.betting.report import by_level, markdown
    from workshop.bench.betting.run import playable, run, run_without_pictures
    from workshop.bench.stoper.measured import STOPER
    from workshop.bench.stoppa.measured import STOPPA

    game = {"stoppa": STOPPA, "stoper": STOPER}[bench.game]
    there = some if without_pictures else playable(some, scans)
    without = (run_without_pictures(game, clip) for clip in there)
    results = []
    for result in without if without_pictures else run(game, there, cache, models, scans, Shown()):
        results.append(result)
        right = sum(hand.right for hand in result.score.hands)
        click.echo(f"{result.recipe.name}: {right} of {len(result.score.hands)} hands right", err=True)
    text = markdown(game, bench, results, " ".join(["companion evaluate game", *options]))
    click.echo(msgspec.json.encode(by_level(results)).decode() if as_json else text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")


class Shown:
    """Shows what is being done, in one line of a terminal."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def __call__(self, what: str, share: float) -> None:
        now = (what, int(100 * share))
        if now != self._last and sys.stderr.isatty():
            click.echo(f"\r{what} {now[1]:3d} %\r", nl=False, err=True)
            self._last = now


@click.command("holes")
@click.option("--bench", "bench_path", type=_FILE, help="The clips' recipes.  [default: datasets/bench.yaml]")
@click.option("--clip", "names", multiple=True, metavar="NAME", help="Only this clip; may be repeated.")
@click.option("--clips", type=click.IntRange(min=1), help="Only the first clips of each difficulty, this many.")
@click.option("--cache", type=_FOLDER, help="Folder for the clips and what was made of them.  [default: the user's cache]")
@click.option("--models", type=_MODELS, help="Other models than the shipped ones.")
@click.option("--report", "report_path", type=_FILE, help="Write the report here, such as models/HOLES.md.")
def holes(
    bench_path: Path | None, names: tuple[str, ...], clips: int | None, cache: Path | None, models: Path | None,
    report_path: Path | None,
) -> None:  # fmt: skip
    """The bench's clips with a hole in each: 3, 8 and 30 seconds cut out, frozen or dark, or the program killed and started
    again.

    What was not seen must not be shown as sure. Clips and what was found in their pictures are those of `evaluate game`.
    """
    from companion.assets import asset
    from workshop.bench.filming import film_clip
    from workshop.bench.holes import all_holed
    from workshop.bench.holes_report import markdown, wrong_and_sure
    from workshop.bench.recipe import read_bench

    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    cache, models, say = cache or default_cache(), (models or asset("models")).resolve(), Shown()
    scores: list[HoledScore] = []
    for recipe in read_bench(bench_path or asset("datasets/bench.yaml")).chosen(None, clips, names):
        filmed = film_clip(recipe, cache, None, lambda done, of: say("filming", done / of))
        found = all_holed(filmed, models, say)
        scores += found
        click.echo(f"{recipe.name}: {sum(map(wrong_and_sure, found))} rulings wrong and sure", err=True)
    options = [f"--clip {name}" for name in names] + [f"--clips {clips}"] * bool(clips)
    text = markdown(scores, " ".join(["companion evaluate holes", *options]))
    click.echo(text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")


@click.command("shell-game")
@click.option("--exam", "exam_path", type=_FILE, help="The clips' recipe.  [default: datasets/shell-game.yaml]")
@click.option("--clips", type=click.IntRange(min=1), default=200, show_default=True, help="How many clips.")
@click.option("--cache", type=_FOLDER, help="Folder for the clips and what was seen of them.  [default: the user's cache]")
@click.option("--models", type=_MODELS, help="Other models than the shipped ones.")
@click.option("--baseline", is_flag=True, help="Also track with ultralytics' ByteTrack (extra `train`).")
@click.option("--report", "report_path", type=_FILE, help="Write the report here, such as models/SHELL-GAME.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def shell_game(
    exam_path: Path | None, clips: int, cache: Path | None, models: Path | None, baseline: bool, report_path: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Three cards lie face down and are exchanged again and again under hands: which is which? Answered before any face shows."""
    import msgspec

    from companion.assets import asset
    from workshop.bench.report import shell_markdown
    from workshop.bench.shellexam import mark, sit
    from workshop.bench.shellgame import read_shell_game

    if baseline:
        import ultralytics  # noqa: F401  where it is missing, refuse at once

    exam = read_shell_game(exam_path or asset("datasets/shell-game.yaml"))
    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    models = (models or asset("models")).resolve()
    sittings = []
    for one in sit(exam, clips, cache or default_cache(), models, baseline=baseline, say=Shown()):
        sittings.append(one)
        click.echo(f"clip {one.number}: {'right' if one.right else 'wrong'}", err=True)
    marks = mark(sittings)
    command_line = " ".join(["companion evaluate shell-game", f"--clips {clips}", *["--baseline"] * baseline])
    text = shell_markdown(exam, sittings, marks, command_line)
    click.echo(msgspec.json.encode(marks).decode() if as_json else text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")
