"""`companion evaluate photos`: the detector on real photos of French-suited cards, on surfaces that it has never seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("photos")
@click.option("--photos", type=FOLDER, required=True, help="Folder with labels.json and the photos that it names.")
@click.option("--part", type=click.Choice(["train", "test"]), default="test", show_default=True, help="Which surfaces' photos.")
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--width", "widths", type=click.IntRange(min=64), multiple=True,
              help="The detector's input, pixels; may be repeated.  [default: as companion detect does]")
@click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, help="Only every N-th photo.")
@click.option("--table", type=FILE, help="Which surface was photographed when.  [default: datasets/french-photos.yaml]")
@click.option("--checked", type=FILE, help="Labels judged by eye.  [default: datasets/french-photos-checked.yaml]")
@click.option("--report", type=FILE, help="Write the report here.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    photos: Path, part: Literal["train", "test"], models: Path | None, widths: tuple[int, ...], every: int, table: Path | None,
    checked: Path | None, report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Recall and precision of ramino faces on real photos, by surface, and the ceiling that their labels set."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from companion.eyes.proposer import STILL_WIDTHS
    from workshop.dataset.photos import read_photos, read_table
    from workshop.evaluation.photos import ceiling, measure, read_samples
    from workshop.evaluation.report import Section, markdown, write_report

    detector = Eyes.load(models or asset("models"), threads=2).detector
    chosen = read_photos(photos, read_table(table or asset("datasets/french-photos.yaml")), part)[::every]
    samples = {sample.part: sample for sample in read_samples(checked or asset("datasets/french-photos-checked.yaml"))}
    with click.progressbar(length=len(chosen), label=f"{part}: {len(chosen)} photos", file=sys.stderr) as bar:
        found = measure(detector, photos, chosen, widths or STILL_WIDTHS, bar.update)
    seen = "never seen in training" if part == "test" else "seen in training"
    how = "an input " + " and ".join(f"{width}" for width in widths or STILL_WIDTHS) + " px wide"
    about = f"Surface {seen}; upright boxes, IoU 0.5; {how}."
    sections = [Section(f"Real photos: {name}", about, figures) for name, figures in found.items()]
    limit = ceiling(samples.get(part, samples["all"]))
    meaning = "What a perfect detector would reach against these labels: a sample of them was judged by eye."
    sections.append(Section("Real photos: the ceiling", meaning, limit))
    options = [f"--part {part}"] * (part != "test") + [f"--width {width}" for width in widths]
    options += [f"--every {every}"] * (every > 1)
    again = " ".join(["companion evaluate photos --photos PHOTOS", *options])
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections))
    if report:
        write_report(report, sections, again)
