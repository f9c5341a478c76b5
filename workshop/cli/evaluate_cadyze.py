"""`companion evaluate cadyze`: the eyes on real photos of overlapping cards that are labelled by their printed indices."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("cadyze")
@click.option("--photos", type=FOLDER, required=True, help="Folder with labels.json and the photos that it names.")
@click.option("--part", type=click.Choice(["train", "test"]), default="test", show_default=True, help="Which sessions' photos.")
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--table", type=FILE, help="What is known of each session.  [default: datasets/cadyze.yaml]")
@click.option("--checked", type=FILE, help="Labels judged by eye.  [default: datasets/cadyze-checked.yaml]")
@click.option("--report", type=FILE, help="Put the figures into this report, such as models/REPORT.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    photos: Path, part: Literal["train", "test"], models: Path | None, table: Path | None, checked: Path | None,
    report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """By session: how many labelled corner indices lie in a corner of a found face, and how many found faces have one there."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.dataset.index_photos import read_index_photos, read_sessions
    from workshop.evaluation.indices import corrected, measure, read_checked
    from workshop.evaluation.report import Section, markdown, write_report

    eyes = Eyes.load(models or asset("models"), threads=2)
    judged = read_checked(checked or asset("datasets/cadyze-checked.yaml"))
    known = read_index_photos(photos, read_sessions(table or asset("datasets/cadyze.yaml")), part)
    chosen = [corrected(photo, judged) for photo in known]
    with click.progressbar(length=len(chosen), label=f"{part}: {len(chosen)} photos", file=sys.stderr) as bar:
        found = measure(eyes, chosen, bar.update)
    seen = "" if part == "test" else " that were trained on"
    about = "Real photos of overlapping cards; labelled corner indices in the corners of found faces; several input sizes."
    sections = [Section(f"Overlapping cards{seen}: {name}", about, figures) for name, figures in found.items()]
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections))
    if report:
        again = ["companion evaluate cadyze --photos PHOTOS", *[f"--part {part}"] * (part != "test")]
        write_report(report, sections, " ".join(again))
