"""A table log of any game → the timeline of its choreography."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import game_of_log
from companion.table.errors import ScriptError
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.stoper import director as stoper
from workshop.choreography.stoppa import director as stoppa
from workshop.choreography.stu import director as stu
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import Shape

_HELD = {"stoper": stoper.direct, "stoppa": stoppa.direct}
"""Games with cards in the hand."""


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None,
    lifts: float = 0.0,
) -> Timeline:  # fmt: skip
    """The timeline of a whole log, of whichever game it is. The same arguments give the same timeline.

    ``lifts``, of Lu Stù alone, and the others: as of `stu.director.direct`, `stoppa.director.direct` and
    `stoper.director.direct`.

    Raises:
        ScriptError: the log cannot be played out; the message names the line.
    """
    played = _HELD.get(game_of_log(lines).id)
    if played is None:
        return stu.direct(lines, seed=seed, tempo=tempo, level=level, shape=shape, lifts=lifts)
    if lifts:
        raise ScriptError("lifts are of Lu Stù alone: in other games everybody takes up their cards")
    return played(lines, seed=seed, tempo=tempo, level=level, shape=shape)
