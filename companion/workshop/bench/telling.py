"""The referee's part of the line over a recorded stream: what it told when, with nobody asked and with a party that answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.referee import Evening, at_the_end, observe
from companion.referee.questions import Question, question
from companion.table.log import Line
from companion.workshop.answering import Witness, settle
from companion.workshop.bench.watching import Stream, hash_of

ANSWER_SECONDS = 2.0
"""A question that still stands after so many seconds of the source is answered: somebody reads it and taps."""


class Told(msgspec.Struct, frozen=True):
    """The log as it stood from ``t`` (seconds of the source) on."""

    t: float
    log: tuple[Line, ...]


def tell(game: Game, stream: Stream) -> tuple[Told, ...]:
    """What the referee makes of a stream with nobody asked, each time that the log changes; at least the game line."""
    evening = Evening.of(GAMES["stu"], game)
    told = [Told(0.0, evening.log)]
    for look in stream.looks:
        for sighting in look.said():
            evening = observe(evening, sighting)
        if evening.log != told[-1].log:
            told.append(Told(look.t, evening.log))
    evening = at_the_end(evening)
    if evening.log != told[-1].log:
        told.append(Told(evening.t, evening.log))
    return tuple(told)


def tell_asking(game: Game, stream: Stream, truth: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[Question, ...]]:
    """The log in the end when the referee's questions are answered by somebody who sat at the table, and the questions."""
    witness = Witness(truth)
    evening = Evening.of(GAMES["stu"], game)
    asked: list[Question] = []
    standing: Question | None = None
    since = 0.0
    for look in stream.looks:
        sightings = look.said()
        for sighting in sightings:
            evening = observe(evening, sighting)
        if sightings:
            now = question(evening)
            if now is None or standing is None or now.id != standing.id:
                since = look.t
            standing = now
        if standing is not None and look.t - since >= ANSWER_SECONDS:
            evening, answered = settle(evening, witness, most=1)
            asked += answered
            standing, since = question(evening), look.t
    evening, answered = settle(at_the_end(evening), witness)
    return evening.log, (*asked, *answered)


@cache
def referee_key() -> str:
    """A hash of all that decides what the referee makes of a stream: its code, the rules' and the answering party's."""
    package = Path(__file__).resolve().parents[2]
    own = [package / "workshop" / "answering.py", Path(__file__)]
    rooms = [package / "referee", package / "games" / "stu" / "referee", package / "games" / "stu" / "rules"]
    return hash_of([*(file for room in rooms for file in sorted(room.glob("*.py"))), *own])
