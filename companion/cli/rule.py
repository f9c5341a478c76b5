"""`companion rule`: replay a table log and print who pays and why."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from companion.games import Game, game_said, replay_log
from companion.pages.moments import follow, stands_in
from companion.table.errors import CompanionError
from companion.table.game import State
from companion.table.language import LANGS, Lang
from companion.table.log import MAX_LOG_BYTES, Line, tag
from companion.table.story import ALL_SURE, RULING, STANDS, Between, Doubts, Stories, ruling_sure
from companion.table.sure import SURE_FROM
from companion.table.text import perhaps, printable


@click.command("rule")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all rulings.")
@click.option("--story", "tell_story", is_flag=True, help="Tell every hand step by step, with who held which card.")
@click.option("--lang", type=click.Choice(LANGS), default="it", show_default=True, help="Language of the text.")
def command(log: str, as_json: bool, tell_story: bool, lang: Lang) -> None:
    """Replay the table log LOG (- for standard input) and print the rulings.

    A log that cannot have happened: exit 2 and one line that names the line of the log.
    """
    from companion.games.plain_telling import telling_of  # not for the help

    with click.open_file(log, "rb") as file:
        data = file.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        name = "standard input" if log == "-" else log
        raise CompanionError(f"{name} is longer than {MAX_LOG_BYTES >> 20} MiB: expected the table log of one game")
    game = game_said(data)
    lines, told = replay_log(data)
    state, stated, goes_on = _seen(game, lines, told)
    telling = telling_of(game, lines)
    doubts = None if as_json else _doubts(game, lines)
    stories = telling.story(lines, doubts=doubts) if tell_story else ()
    stories = tuple(hand for hand in stories if hand.n not in stated)
    sys.set_int_max_str_digits(0)  # the price doubles with every ricompera and is printed to the last digit
    if as_json:
        plain = _plain(game, told, state, stated, goes_on=goes_on)
        if tell_story:
            plain["story"] = msgspec.to_builtins(stories)
        # Of the library's own: a price may have more digits than msgspec writes.
        click.echo(json.dumps(plain, ensure_ascii=False, indent=1).encode())
    else:
        assert doubts is not None
        between = _between(game, lines, stories, lang)
        text = telling.text(state, _marked(stories, doubts), lang, between, doubts)
        click.echo("\n".join(map(printable, text)).encode())


def _seen(game: Game, lines: tuple[Line, ...], state: State) -> tuple[State, tuple[int, ...], bool]:
    """The game as everybody has seen it, the numbers of the hands with nothing known but the outcome, as their lines say who paid
    and no more (`companion.pages.moments.stands_in`), and whether another such hand is in progress. ``state``: the game as the
    lines tell it."""
    if not (any(map(stands_in, lines)) and game.has_pages):
        return state, (), False
    *_, last = follow(game.rules, game.pages, lines)
    goes_on = last.run is not None
    return (last.seen if last.stated or goes_on else state), last.stated, goes_on


def _plain(game: Game, told: State, seen: State, stated: tuple[int, ...], *, goes_on: bool) -> dict[str, Any]:
    """The report for programs. Of hands whose outcome alone is known, the ``stated`` ones and one that ``goes_on``, it has what
    everybody may know: ``seen``. ``told``: the game as its lines tell it."""
    plain: dict[str, Any] = game.rules.report(told).to_dict()
    if not stated and not goes_on:
        return plain
    public: dict[str, Any] = game.rules.report(seen).to_dict()
    before = [*plain["hands"][:-1], *public["hands"][len(plain["hands"]) - 1 :]] if goes_on else plain["hands"]
    hands = [{**public["hands"][n - 1], "stated": True} if n in stated else hand for n, hand in enumerate(before, start=1)]
    return {**(public if goes_on else plain), "hands": hands}


def _doubtful(line: Line) -> bool:
    """Whether somebody or the camera has reported this line with a probability below `SURE_FROM`."""
    return line.confidence is not None and line.confidence < SURE_FROM and not stands_in(line)


def _doubts(game: Game, lines: tuple[Line, ...]) -> Doubts:
    """What of each hand is not sure, its ruling among that, and for whom it is not sure what they have. The pages, which know
    it, are only loaded where a line is not."""
    if not (any(map(_doubtful, lines)) and game.has_pages):
        return ALL_SURE
    from companion.pages.doubts import doubts, unsure_rulings
    from companion.pages.ruling import believed
    from companion.pages.view import ViewSettings

    moments = tuple(follow(game.rules, game.pages, lines))
    unsure = dict.fromkeys(unsure_rulings(game.rules, moments, SURE_FROM), frozenset({RULING}))
    found = doubts(game.rules, game.pages, moments, SURE_FROM)
    hands = {n: frozenset(found.get(n, ())) | unsure.get(n, frozenset()) for n in {*found, *unsure}}
    return {**hands, STANDS: frozenset(believed(game.pages.view(moments, LANGS[0], ViewSettings(SURE_FROM, 0))))}


def _marked(stories: Stories, doubts: Doubts) -> Stories:
    """The stories for people: the last step of a hand whose ruling is not sure ends with a question mark."""
    def steps(hand: Any) -> tuple[Any, ...]:
        last = max((at for at, step in enumerate(hand.steps) if any(step.says.values())), default=-1)
        if last < 0 or ruling_sure(doubts, hand.n):
            return tuple(hand.steps)
        step = hand.steps[last]
        says = {lang: text and perhaps(text.removesuffix("."), sure=False) for lang, text in step.says.items()}
        return (*hand.steps[:last], replace(step, says=says), *hand.steps[last + 1 :])

    return tuple(replace(hand, steps=steps(hand)) for hand in stories)


def _between(game: Game, lines: tuple[Line, ...], stories: Stories, lang: Lang) -> Between:
    """What was told beside the hands, such as ricompere and agreements. Lines that the ``stories`` tell already are left out, and
    so is the end of the game, which the status tells. The pages' words are loaded only where there is such a line."""
    told = {step.line for hand in stories for step in hand.steps}
    told |= {number for number, line in enumerate(lines, start=1) if tag(line.event) == "close" or not line.event.BESIDE}
    if len(told) == len(lines) or not game.has_pages:
        return {}
    from companion.pages.beside import beside_hands

    said: dict[int, list[str]] = {}
    for one in beside_hands(game.rules, game.pages, follow(game.rules, game.pages, lines), lang):
        if one.line not in told:
            said.setdefault(one.hand, []).append(one.text)
    return said
