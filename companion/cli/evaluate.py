"""companion evaluate: measure the models and write the report."""

from __future__ import annotations

from pathlib import Path

import click

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.group()
def command() -> None:
    """Measure the models on pictures with known truth."""


@command.command()
@click.option(
    "--data", "folders", type=FOLDER, multiple=True, required=True, help="Labelled pictures (dataset make); may be repeated."
)
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many pictures of each folder.")
@click.option("--width", type=click.IntRange(min=64), default=640, show_default=True, help="The detector's input, pixels.")
@click.option("--stills", is_flag=True, help="Look at several input sizes, as companion detect does.")
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), help="Write the report here, such as models/REPORT.md."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def pictures(
    folders: tuple[Path, ...],
    models: Path | None,
    limit: int | None,
    width: int,
    stills: bool,
    report: Path | None,
    as_json: bool,
) -> None:
    """How many cards are found, how exactly, and how many faces are named right."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from companion.workshop.evaluation.detection import figures, tally
    from companion.workshop.evaluation.labels import read_labels
    from companion.workshop.evaluation.report import Section, markdown, write_report
    from companion.workshop.evaluation.sight import naming

    eyes = Eyes.load(models or asset("models"), threads=2)
    size = None if stills else width
    sections = []
    for folder in folders:
        labelled = read_labels(folder)[:limit]
        counts = tally(eyes.detector, labelled, size)
        how = "several input sizes" if stills else f"an input {width} px wide"
        sections += [
            Section(
                f"Cards found in `{folder.name}`",
                f"The detector alone, {how}.",
                figures(counts, eyes.detector.calibration.threshold),
            ),
            Section(f"Faces named in `{folder.name}`", f"Detector and reader together, {how}.", naming(eyes, labelled, size)),
        ]
    options = " ".join(
        [*(f"--data {folder}" for folder in folders), *(["--stills"] if stills else []), *([f"--limit {limit}"] if limit else [])]
    )
    again = f"companion evaluate pictures {options}"
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections, again))
    if report:
        write_report(report, sections, again)


@command.command()
@click.option("--scans", type=FOLDER, help="Folder of scanned decks: adds the real deck, and Neapolitan cards as strangers.")
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg) for what lies around the card.")
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--count", type=click.IntRange(min=10), default=3000, show_default=True, help="Crops of each kind.")
@click.option("--seed", type=int, default=77, show_default=True, help="Of crops and drawn styles; never one that trained.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def reader(scans: Path | None, backgrounds: Path | None, models: Path | None, count: int, seed: int, as_json: bool) -> None:
    """The reader alone, on crops made on the fly: drawn styles that it never saw, the scans, and another deck's cards."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.reader import Prototypes, Reader
    from companion.workshop.evaluation.reading import read_crops, reading_figures, strangers
    from companion.workshop.evaluation.report import Section, markdown
    from companion.workshop.training.crops import Classes, backdrops, classes

    folder = models or asset("models")
    eye = Reader(folder / "reader.onnx", Prototypes.load(folder / "prototypes.npz"), threads=2)
    scenes = backdrops(backgrounds)
    drawn = classes(8, seed + 5000, None)
    sections = [
        Section(
            "Drawn styles that were never trained on",
            "Crops of 25 to 200 px.",
            reading_figures(eye, read_crops(eye, drawn, count, seed, scenes), drawn.names),
        )
    ]
    if scans is not None:
        both = classes(1, seed, scans, others=("napoletane",))
        real = Classes(both.names, tuple(images[1:] or images for images in both.textures))
        sections.append(
            Section(
                "The scanned deck",
                "Crops of 25 to 200 px.",
                reading_figures(eye, read_crops(eye, real, count, seed, scenes), real.names),
            )
        )
        other = [i for i, name in enumerate(both.names) if name.startswith("napoletane/")]
        strange = Classes(tuple(both.names[i] for i in other), tuple(both.textures[i] for i in other))
        sections.append(
            Section("Neapolitan cards, never trained on", "Crops of 40 to 200 px.", strangers(eye, strange, count, seed, scenes))
        )
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections, f"companion evaluate reader --count {count} --seed {seed}"))
