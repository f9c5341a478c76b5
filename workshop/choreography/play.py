"""A table log of any game → the timeline of its choreography."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import game_of_log
from companion.table.errors import ScriptError
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.timeline import Timeline
from workshop.games import workshop_of
from workshop.stage.scene import Shape


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None,
    lifts: float = 0.0, people: bool = False,
) -> Timeline:  # fmt: skip
    """The timeline of a whole log of any game. The same arguments give the same timeline; they are those of
    `workshop.games.GameWorkshop.direct`. ``people``: the players are to sit at the table, with room for their shoulders.

    Raises:
        ScriptError: the log cannot be played out; the message names the line. CompanionError: its game has no film.
    """
    game = workshop_of(game_of_log(lines).id)
    if lifts and not game.clip_variants:
        raise ScriptError(f"no lifts in {game.title}: everybody takes up their cards; expected lifts 0")
    if people and not game.clip_variants:
        raise ScriptError(f"no people in {game.title}: their hands would have to hold the cards; expected none")
    more = {"people": True} if people else {}
    return game.direct(lines, seed=seed, tempo=tempo, level=level, shape=shape, lifts=lifts, **more)
