"""What can be done with the rules of any game. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from companion.table.errors import GameError, Illegal, Malformed
from companion.table.log import Event, Line, LogFormat, tag
from companion.table.seats import GAME_LINE_TOO_LATE, NO_GAME_LINE

S = TypeVar("S")
Apply = Callable[[S, Event], S]


class Engine(Generic[S]):
    """What follows for any game from how it begins and how an event changes it: its `check`, `replay` and `replay_log`.

    ``at_line``: tells a state in which line the next event stands, of a game whose rulings name lines.
    """

    def __init__(
        self, begin: Callable[[Event], S], apply: Apply[S], log: LogFormat, at_line: Callable[[S, int], S] | None = None
    ) -> None:
        self._begin, self._apply, self._log, self._at_line = begin, apply, log, at_line

    def check(self, state: S, event: Event) -> Illegal | None:
        """Why this cannot have happened now, or None when it can."""
        try:
            self._apply(state, event)
        except Illegal as error:
            return error
        return None

    def replay(self, lines: Iterable[Line]) -> S:
        """The game that these lines tell, the first of them its `game` line.

        Raises:
            GameError: at the first line that cannot have happened; ``line`` counts the given lines from 1.
        """
        return replay(self._begin, self._apply, enumerate(lines, start=1))

    def replay_log(self, data: bytes) -> S:
        """The game that this log tells.

        Raises:
            GameError: at the first line that cannot be read or cannot have happened, naming its number in the file.
        """
        return replay(self._begin, self._apply, self._log.numbered_lines(data), self._at_line)


def replay(
    begin: Callable[[Event], S], apply: Callable[[S, Event], S], numbered: Iterable[tuple[int, Line]],
    at_line: Callable[[S, int], S] | None = None,
) -> S:  # fmt: skip
    """The game that these lines tell, each with its number, the first of them its `game` line. ``begin``, ``apply``: the game's
    rules; ``at_line``: tells a state in which line the next event stands, of a game whose rulings name lines.

    Raises:
        GameError: at the first line that cannot be read or cannot have happened, naming its number.
    """
    numbered = iter(numbered)
    number, line = next(numbered, (1, None))
    if line is None or tag(line.event) != "game":
        raise _no_game_line(number, numbered)
    try:
        state = begin(line.event)
        for number, line in numbered:
            state = apply(state if at_line is None else at_line(state, number), line.event)
    except GameError as error:
        raise error if error.line is not None else error.at(number) from None
    return state


def _no_game_line(first: int, others: Iterable[tuple[int, Line]]) -> Malformed:
    """The error of a log that does not begin with its game line: it is of line 1 when there is none at all."""
    try:
        later = any(tag(line.event) == "game" for _, line in others)
    except Malformed:
        later = False
    reason = GAME_LINE_TOO_LATE if later else NO_GAME_LINE
    return Malformed(reason, expected="a log that begins with its game line", line=first if later else 1)


def possible(apply: Apply[S], state: S, events: Iterable[Event]) -> bool:
    """Whether these events can follow one another from here. ``apply``: the game's, of its rules."""
    try:
        for event in events:
            state = apply(state, event)
    except Illegal:
        return False
    return True
