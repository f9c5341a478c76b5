"""`companion evaluate streams`: the referee on streams of sightings, without pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.cli.common import GameId
from companion.games import first_game
from workshop.games import workshop_of


@click.command("streams")
@click.option("--game", type=GameId(), default=first_game().id, show_default=True,
              help="The game to be followed.")
@click.option("--hands", type=click.IntRange(min=1), default=1000, show_default=True, help="Hands to play.")
@click.option("--noise", type=click.Choice(["none", "easy", "medium", "hard"]), default="medium", show_default=True,
              help="How much the adversary spoils what perfect eyes would report.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Other games, other noise.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False),
              help="Put the figures into this report, such as models/REPORT.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(game: str, hands: int, noise: str, seed: int, report: Path | None, as_json: bool) -> None:
    """The referee alone, on streams of sightings without pictures: how many hands it rules right when nobody is asked.

    Words and amounts, where a game has them, the phone tells in between.
    """
    import sys
    import time

    import msgspec

    from workshop.evaluation.report import Section, write_report

    began = time.process_time()
    evenings, figures = workshop_of(game).streams(hands, noise, seed)
    verdicts: list[Any] = []
    with click.progressbar(length=hands, label=noise, file=sys.stderr) as bar:
        for evening in evenings:
            verdicts += evening
            bar.update(sum(verdict.true is not None for verdict in evening))
    found = msgspec.to_builtins(figures(verdicts)) | {"hands_per_cpu_second": hands / (time.process_time() - began)}
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        for name, value in found.items():
            click.echo(f"{name:>22}  {value:.4f}" if isinstance(value, float) else f"{name:>22}  {value}")
    if report:
        about = "An adversary drops, doubles, delays and misnames what perfect eyes would report; nobody is asked."
        named = {("exchange_" + name if name in ("recall", "precision") else name): value for name, value in found.items()}
        of = "" if game == first_game().id else f"{game}, "
        again = f"companion evaluate streams --hands {hands} --noise {noise} --seed {seed}" + (f" --game {game}" if of else "")
        write_report(report, [Section(f"The referee alone: {of}{noise} streams of sightings", about, named)], again)
