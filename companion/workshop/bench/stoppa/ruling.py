"""The referee over what the eyes report of a clip, while somebody's phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoppa.rules import log
from companion.games.stoppa.sightings import Sighting
from companion.line import prompter
from companion.line.prompter import Prompter
from companion.referee import Evening, at_the_end, observe
from companion.table.log import Event, Line
from companion.workshop.streams.stoppa.referee import tell
from companion.workshop.streams.stoppa.truth import Told, told

THUMB = 1.0
"""Seconds from a word to its tap."""


def by_phone(truth: Sequence[Line]) -> list[Line]:
    """What is told of a true log: amounts and words. No card is among them, also where a hand was laid open to declare."""
    return [
        Line(replace(one.event, cards=()) if isinstance(one.event, log.Declare) else one.event, one.t) for one in told(truth)
    ]


def log_by_phone(
    game: Event, looks: Iterable[tuple[float, Sequence[Sighting]]], truth: Sequence[Line]
) -> tuple[tuple[Line, ...], int, int]:
    """See `companion.workshop.bench.betting.run.Betting`."""
    evening, lines, t = Evening.of(GAMES["stoppa"], game), by_phone(truth), 0.0
    phone = Prompter(lines, THUMB, _tapped)
    for t, sightings in looks:
        evening = phone(evening, t)
        for sighting in sightings:
            evening = observe(evening, sighting)
    return phone(at_the_end(evening), t + THUMB).log, phone.fitted, len(lines)


def _tapped(evening: Evening, line: Line) -> Evening:
    """As `prompter.told`; where that does not fit, a phase is begun first that the eyes have missed."""
    after = prompter.told(evening, line)
    return tell(evening, Told(line.t or 0.0, line.event)) if after is evening else after
