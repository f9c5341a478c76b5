"""`companion evaluate`: measure the models and the whole line, and write the reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workshop.cli import (
    evaluate_cadyze,
    evaluate_enrol,
    evaluate_game,
    evaluate_photos,
    evaluate_speed,
    evaluate_strangers,
    evaluate_streams,
)
from workshop.games import workshops

if TYPE_CHECKING:
    from companion.eyes.look import Eyes
    from workshop.evaluation.report import Section

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


class _Evaluate(click.Group):
    """The commands here, and those of the games that are in the house when it is asked for them."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or self._of_games().get(cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._of_games()})

    def _of_games(self) -> dict[str, click.Command]:
        return {own.name: own for game in workshops() for own in game.commands if own.name is not None}


@click.group(cls=_Evaluate)
def command() -> None:
    """Measure the models on pictures with known truth, and the whole line on games."""


command.add_command(evaluate_cadyze.command)
command.add_command(evaluate_enrol.command)
command.add_command(evaluate_game.command)
command.add_command(evaluate_photos.command)
command.add_command(evaluate_speed.command)
command.add_command(evaluate_strangers.command)
command.add_command(evaluate_streams.command)


@command.command()
@click.option(
    "--data", "folders", type=FOLDER, multiple=True, required=True, help="Labelled pictures (dataset make); may be repeated."
)
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--limit", type=click.IntRange(min=1), help="Only this many pictures of each folder, the first ones.")
@click.option(
    "--width", type=click.IntRange(min=64), help="The detector's input, pixels.  [default: what suits the cards, as in a game]"
)
@click.option("--stills", is_flag=True, help="Use several input sizes, as companion detect does.")
@click.option("--crops", type=click.IntRange(min=10), help="Also measure the reader alone, on this many crops of each kind.")
@click.option("--scans", type=FOLDER, help="Scanned decks, for --crops: the real deck, and Neapolitan cards as strangers.")
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg), for --crops: what lies around the card.")
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False),
    help="Put the figures into this report, such as models/REPORT.md, and its plots beside it.",
)
@click.option("--showable", type=FOLDER, help="Pictures made without scans and backgrounds: the report shows the worst of them.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def pictures(
    folders: tuple[Path, ...],
    models: Path | None,
    limit: int | None,
    width: int | None,
    stills: bool,
    crops: int | None,
    scans: Path | None,
    backgrounds: Path | None,
    report: Path | None,
    showable: Path | None,
    as_json: bool,
) -> None:
    """How many cards are found, how exactly, and how many of the faces are named right."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.evaluation.detection import InputSize
    from workshop.evaluation.labels import read_labels
    from workshop.evaluation.pictures import sections
    from workshop.evaluation.report import markdown, write_report

    eyes = Eyes.load(models or asset("models"), threads=2)
    size: InputSize = "still" if stills else width or "game"
    measured, tallies = [], {}
    for folder in folders:
        found, tallies[folder.name] = sections(eyes, folder, limit, size)
        measured += found
    if crops:
        measured += _crops(eyes, crops, scans, backgrounds)
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in measured}).decode())
    else:
        click.echo(markdown(measured))
    if report:
        from workshop.evaluation import plots  # matplotlib is slow to import

        options = [f"--data data/{folder.name}" for folder in folders]
        options += [f"--limit {limit}"] * bool(limit) + [f"--width {width}"] * (width is not None and not stills)
        options += ["--stills"] * stills + [f"--crops {crops} --scans DECKS --backgrounds SCENES"] * bool(crops)
        write_report(report, measured, f"companion evaluate pictures {' '.join(options)}")
        plots.curves(tallies, eyes.detector.calibration.threshold, report.with_name("curves.png"))
        if showable:
            plots.worst(eyes.detector, read_labels(showable)[:limit], size, report.with_name("worst.jpg"))


@command.command()
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Put the figures into this report.")
@click.option("--floor", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="Fail where a figure is worse than in this report.")
def quick(models: Path | None, report: Path | None, floor: Path | None) -> None:
    """An evaluation of a minute, on drawn decks alone: are the report's figures still reached?"""
    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.evaluation.quick import fallen, measure
    from workshop.evaluation.report import markdown, read_figures, write_report

    found = measure(Eyes.load(models or asset("models"), threads=2))
    click.echo(markdown(found))
    if report:
        write_report(report, found, "companion evaluate quick")
    below = list(fallen(found, read_figures(floor))) if floor else []
    for line in below:
        click.echo(line, err=True)
    raise SystemExit(1 if below else 0)


@command.command()
@click.option("--scans", type=FOLDER, help="Folder of scanned decks: adds the real deck, and Neapolitan cards as strangers.")
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg) for what lies around the card.")
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--count", type=click.IntRange(min=10), default=3000, show_default=True, help="Crops of each kind.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def reader(scans: Path | None, backgrounds: Path | None, models: Path | None, count: int, as_json: bool) -> None:
    """The reader alone, on crops made on the fly: drawn styles that it has never seen, the scans, and another deck's cards."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.evaluation.report import markdown

    sections = _crops(Eyes.load(models or asset("models"), threads=2), count, scans, backgrounds)
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections))


def _crops(eyes: Eyes, count: int, scans: Path | None, backgrounds: Path | None) -> list[Section]:
    from workshop.evaluation.reading import read_crops, reading_figures, strangers
    from workshop.evaluation.report import Section
    from workshop.training.crops import Classes, backdrops, classes

    seed = 77  # of crops and drawn styles: not one that is used in training or calibration
    eye, scenes = eyes.reader, backdrops(backgrounds)
    drawn = classes(8, seed + 5000, None)
    read = reading_figures(eye, read_crops(eye, drawn, count, seed, scenes), drawn.names)
    sections = [Section("The reader alone: drawn styles never trained on", "Crops of 25 to 200 px.", read)]
    if scans is not None:
        both = classes(1, seed, scans, others=("napoletane",))
        real = Classes(both.names, tuple(images[1:] or images for images in both.textures))
        read = reading_figures(eye, read_crops(eye, real, count, seed, scenes), real.names)
        sections.append(Section("The reader alone: the scanned deck", "Crops of 25 to 200 px.", read))
        other = [i for i, name in enumerate(both.names) if name.startswith("napoletane/")]
        strange = Classes(tuple(both.names[i] for i in other), tuple(both.textures[i] for i in other))
        named = strangers(eye, strange, count, seed, scenes)
        sections.append(Section("The reader alone: Neapolitan cards, never trained on", "Crops of 40 to 200 px.", named))
    return sections


@command.command()
@click.option("--count", type=click.IntRange(min=2), default=60, show_default=True, help="Pictures drawn.")
@click.option("--seed", default=0, show_default=True, help="Of the first picture; each takes the next.")
@click.option("--backgrounds", type=FOLDER, help="Folder of panoramas for the room.  [default: a drawn floor]")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def corners(count: int, seed: int, backgrounds: Path | None, as_json: bool) -> None:
    """How exactly the table's corners are found, in rendered pictures of evenings."""
    import msgspec

    from workshop.evaluation.corners import figures, staged

    found = figures(staged(range(seed, seed + count), backgrounds=backgrounds))
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        for name, value in found.items():
            click.echo(f"{name:<18}{value:g}")
