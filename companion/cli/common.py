"""What several commands share: types of options, the default ledger."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from companion.table.errors import GameError
from companion.table.log import Line, tag


class Finite(click.FloatRange):
    """The option type of a finite number within bounds; infinity and "not a number" are refused, which bounds alone would let
    through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Raises click.BadParameter."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return found


class GameId(click.Choice[str]):
    """The option type of a game's id. The ids are looked up in `companion.games.GAMES` when the command runs, so that nothing of
    the games is imported before. ``demo``: only games that have a bundled clip."""

    def __init__(self, *, demo: bool = False) -> None:
        self._demo = demo
        super().__init__(())

    @property
    def choices(self) -> tuple[str, ...]:
        from companion.games import GAMES

        return tuple(id for id, game in GAMES.items() if not self._demo or game.spec.demo is not None)

    @choices.setter
    def choices(self, found: tuple[str, ...]) -> None:
        """Ignored: click sets the choices, but they are looked up when they are needed."""


POSITIVE = Finite(min=0, min_open=True)
"""More than 0."""


def open_browser(url: str) -> bool:
    """Open this machine's browser at ``url``. False where the machine has no screen, or no browser."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False  # a browser in the terminal would take it from the program
    import webbrowser  # only here, so that --help stays quick

    return webbrowser.open(url)


def default_ledger() -> Path:
    """The path of the ledger where no option names one: `companion/evenings.ledger` in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "companion" / "evenings.ledger"


of_ledger = click.option("--ledger", "file", type=click.Path(path_type=Path),
                         help="The ledger. [default: companion/evenings.ledger in your data folder]")  # fmt: skip


def summary(lines: Sequence[Line]) -> str:
    """A game in a few words: who played, and the number of hands."""
    from companion.games import game_of
    from companion.table.play import replay

    if not lines or tag(lines[0].event) != "game":
        return "nothing recorded"
    rules = game_of(lines[0].event).rules
    try:
        state = replay(rules.begin, rules.apply, enumerate(lines, start=1))
    except GameError as error:
        return f"cannot have happened: {error}"
    hands = rules.hands(state) + rules.in_hand(state)
    return f"{', '.join(rules.names(state))}: {hands} hand{'s' * (hands != 1)}"
