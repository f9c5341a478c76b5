"""`companion rule`: replay a table log and print who pays and why."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

from companion.games import stu
from companion.games.stu import words
from companion.games.stu.rules.log import read_lines
from companion.games.stu.rules.report import to_json, virgins_by_hand
from companion.games.stu.story import HandStory, story
from companion.table.errors import CompanionError
from companion.table.language import LANGS, Lang

MAX_BYTES = 64 << 20
"""A log of ten thousand hands of twelve players has a fifth of it."""


@click.command("rule")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all rulings.")
@click.option("--story", "tell_story", is_flag=True, help="Tell every hand step by step, with who held which card.")
@click.option("--lang", type=click.Choice(LANGS), default="it", show_default=True, help="Language of the text.")
def command(log: str, as_json: bool, tell_story: bool, lang: Lang) -> None:
    """Replay the table log LOG (- for standard input) and print the rulings.

    A log that cannot have happened: exit 2 and one line that names the line of the log.
    """
    with click.open_file(log, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        name = "standard input" if log == "-" else log
        raise CompanionError(f"{name} is longer than {MAX_BYTES >> 20} MiB: expected the table log of one game")
    try:
        state = stu.replay_log(data)
    except stu.GameError as error:
        raise CompanionError(_one_line(str(error))) from error
    hands = story(read_lines(data)) if tell_story else ()
    sys.set_int_max_str_digits(0)  # the price doubles with every ricompera and is printed to the last digit
    if as_json:
        plain: dict[str, Any] = stu.report(state).to_dict()
        if tell_story:
            plain["story"] = msgspec.to_builtins(hands)
        click.echo(to_json(plain).encode())
    else:
        click.echo("\n".join(_text(state, hands, lang)).encode())


def _text(state: stu.State, stories: tuple[HandStory, ...], lang: Lang) -> list[str]:
    """All hands, each with its steps where they are told, or else its payments; then how everybody stands; a line each."""
    rulings = stu.report(state)
    lines: list[str] = []
    steps = {hand.n: [step.says[lang] for step in hand.steps] for hand in stories}
    for hand, virgins in zip(rulings.hands, virgins_by_hand(state), strict=True):
        sentences = steps[hand.n] if hand.n in steps else words.hand(hand, lang)
        lines.append(words.title(hand, lang))
        lines += [f"  {sentence}" for sentence in (*sentences, *words.aftermath(hand, lang, virgins))]
    if lines:
        lines.append("")
    return [_printable(line) for line in (*lines, *words.standing(rulings, lang))]


def _one_line(text: str) -> str:
    """The message without what would flood the line: names in a log may hold anything."""
    plain = _printable(text)
    return plain if len(plain) <= 400 else plain[:400] + "…"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
