"""What sightings mean in a game of Stoppa: `companion.referee.sighting_model.SightingModel`."""

from __future__ import annotations

from companion.eyes.sighting import Sighting
from companion.games.stoppa import rules
from companion.games.stoppa.referee import beginnings, endings, facts, open_faces
from companion.games.stoppa.referee.explain import explain
from companion.games.stoppa.referee.history import BEAM_LIMITS, history
from companion.games.stoppa.referee.turns import steps
from companion.games.stoppa.sightings import TAGS
from companion.referee.plain import PlainModel
from companion.referee.values import Fact


class _Model(PlainModel):
    """A hand lasts for minutes, and is not played unseen; nobody leaves (rule 2), and what is owed is written down."""

    TAGS, PLAINEST, BEAM_LIMITS = TAGS, facts.PLAINEST, BEAM_LIMITS
    history = staticmethod(history)
    assign = staticmethod(beginnings.assign)
    split_hand = staticmethod(beginnings.split_hand)
    at_the_end = staticmethod(beginnings.at_the_end)
    beginnings = staticmethod(beginnings.beginnings)
    ended = staticmethod(endings.ended)
    over_if_seen = staticmethod(endings.over_if_seen)
    situation = staticmethod(endings.situation)
    with_answers = staticmethod(endings.with_answers)
    missing = staticmethod(endings.missing)
    fact = staticmethod(facts.fact_of)
    default = staticmethod(facts.default_of)
    unseen = staticmethod(facts.is_unseen)
    facts = staticmethod(facts.facts_of)
    deciding = staticmethod(open_faces.deciding)
    faces_up = staticmethod(open_faces.faces_up)
    explain = staticmethod(explain)
    steps = staticmethod(steps)

    def blind(self, sightings: tuple[Sighting, ...], about: Fact | None = None, /) -> tuple[tuple[float, float], ...]:
        """None: no doubt is about a time alone."""
        return beginnings.blind(sightings)

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        """How many cards were left in a hand. Nobody asks: see `missing`."""
        return Fact(f"left:{place}", "left", (place,), t), tuple(map(str, range(14)))


MODEL: PlainModel = _Model(rules)
