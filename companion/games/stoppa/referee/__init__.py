"""What sightings mean in a game of Stoppa: `companion.referee.sighting_model.SightingModel`."""

from __future__ import annotations

from typing import Any

from companion.games.betting.referee import BettingModel
from companion.games.stoppa import rules
from companion.games.stoppa.referee import beginnings, endings, facts, open_faces
from companion.games.stoppa.referee.explain import explain
from companion.games.stoppa.referee.history import BEAM_LIMITS, history
from companion.games.stoppa.referee.turns import steps
from companion.games.stoppa.sightings import TAGS, Dealt, Laid, Shown, TakenBack
from companion.referee.plain import PlainModel
from companion.referee.values import Fact
from companion.referee.witnesses.agreeing import Agreeing, Episodes, Weighed
from companion.referee.witnesses.testimony import Sights


class _Model(BettingModel):
    """Nobody leaves (rule 2), and what is owed is written down."""

    TAGS, BEAM_LIMITS = TAGS, BEAM_LIMITS
    asked, begins = facts.ASKED, (Dealt, Laid, Shown, TakenBack)
    history, explain, steps = staticmethod(history), staticmethod(explain), staticmethod(steps)
    assign, split_hand = staticmethod(beginnings.assign), staticmethod(beginnings.split_hand)
    at_the_end, beginnings = staticmethod(beginnings.at_the_end), staticmethod(beginnings.beginnings)
    ended, over_if_seen = staticmethod(endings.ended), staticmethod(endings.over_if_seen)
    situation, with_answers = staticmethod(endings.situation), staticmethod(endings.with_answers)
    default, unseen, facts = staticmethod(facts.default_of), staticmethod(facts.is_unseen), staticmethod(facts.facts_of)
    deciding = staticmethod(open_faces.deciding)

    def agreeing(self, sights: Sights, /) -> dict[type[Any], Agreeing]:
        """Cards that are taken off the pile leave the one on top that was laid before."""
        laid = Episodes(sights, ("alternatives", "places"), numbers=("motion",))
        return {Laid: laid, TakenBack: Weighed(sights, refers=("top", laid.episodes))}

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        """How many cards were left in a hand. Nobody asks: `missing` names none."""
        return Fact(f"left:{place}", "left", (place,), t), tuple(map(str, range(14)))


MODEL: PlainModel = _Model(rules)
