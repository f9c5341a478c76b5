"""What sightings mean in a game of Lu Stù: `companion.referee.sighting_model.SightingModel`."""

from __future__ import annotations

from typing import Any

from companion.eyes.sighting import Unseen
from companion.games.stu import rules
from companion.games.stu.referee import beginnings, endings, facts, notices, open_faces, splitting
from companion.games.stu.referee.covered import covered
from companion.games.stu.referee.explain import explain
from companion.games.stu.referee.history import history
from companion.games.stu.referee.holes import holes_within, parts
from companion.games.stu.sightings import TAGS, DeckExchanged, Exchanged, PedineSeen, Resumed, Shown, Sighting
from companion.referee.plain import PlainModel
from companion.referee.sighting_model import Step
from companion.referee.witnesses.agreeing import AgreedCount, Agreeing, Episodes, Weighed
from companion.referee.witnesses.testimony import Sights

LATE_SECONDS = 5.0
"""Seconds after an exchange within which a camera tells of it: it waits for a card that is away, and until nothing moves
there."""


class _Model(PlainModel):
    """Nobody plays for chips; `may_have_gone` says who may be out of pedine."""

    TAGS, PLAINEST = TAGS, facts.PLAINEST
    history = staticmethod(history)
    assign = staticmethod(beginnings.assign)
    split_hand = staticmethod(beginnings.split_hand)
    at_the_end = staticmethod(beginnings.at_the_end)
    beginnings = staticmethod(beginnings.beginnings)
    explain = staticmethod(explain)
    ended = staticmethod(endings.ended)
    over_if_seen = staticmethod(endings.over_if_seen)
    situation = staticmethod(endings.situation)
    with_answers = staticmethod(endings.with_answers)
    missing = staticmethod(endings.missing)
    about_missing = staticmethod(endings.about_missing)
    fact = staticmethod(facts.fact_of)
    default = staticmethod(facts.default_of)
    unseen = staticmethod(facts.is_unseen)
    facts = staticmethod(facts.facts_of)
    not_shown = staticmethod(notices.not_shown)
    deciding = staticmethod(open_faces.deciding)
    faces_up = staticmethod(open_faces.faces_up)
    blind = staticmethod(splitting.blind)
    doubts = staticmethod(splitting.doubts)
    depends_on = staticmethod(splitting.depends_on)
    redealt = staticmethod(splitting.redealt)
    may_have_gone = staticmethod(splitting.may_have_gone)

    def agreeing(self, sights: Sights, /) -> dict[type[Any], Agreeing]:
        """A place holds one card. Who exchanged is told late where a card is away."""
        return {
            Shown: Episodes(sights, ("alternatives",), one=True), PedineSeen: AgreedCount(sights),
            Exchanged: Weighed(sights, LATE_SECONDS), DeckExchanged: Weighed(sights, LATE_SECONDS),
        }  # fmt: skip

    def aside(self, sighting: Sighting, /) -> int | None:
        """The place of a count of pedine. Counts are compared with the engine's and change nothing: only the newest of each place
        is kept."""
        return sighting.place if isinstance(sighting, PedineSeen) else None

    def steps(self, sightings: tuple[Sighting, ...], /) -> tuple[Step, ...]:
        """In order of time: the sightings, the moments at which a face seen later may have been shown, and the parts of each
        hole, in which nothing could be seen."""
        gaps = holes_within(sightings)
        seen = [one for one in sightings if not isinstance(one, Resumed) and not (isinstance(one, Unseen) and one.places is None)]
        hidden = [part for hole in gaps for part in parts(hole)]
        return tuple(sorted([*seen, *hidden, *covered(sightings)], key=lambda step: step.t))


MODEL: PlainModel = _Model(rules)
