"""The referee over what the eyes report of a clip, while somebody's phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoppa.rules import log
from companion.games.stoppa.sightings import Sighting
from companion.referee import Evening, at_the_end, observe
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Line
from companion.workshop.streams.stoppa.referee import tell
from companion.workshop.streams.stoppa.truth import Told, told

THUMB = 1.0
"""Seconds from a word to its tap."""
PATIENCE = 10.0
"""For so many seconds somebody goes on trying to tap what does not fit what the eyes have seen so far."""


def by_phone(truth: Sequence[Line]) -> list[Told]:
    """What is told of a true log: amounts and words. No card is among them, also where a hand was laid open to declare."""
    return [
        Told(one.t, replace(one.event, cards=()) if isinstance(one.event, log.Declare) else one.event) for one in told(truth)
    ]


def log_by_phone(
    game: log.Game, looks: Iterable[tuple[float, Sequence[Sighting]]], truth: Sequence[Line]
) -> tuple[tuple[Line, ...], int, int]:
    """The log that the referee makes with nobody asked, how many lines the phone told, and how many there were to tell.

    ``looks``: when (seconds) which sightings became sure, to the end of the source.
    """
    evening, waiting = Evening.of(GAMES["stoppa"], game), by_phone(truth)
    lines, fitted, t = len(waiting), 0, 0.0
    for t, sightings in looks:
        evening, told_now = _tapped(evening, waiting, t)
        fitted += told_now
        for sighting in sightings:
            evening = observe(evening, sighting)
    evening = at_the_end(evening)
    evening, told_now = _tapped(evening, waiting, t + THUMB)
    return evening.log, fitted + told_now, lines


def _told(evening: Evening, told: Told) -> Evening:
    """The evening with a line in its place: where something that came later has been seen already, before that."""
    current = evening.current
    at = sum(line.t is not None and line.t <= told.t for line in current.lines)
    if at < len(current.lines):
        with suppress(Illegal):
            return correct(evening, Correction(current.id, at, at, (told.event,), t=told.t))
    return tell(evening, told)


def _tapped(evening: Evening, waiting: list[Told], now: float) -> tuple[Evening, int]:
    """The evening once what can be told by ``now`` is: it is taken from what is ``waiting``. And how many lines that were."""
    fitted = 0
    while waiting and waiting[0].t + THUMB <= now:
        after = _told(evening, waiting[0])
        if after is evening and now < waiting[0].t + THUMB + PATIENCE:
            break
        fitted += after is not evening
        evening = after
        waiting.pop(0)
    return evening, fitted
