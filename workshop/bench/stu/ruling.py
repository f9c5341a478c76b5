"""The referee over a recorded stream: the log as it stood at each moment, with nobody asked and with questions answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.eyes.sighting import Sighting
from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.referee import Evening, at_the_end, observe
from companion.referee.questions import Question, question
from companion.table.log import Line
from workshop.bench.latency import LogVersion
from workshop.bench.pace import Core
from workshop.bench.stu.answering import Witness, settle
from workshop.bench.watching import Stream

ANSWER_SECONDS = 2.0
"""A question that has stood for this many seconds of the source is answered: somebody has read it and taps."""


def log_versions(game: Game, stream: Stream) -> tuple[LogVersion, ...]:
    """The log that the referee makes of a stream with nobody asked, each time that it changes; the game line alone first. In real
    time the looks and the referee's own work take theirs."""
    evening, core = Evening.of(GAMES["stu"], game), Core()
    versions = [LogVersion(0.0, evening.log)]
    for look in stream.looks:
        core.begin(look.t if look.ready is None else look.ready)
        for sighting in look.decoded():
            evening = observe(evening, sighting)
        log = evening.log
        core.end()
        if log != versions[-1].log:
            versions.append(LogVersion(look.t if look.ready is None else core.free, log))
    evening = at_the_end(evening)
    if evening.log != versions[-1].log:
        versions.append(LogVersion(max(evening.t, versions[-1].t), evening.log))
    return tuple(versions)


def log_with_answers(
    game: Game, looks: Iterable[tuple[float, tuple[Sighting, ...]]], truth: Sequence[Line], most: int = 8
) -> tuple[tuple[Line, ...], tuple[Question, ...]]:
    """The final log when somebody who sat at the table answers the referee's questions, and the questions that were asked.

    ``looks``: when (seconds) which sightings became sure; ``most``: how many questions are answered after the last one.
    """
    witness = Witness(truth)
    evening = Evening.of(GAMES["stu"], game)
    asked: list[Question] = []
    standing: Question | None = None
    since = 0.0
    for t, sightings in looks:
        for sighting in sightings:
            evening = observe(evening, sighting)
        if sightings:
            now = question(evening)
            if now is None or standing is None or now.id != standing.id:
                since = t
            standing = now
        if standing is not None and t - since >= ANSWER_SECONDS:
            evening, answered = settle(evening, witness, most=1)
            asked += answered
            standing, since = question(evening), t
    evening, answered = settle(at_the_end(evening), witness, most=most)
    return evening.log, (*asked, *answered)
