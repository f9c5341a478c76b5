"""`companion rule`: replay a table log and print who pays and why."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.games import stu
from companion.games.stu import words
from companion.games.stu.rules.log import read_lines
from companion.games.stu.rules.report import Report, to_json
from companion.games.stu.story import HandStory, story
from companion.table.errors import CompanionError
from companion.table.language import LANGS, Lang

MAX_BYTES = 64 << 20
"""A log of ten thousand hands of twelve players has a fifth of it."""


@click.command("rule")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all rulings.")
@click.option("--story", "tell_story", is_flag=True, help="Tell every hand step by step, with who held which card.")
@click.option("--lang", type=click.Choice(LANGS), default="it", show_default=True, help="Language of the text.")
def command(log: Path, as_json: bool, tell_story: bool, lang: Lang) -> None:
    """Replay the table log LOG and print the rulings.

    A log that cannot have happened: exit 2 and one line that names the line of the log.
    """
    with log.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CompanionError(f"{log} is longer than {MAX_BYTES >> 20} MiB: expected the table log of one game")
    try:
        rulings = stu.report(stu.replay_log(data))
    except stu.GameError as error:
        raise CompanionError(_one_line(str(error))) from error
    told = story(read_lines(data)) if tell_story or not as_json else ()
    sys.set_int_max_str_digits(0)  # the price doubles with every ricompera and is printed to the last digit
    if as_json:
        plain: dict[str, Any] = rulings.to_dict()
        if tell_story:
            plain["story"] = msgspec.to_builtins(told)
        click.echo(to_json(plain).encode())
    else:
        click.echo("\n".join(_text(rulings, told, lang, steps=tell_story)).encode())


def _text(rulings: Report, told: tuple[HandStory, ...], lang: Lang, *, steps: bool) -> list[str]:
    """All hands, with their steps or their payments, and how everybody stands, a line each."""
    lines: list[str] = []
    stories = {hand.n: hand for hand in told}
    for hand in rulings.hands:
        happened = stories.get(hand.n)
        lines.append(words.title(hand, lang))
        if steps and happened is not None:
            lines += [f"  {step.says[lang]}" for step in happened.steps]
        else:
            lines += [f"  {sentence}" for sentence in words.hand(hand, lang)]
        virgins = happened.virgins if happened is not None else ()
        lines += [f"  {sentence}" for sentence in words.aftermath(hand, lang, virgins)]
    if lines:
        lines.append("")
    return [_printable(line) for line in (*lines, *words.standing(rulings, lang))]


def _one_line(text: str) -> str:
    """The message without what would flood the line: names in a log may hold anything."""
    plain = _printable(text)
    return plain if len(plain) <= 400 else plain[:400] + "…"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
