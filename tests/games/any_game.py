"""What holds in any game whose rules are pure, of a game that was played: its events, each with the state after it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from companion.games import Game
from companion.games.simulation import Evening
from companion.table.game import Rules, State
from companion.table.log import Event, Line, write_lines
from companion.table.play import replay

Played = Sequence[tuple[Event, State]]


def played_by_bots(game: Game, people: Sequence[str], *, hands: int, seed: int) -> tuple[Line, ...]:
    """The log of an evening of any game that has bots, by its usual house rules and with the usual values of its own options."""
    bots = game.simulation
    assert bots is not None, f"{game.id} has no bots"
    house = bots.house_rules() if bots.house_rules is not None else None
    own = {one.name: one.read(one.default) if one.read is not None else one.default for one in bots.options}
    return bots.simulate(Evening(tuple(people), hands, seed, 100, house, plain=False), **own)


def replayed(rules: Any, data: bytes) -> State:
    """The game that a log tells."""
    return replay(rules.begin, rules.apply, rules.LOG.numbered_lines(data), getattr(rules, "at_line", None))


def check_prefixes(rules: Any, told: Played) -> None:
    """The log survives being written, every prefix of it is legal, and the last line taken back leaves what was before."""
    data = write_lines(Line(event) for event, _ in told).split(b"\n")
    for length in (*range(1, len(told), 7), max(len(told) - 1, 1), len(told)):
        assert replayed(rules, b"\n".join(data[:length])) == told[length - 1][1]
    plain = rules.report(told[-1][1]).to_dict()
    assert json.loads(json.dumps(plain)).keys() == plain.keys()


def check_values(again: Iterator[tuple[Event, State]], told: Played, hashes: Sequence[int]) -> None:
    """Nothing that followed has changed a state, and played again the game is the same. ``hashes``: of the states of before."""
    assert [state for _, state in again] == [state for _, state in told]
    assert [hash(state) for _, state in told] == list(hashes)


def check_renamed(rules: Rules, told: Played, names: dict[str, str]) -> None:
    """Giving every player another name changes nothing else. ``names``: old → new."""
    data = write_lines(Line(event) for event, _ in told).decode().splitlines()
    renamed = "\n".join(json.dumps(_renamed(json.loads(line), names), ensure_ascii=False) for line in data)
    report = json.loads(json.dumps(rules.report(told[-1][1]).to_dict()))
    again = json.loads(json.dumps(rules.report(replayed(rules, renamed.encode())).to_dict()))
    assert again == _renamed(report, names)


def _renamed(value: object, names: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value
