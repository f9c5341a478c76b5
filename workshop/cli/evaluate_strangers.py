"""`companion evaluate strangers`: cards of decks that the eyes were never taught."""

from __future__ import annotations

import sys
from pathlib import Path

import click

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command("strangers")
@click.option("--data", "folders", type=FOLDER, multiple=True, required=True,
              help="Labelled pictures (dataset make) with cards of strange decks; may be repeated.")
@click.option("--deck", "decks", multiple=True,
              help="A deck that was never trained on; may be repeated.  [default: all but ours]")
@click.option("--models", type=FOLDER, help="Folder with the models; by default the shipped ones.")
@click.option("--limit", type=click.IntRange(min=1), help="Only this many pictures of each folder, the first ones.")
@click.option("--stills", is_flag=True, help="Use several input sizes, as companion detect does.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Put the figures into this report.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    folders: tuple[Path, ...], decks: tuple[str, ...], models: Path | None, limit: int | None, stills: bool,
    report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Cards of strange decks: found as cards, whatever they are called, and not named as ones of ours."""
    import msgspec

    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.evaluation.labels import read_labels
    from workshop.evaluation.pictures import HOW
    from workshop.evaluation.report import Section, markdown, write_report
    from workshop.evaluation.strangers import measure

    eyes = Eyes.load(models or asset("models"), threads=2)
    pictures = [picture for folder in folders for picture in read_labels(folder)[:limit]]
    with click.progressbar(length=len(pictures), label=f"{len(pictures)} pictures", file=sys.stderr) as bar:
        found = measure(eyes, pictures, decks, "still" if stills else "game", bar.update)
    if not found:
        raise click.UsageError(f"no card of {' or '.join(decks) or 'a strange deck'} shows half or more in these pictures: "
                               "expected pictures with such cards, as dataset make draws them with --scans")
    how = HOW["still" if stills else "game"]
    about = f"Cards of decks never trained on, half or more in view; detector, refiner and reader, {how}."
    sections = [Section(f"Strange decks: {name}", about, figures) for name, figures in found.items()]
    if as_json:
        click.echo(msgspec.json.encode({section.title: section.figures for section in sections}).decode())
    else:
        click.echo(markdown(sections))
    if report:
        options = [f"--data data/{folder.name}" for folder in folders] + [f"--deck {deck}" for deck in decks]
        options += [f"--limit {limit}"] * bool(limit) + ["--stills"] * stills
        write_report(report, sections, f"companion evaluate strangers {' '.join(options)}")
