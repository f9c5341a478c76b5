"""The commentary of a game as a page carries it: its last sentences. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.table.game import State
from companion.table.moments import Moment
from companion.table.text import sentence, short


def last_said(
    moments: Sequence[Moment], names: Sequence[str], most: int, happened: Callable[[State, Moment], Sequence[str]]
) -> tuple[str, ...]:
    """The last ``most`` sentences of what ``happened`` after a state with a moment, oldest first; long ``names`` are cut."""
    said: list[str] = []
    long = [name for name in names if short(name) != name]
    for at in range(len(moments) - 1, 0, -1):
        for told in reversed(happened(moments[at - 1].seen, moments[at])):
            for name in long:
                told = told.replace(name, short(name))
            said.append(sentence(told))
        if len(said) >= most:
            break
    return tuple(reversed(said[:most]))
