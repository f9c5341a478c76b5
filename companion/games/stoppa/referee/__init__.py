"""What sightings mean in a game of Stoppa: `companion.referee.sighting_model.SightingModel`, as a module."""

from __future__ import annotations

from companion.eyes.sighting import Sighting
from companion.games.stoppa.referee.beginnings import assign, at_the_end, beginnings, split_hand
from companion.games.stoppa.referee.beginnings import blind as _blind
from companion.games.stoppa.referee.costs import BEAM_LIMITS
from companion.games.stoppa.referee.endings import ended, missing, over_if_seen, situation, with_answers
from companion.games.stoppa.referee.explain import explain
from companion.games.stoppa.referee.facts import PLAINEST, default_of, fact_of, facts_of, is_unseen
from companion.games.stoppa.referee.history import history
from companion.games.stoppa.referee.open_faces import deciding, faces_up
from companion.games.stoppa.referee.steps import steps
from companion.games.stoppa.rules import State
from companion.games.stoppa.sightings import TAGS
from companion.referee.chapter import Chapter
from companion.referee.facts import Fact
from companion.referee.hypothesis import Beam
from companion.referee.reports import HandReports
from companion.referee.sighting_model import ChipUncertainty, DealQuestion, HandSplit
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


def aside(sighting: Sighting) -> None:
    """Everything that is seen belongs to a hand."""


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
    """Nobody goes: the number of players is fixed (rule 2)."""
    return False


def doubted(outcome: Beam, before: State, was: ChipUncertainty) -> ChipUncertainty:
    """Nothing: what is owed is written down, and nobody comes to the end of it."""
    return ()


def depends_on_chips(before: State, lines: tuple[Line, ...], those: ChipUncertainty) -> bool:
    """See `doubted`."""
    return False


def depends_on_past(error: Illegal) -> bool:
    """See `doubted`."""
    return False


def about_missing(place: int, t: float) -> tuple[Fact, tuple[str, ...]]:
    """How many cards were left in a hand. Nobody asks: see `missing`."""
    return Fact(f"left:{place}", "left", (place,), t), tuple(map(str, range(14)))


def not_shown(chapter: Chapter, t: float) -> tuple[float, tuple[int, ...]] | None:
    """Nobody must show a card at a given time."""
