"""`companion simulate`: play random legal games with bots and write their table logs."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click
import msgspec

from companion.games.stu import bots
from companion.games.stu.bots.settings import Dealing, Edition, Temper
from companion.games.stu.rules.log import MAX_STAKE, HouseRules
from companion.table.log import write_lines


@click.command("simulate")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed and options give the same log.")
@click.option("--players", type=int, default=None, metavar="2..39", help="How many sit down.  [default: 6]")
@click.option("--hands", type=click.IntRange(1), default=20, show_default=True,
              help="Hands at most; the game ends sooner when it is won.")
@click.option("--log", "log_path", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Log to write.")
@click.option("--names", default=None, metavar="A,B,…", help="Who sits down, anticlockwise.  [default: first names]")
@click.option("--stake", type=click.IntRange(1, MAX_STAKE), default=100, show_default=True, help="In cents.")
@click.option("--edition", type=click.Choice(["booklet", "piazza-2010"]), default="booklet", show_default=True,
              help="piazza-2010 has penalties (rule 24).")
@click.option("--house-rule", "house_rules", multiple=True, metavar="NAME=VALUE",
              help="An open question answered differently, such as backward_run=forced. May be given more than once.")
@click.option("--tempers", default=",".join(bots.TEMPERS), show_default=True, metavar="T,T,…",
              help="How they play, in turn: card (by the own card alone), odds, reckless.")
@click.option("--dealing", type=click.Choice(["at-once", "one-by-one"]), default="at-once", show_default=True,
              help="All cards first, or each when it is needed (rule 7).")
@click.option("--pedine", type=click.IntRange(1, 1000), default=3, show_default=True,
              help="How many each begins with: many make a long game.")
@click.option("--plain", is_flag=True, help="Nothing that is seldom or cannot be seen: no penalties, void hands, mistakes, "
              "shares, no Matto taken out.")
def command(seed: int, players: int | None, hands: int, log_path: Path, names: str | None, stake: int, edition: str,
            house_rules: tuple[str, ...], tempers: str, dealing: str, pedine: int, plain: bool) -> None:
    """Play a random legal game with bots and write its complete table log."""
    settings = bots.Settings(
        players=_people(players, names),
        stake=stake,
        edition=cast(Edition, edition),
        house_rules=_house(house_rules),
        tempers=_tempers(tempers),
        dealing=cast(Dealing, dealing),
        pedine=pedine,
        rarities=bots.PLAIN if plain else bots.Rarities(),
    )
    log_path.write_bytes(write_lines(bots.simulate(settings, hands=hands, seed=seed)))


def _people(count: int | None, names: str | None) -> tuple[str, ...]:
    if names is None:
        return bots.seated(6 if count is None else count)
    people = tuple(name.strip() for name in names.split(","))
    if not all(people):
        raise click.BadParameter("an empty name", param_hint="--names")
    if any("\ud800" <= letter <= "\udfff" for letter in names):
        raise click.BadParameter("not UTF-8", param_hint="--names")
    if count is not None and count != len(people):
        raise click.BadParameter(f"{len(people)} names, but --players {count}", param_hint="--names")
    return people


def _house(rules: tuple[str, ...]) -> HouseRules:
    known = {field.encode_name for field in msgspec.structs.fields(HouseRules)}
    given: dict[str, str] = {}
    for rule in rules:
        name, _, value = rule.partition("=")
        if name not in known:
            raise click.BadParameter(f"no house rule {name!r}: expected one of {', '.join(sorted(known))}",
                                     param_hint="--house-rule")
        given[name] = value
    try:
        return msgspec.convert(given, HouseRules)
    except msgspec.ValidationError as error:
        raise click.BadParameter(str(error), param_hint="--house-rule") from error


def _tempers(text: str) -> tuple[Temper, ...]:
    named = tuple(temper.strip() for temper in text.split(","))
    for temper in named:
        if temper not in bots.TEMPERS:
            raise click.BadParameter(f"no temper {temper!r}: expected {', '.join(bots.TEMPERS)}",
                                     param_hint="--tempers")
    return cast(tuple[Temper, ...], named)
