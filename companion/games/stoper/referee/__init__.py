"""What sightings mean in a game of Stoper: `companion.referee.sighting_model.SightingModel`.

The phone tells words and amounts, and these stand. The eyes add how many cards everybody has changed, and what was shown. Each
sighting makes the referee build the hand again from its first line (`retelling`), so no single step of the general beam means
anything here.
"""

from __future__ import annotations

from companion.eyes.sighting import Sighting
from companion.games.stoper import rules
from companion.games.stoper.referee import beginnings, chips, endings, facts, open_faces
from companion.games.stoper.referee.costs import BEAM_LIMITS
from companion.games.stoper.referee.history import history
from companion.games.stoper.sightings import TAGS
from companion.referee.plain import PlainModel
from companion.referee.sighting_model import Step
from companion.referee.values import Fact


class _Model(PlainModel):
    """A hand lasts for minutes, and is not played unseen; the phone's lines say who has no chips left and is out."""

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
    doubted = staticmethod(chips.doubted)
    depends_on_chips = staticmethod(chips.depends_on_chips)
    depends_on_past = staticmethod(chips.depends_on_past)
    not_shown = staticmethod(open_faces.partly_shown)

    def blind(self, sightings: tuple[Sighting, ...], about: Fact | None = None, /) -> tuple[tuple[float, float], ...]:
        """None: no doubt is about a time alone."""
        return beginnings.blind(sightings)

    def steps(self, sightings: tuple[Sighting, ...], /) -> tuple[Step, ...]:
        """None: what was seen counts all together, in `with_answers`."""
        return ()

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        """Who took the pot. Nobody asks like this: see `missing`."""
        return Fact("won@1", "won", (), t), (str(place),)


MODEL: PlainModel = _Model(rules)
