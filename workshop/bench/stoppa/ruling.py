"""The referee over what the eyes report of a clip, while somebody's phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoppa.rules import log
from companion.games.stoppa.sightings import Sighting
from companion.line.prompter import WAIT_SECONDS, Prompter
from companion.referee import Evening, at_the_end, observe
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Event, Line
from workshop.streams.stoppa.truth import told

THUMB = 1.0
"""Seconds from a word to its tap."""


def begun(evening: Evening, line: Line) -> Evening:
    """The evening with this line, where it fits once the next punto has begun, whose cards nobody saw dealt."""
    current = evening.current
    at = len(current.lines)
    for punto in (log.Piccolo(), log.Grosso()):
        with suppress(Illegal):
            return correct(evening, Correction(current.id, at, at, (punto, line.event), t=line.t))
    return evening


def by_phone(truth: Sequence[Line]) -> list[Line]:
    """What is told of a true log: amounts and words. No card is among them, also where a hand was laid open to declare."""
    return [
        Line(replace(one.event, cards=()) if isinstance(one.event, log.Declare) else one.event, one.t) for one in told(truth)
    ]


def log_by_phone(
    game: Event, looks: Iterable[tuple[float, Sequence[Sighting]]], truth: Sequence[Line]
) -> tuple[tuple[Line, ...], int, int]:
    """See `workshop.bench.betting.run.Betting`."""
    evening, lines, t = Evening.of(GAMES["stoppa"], game), by_phone(truth), 0.0
    phone = Prompter(lines, THUMB, begun)
    for t, sightings in looks:
        evening = phone(evening, t)
        for sighting in sightings:
            evening = observe(evening, sighting)
    return phone(at_the_end(evening), t + THUMB + WAIT_SECONDS).log, phone.fitted, len(lines)
