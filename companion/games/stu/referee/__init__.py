"""What sightings mean in a game of Lu Stù: `companion.referee.meaning.Meaning`, as a module."""

from __future__ import annotations

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.beginnings import at_the_end, beginnings, filed, parted
from companion.games.stu.referee.covered import covered
from companion.games.stu.referee.endings import about_missing, ended, missing, over_if_seen, situation, with_answers
from companion.games.stu.referee.explain import explain
from companion.games.stu.referee.facts import PLAINEST, default_of, fact_of, facts_of, is_unseen
from companion.games.stu.referee.history import history
from companion.games.stu.referee.holes import holes_within, parts
from companion.games.stu.referee.notices import not_shown
from companion.games.stu.referee.open_faces import deciding, faces_up
from companion.games.stu.referee.parting import blind, doubts, hangs_on, may_have_gone, redealt
from companion.games.stu.rules import State
from companion.games.stu.sightings import TAGS, PedineSeen, Resumed, Sighting
from companion.referee.hypothesis import WHOLE as BREADTH
from companion.referee.hypothesis import Beam
from companion.referee.meaning import Doubted, Step
from companion.table.errors import Illegal
from companion.table.log import Line

__all__ = [
    "BREADTH", "PLAINEST", "TAGS", "about_missing", "aside", "at_the_end", "beginnings", "blind", "deciding", "default",
    "doubted", "doubts", "ended", "explain", "faces_up", "fact", "facts", "filed", "hangs_on", "hangs_on_chips", "hangs_on_past",
    "history", "may_have_gone", "missing", "not_shown", "over_if_seen", "parted", "redealt", "situation", "steps", "unseen",
    "with_answers",
]  # fmt: skip

default, fact, facts, unseen = default_of, fact_of, facts_of, is_unseen


def aside(sighting: Sighting) -> int | None:
    """Pedine are compared with the engine's and change nothing: only the newest count of each place is kept."""
    return sighting.place if isinstance(sighting, PedineSeen) else None


def steps(sightings: tuple[Sighting, ...]) -> tuple[Step, ...]:
    """The sightings, the moments at which a face seen later may have been shown, and the parts of times in which nothing could be
    seen, in order of time."""
    gaps = holes_within(sightings)
    seen = [one for one in sightings if not isinstance(one, Resumed) and not (isinstance(one, Unseen) and one.places is None)]
    hidden = [part for hole in gaps for part in parts(hole)]
    return tuple(sorted([*seen, *hidden, *covered(sightings)], key=lambda step: step.t))


def doubted(outcome: Beam, before: State, was: Doubted) -> Doubted:
    """Nothing: nobody plays for chips. Who may be out of pedine is `may_have_gone`."""
    return ()


def hangs_on_chips(before: State, lines: tuple[Line, ...], those: Doubted) -> bool:
    """See `doubted`."""
    return False


def hangs_on_past(error: Illegal) -> bool:
    """See `doubted`."""
    return False
