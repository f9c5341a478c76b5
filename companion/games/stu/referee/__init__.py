"""What sightings mean in a game of Lu Stù: `companion.referee.sighting_model.SightingModel`, as a module."""

from __future__ import annotations

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.beginnings import assign, at_the_end, beginnings, split_hand
from companion.games.stu.referee.covered import covered
from companion.games.stu.referee.endings import about_missing, ended, missing, over_if_seen, situation, with_answers
from companion.games.stu.referee.explain import explain
from companion.games.stu.referee.facts import PLAINEST, default_of, fact_of, facts_of, is_unseen
from companion.games.stu.referee.history import history
from companion.games.stu.referee.holes import holes_within, parts
from companion.games.stu.referee.notices import not_shown
from companion.games.stu.referee.open_faces import deciding, faces_up
from companion.games.stu.referee.splitting import blind, depends_on, doubts, may_have_gone, redealt
from companion.games.stu.rules import State
from companion.games.stu.sightings import TAGS, PedineSeen, Resumed, Sighting
from companion.referee.hypothesis import WHOLE as BEAM_LIMITS
from companion.referee.hypothesis import Beam
from companion.referee.sighting_model import ChipUncertainty, Step
from companion.table.errors import Illegal
from companion.table.log import Line

__all__ = [
    "BEAM_LIMITS",
    "PLAINEST",
    "TAGS",
    "about_missing",
    "aside",
    "assign",
    "at_the_end",
    "beginnings",
    "blind",
    "deciding",
    "default",
    "depends_on",
    "depends_on_chips",
    "depends_on_past",
    "doubted",
    "doubts",
    "ended",
    "explain",
    "faces_up",
    "fact",
    "facts",
    "history",
    "may_have_gone",
    "missing",
    "not_shown",
    "over_if_seen",
    "redealt",
    "situation",
    "split_hand",
    "steps",
    "unseen",
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


def doubted(outcome: Beam, before: State, was: ChipUncertainty) -> ChipUncertainty:
    """Nothing: nobody plays for chips. Who may be out of pedine is `may_have_gone`."""
    return ()


def depends_on_chips(before: State, lines: tuple[Line, ...], those: ChipUncertainty) -> bool:
    """See `doubted`."""
    return False


def depends_on_past(error: Illegal) -> bool:
    """See `doubted`."""
    return False
