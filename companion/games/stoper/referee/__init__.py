"""What sightings mean in a game of Stoper: `companion.referee.sighting_model.SightingModel`, as a module.

The phone tells words and amounts, and these stand. The eyes add how many cards everybody has changed, and what was shown. The
hand is told anew with each sighting (`retelling`), so no step of the general beam means anything by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.eyes.sighting import Sighting
from companion.games.stoper.referee.beginnings import assign, at_the_end, beginnings, split_hand
from companion.games.stoper.referee.beginnings import blind as _blind
from companion.games.stoper.referee.chips import depends_on_chips, depends_on_past, doubted
from companion.games.stoper.referee.costs import BEAM_LIMITS
from companion.games.stoper.referee.endings import ended, missing, over_if_seen, situation, with_answers
from companion.games.stoper.referee.facts import PLAINEST, default_of, fact_of, facts_of, is_unseen
from companion.games.stoper.referee.history import History, history
from companion.games.stoper.referee.notices import partly_shown as not_shown
from companion.games.stoper.referee.open_faces import deciding, faces_up
from companion.games.stoper.rules import State
from companion.games.stoper.sightings import TAGS
from companion.referee.facts import Fact
from companion.referee.reports import HandReports
from companion.referee.sighting_model import DealQuestion, HandSplit, Step

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


def aside(sighting: Sighting) -> None:
    """Everything that is seen belongs to a hand."""


def steps(sightings: tuple[Sighting, ...]) -> tuple[Step, ...]:
    """None: what was seen counts all together, in `with_answers`."""
    return ()


def explain(history: History, step: Step, least: float) -> Iterable[History]:
    """See `steps`."""
    return (history,)


def blind(sightings: tuple[Sighting, ...], about: Fact | None = None) -> tuple[tuple[float, float], ...]:
    """See `companion.referee.sighting_model.SightingModel.blind`; no doubt is about such a time alone."""
    return _blind(sightings)


def doubts(reports: HandReports, before: State) -> tuple[DealQuestion, ...]:
    """None: a hand lasts for minutes, and is not played unseen."""
    return ()


def depends_on(fact: Fact, sightings: tuple[Sighting, ...]) -> bool:
    """No doubt is about how the sightings are split."""
    return False


def redealt(fact: Fact, choice: str, sightings: tuple[Sighting, ...]) -> HandSplit | None:
    """See `depends_on`."""


def may_have_gone(state: State) -> bool:
    """Nobody: who has no chips left is out by what the phone has told, and not by what the eyes have missed."""
    return False


def about_missing(place: int, t: float) -> tuple[Fact, tuple[str, ...]]:
    """Who took the pot. Nobody asks like this: see `missing`."""
    return Fact("won@1", "won", (), t), (str(place),)
