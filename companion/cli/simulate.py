"""`companion simulate`: play random legal games with bots and write their table logs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import click
import msgspec
from click.core import ParameterSource
from msgspec import Struct

from companion.games import GAMES, first_game
from companion.games.stoper import bots as stoper
from companion.games.stoper.rules.log import HouseRules as StoperHouseRules
from companion.games.stoper.rules.log import Mode
from companion.games.stoppa import bots as stoppa
from companion.games.stoppa.rules.log import HouseRules as StoppaHouseRules
from companion.games.stu import bots
from companion.games.stu.bots.settings import Dealing, Edition, PlayingStyle
from companion.games.stu.rules.log import MAX_STAKE, HouseRules
from companion.table.errors import Illegal
from companion.table.log import Line, write_lines

H = TypeVar("H", bound=Struct)
_ALONE = {"edition": "stu", "tempers": "stu", "dealing": "stu", "pedine": "stu", "mode": "stoper"}
"""Option → the game that alone has it."""
_NAMES = {"stu": "Lu Stù", "stoper": "Stoper"}


@click.command("simulate")
@click.option("--game", type=click.Choice(list(GAMES)), default=first_game().id, show_default=True, help="What they play.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed and options give the same log.")
@click.option("--players", type=int, default=None, metavar="2..39",
              help="How many sit down; at Stoppa 3 to 6, at Stoper 4 to 6.  [default: 6; 4; 6]")
@click.option("--hands", type=click.IntRange(1), default=20, show_default=True,
              help="Hands at most; the game ends sooner when it is won, or its giro was called.")
@click.option("--log", "log_path", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Log to write.")
@click.option("--names", default=None, metavar="A,B,…", help="Who sits down, in the order of play.  [default: first names]")
@click.option("--stake", type=click.IntRange(1, MAX_STAKE), default=100, show_default=True,
              help="In cents; at Stoppa the misera, at Stoper the cip.")
@click.option("--mode", type=click.Choice(["cash", "torneo"]), default="cash", show_default=True,
              help="Of Stoper: for cash, or a tournament.")
@click.option("--edition", type=click.Choice(["booklet", "piazza-2010"]), default="booklet", show_default=True,
              help="Of Lu Stù: piazza-2010 has penalties (rule 24).")
@click.option("--house-rule", "house_rules", multiple=True, metavar="NAME=VALUE",
              help="An open question answered differently, such as backward_run=forced. May be given more than once.")
@click.option("--tempers", default=",".join(bots.STYLES), show_default=True, metavar="T,T,…",
              help="How they play Lu Stù, in turn: card (by the own card alone), odds, reckless.")
@click.option("--dealing", type=click.Choice(["at-once", "one-by-one"]), default="at-once", show_default=True,
              help="Of Lu Stù: all cards first, or each when it is needed (rule 7).")
@click.option("--pedine", type=click.IntRange(1, 1000), default=3, show_default=True,
              help="Of Lu Stù: how many each begins with; many make a long game.")
@click.option("--plain", is_flag=True, help="Nothing that is seldom or cannot be seen: no penalties, void hands, mistakes, "
              "shares, no Matto taken out.")
@click.pass_context
def command(ctx: click.Context, game: str, seed: int, players: int | None, hands: int, log_path: Path, names: str | None,
            stake: int, mode: str, edition: str, house_rules: tuple[str, ...], tempers: str, dealing: str, pedine: int,
            plain: bool) -> None:
    """Play a random legal game with bots and write its complete table log."""
    for option, of in _ALONE.items():
        if of != game and ctx.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{option} is of {_NAMES[of]} alone: leave it out with --game {game}")
    if game == "stoppa":
        people = _people(players, names) or stoppa.seated(4 if players is None else players)
        table = stoppa.Settings(players=people, misera=stake, house_rules=_house(house_rules, StoppaHouseRules),
                                event_probabilities=stoppa.PLAIN if plain else stoppa.EventProbabilities())
        lines = _made(lambda: stoppa.simulate(table, hands=hands, seed=seed))
    elif game == "stoper":
        people = _people(players, names) or stoper.seated(6 if players is None else players)
        house = _house(house_rules, StoperHouseRules)
        seats = stoper.Settings(players=people, cip=stake, mode=cast(Mode, mode), house_rules=house,
                                event_probabilities=stoper.PLAIN if plain else stoper.EventProbabilities())
        lines = _made(lambda: stoper.simulate(seats, hands=hands, seed=seed))
    else:
        settings = bots.Settings(
            players=_people(players, names) or bots.seated(6 if players is None else players),
            stake=stake,
            edition=cast(Edition, edition),
            house_rules=_house(house_rules, HouseRules),
            styles=_tempers(tempers),
            dealing=cast(Dealing, dealing),
            pedine=pedine,
            event_probabilities=bots.PLAIN if plain else bots.EventProbabilities(),
        )
        lines = bots.simulate(settings, hands=hands, seed=seed)
    log_path.write_bytes(write_lines(lines))


def _made(simulate: Callable[[], tuple[Line, ...]]) -> tuple[Line, ...]:
    try:
        return simulate()
    except Illegal as error:  # of the first line alone: a stake that cannot be divided, two of one name
        raise click.UsageError(str(error)) from error


def _people(count: int | None, names: str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    people = tuple(name.strip() for name in names.split(","))
    if not all(people):
        raise click.BadParameter("an empty name", param_hint="--names")
    if any("\ud800" <= letter <= "\udfff" for letter in names):
        raise click.BadParameter("not UTF-8", param_hint="--names")
    if count is not None and count != len(people):
        raise click.BadParameter(f"{len(people)} names, but --players {count}", param_hint="--names")
    return people


def _house(rules: tuple[str, ...], of: type[H]) -> H:
    known = {field.encode_name for field in msgspec.structs.fields(of)}
    given: dict[str, object] = {}
    for rule in rules:
        name, _, value = rule.partition("=")
        if name not in known:
            raise click.BadParameter(f"no house rule {name!r}: expected one of {', '.join(sorted(known))}",
                                     param_hint="--house-rule")
        given[name] = int(value) if value.isdecimal() else {"true": True, "false": False}.get(value, value)
    try:
        return msgspec.convert(given, of)
    except msgspec.ValidationError as error:
        raise click.BadParameter(str(error), param_hint="--house-rule") from error


def _tempers(text: str) -> tuple[PlayingStyle, ...]:
    named = tuple(temper.strip() for temper in text.split(","))
    for temper in named:
        if temper not in bots.STYLES:
            raise click.BadParameter(f"no temper {temper!r}: expected {', '.join(bots.STYLES)}",
                                     param_hint="--tempers")
    return cast(tuple[PlayingStyle, ...], named)
