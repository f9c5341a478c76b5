"""What `companion evaluate` measures of Lu Stù alone: rulings where a part could not be seen, cards told apart by motion, and
pedine counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from workshop.bench.cache import Progress, default_cache
from workshop.bench.stu.pedine.command import command as pedine

if TYPE_CHECKING:
    from workshop.bench.stu.holes import HoledScore

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_MODELS = click.Path(path_type=Path, file_okay=False, exists=True)


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
    from workshop.bench.recipe import read_bench
    from workshop.bench.stu.holes import all_holed, markdown, wrong_and_sure

    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    cache, models, say = cache or default_cache(), (models or asset("models")).resolve(), Progress()
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
    from workshop.bench.stu.report import shell_markdown
    from workshop.bench.stu.shellexam import mark, read_shell_game, sit

    if baseline:
        import ultralytics  # noqa: F401  where it is missing, refuse at once

    exam = read_shell_game(exam_path or asset("datasets/shell-game.yaml"))
    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    models = (models or asset("models")).resolve()
    sittings = []
    for one in sit(exam, clips, cache or default_cache(), models, baseline=baseline, say=Progress()):
        sittings.append(one)
        click.echo(f"clip {one.number}: {'right' if one.right else 'wrong'}", err=True)
    marks = mark(sittings)
    command_line = " ".join(["companion evaluate shell-game", f"--clips {clips}", *["--baseline"] * baseline])
    text = shell_markdown(exam, sittings, marks, command_line)
    click.echo(msgspec.json.encode(marks).decode() if as_json else text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")


COMMANDS: Final[tuple[click.Command, ...]] = (shell_game, holes, pedine)
