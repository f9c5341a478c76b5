"""A table log of any game → the timeline of its choreography."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa.rules import log as stoppa_log
from companion.table.errors import ScriptError
from companion.table.log import Line
from companion.workshop.choreography.barlife import Level
from companion.workshop.choreography.stoppa import director as stoppa
from companion.workshop.choreography.stu import director as stu
from companion.workshop.choreography.timeline import Timeline
from companion.workshop.stage.scene import Shape


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None,
    lifts: float = 0.0,
) -> Timeline:  # fmt: skip
    """The timeline of a whole log, of whichever game it is. The same arguments give the same timeline.

    ``lifts``, of Lu Stù alone, and the others: as of `stu.director.direct` and `stoppa.director.direct`.

    Raises:
        ScriptError: the log cannot be played out; the message names the line.
    """
    if lines and isinstance(lines[0].event, stoppa_log.Game):
        if lifts:
            raise ScriptError("lifts are of Lu Stù alone: in Stoppa everybody takes up their cards")
        return stoppa.direct(lines, seed=seed, tempo=tempo, level=level, shape=shape)
    return stu.direct(lines, seed=seed, tempo=tempo, level=level, shape=shape, lifts=lifts)
