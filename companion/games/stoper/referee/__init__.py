"""What sightings mean in a game of Stoper: `companion.referee.sighting_model.SightingModel`.

The phone tells words and amounts, and these stand. The eyes add how many cards everybody has changed, and what was shown. Each
sighting makes the referee build the hand again from its first line (`retelling`), so no single step of the general beam means
anything here.
"""

from __future__ import annotations

from typing import Any

from companion.eyes.sighting import Sighting
from companion.games.betting.referee import BettingModel
from companion.games.stoper import rules
from companion.games.stoper.referee import beginnings, chips, endings, facts, open_faces
from companion.games.stoper.referee.costs import BEAM_LIMITS
from companion.games.stoper.referee.history import history
from companion.games.stoper.sightings import TAGS, Dealt, Shown, Thrown
from companion.referee.plain import PlainModel
from companion.referee.sighting_model import Step
from companion.referee.values import Fact
from companion.referee.witnesses.agreeing import Agreeing, Episodes
from companion.referee.witnesses.testimony import Sights


class _Model(BettingModel):
    """The phone's lines say who has no chips left and is out."""

    TAGS, BEAM_LIMITS = TAGS, BEAM_LIMITS
    asked, begins = facts.ASKED, (Dealt, Thrown, Shown)
    history, facts = staticmethod(history), staticmethod(facts.facts_of)
    assign, split_hand = staticmethod(beginnings.assign), staticmethod(beginnings.split_hand)
    at_the_end, beginnings = staticmethod(beginnings.at_the_end), staticmethod(beginnings.beginnings)
    ended, over_if_seen = staticmethod(endings.ended), staticmethod(endings.over_if_seen)
    situation, with_answers = staticmethod(endings.situation), staticmethod(endings.with_answers)
    deciding, not_shown = staticmethod(open_faces.deciding), staticmethod(open_faces.partly_shown)
    doubted, depends_on_chips = staticmethod(chips.doubted), staticmethod(chips.depends_on_chips)
    depends_on_past = staticmethod(chips.depends_on_past)

    def agreeing(self, sights: Sights, /) -> dict[type[Any], Agreeing]:
        """How several views agree on sightings of thrown cards, whose origin no view knows for certain."""
        return {Thrown: Episodes(sights, ("counts", "places"))}

    def steps(self, sightings: tuple[Sighting, ...], /) -> tuple[Step, ...]:
        """None: what was seen counts all together, in `with_answers`."""
        return ()

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        """Who took the pot. Nobody asks like this: `missing` names none."""
        return Fact("won@1", "won", (), t), (str(place),)


MODEL: PlainModel = _Model(rules)
