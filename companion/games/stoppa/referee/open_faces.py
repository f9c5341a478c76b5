"""For showing a hand of Stoppa once more: which lines decided who pays, and which faces lay open for everybody, and when."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules import State, apply
from companion.games.stoppa.rules.log import Declare, Lay, Show
from companion.games.stoppa.sightings import Sighting
from companion.referee.clips import FaceUp, faces_shown
from companion.table.log import Line


def deciding(before: State, lines: Sequence[Line]) -> tuple[int, ...]:
    """The lines (indices) that decided who pays: what was shown for each punto, a declaration, the card that stopped."""
    found, shown = list[int](), list[int]()
    state = before
    for index, line in enumerate(lines):
        was = state.hand
        state = apply(state, line.event)
        now = state.hand if state.hand is not None else state.ended
        if isinstance(line.event, Show) and was is not None:
            shown.append(index)
        if was is not None and now is not None and len(now.pots) > len(was.pots):
            found, shown = [*found, *shown], []
        stopped = isinstance(line.event, Lay) and was is not None and state.hand is None
        if stopped or isinstance(line.event, Declare):
            found.append(index)
    return tuple(found)


def faces_up(history: History, before: State, sightings: tuple[Sighting, ...]) -> tuple[FaceUp, ...]:
    """The faces that somebody has shown by the rules; ``before``: the engine's state before the hand."""
    return faces_shown(history.lines, before.table.names, sightings)
