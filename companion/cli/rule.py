"""`companion rule`: replay a table log and print who pays and why."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion import stu
from companion.errors import CompanionError
from companion.stu.report import to_json


@click.command("rule")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all rulings.")
def command(log: Path, as_json: bool) -> None:
    """Replay the table log LOG and print the rulings.

    A log that cannot have happened: exit 2 and one line that names the line of the log.
    """
    try:
        state = stu.replay_log(log.read_bytes())
    except stu.StuError as error:
        raise CompanionError(_one_line(str(error))) from error
    sys.set_int_max_str_digits(0)  # the price doubles with every ricompera and is printed to the last digit
    click.echo(to_json(stu.report(state).to_dict()).encode())


def _one_line(text: str) -> str:
    """The message without what would break the line or flood it: names in a log may hold anything."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= 400 else plain[:400] + "…"
