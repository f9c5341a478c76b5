"""`companion evaluate pedine`: pedine of decks that nothing was trained on, counted at rendered tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("pedine")
@click.option("--only", type=click.Choice(["easy", "medium", "hard"]), help="Moments of one difficulty only.")
@click.option("--moments", "count", type=click.IntRange(1, 1000), default=30, show_default=True,
              help="Moments of each difficulty, each of an evening, a table and a deck of its own.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), help="Folder for what the eyes found in each moment.  "
              "[default: the user's cache]")
@click.option("--models", type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="Other models than the shipped ones.")
@click.option("--report", "report_path", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the report here, such as models/PEDINE.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    only: str | None, count: int, cache: Path | None, models: Path | None, report_path: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Count the pedine before each place in moments of rendered evenings, with French-suited decks that nothing was trained on.

    A moment takes some eight seconds of one processor core. What was found stays in the cache: a run can be stopped at any time,
    and the next one continues from there.
    """
    import msgspec

    from companion.assets import asset
    from workshop.bench.cache import default_cache
    from workshop.bench.recipe import read_bench
    from workshop.bench.stu.pedine.measure import GOALS, Counted, markdown, rates, run

    if report_path is not None and not report_path.parent.is_dir():
        raise click.ClickException(f"{report_path}: there is no folder {report_path.parent}")
    levels = [level for level in GOALS if only in (None, level)]
    counts: list[Counted] = []
    with click.progressbar(length=count * len(levels), label="Moments", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        bench, models = read_bench(asset("datasets/bench.yaml")), (models or asset("models")).resolve()
        for name, found in run(bench, levels, count, models, cache or default_cache().with_name("pedine")):
            counts += found
            bar.update(1)
            if not sys.stderr.isatty():
                click.echo(f"{name}: {sum(one.told == one.true for one in found)} of {len(found)} counts right", err=True)
    text = markdown(counts, " ".join(["companion evaluate pedine", *[f"--only {only}"] * bool(only), f"--moments {count}"]))
    if as_json:
        figures = {level: rates([one for one in counts if one.level == level]) for level in levels}
        click.echo(msgspec.json.encode(figures).decode())
    else:
        click.echo(text)
    if report_path is not None:
        report_path.write_text(text + "\n", encoding="utf-8")
