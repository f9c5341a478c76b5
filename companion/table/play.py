"""What can be done with the rules of any game. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.table.errors import GameError, Illegal, Malformed
from companion.table.game import Rules, State
from companion.table.log import Event, Line, tag


def replay(rules: Rules, numbered: Iterable[tuple[int, Line]]) -> State:
    """The game that these lines tell, each with its number, the first of them its `game` line.

    Raises:
        GameError: at the first line that cannot have happened, naming its number.
    """
    numbered = iter(numbered)
    number, line = next(numbered, (1, None))
    if line is None or tag(line.event) != "game":
        raise Malformed("no game line", expected="a log that begins with its game line", line=1)
    try:
        state = rules.begin(line.event)
        for number, line in numbered:  # noqa: B007  the error below names the line
            state = rules.apply(state, line.event)
    except GameError as error:
        raise error if error.line is not None else error.at(number) from None
    return state


def possible(apply: Callable[[State, Event], State], state: State, events: Iterable[Event]) -> bool:
    """Whether these events can follow one another from here. ``apply``: the game's, of its rules."""
    try:
        for event in events:
            state = apply(state, event)
    except Illegal:
        return False
    return True
