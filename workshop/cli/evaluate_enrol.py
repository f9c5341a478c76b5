"""`companion evaluate enrol`: decks that are enrolled from one or two photos a card."""

from __future__ import annotations

from pathlib import Path

import click

from workshop.bench.cache import Progress, default_cache

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("enrol")
@click.option("--scans", type=FOLDER, help="Folder with napoletane/, stu/, …: card scans to enrol too, and strangers' cards.")
@click.option("--decks", "names", multiple=True, metavar="NAME", help="Measure this deck; may be repeated.  [default: all]")
@click.option("--photos", type=click.IntRange(1, 8), multiple=True, default=(1, 2), show_default=True,
              help="Photos of each card; may be repeated.")
@click.option("--limit", type=click.IntRange(min=0), default=120, show_default=True,
              help="Pictures in play of each deck; 0 measures none, for --clips alone.")
@click.option("--peer", type=click.IntRange(min=0), default=25, show_default=True,
              help="Pictures in which ORB reads the cards, too, which takes up to a second for each.")
@click.option("--clips", type=click.IntRange(min=0), default=0, show_default=True,
              help="Easy clips of the bench to follow, too, with and without an enrolled deck: minutes for each.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False),
              help="Folder for the clips.  [default: the user's cache]")
@click.option("--models", type=FOLDER, help="Other models than the shipped ones.")
@click.option("--stills", is_flag=True, help="Use several input sizes, as companion detect does.")
@click.option("--report", "report_path", type=FILE, help="Put the figures into this report, such as models/ENROL.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(
    scans: Path | None, names: tuple[str, ...], photos: tuple[int, ...], limit: int, peer: int, clips: int, cache: Path | None,
    models: Path | None, stills: bool, report_path: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Enrol decks from rendered photos, as companion enrol does, and name their cards in play, with strangers' among them.

    Decks that no training saw, each in two prints: one is photographed, the other one is played with. Beside it what one might
    otherwise take, OpenCV's ORB and RANSAC. Without --scans only the drawn decks are measured.
    """
    import msgspec

    from companion.assets import asset
    from companion.eyes.enrol.deck import Cohort
    from companion.eyes.look import Eyes
    from workshop.bench.recipe import read_bench
    from workshop.enrolment.measure import measure
    from workshop.enrolment.prints import prints
    from workshop.enrolment.report import Report, markdown, measure_hands, write_report

    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    models, say = (models or asset("models")).resolve(), Progress()
    eyes, cohort = Eyes.load(models, threads=2), Cohort.load(models / "cohort.npz")
    decks = []
    for one in prints(scans, names) if limit else ():
        decks.append(measure(one, eyes, cohort, limit, photos, scans, peer, "still" if stills else "game", say))
        for run in decks[-1].runs:
            right = run.tally.asked
            click.echo(f"{one.name}, {run.who}, photos {run.photos}: {right.hits} of {right.of} named right", err=True)
    hands = []
    if clips:
        bench = read_bench(asset("datasets/bench.yaml"))
        for clip in measure_hands(bench, clips, cache or default_cache(), models, say):
            hands.append(clip)
            click.echo(f"{clip.name}: of {clip.hands} hands right {clip.shipped}, with the deck {clip.enrolled}", err=True)
    options = ["--scans SCANS"] * bool(scans) + [f"--decks {name}" for name in names]
    options += [f"--photos {number}" for number in photos] * (photos != (1, 2)) + [f"--limit {limit}"] * (limit != 120)
    options += [f"--peer {peer}"] * (peer != 25) + [f"--clips {clips}"] * bool(clips) + ["--stills"] * stills
    report = Report(decks, hands, " ".join(["companion evaluate enrol", *options]))
    click.echo(msgspec.json.encode(report).decode() if as_json else markdown(report))
    if report_path is not None:
        write_report(report_path, report)
