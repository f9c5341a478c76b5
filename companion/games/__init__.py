"""The games of the house, by the id that their logs' first lines say. A new one is a package beside theirs,
and a line here.

A game's parts are imported when they are first asked for: ruling on a log needs neither OpenCV nor Flask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from companion.games.game import Game
from companion.table import log, play
from companion.table.errors import Malformed
from companion.table.log import Event, Line, LogFormat, tag

if TYPE_CHECKING:
    from companion.referee.sighting_model import Refereed
    from companion.table.game import Rules, State

__all__ = [
    "GAMES", "Game", "find_game", "first_game", "game_of", "game_of_log", "game_said", "house_game", "log_format", "read_lines",
    "replay_log", "replay_numbered", "shown_games",
]  # fmt: skip

GAMES: dict[str, Game] = {
    "stu": Game("stu", "companion.games.stu"),
    "stoppa": Game("stoppa", "companion.games.stoppa", "italian"),
    "stoper": Game("stoper", "companion.games.stoper", "italian"),
}


def first_game() -> Game:
    """The game that is shown where none is played yet."""
    return next(iter(GAMES.values()))


def shown_games() -> tuple[Game, ...]:
    """The games that have pages: those that can be set up, shown and kept."""
    return tuple(game for game in GAMES.values() if game.has_pages)


def game_of(first: Event) -> Game:
    """The game that this first line of a log begins."""
    return GAMES[first.game]


def house_game(game: Refereed) -> Game:
    """The whole game, where the referee knows only its own part of it."""
    return GAMES[game.id]


def game_of_log(lines: Sequence[Line]) -> Game:
    """The game of this log; the house's first where the log does not say one."""
    return game_of(lines[0].event) if lines and tag(lines[0].event) == "game" else first_game()


def find_game(data: bytes) -> Game:
    """The game that this log names; its first line alone will do.

    Raises:
        Malformed: it names none, or one that is not known here.
    """
    said = log.game_id(data)
    if said not in GAMES:
        raise Malformed("no game line", expected=f"a first line that says one of the games {', '.join(GAMES)}")
    return GAMES[said]


def log_format(game: str | None) -> LogFormat:
    """How a log of this game is read. A log that names no game, or an unknown one, is refused by the format of the first game."""
    return GAMES.get(game or "", first_game()).rules.LOG


def read_lines(data: bytes) -> tuple[Line, ...]:
    """All lines of a log of any game.

    Raises:
        Malformed: a line that cannot be read, naming it.
    """
    return game_said(data).rules.LOG.read_lines(data)


def replay_log(data: bytes) -> tuple[tuple[Line, ...], State]:
    """All lines of a log of any game, and the game that they tell.

    Raises:
        GameError: at the first line that cannot be read or cannot have happened, naming its number in the file.
    """
    rules, lines = game_said(data).rules, list[Line]()

    def kept(numbered: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
        for number, line in numbered:
            lines.append(line)
            yield number, line

    state = replay_numbered(rules, kept(rules.LOG.numbered_lines(data)))
    return tuple(lines), state


def replay_numbered(rules: Rules, numbered: Iterable[tuple[int, Line]]) -> State:
    """The state after these lines, each with its number. Rules whose rulings name lines of the log get the numbers through their
    `at_line`, which takes a state and the number of the next line.

    Raises:
        GameError: at the first line that cannot be read or cannot have happened, naming its number.
    """
    return play.replay(rules.begin, rules.apply, numbered, getattr(rules, "at_line", None))


def game_said(data: bytes) -> Game:
    """The game that a log names; the house's first where it names none.

    Raises:
        Malformed: it names one that is not known here.
    """
    said = log.game_id(data)
    if said is not None and said not in GAMES:
        number, _ = next(log.numbered(data))
        raise Malformed(f"`game`: no game is called {said!r}", expected=f"one of {', '.join(GAMES)}", line=number)
    return GAMES[said] if said is not None else first_game()
