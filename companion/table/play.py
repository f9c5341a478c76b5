"""What can be done with the rules of any game. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from companion.table.errors import GameError, Illegal, Malformed
from companion.table.log import Event, Line, tag
from companion.table.reasons import GAME_LINE_TOO_LATE, NO_GAME_LINE

S = TypeVar("S")


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


def possible(apply: Callable[[S, Event], S], state: S, events: Iterable[Event]) -> bool:
    """Whether these events can follow one another from here. ``apply``: the game's, of its rules."""
    try:
        for event in events:
            state = apply(state, event)
    except Illegal:
        return False
    return True
