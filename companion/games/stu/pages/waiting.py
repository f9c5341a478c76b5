"""What the table waits for, as the pages say it."""

from __future__ import annotations

from companion.games.stu import rules
from companion.games.stu.rules import State
from companion.table.game import Turn, Waiting


def waiting(state: State) -> Waiting:
    """`companion.games.stu.rules.waiting`; but once somebody has shown a card unasked, that is the showdown: nobody is due."""
    found = rules.waiting(state)
    shown = state.hand is not None and bool(state.hand.early)
    return Turn("show", None) if shown and isinstance(found, Turn) and found.step == "decide" else found
