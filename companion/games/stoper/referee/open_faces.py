"""For showing a hand of Stoper once more: which lines decided who pays, and which faces lay open for everybody, and when."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoper.referee.history import History
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Muck, Passo, Show
from companion.games.stoper.sightings import Sighting
from companion.referee.clips import FaceUp, faces_shown
from companion.table.log import Line


def deciding(before: State, lines: Sequence[Line]) -> tuple[int, ...]:
    """The lines (indices) that decided who pays: what was shown, and who conceded; else the last pass, which left one alone."""
    shown = tuple(index for index, line in enumerate(lines) if isinstance(line.event, Show | Muck))
    passed = tuple(index for index, line in enumerate(lines) if isinstance(line.event, Passo))
    return shown or passed[-1:]


def faces_up(history: History, before: State, sightings: tuple[Sighting, ...]) -> tuple[FaceUp, ...]:
    """The faces that somebody has shown by the rules; ``before``: the engine's state before the hand."""
    return faces_shown(history.lines, before.table.names, sightings)
