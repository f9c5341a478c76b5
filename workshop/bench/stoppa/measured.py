"""Stoppa as its bench measures it, while a phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion.games.stoppa.rules import log
from companion.referee import Evening
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.log import Line
from workshop.bench.betting.run import Betting
from workshop.bench.stoppa.scoring import counted, differences, played, same_cards
from workshop.streams.stoppa.truth import ideal, told


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

STOPPA = Betting(
    "stoppa", played, same_cards, counted, differences, ideal,
    names={
        "recall laid": "laid cards found with the right player",
        "precision laid": "laid cards of the log that are right",
    },
    targets={
        "right": ("98 %", "95 %", "88 %"),
        "sure_and_wrong": ("0", "0", "0"),
        "taken_back": ("0", "0", "0"),
        "recall laid": ("99 %", "97 %", "93 %"),
    },
    told=by_phone,
    mended=begun,
    ruled=lambda hand: hand.over or bool(hand.declared),  # what was declared is paid at once; the hand is over with the next one
)  # fmt: skip
