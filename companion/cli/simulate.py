"""`companion simulate`: play random legal games with bots and write their table logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource
from msgspec import Struct

from companion.games import GAMES, first_game
from companion.games.simulation import MAX_STAKE, Evening, Option, Simulation
from companion.table.errors import Illegal
from companion.table.log import write_lines


def __getattr__(name: str) -> click.Command:
    """Make ``command`` when it is asked for, with the options of the games that are then there."""
    if name != "command":
        raise AttributeError(name)
    return command_for({game.id: game.simulation for game in GAMES.values() if game.simulation is not None})


def command_for(simulations: Mapping[str, Simulation]) -> click.Command:
    """The command for these games, by their ids."""
    first = first_game().id
    seats = "; ".join(f"{GAMES[id].title}: {one.players[0]} to {one.players[1]}, by default {one.usual}"
                      for id, one in simulations.items())  # fmt: skip
    stakes = "".join(f"; at {GAMES[id].title} {one.stake}" for id, one in simulations.items() if one.stake)
    questions = "; ".join(f"{GAMES[id].title}: {', '.join(asked)}"
                          for id, one in simulations.items() if (asked := _house_rules(one.house_rules)))  # fmt: skip
    own: dict[str, list[str]] = {}
    for id, one in simulations.items():
        for option in one.options:
            own.setdefault(option.name, []).append(id)

    @click.command("simulate")
    @click.option("--game", type=click.Choice(list(simulations)), default=first, show_default=True, help="What they play.")
    @click.option("--seed", type=int, default=0, show_default=True, help="The same seed and options give the same log.")
    @click.option("--players", type=int, default=None, metavar="N", help=f"How many sit down. {seats}.")
    @click.option("--hands", type=click.IntRange(1), default=20, show_default=True,
                  help="Hands at most; fewer where the game is over sooner.")
    @click.option("--log", "log_path", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Log to write.")
    @click.option("--names", default=None, metavar="A,B,…", help="Who sits down, in the order of play.  [default: first names]")
    @click.option("--stake", type=click.IntRange(1, MAX_STAKE), default=100, show_default=True, help=f"In cents{stakes}.")
    @click.option("--house-rule", "house_rules", multiple=True, metavar="NAME=VALUE",
                  help=f"An open question answered differently. May be given more than once. {questions}.")
    @click.option("--plain", is_flag=True, help="Nothing that is seldom or cannot be seen, such as void hands and mistakes.")
    def command(game: str, seed: int, players: int | None, hands: int, log_path: Path, names: str | None,
                stake: int, house_rules: tuple[str, ...], plain: bool, **values: Any) -> None:
        """Play a random legal game with bots and write its complete table log."""
        context = click.get_current_context()
        for option, of in own.items():
            if game not in of and context.get_parameter_source(option) is not ParameterSource.DEFAULT:
                raise click.UsageError(f"--{option} is of {_titles(of)} alone: leave it out with --game {game}")
        bots = simulations[game]
        evening = Evening(
            _people(players, names) or bots.seated(bots.usual if players is None else players), hands, seed, stake,
            _house(house_rules, bots.house_rules, GAMES[game].title), plain,
        )  # fmt: skip
        read = {option.name: _read(option, values[option.name]) for option in bots.options}
        try:
            lines = bots.simulate(evening, **read)
        except Illegal as error:  # of the first line alone: a stake that cannot be divided, two of one name
            raise click.UsageError(str(error)) from error
        log_path.write_bytes(write_lines(lines))

    known = {option.name: option for one in simulations.values() for option in one.options}
    command.params += [_option(option, _titles(own[name])) for name, option in known.items()]
    return command


def _titles(games: Sequence[str]) -> str:
    return " and ".join(GAMES[id].title for id in games)


def _option(option: Option, title: str) -> click.Option:
    """The click option for an option that not every game has. ``title``: names the games that have it."""
    kind = click.Choice(option.choices) if option.choices else click.IntRange(*option.range) if option.range else None
    names = [f"--{name}" for name in (option.name, *option.also)]
    return click.Option(names, type=kind, default=option.default, show_default=option.default is not None,
                        help=f"Of {title}: {option.help}", metavar=option.metavar or None)


def _read(option: Option, value: Any) -> Any:
    """The value of an option, converted as its game takes it."""
    if option.read is None:
        return value
    try:
        return option.read(value)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{option.name}") from error


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


def _house_rules(of: type[Struct] | None) -> tuple[str, ...]:
    """The names of a game's house rules, as its logs have them."""
    return tuple(field.encode_name for field in msgspec.structs.fields(of)) if of is not None else ()


def _house(rules: tuple[str, ...], of: type[Struct] | None, title: str) -> Struct | None:
    """The house rules given as NAME=VALUE texts; None where the game, called ``title``, has none."""
    known = _house_rules(of)
    given: dict[str, object] = {}
    for rule in rules:
        name, _, value = rule.partition("=")
        if name not in known:
            expected = f"expected one of {', '.join(sorted(known))}" if known else f"{title} has no house rules"
            raise click.BadParameter(f"no house rule {name!r}: {expected}", param_hint="--house-rule")
        given[name] = int(value) if value.isdecimal() else {"true": True, "false": False}.get(value, value)
    if of is None:
        return None
    try:
        return msgspec.convert(given, of)
    except msgspec.ValidationError as error:
        raise click.BadParameter(str(error), param_hint="--house-rule") from error
