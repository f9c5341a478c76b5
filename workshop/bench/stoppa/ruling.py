"""The referee over what the eyes report of a clip, while somebody's phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion.games.stoppa.rules import log
from companion.referee import Evening
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Line
from workshop.streams.stoppa.truth import told


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
