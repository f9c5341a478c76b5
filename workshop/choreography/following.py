"""A table log followed line by line, with the game before and after each: what a script is read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.table.errors import GameError, Illegal, ScriptError
from companion.table.game import Rules, State
from companion.table.log import Event, Line


def begun(lines: Sequence[Line], rules: Rules, game: type[Event], name: str) -> State:
    """The game of this ``name`` as it is after the log's first line. ``game``: what that line is.

    Raises:
        ScriptError: no such line first, or no such game can be.
    """
    if not lines or not isinstance(lines[0].event, game):
        written = f"companion simulate --game {name.lower()}"
        raise ScriptError(f"line 1: no game line of {name}: expected a log such as {written} writes")
    try:
        return rules.begin(lines[0].event)
    except GameError as error:
        raise ScriptError(str(error.at(1))) from None


def followed(lines: Sequence[Line], rules: Rules, state: State) -> Iterator[tuple[int, Event, State, State]]:
    """Of each line after the first: its index, its event, the game before it and after it. ``state``: after the first line.

    Raises:
        ScriptError: a line that cannot have happened; the message names it.
    """
    for index, line in enumerate(lines[1:], start=1):
        try:
            after = rules.apply(state, line.event)
        except Illegal as error:
            raise ScriptError(str(error.at(index + 1))) from None
        yield index, line.event, state, after
        state = after
