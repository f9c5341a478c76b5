"""The games of the house, by the id that their logs' first lines say. Who adds one writes a wing beside `stu`, and a line here.

A game's parts are imported when they are first asked for: ruling on a log needs neither OpenCV nor Flask.
"""

from __future__ import annotations

from companion.games.game import Game
from companion.table import log
from companion.table.errors import Malformed
from companion.table.log import Event, Line, LogFormat

__all__ = ["GAMES", "Game", "find_game", "game_of", "log_format", "read_lines"]

GAMES: dict[str, Game] = {
    "stu": Game("stu", "companion.games.stu"),
}


def game_of(first: Event) -> Game:
    """The game that this first line of a log begins."""
    return GAMES[first.game]


def find_game(data: bytes) -> Game:
    """The game that this log, or its first line alone, says that it is of.

    Raises:
        Malformed: it says none, or one that is not known here.
    """
    said = log.game_id(data)
    if said not in GAMES:
        raise Malformed("no game line", expected=f"a first line that says one of the games {', '.join(GAMES)}")
    return GAMES[said]


def log_format(game: str | None) -> LogFormat:
    """How a log of this game is read. One that says no game, or an unknown one, is refused by the format of the first."""
    return GAMES.get(game or "", next(iter(GAMES.values()))).rules.LOG


def read_lines(data: bytes) -> tuple[Line, ...]:
    """All lines of a log of any game.

    Raises:
        Malformed: a line that cannot be read, naming it.
    """
    if (said := log.game_id(data)) is not None and said not in GAMES:
        number, _ = next(log.numbered(data))
        raise Malformed(f"`game`: no game is called {said!r}", expected=f"one of {', '.join(GAMES)}", line=number)
    return log_format(said).read_lines(data)
