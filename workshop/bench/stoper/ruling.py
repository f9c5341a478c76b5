"""The referee over what the eyes report of a clip, while somebody's phone tells the amounts and the words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games import GAMES
from companion.games.stoper.sightings import Sighting
from companion.line.prompter import WAIT_SECONDS, Prompter
from companion.referee import Evening, at_the_end, observe
from companion.table.log import Event, Line
from workshop.streams.stoper.referee import THUMB, served
from workshop.streams.stoper.truth import told


def log_by_phone(
    game: Event, looks: Iterable[tuple[float, Sequence[Sighting]]], truth: Sequence[Line]
) -> tuple[tuple[Line, ...], int, int]:
    """See `workshop.bench.betting.run.Betting`."""
    evening, words, t = Evening.of(GAMES["stoper"], game), told(truth), 0.0
    phone = Prompter(words, THUMB, served)
    for t, sightings in looks:
        evening = phone(evening, t)
        for sighting in sightings:
            evening = observe(evening, sighting)
    return phone(at_the_end(evening), t + THUMB + WAIT_SECONDS).log, phone.fitted, len(words)
